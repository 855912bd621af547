"""Bits of a 64-bit board, as one machine instruction each when compiled and as plain Python when not.

popcount(x)   how many bits are set
lowest(x)     the index of the lowest set bit (64 for an empty board)
highest(x)    the index of the highest set bit (-1 for an empty board)
reverse(x)    bit 0 becomes bit 63, and so on
swap_bytes(x) the eight rows upside down
gather(x, mask)   the bits of x under a mask, pushed together at the low end
scatter(x, mask)  the low bits of x, spread out under a mask: what `gather` undoes

    mask     1 0 1 1 0 1
    x        a b c d e f     gather   0 0 a c d f     and scatter of that   a 0 c d 0 f
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.compile.overloads import overload

_U64 = ir.IntType(64)
_ALL = (1 << 64) - 1
NONE, ONE = np.uint64(0), np.uint64(1)
SLOW = {"znver1", "znver2", "bdver4"}  # have the instructions, and take hundreds of cycles for one


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


def gather(x: Any, mask: Any) -> np.uint64:
    kept, gone = int(x) & int(mask), ~int(mask) & _ALL
    while gone:
        below = (gone & -gone) - 1
        kept = (kept & below) | (kept >> 1 & ~below)
        gone = (gone & (gone - 1)) >> 1
    return np.uint64(kept)


def scatter(x: Any, mask: Any) -> np.uint64:
    spread, gone = int(x), ~int(mask) & _ALL
    while gone:
        below = (gone & -gone) - 1
        spread = (spread & below) | ((spread & ~below) << 1 & _ALL)
        gone &= gone - 1
    return np.uint64(spread)


def push_together(x: Any, mask: Any) -> Any:
    """`gather` where there is no instruction for it: a step for every bit that the mask leaves out."""
    mask = np.uint64(mask)
    kept, gone = np.uint64(x) & mask, ~mask
    while gone != NONE:
        below = (gone & (~gone + ONE)) - ONE
        kept = (kept & below) | ((kept >> ONE) & ~below)
        gone = (gone & (gone - ONE)) >> ONE
    return kept


def spread_out(x: Any, mask: Any) -> Any:
    """`scatter`, in the same way."""
    spread, gone = np.uint64(x), ~np.uint64(mask)
    while gone != NONE:
        below = (gone & (~gone + ONE)) - ONE
        spread = (spread & below) | ((spread & ~below) << ONE)
        gone &= gone - ONE
    return spread


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


def _masked(llvm_name: str) -> Any:
    """An intrinsic that hands two words to an instruction of x86 processors (BMI2)."""

    @intrinsic
    def bit_function(typing_context: Any, x: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            function = builder.module.globals.get(llvm_name) or ir.Function(
                builder.module, ir.FunctionType(_U64, [_U64, _U64]), llvm_name
            )
            return builder.call(function, arguments)

        return types.uint64(types.uint64, types.uint64), generate

    return bit_function


_pext = _masked("llvm.x86.bmi.pext.64")
_pdep = _masked("llvm.x86.bmi.pdep.64")


def has_masked_moves() -> bool:
    """Does this processor gather and scatter bits in a few cycles? (Numba keeps compiled code by processor.)"""
    return bool(llvm.get_host_cpu_features().get("bmi2")) and llvm.get_host_cpu_name() not in SLOW


@overload(gather, target="cpu")
def _gather(x: Any, mask: Any) -> Any:
    return (lambda x, mask: _pext(np.uint64(x), np.uint64(mask))) if has_masked_moves() else push_together


@overload(scatter, target="cpu")
def _scatter(x: Any, mask: Any) -> Any:
    return (lambda x, mask: _pdep(np.uint64(x), np.uint64(mask))) if has_masked_moves() else spread_out
