"""Arithmetic that comes out the same on every device, to the last bit.

Sums, quotients and square roots are rounded alike everywhere. Two things are not: a card fuses a product with the sum
it goes into, and rounds once instead of twice; and everybody's exp and log are their own. So a product that is added to
something is `times`, and the few functions that are needed are written here in plain arithmetic.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.compile.overloads import overload
from zermelo.compile.random import uniform
from zermelo.compile.rules import helper

LOG2E = 1.4426950408889634
LN2_HIGH = 0.6931471803691238  # its last 21 bits are 0: a product with a whole number below 2^20 is exact
LN2_LOW = 1.9082149292705877e-10
SMALLEST = -700.0  # exponents beyond which there is nothing, or no number any more
LARGEST = 700.0


def times(x: Any, y: Any) -> Any:
    """x · y, rounded before anything else is done with it."""
    return x * y


@overload(times, target="cpu")
def _times(x: Any, y: Any) -> Any:
    return lambda x, y: x * y


@helper
def power_of_two(k: Any) -> Any:
    """2^k, for |k| ≤ 1022."""
    result, factor = 1.0, 2.0 if k >= 0 else 0.5
    n = abs(k)
    while n > 0:
        if n & 1:
            result = result * factor
        factor = factor * factor
        n >>= 1
    return result


@helper
def exponential(x: Any) -> Any:
    """e^x: 0 where it is smaller than anything that matters."""
    if not x > SMALLEST:
        return 0.0
    x = min(x, LARGEST)
    # 1. x = k ln 2 + r, |r| ≤ ln 2 / 2
    k = np.int64(math.floor(times(x, LOG2E) + 0.5))
    r = x - times(np.float64(k), LN2_HIGH) - times(np.float64(k), LN2_LOW)
    # 2. e^r by its series, to the 13th power: what is left out is below the last bit
    term = 1.6059043836821613e-10  # 1 / 13!
    term = times(term, r) + 2.08767569878681e-09
    term = times(term, r) + 2.505210838544172e-08
    term = times(term, r) + 2.755731922398589e-07
    term = times(term, r) + 2.7557319223985893e-06
    term = times(term, r) + 2.48015873015873e-05
    term = times(term, r) + 0.0001984126984126984
    term = times(term, r) + 0.001388888888888889
    term = times(term, r) + 0.008333333333333333
    term = times(term, r) + 0.041666666666666664
    term = times(term, r) + 0.16666666666666666
    term = times(term, r) + 0.5
    term = times(term, r) + 1.0
    term = times(term, r) + 1.0
    return term * power_of_two(k)


@helper
def logarithm(x: Any) -> Any:
    """ln x, for x > 0."""
    # 1. x = 2^k m, 1/√2 ≤ m < √2
    k, step, up = np.int64(0), np.int64(512), 1.3407807929942597e154  # 2^512, whose root is 2^256, …
    while step > 0:
        if x >= up:
            x, k = x / up, k + step
        elif x * up < 1.0:
            x, k = x * up, k - step
        up, step = math.sqrt(up), step >> 1
    if x < 0.7071067811865476:
        x, k = x * 2.0, k - 1
    elif x >= 1.4142135623730951:
        x, k = x * 0.5, k + 1
    # 2. ln m = 2 artanh((m - 1) / (m + 1)) = 2 z (1 + z²/3 + z⁴/5 + …)
    z = (x - 1.0) / (x + 1.0)
    square, series = z * z, 0.0
    for n in range(21, 0, -2):
        series = times(series, square) + 1.0 / n
    return times(np.float64(k), LN2_HIGH) + (times(np.float64(k), LN2_LOW) + times(2.0 * z, series))


# -- what is drawn -----------------------------------------------------------------------------------------------------


@helper
def open_uniform(random: Any) -> Any:
    """A real number in (0, 1): neither of its logarithms is infinite."""
    return times(uniform(random), 1.0) + 5.551115123125783e-17


@helper
def draw_gumbel(random: Any) -> Any:
    """From the standard Gumbel distribution: the largest of logits with such noise is a draw from their softmax."""
    return -logarithm(-logarithm(open_uniform(random)))


@helper
def draw_normal(random: Any) -> Any:
    """From the normal distribution (Marsaglia's polar method)."""
    while True:
        x, y = times(2.0, uniform(random)) - 1.0, times(2.0, uniform(random)) - 1.0
        square = times(x, x) + times(y, y)
        if 0.0 < square < 1.0:
            return x * math.sqrt(-2.0 * logarithm(square) / square)


@helper
def draw_log_gamma(random: Any, shape: Any) -> Any:
    """The logarithm of a draw from the gamma distribution (Marsaglia and Tsang 2000), which is itself often too small
    for a number where `shape` is small. Several of them, made to sum to 1, are a draw from the Dirichlet
    distribution."""
    boost = 0.0
    if shape < 1.0:
        boost = logarithm(open_uniform(random)) / shape
        shape = shape + 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = draw_normal(random)
        v = 1.0 + times(c, x)
        if v > 0.0:
            v = v * v * v
            spread = times(0.5 * x, x) + d - times(d, v) + times(d, logarithm(v))
            if logarithm(open_uniform(random)) < spread:
                return logarithm(d * v) + boost
