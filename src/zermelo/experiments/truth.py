"""How good is an evaluation, by the truth? Does it choose a move that gives nothing away, and if not, what is lost?

Endgame tables know what every position of a class is worth, and every move. So positions are drawn, class by class, in
which something is *at stake*: some move keeps the worth of the position and some move gives it away. In each of them an
evaluation chooses a move

    depth 0      it judges the positions that the moves lead to, as they stand; of equals any
    depth n      by an alpha-beta search of n plies, captures and the like followed further, without tables

(a policy/value network: the best successor by its value, and the move that its policy likes best; no search), and
loses 0 if it keeps what the position is worth, 1 where a win becomes a draw or a draw a loss, 2 where a win is lost.
`random` is any move, on average. The same positions are put to all.

A number of all classes together (of four pieces, say) is for a position drawn from all that are at stake there: a class
counts as many times as it is estimated to have such positions. Intervals are of 95 %.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.arena.statistics import Z
from zermelo.compile.record_game import RecordGame
from zermelo.core.files import write_atomically
from zermelo.core.game import GameError
from zermelo.evaluate.shipped import evaluator_for, shipped_file
from zermelo.evaluate.tower.files import shipped_tower
from zermelo.experiments.stakes import ByNetwork, Stakes, choose, draw_stakes
from zermelo.experiments.truth_figure import draw
from zermelo.search.mcts.network import NetworkEvaluator, read_network
from zermelo.tables.files import Header
from zermelo.tables.tables import Tables

RANDOM, HANDCRAFTED, LEARNED, ZERO = "random", "handcrafted", "learned", "zero"
DEPTHS = (0, 1, 2, 3, 4)
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """What an evaluation did in the positions of a class, or of all classes of a limit together (`name` is "all")."""

    limit: int  # pieces, men, seeds
    name: str
    positions: int  # in the class, as the tables number them
    at_stake: float  # the share of them in which some move gives something away, as far as was drawn
    drawn: int  # positions at stake that were put to the evaluation
    evaluation: str
    depth: int  # -1: none, for moves at random
    best: float  # the share in which nothing was given away
    best_error: float  # standard errors
    lost: float  # on average: 1 a win for a draw, or a draw for a loss
    lost_error: float


@dataclass(frozen=True)
class Truth:
    """What `run_truth` measured."""

    game: str
    checksum: str  # of the tables
    seed: int
    rows: tuple[Row, ...]

    @property
    def limits(self) -> list[int]:
        return sorted({row.limit for row in self.rows})

    @property
    def evaluations(self) -> list[str]:
        return list(dict.fromkeys(row.evaluation for row in self.rows))

    @property
    def depths(self) -> list[int]:
        return sorted({row.depth for row in self.rows if row.depth >= 0})

    def of_all_classes(self, limit: int) -> list[Row]:
        """All classes of a limit as one, an evaluation and a depth after the other."""
        return [row for row in self.rows if row.limit == limit and row.name == "all"]

    def table(self) -> str:
        """All classes together; the classes are in the CSV."""
        wide = max(map(len, self.evaluations))
        lines = [
            f"{self.game}: positions of endgame tables in which some move gives something away (seed {self.seed}): how "
            "often a move was chosen that does not, and what was lost a move (win → draw 1, win → loss 2)"
        ]
        for limit in self.limits:
            rows = self.of_all_classes(limit)
            classes = len({row.name for row in self.rows if row.limit == limit}) - 1
            lines.append(
                f"\nlimit {limit}: {classes} classes, {rows[0].positions:,} positions, "
                f"{rows[0].at_stake:.1%} at stake, {rows[0].drawn:,} drawn"
            )
            lines.append(f"{'':{wide}}  depth  {'the best kept':>15}  {'lost a move':>15}")
            for row in rows:
                depth = "" if row.depth < 0 else str(row.depth)
                best = f"{row.best:.1%} ± {Z * row.best_error:.1%}"
                lost = f"{row.lost:.3f} ± {Z * row.lost_error:.3f}"
                lines.append(f"{row.evaluation:{wide}}  {depth:>5}  {best:>15}  {lost:>15}")
        return "\n".join(lines)

    def csv(self) -> str:
        """Every class and all together: a line a row."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names = [one.name for one in fields(Row)]
        writer.writerow(["game", *names])
        for row in self.rows:
            values = [getattr(row, name) for name in names]
            writer.writerow([self.game, *(f"{value:.6g}" if isinstance(value, float) else value for value in values)])
        return out.getvalue()

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        write_atomically(Path(path), self.csv().encode())

    def figure(self, path: str | os.PathLike[str]) -> Path:
        """Faults against depth; and class by class."""
        return draw(self, path)


def run_truth(
    game: RecordGame,
    evaluators: Sequence[str] = (),
    networks: Sequence[str] = (),
    limits: Sequence[int] = (),
    positions: int = 1000,
    depths: Sequence[int] = DEPTHS,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    tell: Tell = lambda words: None,
) -> Truth:
    """Measure `evaluators` and `networks` on up to `positions` positions of every class of these `limits` (by default
    the largest there is). Without either: what the rules and the package have."""
    if positions < 1:
        raise GameError("at least one position of a class must be judged")
    if not depths or min(depths) < 0 or max(depths) > 40:
        raise GameError("an evaluation is measured at depths from 0 to 40")
    if game.variant.max_chance_outcomes:
        raise GameError(f"{game.name} has chance; evaluations are measured by truth in games without")
    tables = Tables(game, folder if folder is None else Path(folder), with_shipped=folder is None)
    chosen, known = _chosen(tables, limits), tables.known()
    judged = _judged(game, evaluators, networks)
    rows: list[Row] = []
    for limit, headers in chosen.items():
        classes: list[list[Row]] = []
        for k, header in enumerate(headers):
            tell(f"limit {limit}: {header.name}, class {k + 1} of {len(headers)}")
            stakes = draw_stakes(game, known, header, positions, seed)
            if stakes.found:
                classes.append(list(_measure(game, header, stakes, judged, sorted({*depths}), seed)))
        if classes:
            rows += together(classes)
            rows += [row for one in classes for row in one]
    if not rows:
        raise GameError(f"{game.name}: in none of these endings is anything at stake")
    return Truth(game.name, tables.checksum(), seed, tuple(rows))


def _judged(game: RecordGame, evaluators: Sequence[str], networks: Sequence[str]) -> dict[str, Any]:
    """Whose choices are measured, by name."""
    if not evaluators and not networks:
        evaluators = [HANDCRAFTED] * bool(game.has_evaluation) + [LEARNED] * (shipped_file(game) is not None)
        networks = [ZERO] * (game.variant.policy_size is not None and shipped_tower(game) is not None)
    judged: dict[str, Any] = {name: evaluator_for(game, name) for name in evaluators}
    if not evaluators and not networks:
        raise GameError(f"{game.name} has no evaluation that could be measured: give --evaluator or --network")
    for name in networks:
        network = NetworkEvaluator(game, *read_network(game, None if name == ZERO else name))
        judged |= {f"{name}, value": ByNetwork(network, False), f"{name}, policy": ByNetwork(network, True)}
    return judged


def _chosen(tables: Tables, limits: Sequence[int]) -> dict[int, list[Header]]:
    """The classes of each limit."""
    there = tables.headers()
    if not there:
        raise GameError(
            f"there are no tables of {tables.game.name} in '{tables.folder}'; "
            f"`zermelo tables build {tables.game.origin or tables.game.name} --limit N` makes them"
        )
    wanted = sorted({*limits}) or [max(header.limit for header in there)]
    found = {limit: [header for header in there if header.limit == limit] for limit in wanted}
    for limit, headers in found.items():
        if not headers:
            known = ", ".join(str(one) for one in sorted({header.limit for header in there}))
            raise GameError(f"{tables.game.name} has no tables of exactly {limit} here; there are those of {known}")
    return found


def _measure(
    game: RecordGame, header: Header, stakes: Stakes, judged: dict[str, Any], depths: list[int], seed: int
) -> Iterable[Row]:
    """A row for moves at random, and for every evaluation at every depth."""
    size = header.size - header.counts.get("none", 0)
    told = header.limit, header.name, size, stakes.found / stakes.looked_at, stakes.found

    def row(name: str, depth: int, best: NDArray[np.float64], lost: NDArray[np.float64]) -> Row:
        return Row(*told, name, depth, *_mean(best), *_mean(lost))

    keeps, gives = stakes.worth >= stakes.best[:, None], stakes.best[:, None] - stakes.worth
    is_action = np.arange(stakes.worth.shape[1]) < stakes.count[:, None]
    yield row(RANDOM, -1, _over(keeps, is_action), _over(gives, is_action))
    for name, evaluator in judged.items():
        is_network = isinstance(evaluator, ByNetwork)
        for depth in [0] if is_network else depths:
            chosen = evaluator.choose(game, stakes) if is_network else choose(game, evaluator, stakes, depth, seed)
            lost = gives[np.arange(stakes.found), chosen]
            yield row(name, depth, (lost == 0).astype(float), lost.astype(float))


def _over(values: NDArray[Any], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The mean over the actions there are, of every position."""
    means: NDArray[np.float64] = (values * mask).sum(axis=1) / mask.sum(axis=1)
    return means


def _mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """(mean, standard error): the scatter gets half a move more than was seen, so that equal ones are not certainty."""
    n, mean = len(values), values.mean()
    return float(mean), math.sqrt(((values - mean) ** 2).sum() + 0.25) / n


def together(classes: list[list[Row]]) -> list[Row]:
    """The rows of all classes as one: each counts by how many positions at stake it is estimated to have."""
    made = []
    for rows in zip(*classes, strict=True):
        weights = np.array([row.positions * row.at_stake for row in rows])
        total = weights.sum()

        def mixed(name: str, rows: Sequence[Row] = rows, weights: Any = weights / total) -> tuple[float, float]:
            means = np.array([getattr(row, name) for row in rows])
            errors = np.array([getattr(row, f"{name}_error") for row in rows])
            return float(weights @ means), float(np.sqrt(((weights * errors) ** 2).sum()))

        size = sum(row.positions for row in rows)
        made.append(
            Row(rows[0].limit, "all", size, float(total / size), sum(row.drawn for row in rows), rows[0].evaluation,
                rows[0].depth, *mixed("best"), *mixed("lost"))
        )  # fmt: skip
    return made
