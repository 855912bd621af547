"""What a training is told. All of it together, with the game and the code, determines the weights to the last bit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from zermelo.core.game import GameError
from zermelo.learn.selfplay import Rates

TARGETS = ("leaf", "root")
SCHEDULES = ("constant", "linear", "exponential", "inverse")


@dataclass(frozen=True)
class Settings:
    """The model, how games are played, and how they are learned from."""

    hidden: tuple[int, ...] = ()  # units of each hidden layer; none: a linear model
    num_features: int | None = None  # look at the first so many features only
    games: int = 100_000
    pretrain: int = (
        0  # before these, so many games in which the hand-written evaluation is learned (see pretraining.py)
    )
    # -- learning
    learning_rate: float = 0.1  # η
    final_learning_rate: float | None = None  # what η has come down to at the end; None: a tenth
    schedule: str = "exponential"  # how it gets there
    lam: float = 0.7  # λ: 0 is TD(0), 1 is Monte Carlo
    gamma: float = 1.0  # γ
    traces: bool = False  # learn from every move at once, as published; else after each game (see traces.py)
    squared_error: bool = False  # descend the squared error, as published; else the cross-entropy
    coherence: bool = False  # a rate for every weight, by how well its changes agree
    expected_backup: bool = False  # back up the mean over all of chance, not the next position that came about
    # -- playing
    depth: int = 0  # how far each move looks ahead by a search; 0: the best successor (see lookahead.py)
    target: str = "leaf"  # with look-ahead, what is learned from: "leaf" or "root"
    epsilon: float = 0.0  # how often a move is any move
    temperature: float = 0.0  # moves are drawn with weight exp(value / temperature)
    opening: int = 0  # up to so many random moves begin a game
    on_policy: bool = False  # learn what the experiments are worth too
    truncated_value: float | None = (
        0.0  # what a game that gets too long counts for player 0; None: as the network thinks
    )
    # -- organisation
    actors: int = 1  # actors side by side, whose weights are averaged after each round
    games_per_round: int = 100  # games of an actor in a round
    seed: int = 0

    def __post_init__(self) -> None:
        def between(name: str, least: float, most: float) -> None:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
                raise GameError(f"{name} must be a number from {least:g} to {most:g}, not {value!r}")

        object.__setattr__(self, "hidden", tuple(int(n) for n in self.hidden))
        for name in ("lam", "gamma", "epsilon"):
            between(name, 0, 1)
        between("learning_rate", 1e-9, 1e3)
        if self.final_learning_rate is not None:
            between("final_learning_rate", 1e-9, 1e3)
        if self.num_features is not None:
            between("num_features", 1, 1e9)
        between("temperature", 0, 1e6)
        between("games", 1, 1e12)
        between("pretrain", 0, 1e12)
        between("depth", 0, 40)
        between("opening", 0, 1000)
        between("actors", 1, 4096)
        between("games_per_round", 1, 1e9)
        between("seed", 0, 2**63 - 1)
        if self.schedule not in SCHEDULES:
            raise GameError(f"the schedule may be {', '.join(SCHEDULES)}, not {self.schedule!r}")

        if self.target not in TARGETS:
            raise GameError(f"the target may be {' or '.join(TARGETS)}, not {self.target!r}")
        if self.traces and self.depth:
            raise GameError("with look-ahead there is no learning by traces: use depth 0, or no traces")

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Settings:
        """From names and values, as a file or a game's `training` gives them."""
        known = {field.name for field in fields(cls)}
        for name in given:
            if name not in known:
                raise GameError(f"a training has no setting '{name}'; it has: {', '.join(sorted(known))}")
        try:
            return cls(**given)
        except (TypeError, ValueError) as problem:
            raise GameError(f"these settings make no sense: {problem}") from None

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "hidden": list(self.hidden)}

    def learning_rate_at(self, games: int) -> float:
        """η after so many games."""
        last = self.learning_rate / 10 if self.final_learning_rate is None else self.final_learning_rate
        part = min(1.0, games / self.games)
        if self.schedule == "constant":
            return self.learning_rate
        if self.schedule == "linear":
            return self.learning_rate + (last - self.learning_rate) * part
        if self.schedule == "exponential":
            return float(self.learning_rate * (last / self.learning_rate) ** part)
        return self.learning_rate / (1.0 + (self.learning_rate / last - 1.0) * part)

    def rates_at(self, games: int, scale: float = 1.0) -> Rates:
        """For a round that begins after so many games."""
        return Rates(
            scale * self.learning_rate_at(games),
            float(self.lam),
            float(self.gamma),
            float(self.epsilon),
            float(self.temperature),
            int(self.opening),
            bool(self.squared_error),
            bool(self.on_policy),
            bool(self.expected_backup),
            math.nan if self.truncated_value is None else float(self.truncated_value),
        )
