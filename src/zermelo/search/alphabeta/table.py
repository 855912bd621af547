"""The transposition table: what earlier searches of a position found, shared by all threads without a lock.

A bucket is two entries; the first keeps the deeper result, the second the latest. An entry is three 64-bit words:

    0   key ^ value ^ data         so an entry that two threads wrote at once has no key anybody looks for
    1   value                      the bits of a float64, from player 0's view
    2   data    bits  0-39  the best action + 1; 0: none
                     40-47  depth + 1, at most 255; 0: no bound, the action is only for ordering
                     48-49  bound: BOUND_EXACT, BOUND_LOWER (the truth is ≥ value), BOUND_UPPER (≤)
                     50-51  what is proven, whatever the depth: 1 that the truth is ≥ value, 2 that it is ≤
                     52-57  generation: which search wrote it

Reference: Hyatt and Mann, A lock-less transposition table implementation for parallel search (2002).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from zermelo.compile.overloads import overload
from zermelo.compile.rules import helper
from zermelo.core.game import GameError

Table = NDArray[np.uint64]

BOUND_EXACT, BOUND_LOWER, BOUND_UPPER = 0, 1, 2
WORDS = 6  # of a bucket
GENERATIONS = 64
MAX_ENTRY_DEPTH = 254
_MOST_ACTION = (1 << 40) - 2
u64 = np.uint64
_DEPTH, _BOUND, _PROVEN, _GENERATION = u64(40), u64(48), u64(50), u64(52)
_ACTION_BITS, _HALF = u64((1 << 40) - 1), u64(32)


def make_table(megabytes: float) -> Table:
    """An empty table of about so many megabytes (at least one bucket)."""
    try:
        return np.zeros(max(1, int(megabytes * 2**20) // (8 * WORDS)) * WORDS, np.uint64)
    except MemoryError:
        raise GameError(f"there is no memory for a table of {megabytes:,g} megabytes; take a smaller one") from None


def filled(table: Table, generation: int) -> float:
    """The part of the table that this search wrote, by a sample."""
    sample = table[2 : 3 * 4000 : 3]
    written = (sample != 0) & ((sample >> _GENERATION) == u64(generation))
    return float(written.mean())


@helper
def bucket(table: Any, key: Any) -> Any:
    """Where the bucket of `key` begins: its upper half, scaled to the number of buckets."""
    return np.int64(((key >> _HALF) * u64(len(table) // WORDS)) >> _HALF) * WORDS


@helper
def probe(table: Any, key: Any) -> Any:
    """(found, value, action or -1, depth or -1, bound, proven)."""
    place = bucket(table, key)
    for _ in range(2):
        bits, data = table[place + 1], table[place + 2]
        if table[place] == key ^ bits ^ data and data != u64(0):
            action = np.int64(data & _ACTION_BITS) - 1
            depth = np.int64((data >> _DEPTH) & u64(255)) - 1
            bound = np.int64((data >> _BOUND) & u64(3))
            return True, value_of(bits), action, depth, bound, np.int64((data >> _PROVEN) & u64(3))
        place += 3
    return False, 0.0, np.int64(-1), np.int64(-1), np.int64(0), np.int64(0)


@helper
def store(table: Any, key: Any, value: Any, action: Any, depth: Any, bound: Any, proven: Any, generation: Any) -> None:
    """Write an entry: over the same position's, else first in the bucket where that is no loss, else second."""
    place = bucket(table, key)
    first, old = table[place + 2], table[place] ^ table[place + 1] ^ table[place + 2]
    depth = min(depth, MAX_ENTRY_DEPTH)
    if action < 0 or action > _MOST_ACTION:
        action = -1
    if old != key:
        stale = np.int64(first >> _GENERATION) != generation
        if not (stale or np.int64((first >> _DEPTH) & u64(255)) - 1 <= depth):
            place += 3
    elif (first >> _PROVEN) & u64(3) == u64(3) and proven != 3:
        place += 3  # a proof is not given up for an estimate
    elif action < 0:
        action = np.int64(first & _ACTION_BITS) - 1
    data = u64(action + 1) | u64(depth + 1) << _DEPTH | u64(bound) << _BOUND
    data |= u64(proven) << _PROVEN | u64(generation) << _GENERATION
    bits = bits_of(value)
    table[place + 1] = bits
    table[place + 2] = data
    table[place] = key ^ bits ^ data


# -- a float64 as a word, and back -------------------------------------------------------------------------------------


def bits_of(value: Any) -> np.uint64:
    return np.float64(value).view(np.uint64)


def value_of(bits: Any) -> np.float64:
    return np.uint64(bits).view(np.float64)


@intrinsic
def _as_word(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.uint64(types.float64), generate


@intrinsic
def _as_float(typing_context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.uint64), generate


@overload(bits_of)
def _bits_of(value: Any) -> Any:
    return lambda value: _as_word(np.float64(value))


@overload(value_of)
def _value_of(bits: Any) -> Any:
    return lambda bits: _as_float(np.uint64(bits))
