"""Bits of a 64-bit board, as one machine instruction each when compiled and as plain Python when not.

popcount(x)   how many bits are set
lowest(x)     the index of the lowest set bit (64 for an empty board)
highest(x)    the index of the highest set bit (-1 for an empty board)
reverse(x)    bit 0 becomes bit 63, and so on
swap_bytes(x) the eight rows upside down
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.compile.overloads import overload

_U64 = ir.IntType(64)


def popcount(x: Any) -> int:
    return int(x).bit_count()


def lowest(x: Any) -> int:
    board = int(x)
    return (board & -board).bit_length() - 1 if board else 64


def highest(x: Any) -> int:
    return int(x).bit_length() - 1


def reverse(x: Any) -> np.uint64:
    return np.uint64(int(f"{int(x):064b}"[::-1], 2))


def swap_bytes(x: Any) -> np.uint64:
    return np.uint64(int.from_bytes(int(x).to_bytes(8, "little"), "big"))


def _unary(llvm_name: str, result: Any) -> Any:
    """An intrinsic that hands a uint64 to one of LLVM's own bit functions."""

    @intrinsic
    def bit_function(typing_context: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            flag = [ir.IntType(1)] if llvm_name in ("cttz", "ctlz") else []
            kind = ir.FunctionType(_U64, [_U64, *flag])
            function = builder.module.globals.get(f"llvm.{llvm_name}.i64") or ir.Function(
                builder.module, kind, f"llvm.{llvm_name}.i64"
            )
            return builder.call(function, [arguments[0], *(ir.Constant(f, 0) for f in flag)])

        return result(types.uint64), generate

    return bit_function


_ctpop = _unary("ctpop", types.int64)
_cttz = _unary("cttz", types.int64)
_ctlz = _unary("ctlz", types.int64)
_bitreverse = _unary("bitreverse", types.uint64)
_bswap = _unary("bswap", types.uint64)


@overload(popcount, target="cpu")
def _popcount(x: Any) -> Any:
    return lambda x: _ctpop(np.uint64(x))


@overload(lowest, target="cpu")
def _lowest(x: Any) -> Any:
    return lambda x: _cttz(np.uint64(x))


@overload(highest, target="cpu")
def _highest(x: Any) -> Any:
    return lambda x: 63 - _ctlz(np.uint64(x))


@overload(reverse, target="cpu")
def _reverse(x: Any) -> Any:
    return lambda x: _bitreverse(np.uint64(x))


@overload(swap_bytes, target="cpu")
def _swap_bytes(x: Any) -> Any:
    return lambda x: _bswap(np.uint64(x))
