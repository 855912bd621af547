"""What the thirty-two threads of a warp do together: their games come and go as whole lines of the card's memory.

A thread that reads its own record, or writes its own row, touches a line of memory for a few bytes of it, and so does
each of the others. Thirty-two records that follow each other are whole lines: the warp copies them to its piece of the
multiprocessor's shared memory, where every thread works on its own, and back. The same with rows of which little is
written: they are made of zeros there, so nobody has to clear them in the card's memory.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import ir
from numba import types
from numba.cuda import extending

WARP = 32
LINE = 16  # bytes that a thread moves at a time, at most


@extending.intrinsic
def record_at(typing_context: Any, address: Any, kind: Any) -> Any:
    """The record of that kind at an address of the card's memory."""
    record = kind.instance_type

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = context.get_value_type(record)
        there = builder.inttoptr(arguments[0], ir.PointerType(pointer.pointee, 1))
        return builder.addrspacecast(there, pointer)

    return record(types.int64, kind), generate


@extending.intrinsic
def record_in(typing_context: Any, room: Any, word: Any, kind: Any) -> Any:
    """The record of that kind at a word of an array."""
    record = kind.instance_type

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.bitcast(builder.gep(words, [arguments[1]]), context.get_value_type(record))

    return record(room, types.intp, kind), generate


@cache
def copier(size: int) -> Any:
    """copy(to, source, lane): the warp copies `size` bytes from one record on to another."""
    unit = unit_of(size)
    move, whole, rest = _mover(unit), size // unit // WARP, size // unit % WARP

    @extending.register_jitable
    def copy(to, source, lane):  # type: ignore[no-untyped-def]
        for k in range(whole):
            move(to, source, k * WARP + lane)
        if lane < rest:
            move(to, source, whole * WARP + lane)

    return copy


@cache
def eraser(size: int) -> Any:
    """erase(to, lane): the warp makes `size` bytes from a record on zeros."""
    unit = unit_of(size)
    clear, whole, rest = _mover(unit, zeros=True), size // unit // WARP, size // unit % WARP

    @extending.register_jitable
    def erase(to, lane):  # type: ignore[no-untyped-def]
        for k in range(whole):
            clear(to, to, k * WARP + lane)
        if lane < rest:
            clear(to, to, whole * WARP + lane)

    return erase


def unit_of(size: int) -> int:
    """The most bytes, a power of two, that `size` is a multiple of."""
    return min(LINE, size & -size) or LINE


@cache
def _mover(unit: int, zeros: bool = False) -> Any:
    """Moves the k-th unit, or makes it zero."""
    kind = ir.VectorType(ir.IntType(32), 4) if unit == LINE else ir.IntType(8 * unit)

    @extending.intrinsic
    def move(typing_context: Any, to: Any, source: Any, k: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            target, origin = (builder.gep(builder.bitcast(a, kind.as_pointer()), [arguments[2]]) for a in arguments[:2])
            value = ir.Constant(kind, None) if zeros else builder.load(origin, align=unit)
            builder.store(value, target, align=unit)
            return context.get_dummy_value()

        return types.none(to, source, types.intp), generate

    return move
