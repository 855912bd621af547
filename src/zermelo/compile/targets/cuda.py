"""CUDA: numba-cuda compiles the same functions for a card. To be imported where a card is asked for, and not before.

The types of records are the same objects as on the CPU, so the rules are found by them in the same table. What differs
is here: how the compiler is told, and the few functions that have a body of their own (words of a record, bits).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
from llvmlite import ir

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # type: ignore[attr-defined]  # NumPy 2.5 has dropped it, and numba-cuda still asks for it
from numba import cuda, types
from numba.cuda import cgutils, dispatcher, extending
from numba.cuda.cudadrv import nvvm
from numba.cuda.target import CUDATargetContext

from zermelo.compile.bits import (
    gather,
    highest,
    lowest,
    popcount,
    push_together,
    reverse,
    scatter,
    spread_out,
    swap_bytes,
)
from zermelo.compile.declarations import RulesError
from zermelo.compile.diagnostics.explain import diagnose, not_together
from zermelo.compile.diagnostics.source import large_table, recursion
from zermelo.compile.overloads import add_target, overload
from zermelo.compile.pointers import (
    add_to,
    base,
    item,
    lower_add_to,
    lower_base,
    lower_item,
    lower_nothing,
    soon,
    tail,
    type_add_to,
    type_base,
    type_item,
    type_soon,
)
from zermelo.compile.targets.cpu import copy_words, load_word
from zermelo.compile.variant import Variant
from zermelo.compile.words import assign, word
from zermelo.core.game import GameError


class Cuda:
    """How numba-cuda is told."""

    name = "cuda"

    def overload(self, function: Any, implementation: Any, options: dict[str, Any]) -> None:
        extending.overload(function, strict=False, **options)(implementation)

    def helper(self, function: Any, inline: bool) -> None:
        extending.register_jitable(function)  # its linker copies small functions; `inline` asks for nothing more


add_target(Cuda())


# -- the card ----------------------------------------------------------------------------------------------------------


def need_card() -> None:
    """A GameError where there is no card that works."""
    try:
        cuda.get_current_device()
    except Exception as problem:  # the driver's own, of many kinds
        first = str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
        raise GameError(f"there is no graphics card that CUDA can use here: {first}") from None


@contextmanager
def some_card(capability: tuple[int, int] = (9, 0)) -> Iterator[None]:
    """Compile for a card of this kind, though none is here. (Where one function calls another, numba-cuda asks the
    driver for the kind.)"""
    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = asked


# -- rules that cannot run there ---------------------------------------------------------------------------------------

LARGEST_TABLE = 16  # MB: a table is written out as text for the card's compiler
LARGEST_STATE = 240  # KB: a thread has 512 KB of its own, and two records of a game in them


def refuse_by_looks(rules: Variant) -> None:
    """A RulesError for what can be seen before anything is compiled, which may take a card's compiler minutes."""
    found = diagnose(rules, lambda function, kinds: types.int64, _looks_wrong) or _large_state(rules)
    if found is not None:
        raise found


def find_refusal(rules: Variant) -> RulesError | None:
    """What a card does not take of the rules, compiled function by function: the game, the function, the line."""
    found = _large_state(rules) or diagnose(rules, compile_rule, _looks_wrong)
    return found if found is None or " card" in str(found) else RulesError(f"{found} (on a card)")


def explain_refusal(rules: Variant, error: Exception) -> Exception:
    """The RulesError behind the complaint of a card's compiler."""
    if isinstance(error, (GameError, cuda.cudadrv.driver.CudaAPIError, MemoryError)):
        return error  # a sentence already, or the card's own trouble
    return find_refusal(rules) or not_together(rules, error)


def _large_state(rules: Variant) -> RulesError | None:
    if rules.dtype.itemsize <= LARGEST_STATE << 10:
        return None
    largest = max(rules.dtype.fields or {}, key=lambda name: rules.dtype[name].itemsize)
    size = f"{rules.dtype.itemsize >> 10:,} KB, most of them its field '{largest}'"
    return RulesError(f"{rules.name}: the state has {size}; a thread of a card has room for {LARGEST_STATE} KB")


def compile_rule(function: Any, kinds: tuple[Any, ...]) -> Any:
    """Compile one function of the rules: the type of its result."""
    capability = dispatcher.get_current_device().compute_capability
    return cuda.compile(function, kinds, device=True, abi="numba", cc=capability)[1]


def _looks_wrong(function: Any) -> Any:
    """What the compiler takes, and a card does not."""
    if place := recursion(function):
        return place, "a function that calls itself cannot run on a card: use a loop"
    if found := large_table(function, LARGEST_TABLE << 20):
        place, name = found
        return place, f"the table '{name}' is too large for a card, which takes up to {LARGEST_TABLE} MB"
    return None


def seen_as(array: Any, shape: tuple[int, ...], kind: Any) -> Any:
    """The same memory of the card as another array."""
    kind = np.dtype(kind)
    strides = tuple(int(np.prod(shape[k + 1 :], dtype=int)) * kind.itemsize for k in range(len(shape)))
    return cuda.cudadrv.devicearray.DeviceNDArray(shape, strides, kind, gpu_data=array.gpu_data)


def clear(array: Any) -> None:
    """Zeros."""
    cuda.cudadrv.driver.device_memset(array, 0, array.dtype.itemsize * array.size)


# -- a record as the words it is made of -------------------------------------------------------------------------------


@overload(assign, target="cuda")
def _assign(to: Any, source: Any) -> Any:
    return lambda to, source: copy_words(to, source)  # noqa: PLW0108 - a function is compiled, not an intrinsic


@overload(word, target="cuda")
def _word(s: Any, i: Any) -> Any:
    return lambda s, i: load_word(s, i)  # noqa: PLW0108


# -- records without their array ---------------------------------------------------------------------------------------

extending.type_callable(base)(type_base)
extending.lower_builtin(base, types.Array)(lower_base)
for pointed in (item, tail):
    extending.type_callable(pointed)(type_item)
    extending.lower_builtin(pointed, types.Record, types.Integer)(lower_item)
extending.type_callable(add_to)(type_add_to)
extending.lower_builtin(add_to, types.Record, types.Integer, types.Integer)(lower_add_to)
extending.type_callable(soon)(type_soon)
extending.lower_builtin(soon, types.Record, types.Integer)(lower_nothing)  # other threads go on while one waits


# -- tables: arrays that rules name ------------------------------------------------------------------------------------


def _table(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """A constant array in the card's global memory, once for all functions that name it.

    numba-cuda puts such arrays into constant memory, which has room for 64 KB and serves one address at a time: threads
    that look up different squares wait for each other (random games of othello then take three times as long).
    """
    array = np.ascontiguousarray(array)
    content = array.tobytes()
    name = f"zermelo_table_{hashlib.sha256(content + repr(array.dtype).encode()).hexdigest()[:24]}"
    table = builder.module.globals.get(name)
    if table is None:
        values = ir.Constant(ir.ArrayType(ir.IntType(8), len(content)), bytearray(content))
        table = cgutils.add_global_variable(builder.module, values.type, name, addrspace=nvvm.ADDRSPACE_GLOBAL)
        table.linkage, table.global_constant, table.initializer, table.align = "linkonce_odr", True, values, 16
    pointer = builder.addrspacecast(table, ir.PointerType(ir.IntType(8)), "generic")
    made = context.make_array(kind)(context, builder)
    context.populate_array(
        made,
        data=builder.bitcast(pointer, made.data.type),
        shape=[context.get_constant(types.intp, n) for n in array.shape],
        strides=[context.get_constant(types.intp, n) for n in array.strides],
        itemsize=context.get_constant(types.intp, array.itemsize),
        parent=None,
        meminfo=None,
    )
    return made._getvalue()


CUDATargetContext.make_constant_array = _table


# -- bits, one instruction each ----------------------------------------------------------------------------------------


@overload(popcount, target="cuda")
def _popcount(x: Any) -> Any:
    return lambda x: np.int64(_count_bits(np.uint64(x)))


@extending.intrinsic
def _count_bits(typing_context: Any, x: Any) -> Any:
    """The instruction itself. Of a function the compiler knows that there are 64 bits at most, and writes a loop over
    them out sixty-four times: far more code than a multiprocessor's cache holds."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(64)])
        return builder.call(ir.InlineAsm(kind, "popc.b64 $0, $1;", "=r,l"), arguments)

    return types.uint32(types.uint64), generate


@overload(lowest, target="cuda")
def _lowest(x: Any) -> Any:
    """One byte of it, so that the compiler sees that it is small and not negative: a board's row and column, a division
    of 64 bits by a constant with its sign put right, are then one of 32 bits without."""
    return lambda x: np.int64(np.uint8(cuda.ffs(np.uint64(x)) - 1)) if x else np.int64(64)


@overload(highest, target="cuda")
def _highest(x: Any) -> Any:
    return lambda x: 63 - np.int64(cuda.clz(np.uint64(x)))


@overload(reverse, target="cuda")
def _reverse(x: Any) -> Any:
    return lambda x: cuda.brev(np.uint64(x))


@overload(swap_bytes, target="cuda")
def _swap_bytes(x: Any) -> Any:
    """Rows upside down: bytes change places within pairs, pairs within halves, halves."""

    def swap(x: Any) -> Any:
        x = np.uint64(x)
        x = (x >> np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF) | (x & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8)
        x = (x >> np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF) | (x & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16)
        return x >> np.uint64(32) | x << np.uint64(32)

    return swap


@overload(gather, target="cuda")
def _gather(x: Any, mask: Any) -> Any:
    return push_together


@overload(scatter, target="cuda")
def _scatter(x: Any, mask: Any) -> Any:
    return spread_out
