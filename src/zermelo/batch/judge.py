"""A network as the judge of positions of a batch: planes in, policy and values out, where the games live.

    judge = make_judge(game, architecture, weights)
    logits, values = judge(seen(games))         # (n, policy_size) and the mover's payoff (n,), JAX arrays, float32

`seen` are the games' planes; where rules have none, what evaluations see of them (evaluate/tower/sight.py), on cores.
Records are as good: a judge looks at them itself.

Where more than two play, or not against each other, values are (n, players), the mover's first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from zermelo.batch.batch import Batch
from zermelo.batch.handover import to_jax
from zermelo.compile.record_game import RecordGame
from zermelo.evaluate.tower.architecture import Architecture, Weights, payoff_range
from zermelo.evaluate.tower.judging import judge_positions
from zermelo.evaluate.tower.sight import look, sees_features

Judge = Callable[[Any], tuple[Any, Any]]


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

    def judge(positions: Any) -> tuple[Any, Any]:
        is_record = getattr(positions.dtype, "names", None) is not None
        shown = to_jax(look(game, positions) if is_record else positions)
        n, room = len(shown), max(len(shown), size)
        if n < room:
            shown = jnp.concatenate([shown, jnp.zeros((room - n, *shown.shape[1:]), shown.dtype)])
        logits, values = think(a, bounds, kept, shown, dtype)
        return (logits, values) if n == room else (logits[:n], values[:n])

    return judge
