"""How strong the network is: its policy alone, without a search, against yardsticks.

    random      any legal move
    before      the network as it was at the last measurement: the differences add up to a curve that never saturates

Games are played side by side as in self-play, each from a few random moves: the same ones once for each seat, so that
equals get equal shares. The policy's likeliest legal move is played, so that nothing but the opening differs from game
to game.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from zermelo.batch.batch import make_batch
from zermelo.batch.handover import to_jax
from zermelo.batch.judge import seen
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import OVER
from zermelo.evaluate.tower.architecture import payoff_range
from zermelo.learn.zero.log import Score
from zermelo.learn.zero.self_play import watch

OPENING = 4  # random moves, at most
LONGEST = 2000  # moves after which a game counts as even


@jax.jit
def best(logits: Any, legal: Any) -> Any:
    """(n,) the likeliest of the legal moves."""
    return jnp.argmax(jnp.where(legal, logits, -jnp.inf), axis=1)


@partial(jax.jit, static_argnums=3)
def anything(key: Any, ply: Any, legal: Any, seats: int) -> Any:
    """(n,) any of the legal moves; the same in each `seats` games that follow each other, where they stand alike."""
    n, numbers = legal.shape
    noise = jax.random.gumbel(jax.random.fold_in(key, ply), (-(-n // seats), numbers))
    return best(jnp.repeat(noise, seats, axis=0)[:n], legal).astype(jnp.int32)


def measure(game: RecordGame, judge: Any, other: Any, games: int, device: str, seed: int) -> Score:
    """`judge` against `other`, a judge too, or None for random moves."""
    batch = make_batch(game, games, device=device, seed=seed, checked=False, watch=watch(game))
    opening = min(OPENING, (game.variant.max_plies or 100) // 4)
    seats, key = np.arange(games) % game.players, jax.random.key(seed)
    for ply in range(opening if game.players > 1 else 0):
        legal = to_jax(batch.legal)
        batch.step(anything(key, ply, legal, game.players).block_until_ready(), by="policy")
    ours = jnp.asarray(seats)
    for ply in range(LONGEST):
        player, legal = to_jax(batch.player), to_jax(batch.legal)
        if bool((player == OVER).all()):
            break
        first = best(judge(seen(batch))[0], legal)
        if other is None:
            second = anything(key, OPENING + ply, legal, game.players)
        else:
            second = best(other(seen(batch))[0], legal)
        chosen = jnp.where(player == ours, first, second).astype(jnp.int32)
        batch.step(chosen.block_until_ready(), by="policy")
    won = np.asarray(batch.device.read(batch.utilities))[np.arange(games), seats]
    least, most = payoff_range(game)
    shares = np.where(batch.over, (won - least) / (most - least), 0.5)
    return Score(games, float(shares.mean()), float(1.96 * shares.std() / math.sqrt(games)))
