"""What is the network worth to the search, and the search to the network? The paper's comparison, for any game.

The same tree search, with so many simulations a move, guided

    network      by a policy/value network; one simulation is the policy alone
    evaluation   by the hand-written evaluation of the rules, and their order of moves (where there is one)
    playouts     by random games (UCT)

plays everybody against everybody; ratings are on one scale. Reference: Silver et al. (2017), figure 6.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from zermelo.arena.match import Match
from zermelo.arena.tournament import tournament
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.experiments.figures import new_figure, save
from zermelo.players.move_values import is_two_sided
from zermelo.search.mcts.network import HANDCRAFTED, read_network

SIMULATIONS = (1, 16, 100, 400, 1600)
KINDS = {"network": "#1f6fd1", "evaluation": "#8a6d00", "playouts": "#c8402c"}


@dataclass(frozen=True)
class Entry:
    """One player of the comparison."""

    kind: str  # of KINDS
    simulations: int
    elo: float
    half: float  # of the 95 % interval
    points: float
    games: int


@dataclass(frozen=True)
class ZeroComparison:
    """What `run_zero_comparison` measured; the best first."""

    game: str
    games: int  # of every two
    entries: tuple[Entry, ...]

    def table(self) -> str:
        lines = [
            f"{self.game}: {count(self.games, 'game')} of every two; Elo, 0 on average",
            f"{'guided by':<10}  {'simulations':>11}  {'rating':>12}  {'points':>9}",
        ]
        for one in self.entries:
            points = f"{one.points:g}/{one.games}"
            lines.append(
                f"{one.kind:<10}  {one.simulations:>11,}  {f'{one.elo:+.0f} ± {one.half:.0f}':>12}  {points:>9}"
            )
        return "\n".join(lines)

    def figure(self, path: str | os.PathLike[str]) -> Path:
        """Ratings against simulations, a line for each guide."""
        figure, axes = new_figure()
        for kind, colour in KINDS.items():
            ours = sorted((one for one in self.entries if one.kind == kind), key=lambda one: one.simulations)
            if ours:
                axes.errorbar(
                    [one.simulations for one in ours], [one.elo for one in ours], yerr=[one.half for one in ours],
                    fmt="o-", color=colour, capsize=3, linewidth=1.4, label=kind,
                )  # fmt: skip
        axes.set_xscale("log", base=2)
        known = sorted({one.simulations for one in self.entries})
        axes.set_xticks(known, [f"{n:,}" for n in known])
        axes.set_xlabel("simulations a move (1: the policy alone)")
        axes.set_ylabel("Elo")
        axes.set_title(f"{self.game}: what guides the search")
        axes.legend(frameon=False)
        return save(figure, path)


def run_zero_comparison(
    game: RecordGame,
    simulations: Sequence[int] = SIMULATIONS,
    games: int = 10,
    weights: str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    record: Path | None = None,
    tell: Callable[[str], None] = lambda words: None,
) -> ZeroComparison:
    """Every two of the players play `games` games; with `record`, a comparison that was broken off goes on."""
    if not is_two_sided(game) or game.players < 2:
        raise GameError(f"{game.name}: the comparison is for games of two sides")
    counts = sorted(set(simulations))
    if not counts or counts[0] < 1:
        raise GameError("a search makes one simulation at least")
    read_network(game, weights)  # or one sentence about what is missing
    named = "" if weights is None else f",weights={weights}"
    specs = {f"zero:simulations={n}{named}": ("network", n) for n in counts}
    searching = [n for n in counts if n > 1]
    if game.has_evaluation:
        specs |= {f"zero:simulations={n},weights={HANDCRAFTED}": ("evaluation", n) for n in searching}
    specs |= {f"mcts:simulations={n}": ("playouts", n) for n in searching}
    if len(specs) < 2:
        raise GameError("a comparison needs two players: give more than one number of simulations")

    def heard(match: Match) -> None:
        tell(f"{match.summary.games} of {match.runner.games} games")

    found = tournament(
        game, *specs, games=games, openings=2, seed=seed, jobs=jobs, record=record, on_game=heard
    ).standings
    entries = tuple(Entry(*specs[one.player], one.elo, one.half, one.points, one.games) for one in found)
    return ZeroComparison(game.name, games, entries)
