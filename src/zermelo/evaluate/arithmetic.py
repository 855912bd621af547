"""The inner loops of a network, written so that the compiler makes vector instructions of them.

`fast` lets the compiler add in any order and fuse multiplications with additions; without that, a sum is one long chain
of additions that wait for each other. Results differ from plain Python's in the last digits, never from run to run.
Places are made unsigned: the compiler need not ask whether they count from the end, which would cost ten times as much.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable

from zermelo.compile.overloads import overload
from zermelo.compile.targets.cpu import INSIDE

f4 = np.float32
ONE, HALF = f4(1), f4(0.5)
LOG2E = f4(1.4426950408889634)
# 2^x for x in [-½, ½]: the series of exp(x ln 2), good to seven digits
C1, C2, C3, C4, C5, C6 = (f4(math.log(2) ** k / math.factorial(k)) for k in range(1, 7))
LANES = 8  # floats added at once
BLOCK = 32  # units squashed at once
LARGEST = f4(60.0)  # |x| beyond which σ(x) is 0 or 1 in any case


def fast(function: Any) -> Any:
    """Like @helper, for sums whose order does not matter."""
    register_jitable(fastmath={"reassoc", "contract", "nsz"}, **INSIDE)(function)
    function.is_helper = True
    return function


def two_to(i: Any) -> Any:
    """2^i as a float32, for a whole number i."""
    return f4(2.0 ** int(i))


@intrinsic
def _two_to(typing_context: Any, i: Any) -> Any:
    """A float32 with nothing but an exponent."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        exponent = builder.add(arguments[0], ir.Constant(ir.IntType(32), 127))
        return builder.bitcast(builder.shl(exponent, ir.Constant(ir.IntType(32), 23)), ir.FloatType())

    return types.float32(types.int32), generate


@overload(two_to)
def _two_to_compiled(i: Any) -> Any:
    return lambda i: _two_to(np.int32(i))


@fast
def sigma(x: Any) -> Any:
    """σ(x) = 1 / (1 + e^-x), by 2^(whole part) · 2^(rest)."""
    t = min(max(-x, -LARGEST), LARGEST) * LOG2E
    whole = np.floor(t + HALF)
    r = t - whole
    power = ONE + r * (C1 + r * (C2 + r * (C3 + r * (C4 + r * (C5 + r * C6)))))
    return ONE / (ONE + power * two_to(np.int32(whole)))


@fast
def squash(x: Any, start: Any, count: Any) -> None:
    """x[start : start + count] becomes σ(x).

    And some more, up to whole blocks: what stands behind is not computed yet, and leftovers cost more than a block.
    """
    for j in range((count + BLOCK - 1) // BLOCK * BLOCK):
        i = np.uintp(start + j)
        x[i] = sigma(x[i])


@fast
def copy_row(x: Any, start: Any, w: Any, row: Any, count: Any) -> None:
    """x[start + j] = w[row + j]"""
    for j in range(count):
        x[np.uintp(start + j)] = w[np.uintp(row + j)]


@fast
def add_row(x: Any, start: Any, w: Any, row: Any, count: Any, factor: Any) -> None:
    """x[start + j] += factor · w[row + j]"""
    for j in range(count):
        x[np.uintp(start + j)] += factor * w[np.uintp(row + j)]


@fast
def dot(x: Any, start: Any, w: Any, row: Any, count: Any) -> Any:
    """The sum of x[start + j] · w[row + j]."""
    total = f4(0)
    for j in range(count):
        total += x[np.uintp(start + j)] * w[np.uintp(row + j)]
    return total


def add_rows(x: Any, w: Any, index: Any, value: Any, n: Any, count: Any) -> None:
    """x[j] += Σ_i value[i] · w[index[i] · count + j], for all j < count: the sparse first layer."""
    for i in range(n):
        x[:count] += value[i] * w[index[i] * count : (index[i] + 1) * count]


@intrinsic
def _add_rows(typing_context: Any, x: Any, w: Any, index: Any, value: Any, n: Any, count: Any) -> Any:
    """Block by block of LANES units, the sum of all rows in registers; what is left over one by one.

    By hand, because a loop for every row reads and writes all of x each time, and asks each time whether x and w
    overlap: for the forty units of a small network, five times as slow.
    """
    single, lanes = ir.FloatType(), ir.VectorType(ir.FloatType(), LANES)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = [
            cgutils.create_struct_proxy(kind)(context, builder, argument).data
            for kind, argument in zip(signature.args[:4], arguments[:4], strict=True)
        ]
        units, weights, numbers, values = data
        n, count = arguments[4:]
        size = count.type

        def sum_rows(first: Any, kind: Any) -> None:
            place = builder.bitcast(builder.gep(units, [first]), kind.as_pointer())
            total = cgutils.alloca_once(builder, kind)
            builder.store(_load(builder, place), total)
            with cgutils.for_range(builder, n) as loop:
                row = builder.mul(builder.load(builder.gep(numbers, [loop.index])), count)
                at = builder.bitcast(builder.gep(weights, [builder.add(row, first)]), kind.as_pointer())
                factor = builder.load(builder.gep(values, [loop.index]))
                if kind is lanes:
                    one = builder.insert_element(
                        ir.Constant(lanes, ir.Undefined), factor, ir.Constant(ir.IntType(32), 0)
                    )
                    mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
                    factor = builder.shuffle_vector(one, ir.Constant(lanes, ir.Undefined), mask)
                product = builder.fmul(factor, _load(builder, at), flags=("contract",))
                builder.store(builder.fadd(builder.load(total), product, flags=("contract",)), total)
            builder.store(builder.load(total), place).align = 4

        step = ir.Constant(size, LANES)
        whole = builder.mul(builder.sdiv(count, step), step)
        with cgutils.for_range_slice(builder, ir.Constant(size, 0), whole, step) as (first, _):
            sum_rows(first, lanes)
        with cgutils.for_range_slice(builder, whole, count, ir.Constant(size, 1)) as (first, _):
            sum_rows(first, single)
        return context.get_dummy_value()

    return types.none(x, w, index, value, types.intp, types.intp), generate


def _load(builder: Any, place: Any) -> Any:
    loaded = builder.load(place)
    loaded.align = 4  # of a float: rows begin anywhere
    return loaded


@overload(add_rows)
def _add_rows_compiled(x: Any, w: Any, index: Any, value: Any, n: Any, count: Any) -> Any:
    return lambda x, w, index, value, n, count: _add_rows(x, w, index, value, n, count)  # noqa: PLW0108


@fast
def sparse_dot(w: Any, index: Any, value: Any, count: Any) -> Any:
    """The sum of w[index[j]] · value[j]."""
    total = f4(0)
    for j in range(count):
        total += w[np.uintp(index[j])] * value[j]
    return total
