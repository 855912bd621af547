"""How fast this machine trains a network, and so how long a training will take."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.compile.record_game import RecordGame
from zermelo.core.stopwatch import Stopwatch
from zermelo.learn.zero.settings import ZeroSettings
from zermelo.learn.zero.trainer import Trainer


@dataclass(frozen=True)
class Speed:
    """Some rounds, self-play and updates, measured."""

    rounds: int
    simulations: int
    positions: int  # recorded
    seconds: float

    def seconds_for(self, settings: ZeroSettings) -> float:
        """Of a whole training, by its simulations."""
        return sum(map(settings.simulations_in, range(settings.rounds))) * self.seconds / self.simulations


def measure_speed(game: RecordGame, settings: ZeroSettings, device: str, seconds: float) -> Speed:
    """Play and learn for some seconds, at least a round; compiling is not counted, and so neither is what comes before
    the first update."""
    trainer = Trainer(game, settings, device)
    while "loss" not in trainer.totals and not trainer.finished:
        trainer.round()
    first, watch = trainer.rounds, Stopwatch()
    while trainer.rounds == first or watch.seconds < seconds:
        trainer.round()
    rounds = range(first, trainer.rounds)
    recorded = len(rounds) * settings.full_searches * settings.parallel_games
    return Speed(len(rounds), sum(map(settings.simulations_in, rounds)), recorded, watch.seconds)
