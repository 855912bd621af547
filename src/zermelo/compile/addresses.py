"""Numbers at an address: arrays too large, or too many, to be part of a type or to be counted references of.

    byte_at(address, i)     the i-th byte without a sign
    short_at(address, i)    the i-th of two bytes without a sign
    long_at(address, i)     the i-th of eight bytes
    float_at(address, i)    the i-th of four bytes, a floating-point number

Whoever hands an address on holds the array. For reading only, and on the CPU.
"""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.compile.overloads import overload


def byte_at(address: Any, i: Any) -> int:
    return ctypes.c_uint8.from_address(int(address) + int(i)).value


def short_at(address: Any, i: Any) -> int:
    return ctypes.c_uint16.from_address(int(address) + 2 * int(i)).value


def long_at(address: Any, i: Any) -> int:
    return ctypes.c_int64.from_address(int(address) + 8 * int(i)).value


def float_at(address: Any, i: Any) -> float:
    return ctypes.c_float.from_address(int(address) + 4 * int(i)).value


def _loading(bits: int) -> Any:
    """An intrinsic that loads a number of so many bits."""

    @intrinsic
    def load(typing_context: Any, address: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            first = builder.inttoptr(arguments[0], ir.IntType(bits).as_pointer())
            found = builder.load(builder.gep(first, [arguments[1]]))
            return found if bits == 64 else builder.zext(found, ir.IntType(64))

        return types.int64(types.int64, types.int64), generate

    return load


@intrinsic
def _load_float(typing_context: Any, address: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = builder.inttoptr(arguments[0], ir.FloatType().as_pointer())
        return builder.fpext(builder.load(builder.gep(first, [arguments[1]])), ir.DoubleType())

    return types.float64(types.int64, types.int64), generate


_load_byte, _load_short, _load_long = map(_loading, (8, 16, 64))


@overload(byte_at, target="cpu")
def _byte_at(address: Any, i: Any) -> Any:
    return lambda address, i: _load_byte(address, i)  # noqa: PLW0108 - Numba compiles a function, not an intrinsic


@overload(short_at, target="cpu")
def _short_at(address: Any, i: Any) -> Any:
    return lambda address, i: _load_short(address, i)  # noqa: PLW0108


@overload(long_at, target="cpu")
def _long_at(address: Any, i: Any) -> Any:
    return lambda address, i: _load_long(address, i)  # noqa: PLW0108


@overload(float_at, target="cpu")
def _float_at(address: Any, i: Any) -> Any:
    return lambda address, i: _load_float(address, i)  # noqa: PLW0108
