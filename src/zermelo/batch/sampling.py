"""Random games from any positions, many at a time: what searches by sampling ask a device for.

sampler = Sampler(game, 4096, device="cuda", seed=1)
sampler.play(positions)[k::len(positions)]       # (…, players): the payoffs of games from positions[k]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.batch.batch import Batch, make_batch
from zermelo.compile.record import RecordArray
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.core.spec import whole

DEVICES = ("cpu", "cuda")


class Sampler:
    """`games` games at a time. A seed gives the same games on every device."""

    def __init__(
        self, game: RecordGame, games: int, *, device: str = "cpu", seed: int = 0, max_plies: int | None = None
    ):
        if device not in DEVICES:
            raise GameError(f"random games are played on 'cpu' or 'cuda', not {device!r}")
        self.game, self.games, self.device = game, whole("random games at a time", games, 1, 1 << 24), device
        self.seed, self.max_plies = whole("seed", seed), max_plies
        self._batch: Batch | None = None

    def prepare(self) -> Batch:
        """Compile, if that has not been done; the first games then begin at once."""
        if self._batch is None:
            self._batch = make_batch(self.game, self.games, device=self.device, seed=self.seed, repetition=False)
            self._batch.playouts(1, max_plies=1)
        return self._batch

    def clear(self, seed: int) -> None:
        """Begin the random numbers anew, with this seed."""
        self.seed = whole("seed", seed)
        self._batch = None

    def play(self, positions: RecordArray) -> NDArray[np.float64]:
        """(games, players): the payoffs of a random game from positions[i % n] for every i. One that is longer than
        `max_plies` counts as 0 for everybody; repetition is not looked at."""
        batch = self.prepare()
        chosen, states = positions[np.arange(self.games) % len(positions)], batch.games.states
        if self.device == "cpu":
            states[...] = chosen
        else:
            states.copy_to_device(np.ascontiguousarray(chosen).view(np.ndarray))
        payoff: Any = batch.playouts(1, self.max_plies)
        return np.asarray(payoff)
