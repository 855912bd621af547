"""What is learned from: the last recorded positions of every game, in arrays on JAX's device.

    row of the ring     game 0   game 1   …   game n-1
      0                 position position     position        recorded at the same move of all games
      1                 …
      R-1               the next is written over the oldest

A position waits until its game is over; then `settle` writes the result beside it, and it can be drawn. Which game it
was of is its `episode`: games in one column follow each other.

Everything is kept small, as it is written to disk: planes whose cells are 0 or 1 as bits, the likeliest actions of a
policy as number and half-precision probability, results as half-precision numbers from 0 (the least payoff) to 1. Which
planes those are, random games tell; `beyond_bits` tells when they were wrong.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

EMPTY, WAITING, READY = 0, 1, 2
NO_REPLY = 65535
FEATURE = 8  # bytes: its number and its value
HEAVIEST = 8.0  # a surprise counts at most so many times as much as the average
UNIT = 64  # of a weight: as many whole numbers as the average is


class Layout(NamedTuple):
    """What a position looks like: constants to the compiler."""

    shape: tuple[int, int, int]  # of the planes
    bits: tuple[int, ...]  # planes whose cells are 0 or 1, one bit each
    bytes: tuple[int, ...]  # the others, a byte each
    policy: int
    values: int
    targets: int
    owners: bool
    active: int = 0  # features instead of planes: so many of a position at most

    @property
    def area(self) -> int:
        return self.shape[1] * self.shape[2]

    @property
    def packed(self) -> int:
        """Bytes of what is seen of a position."""
        if self.active:
            return FEATURE * self.active
        return -(-len(self.bits) * self.area // 8) + len(self.bytes) * self.area


class Ring(NamedTuple):
    """R rows of n games."""

    seen: Any  # (R, n, packed) u1: planes, or features
    index: Any  # (R, n, targets) u2: actions
    share: Any  # (R, n, targets) f2: their probabilities, which sum to 1
    result: Any  # (R, n, values) f2: of the game, from 0 to 1, the mover's first
    root: Any  # (R, n, values) f2: what the search thought of it
    weight: Any  # (R, n) f2: how often it is to be drawn
    reply: Any  # (R, n) u2: the next action, or NO_REPLY
    mover: Any  # (R, n) i1
    status: Any  # (R, n) u1
    episode: Any  # (R, n) i4
    owners: Any  # (R, n, 2 · bytes of a plane) u1: cells of the mover's, cells of the other's


def make_ring(layout: Layout, rows: int, games: int) -> Ring:
    wide = 2 * -(-layout.area // 8) if layout.owners else 0

    def room(kind: str, *more: int) -> Any:
        return jnp.zeros((rows, games, *more), kind)

    return Ring(
        seen=room("u1", layout.packed),
        index=room("u2", layout.targets),
        share=room("f2", layout.targets),
        result=room("f2", layout.values),
        root=room("f2", layout.values),
        weight=room("f2"),
        reply=room("u2"),
        mover=room("i1"),
        status=room("u1"),
        episode=room("i4"),
        owners=room("u1", wide),
    )


# -- packing -----------------------------------------------------------------------------------------------------------


def pack(layout: Layout, seen: Any) -> Any:
    """(n, packed) u1 of (n, count, height, width) i1, or of (n, active, 2) f4."""
    if layout.active:
        numbers = jax.lax.bitcast_convert_type(seen[..., 0].astype(jnp.uint32), jnp.uint8)
        values = jax.lax.bitcast_convert_type(seen[..., 1].astype(jnp.float32), jnp.uint8)
        return jnp.concatenate([numbers, values], axis=2).reshape(len(seen), -1)
    flat = seen.reshape(len(seen), layout.shape[0], layout.area)
    bits = jnp.packbits((flat[:, layout.bits] > 0).reshape(len(flat), -1), axis=1)
    rest = jax.lax.bitcast_convert_type(flat[:, layout.bytes].reshape(len(flat), -1), jnp.uint8)
    return jnp.concatenate([bits, rest], axis=1)


def unpack(layout: Layout, packed: Any) -> Any:
    """(n, count, area) i1, or (n, active, 2) f4."""
    if layout.active:
        rows = packed.reshape(len(packed), layout.active, FEATURE)
        numbers = jax.lax.bitcast_convert_type(rows[..., :4], jnp.uint32).astype(jnp.float32)
        values = jax.lax.bitcast_convert_type(rows[..., 4:], jnp.float32)
        return jnp.stack([numbers, values], axis=2)
    n, bits = len(packed), len(layout.bits) * layout.area
    cut = -(-bits // 8)
    made = jnp.zeros((n, layout.shape[0], layout.area), jnp.int8)
    flags = jnp.unpackbits(packed[:, :cut], axis=1, count=bits).astype(jnp.int8)
    made = made.at[:, layout.bits].set(flags.reshape(n, len(layout.bits), layout.area))
    rest = jax.lax.bitcast_convert_type(packed[:, cut:], jnp.int8)
    return made.at[:, layout.bytes].set(rest.reshape(n, len(layout.bytes), layout.area))


def plane_kinds(seen: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(planes whose cells are 0 or 1, the others), by positions of random games, (n, count, height, width)."""
    flat = np.moveaxis(np.asarray(seen), 1, 0).reshape(seen.shape[1], -1)
    is_bit = ((flat == 0) | (flat == 1)).all(axis=1)
    return tuple(np.flatnonzero(is_bit).tolist()), tuple(np.flatnonzero(~is_bit).tolist())


@partial(jax.jit, static_argnums=0)
def beyond_bits(layout: Layout, seen: Any) -> Any:
    """(count,) in which planes that are kept as bits a cell is neither 0 nor 1."""
    flat = seen.reshape(len(seen), layout.shape[0], layout.area)
    are_bits = jnp.zeros(layout.shape[0], bool).at[jnp.array(layout.bits, int)].set(True)
    return are_bits & ((flat != 0) & (flat != 1)).any(axis=(0, 2))


# -- writing -----------------------------------------------------------------------------------------------------------


@partial(jax.jit, static_argnums=0, donate_argnums=1)
def put(
    layout: Layout,
    ring: Ring,
    row: Any,
    first: Any,
    seen: Any,
    policy: Any,
    raw_policy: Any,
    root: Any,
    mover: Any,
    episode: Any,
    live: Any,
    surprise: Any,
) -> Ring:
    """Record a position of the games from `first` on, where it is `live`. `root` is from 0 to 1, the mover's first."""
    share, index = jax.lax.top_k(policy, layout.targets)
    share = share / jnp.maximum(share.sum(axis=1, keepdims=True), 1e-9)
    far = jnp.sum(jnp.where(policy > 0, policy * (jnp.log(policy) - jnp.log(jnp.maximum(raw_policy, 1e-9))), 0), axis=1)
    far = jnp.where(live, jnp.maximum(far, 0.0), 0.0)
    mean = far.sum() / jnp.maximum(live.sum(), 1)
    weight = (1 - surprise) + surprise * jnp.minimum(far / jnp.maximum(mean, 1e-9), HEAVIEST)
    said = Ring(
        seen=pack(layout, seen),
        index=index.astype(jnp.uint16),
        share=share.astype(jnp.float16),
        result=jnp.zeros((len(seen), layout.values), jnp.float16),
        root=root.astype(jnp.float16),
        weight=weight.astype(jnp.float16),
        reply=jnp.full(len(seen), NO_REPLY, jnp.uint16),
        mover=mover.astype(jnp.int8),
        status=jnp.where(live, WAITING, EMPTY).astype(jnp.uint8),
        episode=episode,
        owners=jnp.zeros((len(seen), ring.owners.shape[2]), jnp.uint8),
    )
    return Ring(
        *(
            jax.lax.dynamic_update_slice(whole, one[None], (row, first) + (0,) * (whole.ndim - 2))
            for whole, one in zip(ring, said, strict=True)
        )
    )


@partial(jax.jit, donate_argnums=0)
def put_reply(ring: Ring, row: Any, first: Any, chosen: Any, episode: Any, live: Any) -> Ring:
    """What was played after the position recorded in `row`."""
    before = jax.lax.dynamic_slice(ring.episode, (row, first), (1, len(chosen)))[0]
    said = jnp.where(live & (before == episode), chosen, NO_REPLY).astype(jnp.uint16)
    return ring._replace(reply=jax.lax.dynamic_update_slice(ring.reply, said[None], (row, first)))


@partial(jax.jit, static_argnums=0, donate_argnums=1)
def settle(layout: Layout, ring: Ring, first: Any, episode: Any, over: Any, results: Any, owners: Any) -> Ring:
    """Games from `first` on that are `over`: their positions can be drawn. `results` (n, players), from 0 to 1;
    `owners` (n, height, width), 1 for player 0's."""
    n, players = results.shape

    def part(whole: Any) -> Any:
        at = (0, first) + (0,) * (whole.ndim - 2)
        return jax.lax.dynamic_slice(whole, at, (whole.shape[0], n, *whole.shape[2:]))

    def put_back(whole: Any, one: Any) -> Any:
        return jax.lax.dynamic_update_slice(whole, one.astype(whole.dtype), (0, first) + (0,) * (whole.ndim - 2))

    status, mover = part(ring.status), part(ring.mover).astype(jnp.int32)
    ends = over[None] & (part(ring.episode) == episode[None]) & (status == WAITING)
    seats = (mover[..., None] + jnp.arange(layout.values)) % players  # the mover's first
    won = jnp.take_along_axis(jnp.broadcast_to(results, (len(status), n, players)), seats, axis=2)
    made = ring._replace(
        status=put_back(ring.status, jnp.where(ends, READY, status)),
        result=put_back(ring.result, jnp.where(ends[..., None], won, part(ring.result))),
    )
    if layout.owners:
        flat = owners.reshape(n, -1)
        two = [jnp.packbits(flat == side, axis=1) for side in (1, -1)]
        zero_first = jnp.concatenate(two, axis=1)
        one_first = jnp.concatenate(two[::-1], axis=1)
        seen = jnp.where((mover == 0)[..., None], zero_first[None], one_first[None])
        made = made._replace(owners=put_back(ring.owners, jnp.where(ends[..., None], seen, part(ring.owners))))
    return made


def key_of(seed: int) -> Any:
    """A key that all 64 bits of a seed are in: JAX alone takes the lower half."""
    low, high = seed & 0xFFFF_FFFF, seed >> 32
    key = jax.random.key(low)
    return jax.random.fold_in(key, high) if high else key


# -- drawing -----------------------------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """B positions to learn from."""

    seen: Any  # (B, count, height, width) i1, or (B, active, 2) f4
    policy: Any  # (B, policy) f4
    value: Any  # (B, values) f4, from 0 to 1
    reply: Any  # (B,) i4: an action, or NO_REPLY
    owners: Any  # (B, area) f4: 1 the mover's, 0 the other's, 0.5 nobody's


def odds(ring: Ring) -> Any:
    """(R · n,) u4: cumulative weights of what can be drawn. They are whole numbers, whose sums are not rounded: else
    something that cannot be drawn would be, now and then."""
    weight = ring.weight.astype(jnp.float32)
    whole = jnp.maximum(1.0, jnp.round(UNIT * weight))
    return jnp.cumsum(jnp.where((ring.status == READY) & (weight > 0), whole, 0.0).astype(jnp.uint32).ravel())


def draw(layout: Layout, ring: Ring, odds: Any, turns: Any, key: Any, size: int, blend: Any) -> Sample:
    """Positions by their weights, each seen through a symmetry. `turns`: (cells (S, area), the places that policies go
    to (S, policy)); `blend`: how much the search's value counts beside the result."""
    cells, places = turns
    one, two = jax.random.split(key)
    at = jnp.searchsorted(odds, jax.random.randint(one, (size,), 0, odds[-1], jnp.uint32), side="right")
    turn = jax.random.randint(two, (size,), 0, len(cells))

    def of(whole: Any) -> Any:
        return whole.reshape(-1, *whole.shape[2:])[at]

    seen = unpack(layout, of(ring.seen))
    if not layout.active:
        seen = jnp.take_along_axis(seen, cells[turn][:, None], axis=2).reshape(size, *layout.shape)
    index = jnp.take_along_axis(places[turn], of(ring.index).astype(jnp.int32), axis=1)
    policy = jnp.zeros((size, layout.policy), jnp.float32)
    policy = policy.at[jnp.arange(size)[:, None], index].add(of(ring.share).astype(jnp.float32))
    played = of(ring.reply).astype(jnp.int32)
    reply = jnp.take_along_axis(places[turn], jnp.minimum(played, layout.policy - 1)[:, None], axis=1)[:, 0]
    value = (1 - blend) * of(ring.result).astype(jnp.float32) + blend * of(ring.root).astype(jnp.float32)
    owners = jnp.zeros((size, 0), jnp.float32)
    if layout.owners:
        half = ring.owners.shape[2] // 2
        mine, theirs = (
            jnp.unpackbits(of(ring.owners)[:, k * half : (k + 1) * half], axis=1, count=layout.area).astype(jnp.float32)
            for k in (0, 1)
        )
        owners = jnp.take_along_axis(0.5 + 0.5 * (mine - theirs), cells[turn], axis=1)
    return Sample(
        seen,
        policy,
        value,
        jnp.where(played == NO_REPLY, NO_REPLY, reply),
        owners,
    )
