"""What a training notes about itself, at numbers of games that follow from its settings alone.

    shares of all games:   1/256  1/128  1/64  1/32  1/16  2/16  3/16  …  16/16

At each of these a row is added to the log: the TD error since the last row, and the strength against a yardstick that
never changes. No clock has a part in it: a training that was stopped a hundred times has the log of one left alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

from zermelo.compile.evaluator import HANDCRAFTED
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.evaluate.network import Network
from zermelo.learn.contest import Contest, contest
from zermelo.learn.settings import Settings

SHARES = (1 / 256, 1 / 128, 1 / 64, 1 / 32, *(n / 16 for n in range(1, 17)))
FEWEST, MOST = 50, 1000  # pairs of games in a measurement
OPENING = 4  # random moves that begin a measured game where there are no dice and the training has none either
LAST = 4  # the last measurement is so many times as long
R = TypeVar("R")  # a row of a log


@dataclass(frozen=True)
class Row:
    """How a training stood after so many games. Points are what the learner wins a game, with a 95 % margin."""

    games: int
    learning_rate: float  # η
    error: float  # |V - target|, averaged over outputs and over positions since the last row
    decisions: float  # a game
    payoff: float  # player 0's, a game
    truncated: int  # games that got too long
    points: float
    margin: float
    wins: int
    draws: int
    losses: int


@dataclass
class Log:
    """The rows so far, what has been summed up for the next one, and where rounds had to be undone."""

    rows: list[Row] = field(default_factory=list)
    sums: dict[str, float] = field(default_factory=dict)
    undone: list[list[float]] = field(
        default_factory=list
    )  # (games, what the learning rate is multiplied by since then)

    def add(self, games: int, totals: Mapping[str, float]) -> None:
        """A round was played."""
        for name, value in {"games": float(games), **totals}.items():
            self.sums[name] = self.sums.get(name, 0.0) + value

    def close(self, games: int, learning_rate: float, found: Contest) -> Row:
        """A row of what was summed up, and of what was measured."""
        sums, self.sums = self.sums, {}
        played = max(1.0, sums.get("games", 0.0))
        row = Row(
            games,
            learning_rate,
            sums.get("error", 0.0) / max(1.0, sums.get("positions", 0.0)),
            sums.get("decisions", 0.0) / played,
            sums.get("payoff", 0.0) / played,
            int(sums.get("truncated", 0.0)),
            float(found.points),
            float(found.margin),
            found.wins,
            found.draws,
            found.losses,
        )
        self.rows.append(row)
        return row

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Log:
        """From what `as_dict` gave."""
        try:
            return cls(read_rows(told, Row), dict(told["sums"]), [list(note) for note in told["undone"]])
        except (KeyError, TypeError):
            raise GameError("this log is not one of a training") from None


def read_rows(told: Mapping[str, Any], kind: type[R]) -> list[R]:
    """The rows of a log; a KeyError or TypeError, where they are not of this kind."""
    names = {one.name for one in fields(kind)}  # type: ignore[arg-type]
    if any(set(row) != names for row in told["rows"]):
        raise KeyError("rows")
    return [kind(**row) for row in told["rows"]]


def measuring_points(games: int) -> list[int]:
    """After how many games strength is measured, in a training of so many."""
    return sorted({max(1, math.ceil(games * share)) for share in SHARES})


def pairs_for(games: int) -> int:
    """How many pairs of games a measurement takes: all of them together about a tenth of the training."""
    return min(MOST, max(FEWEST, games // 400))


def baseline(game: RecordGame) -> str:
    """What strength is measured against."""
    return "the hand-written evaluation" if game.has_evaluation else "random moves (wins taken at once)"


def opening_for(game: RecordGame, settings: Settings) -> int:
    """How many random moves begin a measured game."""
    if settings.opening or game.variant.max_chance_outcomes:
        return settings.opening
    return min(OPENING, (game.variant.max_plies or 100) // 4)


def measure(game: RecordGame, net: Network, settings: Settings, pairs: int) -> Contest:
    """The learner against the yardstick, both moving to the best successor; the same dice and openings every time."""
    opening = opening_for(game, settings)
    other = HANDCRAFTED if game.has_evaluation else None
    return contest(game, net, other, pairs=pairs, opening=opening, seed=settings.seed + 1913)
