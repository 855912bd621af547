"""How strong the network is: its policy alone, without a search, against yardsticks.

    random      any legal move
    before      the network as it was at the last measurement: the differences add up to a curve that never saturates

Games are played side by side as in self-play, each from a few random moves: the same ones once for each seat, and no
more than leave something to play for. Two players of a zero-sum game share what there is to win. In all other games
equals need not get a half of it: there the same games are played once more, with the yardstick in the seat, and who
gets more there is the better one.

The policy's likeliest legal move is played, so that nothing but the opening and the dice differ from game to game.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from zermelo.batch.batch import Batch, make_batch
from zermelo.batch.handover import to_jax
from zermelo.batch.judge import seen
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import OVER
from zermelo.evaluate.tower.architecture import payoff_range
from zermelo.learn.zero.log import Score
from zermelo.learn.zero.replay import key_of
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
    won = _payoffs(game, judge, other, games, device, seed)
    if game.players == 2 and game.zero_sum:
        least, most = payoff_range(game)
        shares = np.where(np.isnan(won), 0.5, (won - least) / (most - least))
    else:
        shares = 0.5 + 0.5 * np.sign(np.nan_to_num(won - _payoffs(game, other, other, games, device, seed)))
    return Score(games, float(shares.mean()), float(1.96 * shares.std() / math.sqrt(games)))


def _payoffs(game: RecordGame, judge: Any, other: Any, games: int, device: str, seed: int) -> Any:
    """What `judge` gets in a seat of each game, with `other` in the others; NaN where the game does not end."""
    batch, key = _opened(game, games, device, seed), key_of(seed)
    seats = np.arange(games) % game.players
    ours = jnp.asarray(seats)
    for ply in range(LONGEST):
        player, legal = to_jax(batch.player), to_jax(batch.legal)
        if bool((player == OVER).all()):
            break
        first, second = (
            anything(key, OPENING + ply, legal, game.players) if one is None else best(one(seen(batch))[0], legal)
            for one in (judge, other)
        )
        chosen = jnp.where(player == ours, first, second).astype(jnp.int32)
        batch.step(chosen.block_until_ready(), by="policy")
    payoffs = np.asarray(batch.device.read(batch.utilities))[np.arange(games), seats]
    return np.where(batch.over, payoffs, np.nan)


def _opened(game: RecordGame, games: int, device: str, seed: int) -> Batch:
    """Games after their openings, and none is over. Where random moves end one, its opening, and the same one in every
    other seat, is as long as all of them go on."""
    length = min(OPENING, (game.variant.max_plies or 100) // 4) if game.players > 1 else 0
    first, key = np.arange(games) // game.players * game.players, key_of(seed)
    lengths = np.full(games, length)
    while True:
        batch = make_batch(game, games, device=device, seed=seed, checked=False, watch=watch(game))
        going_on = lengths.copy()
        for ply in range(length):
            moves = anything(key, ply, to_jax(batch.legal), game.players)
            batch.step(moves.block_until_ready(), by="policy", where=ply < lengths)
            going_on = np.where(batch.over, np.minimum(going_on, ply), going_on)
        if (going_on == lengths).all():
            return batch
        lengths = np.minimum.reduceat(going_on, np.unique(first))[first // game.players]
