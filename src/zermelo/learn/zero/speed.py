"""How fast this machine trains a network, and so how long a training will take."""

from __future__ import annotations

from dataclasses import dataclass, replace

import jax.numpy as jnp

from zermelo.compile.record_game import RecordGame
from zermelo.core.stopwatch import Stopwatch
from zermelo.learn.zero.replay import READY, WAITING
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


def shortened(settings: ZeroSettings) -> ZeroSettings:
    """Rounds of as few moves as have the same share of full searches, or nearly so: with as many updates for what is
    recorded, they measure the same in less time."""
    moves = min(settings.moves_per_round, max(1, round(1 / settings.full_share)))
    return replace(settings, moves_per_round=moves)


def measure_speed(game: RecordGame, settings: ZeroSettings, device: str, seconds: float) -> Speed:
    """Play and learn for some seconds, at least a round; compiling is not counted."""
    brief = shortened(settings)
    trainer = Trainer(game, brief, device)
    for _ in range(2):  # the first compiles playing, and brings what to learn from; the second compiles the updates
        trainer.round()
        _take_for_finished(trainer)
    watch, first = Stopwatch(), trainer.rounds
    while trainer.rounds == first or watch.seconds < seconds:
        trainer.round()
        _take_for_finished(trainer)
    rounds = range(first, trainer.rounds)
    recorded = len(rounds) * brief.full_searches * brief.parallel_games
    return Speed(len(rounds), sum(map(brief.simulations_in, rounds)), recorded, watch.seconds)


def _take_for_finished(trainer: Trainer) -> None:
    """Learn from positions of games that are not over as if they were: it takes as long, and does not wait for them."""
    ring = trainer.self_play.ring
    ready = jnp.where(ring.status == WAITING, READY, ring.status).astype(ring.status.dtype)
    trainer.self_play.ring = ring._replace(status=ready)
