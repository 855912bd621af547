"""What a training notes about itself, after numbers of rounds that follow from its settings alone (see learn/runs).
Needs no JAX: a page reads it too."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, field
from typing import Any

from zermelo.core.game import GameError
from zermelo.learn.runs.progress import read_rows

MEASURES = ("loss", "policy_loss", "value_loss", "policy_accuracy", "value_accuracy", "owners_accuracy")


@dataclass(frozen=True)
class Score:
    """What the network won against one yardstick, as a share from 0 to 1: wins, and half of the draws, where games end
    like that."""

    games: int
    share: float
    margin: float  # 95 %

    @property
    def elo(self) -> float:
        """The difference that this share means; shares of 0 and 1 count as half a game less."""
        least = 0.5 / self.games
        share = min(max(self.share, least), 1 - least)
        return 400 * math.log10(share / (1 - share))


@dataclass(frozen=True)
class Row:
    """How a training stood after so many rounds. Losses and accuracies are means since the row before."""

    rounds: int
    games: int
    learning_rate: float  # η
    plies: float  # of a game
    payoff: float  # player 0's, a game
    draws: float  # share
    loss: float
    policy_loss: float  # how far the search's policy is from the network's, in nats
    value_loss: float
    policy_accuracy: float  # the same likeliest move
    value_accuracy: float  # the same winner
    owners_accuracy: float
    random_share: float  # won against random moves
    random_margin: float
    before_share: float  # won against the network of the row before
    before_margin: float
    elo: float  # sum of the differences between rows; 0 is the network it began with


@dataclass
class Log:
    """The rows so far, and what has been summed up for the next one."""

    rows: list[Row] = field(default_factory=list)
    sums: dict[str, float] = field(default_factory=dict)

    def add(self, totals: Mapping[str, float]) -> None:
        """A round was played."""
        weight = totals.get("updates", 0.0)
        for name, value in totals.items():
            part = value * weight if name in MEASURES else value
            self.sums[name] = self.sums.get(name, 0.0) + part

    def close(self, rounds: int, games: int, rate: float, random: Score, before: Score) -> Row:
        """A row of what was summed up, and of what was measured."""
        sums, self.sums = self.sums, {}
        played, updates = max(1.0, sums.get("games", 0.0)), max(1.0, sums.get("updates", 0.0))
        means = {name: sums.get(name, 0.0) / updates for name in MEASURES}
        row = Row(
            rounds=rounds,
            games=games,
            learning_rate=rate,
            plies=sums.get("plies", 0.0) / played,
            payoff=sums.get("payoff", 0.0) / played,
            draws=sums.get("draws", 0.0) / played,
            random_share=random.share,
            random_margin=random.margin,
            before_share=before.share,
            before_margin=before.margin,
            elo=(self.rows[-1].elo if self.rows else 0.0) + before.elo,
            **means,
        )
        self.rows.append(row)
        return row

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Log:
        """From what `as_dict` gave."""
        try:
            log = cls(read_rows(told, Row), dict(told["sums"]))
            numbers = [*log.sums.values(), *(x for row in log.rows for x in astuple(row))]
            if not all(isinstance(x, int | float) for x in numbers):
                raise TypeError
            return log
        except (KeyError, TypeError, ValueError):
            raise GameError("this log is not one of a training") from None
