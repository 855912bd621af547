"""A network as the judge of positions of a batch: planes in, policy and values out, where the games live.

    judge = make_judge(game, architecture, weights)
    logits, values = judge(seen(games))         # (n, policy_size) and the mover's payoff (n,), float32

`seen` are the games' planes; where rules have none, what evaluations see of them (evaluate/tower/sight.py), on cores.
Records are as good: a judge looks at them itself.

Where more than two play, or not against each other, values are (n, players), the mover's first.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from zermelo.batch.batch import Batch
from zermelo.batch.handover import to_jax
from zermelo.compile.record_game import RecordGame
from zermelo.evaluate.tower.architecture import Architecture, Weights, payoff_range
from zermelo.evaluate.tower.judging import judge_positions
from zermelo.evaluate.tower.sight import look, sees_features

Judge = Callable[[Any], tuple[Any, Any]]
PIECE = 64  # positions that a core judges at a time


def watched(game: RecordGame) -> tuple[str, ...]:
    """What a batch watches whose games a network is shown."""
    return () if sees_features(game.variant) else ("planes",)


def seen(games: Batch) -> Any:
    """What a network sees of a batch."""
    return look(games.game, games.states) if sees_features(games.game.variant) else games.planes


def computed_in() -> Any:
    """bfloat16 where JAX has a card, float32 on cores, which have no bfloat16 of their own."""
    return jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16


@partial(jax.jit, static_argnums=(0, 1, 4))
def think(a: Architecture, bounds: tuple[float, float], weights: Weights, shown: Any, dtype: Any) -> tuple[Any, Any]:
    """(logits, payoffs) of the positions."""
    said = judge_positions(a, weights, shown, dtype)
    least, most = bounds
    values = least + (most - least) * jax.nn.sigmoid(said["value"])
    return said["policy"], values[:, 0] if a.values == 1 else values


def make_judge(game: RecordGame, a: Architecture, weights: Weights, dtype: Any = None, size: int = 0) -> Judge:
    """The network with these weights; what it computes with (see `computed_in`) is copied to JAX's device once. Fewer
    than `size` positions are filled up, so that nothing is compiled for many different numbers of them."""
    dtype, bounds = computed_in() if dtype is None else dtype, payoff_range(game)
    kept = {name: jnp.asarray(one, dtype) for name, one in weights.items()}
    on_cores = all(device.platform == "cpu" for device in kept["stem.w"].devices())

    def judge(positions: Any) -> tuple[Any, Any]:
        is_record = getattr(positions.dtype, "names", None) is not None
        shown = to_jax(look(game, positions) if is_record else positions)
        if on_cores and len(shown) > PIECE:
            return _on_cores(lambda some: think(a, bounds, kept, some, dtype), np.asarray(shown))
        n, room = len(shown), max(len(shown), size)
        if n < room:
            shown = jnp.concatenate([shown, jnp.zeros((room - n, *shown.shape[1:]), shown.dtype)])
        logits, values = think(a, bounds, kept, shown, dtype)
        return (logits, values) if n == room else (logits[:n], values[:n])

    return judge


def _on_cores(thought: Judge, shown: Any) -> tuple[Any, Any]:
    """The judgements of many positions, in pieces: XLA computes a convolution on one core, however many there are.
    Pieces are of one size whatever the number of cores, since it may add up in another order for another size."""
    n = len(shown)
    room = -(-n // PIECE) * PIECE
    if n < room:
        shown = np.concatenate([shown, np.zeros((room - n, *shown.shape[1:]), shown.dtype)])
    pieces = (shown[first : first + PIECE] for first in range(0, room, PIECE))
    said = _cores().map(lambda piece: jax.block_until_ready(thought(piece)), pieces)
    logits, values = zip(*said, strict=True)
    return np.concatenate(logits)[:n], np.concatenate(values)[:n]


@cache
def _cores() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1)
