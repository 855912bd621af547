"""A policy/value network as the judge of leaves: PUCT's BatchEvaluator, on cores or on a card.

states ── planes or features, legal moves ──→ network ── softmax over the legal moves ──→ priors (n, width)
                                          └─ σ, scaled to the payoffs ──────→ payoffs (n, players)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import at, expand, has_chance, policy_index, row
from zermelo.compile.kernel import kernel
from zermelo.compile.record import RecordArray, rows
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import CHANCE, GameError
from zermelo.evaluate.tower.architecture import Architecture, Weights, payoff_range
from zermelo.evaluate.tower.cores import CoreTower
from zermelo.evaluate.tower.files import load_tower, network_file, shipped_tower
from zermelo.evaluate.tower.sight import look, need_sight
from zermelo.search.mcts.evaluator import Judgement
from zermelo.search.searcher import need_rules

HANDCRAFTED = "handcrafted"  # instead of weights: the rules' own evaluation and order of moves
Judge = Callable[[Any], tuple[Any, Any]]  # what is seen: (n, policy) logits, and payoffs, the mover's first


@kernel
def number_moves(states, moves, chance, numbers, told):  # type: ignore[no-untyped-def]
    """Of every position: the numbers of its legal moves, and how many those are and whose turn it is."""
    out, probability = row(moves, 0), row(chance, 0)
    for k in range(len(states)):
        s = at(states, k)
        p, n = expand(s, out, probability)
        if has_chance(s) and p == CHANCE:  # only where a tree is full
            n, p = 0, 0
        told[k, 0], told[k, 1] = n, p
        for j in range(n):
            numbers[k, j] = policy_index(s, out[j])


class NetworkEvaluator:
    """Payoffs and priors as a network sees them. Positions in which nature moves are not shown to it."""

    judges_chance = False

    def __init__(
        self, game: RecordGame, a: Architecture, weights: Weights, threads: int = 1, device: str = "cpu", size: int = 0
    ):
        self.game, self.architecture = need_rules(game), a
        need_sight(game.variant)
        self.judge: Judge
        if device == "cpu":
            self.judge = _on_cores(game, a, weights, threads)
        elif device == "cuda":
            self.judge = _on_card(game, a, weights, size)
        else:
            raise GameError(f"a network thinks on 'cpu' or 'cuda', not {device!r}")
        width = game.variant.width
        self._is_ready = False
        self._scratch = rows(1, width), rows(1, width if game.variant.max_chance_outcomes else 1, "f8")

    def prepare(self) -> None:
        """Compile."""
        if not self._is_ready:
            self.evaluate(self.game.start().record)
            self._is_ready = True

    def evaluate(self, states: RecordArray) -> Judgement:
        n, width = len(states), self.game.variant.width
        numbers, told = np.zeros((n, width), np.int64), np.zeros((n, 2), np.int64)
        self.game.run(number_moves, states, *self._scratch, numbers, told)
        logits, payoffs = self.judge(look(self.game, states))
        legal = np.arange(width) < told[:, :1]
        return self._payoffs(np.asarray(payoffs, np.float64), told[:, 1]), softmax(np.asarray(logits), numbers, legal)

    def _payoffs(self, judged: NDArray[np.float64], movers: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n, players) from what the network foresees, the mover's first."""
        n, players = len(movers), self.game.players
        judged = judged.reshape(n, -1)
        if judged.shape[1] == 1 and players == 2:
            judged = np.concatenate([judged, -judged], axis=1)
        seats = (np.arange(players) - movers[:, None]) % players
        return np.take_along_axis(judged, seats, axis=1)


def softmax(logits: Any, numbers: NDArray[np.int64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n, width) probabilities of the legal moves, which have these numbers; 0 where there is none."""
    of_moves = np.take_along_axis(logits, numbers, axis=1).astype(np.float64)
    most = np.max(of_moves, axis=1, keepdims=True, where=legal, initial=-1e30)
    powers: NDArray[np.float64] = np.where(legal, np.exp(np.minimum(of_moves - most, 0.0)), 0.0)
    shares: NDArray[np.float64] = powers / np.maximum(powers.sum(axis=1, keepdims=True), 1e-30)
    return shares


def _on_cores(game: RecordGame, a: Architecture, weights: Weights, threads: int) -> Judge:
    tower, (least, most) = CoreTower(a, weights, threads), payoff_range(game)

    def judge(seen: Any) -> tuple[Any, Any]:
        logits, values = tower.judge(seen)
        return logits, least + (most - least) / (1.0 + np.exp(-values.astype(np.float64)))

    return judge


def _on_card(game: RecordGame, a: Architecture, weights: Weights, size: int) -> Judge:
    from zermelo.evaluate.tower import need_jax, need_jax_card

    need_jax()
    need_jax_card("leave out device=cuda")
    from zermelo.batch.judge import make_judge

    return make_judge(game, a, weights, size=size)


def read_network(game: RecordGame, weights: Path | str | None = None) -> tuple[Architecture, Weights]:
    """The network in a file or in the folder of a training; by default the one that comes with the package."""
    need_sight(game.variant)
    path = shipped_tower(game) if weights is None else Path(weights)
    if path is None:
        raise GameError(
            f"no network for {game.name} with these options comes with the package: train one "
            f"(`zermelo train zero {game.origin or game.name}`) and give its folder or its file as weights=…"
        )
    return load_tower(network_file(path), game)
