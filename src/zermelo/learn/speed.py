"""How fast this machine learns a game, and so how long a training will take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from zermelo.compile.record_game import RecordGame
from zermelo.core.stopwatch import Stopwatch
from zermelo.learn.settings import Settings
from zermelo.learn.systems import PLAIN, System
from zermelo.learn.trainer import Trainer

LEAST = 0.2  # seconds of a round: a shorter one says little
LARGEST = 1 << 20  # games of a round


@dataclass(frozen=True)
class Speed:
    """Games a second with so many actors in as many threads."""

    threads: int
    games: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    def seconds_for(self, games: int) -> float:
        return games / self.games_per_second


def measure_speed(
    game: RecordGame,
    settings: Settings,
    threads: int,
    seconds: float,
    *,
    weights: NDArray[Any] | None = None,
    system: System = PLAIN,
) -> Speed:
    """Play and learn for some seconds, compiling not counted; from `weights` on, if there are any."""

    def trainer(games_per_round: int) -> Trainer:
        tried = replace(settings, games=10**12, actors=threads, games_per_round=games_per_round)
        return system.trainer(game, tried, weights=weights, threads=threads)

    trainer(1).round()  # compiles
    size, learner = 1, trainer(1)
    while size < LARGEST:  # longer rounds, until one can be timed
        watch = Stopwatch()
        learner.round()
        if watch.seconds >= LEAST:
            break
        size *= 4
        learner = trainer(size)
    before, watch = learner.games, Stopwatch()
    while watch.seconds < seconds:
        learner.round()
    return Speed(threads, learner.games - before, watch.seconds)
