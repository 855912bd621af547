"""How strong the network is: its policy alone, without a search, against yardsticks.

    random      any legal move
    before      the network as it was at the last measurement: the differences add up to a curve that never saturates

Games are played side by side as in self-play, each from a few random moves; the seats go round. The policy's likeliest
legal move is played, so that nothing but the opening differs from game to game.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from zermelo.batch.batch import make_batch
from zermelo.batch.handover import to_jax
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import OVER
from zermelo.evaluate.tower.architecture import payoff_range
from zermelo.learn.zero.log import Score
from zermelo.learn.zero.self_play import WATCHED

OPENING = 4  # random moves, at most
LONGEST = 2000  # moves after which a game counts as even


@jax.jit
def best(logits: Any, legal: Any) -> Any:
    """(n,) the likeliest of the legal moves."""
    return jnp.argmax(jnp.where(legal, logits, -jnp.inf), axis=1)


def measure(game: RecordGame, judge: Any, other: Any, games: int, device: str, seed: int) -> Score:
    """`judge` against `other`, a judge too, or None for random moves."""
    batch = make_batch(game, games, device=device, seed=seed, checked=False, watch=WATCHED)
    opening = min(OPENING, (game.variant.max_plies or 100) // 4)
    batch.random_steps(opening if game.players > 1 else 0)
    seats = np.arange(games) % game.players
    ours = jnp.asarray(seats)
    for ply in range(LONGEST):
        player, legal = to_jax(batch.player), to_jax(batch.legal)
        if bool((player == OVER).all()):
            break
        first = best(judge(to_jax(batch.planes))[0], legal)
        if other is None:
            noise = jax.random.gumbel(jax.random.fold_in(jax.random.key(seed), ply), legal.shape)
            second = best(noise, legal)
        else:
            second = best(other(to_jax(batch.planes))[0], legal)
        chosen = jnp.where(player == ours, first, second).astype(jnp.int32)
        batch.step(chosen.block_until_ready(), by="policy")
    won = np.asarray(batch.device.read(batch.utilities))[np.arange(games), seats]
    least, most = payoff_range(game)
    shares = np.where(batch.over, (won - least) / (most - least), 0.5)
    return Score(games, float(shares.mean()), float(1.96 * shares.std() / math.sqrt(games)))
