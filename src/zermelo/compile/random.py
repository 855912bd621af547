"""Randomness that is injected: a generator is an array of one 64-bit word, owned by whoever calls.

SplitMix64 (Steele, Lea and Flood 2014): one multiplication-and-shift scramble of a counter. The same seed gives the
same numbers in compiled and interpreted code, on one machine and on another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.helper import helper

Random = NDArray[np.uint64]  # (1,)

_STEP = np.uint64(0x9E3779B97F4A7C15)
_A = np.uint64(0xBF58476D1CE4E5B9)
_B = np.uint64(0x94D049BB133111EB)


@helper
def scramble(x: Any) -> Any:
    """A 64-bit hash of a 64-bit word, every bit of which depends on every bit of `x`."""
    x = (x ^ (x >> np.uint64(30))) * _A
    x = (x ^ (x >> np.uint64(27))) * _B
    return x ^ (x >> np.uint64(31))


@helper
def draw(random: Any) -> Any:
    """The next 64 random bits."""
    random[0] += _STEP
    return scramble(random[0])


@helper
def below(random: Any, n: Any) -> Any:
    """A whole number from 0 to n - 1 (n < 2^32)."""
    return np.int64(((draw(random) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@helper
def uniform(random: Any) -> Any:
    """A real number in [0, 1)."""
    return np.float64(draw(random) >> np.uint64(11)) * 1.1102230246251565e-16


@helper
def pick(random: Any, probability: Any, n: Any) -> Any:
    """An index below n, drawn with the probabilities given."""
    x = uniform(random)
    for i in range(n - 1):
        x -= probability[i]
        if x < 0.0:
            return i
    return n - 1


def generator(seed: int) -> Random:
    """A fresh generator; different seeds give unrelated streams."""
    with np.errstate(over="ignore"):
        return np.array([scramble(np.uint64(seed & 0xFFFFFFFFFFFFFFFF))], np.uint64)
