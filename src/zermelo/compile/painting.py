"""Boards of bits painted as planes (docs/planes.md): many cells at a time, and no jump among them.

    paint = painter(BITS)               BITS[k]: the bit of cell k; cells are numbered row by row, as they are drawn
    paint(out, (s.mine, s.theirs))      out[0] and out[1] are 1 where the boards have a bit, and 0 elsewhere

A loop over the bits that are set ends when nobody foresees it: a core goes wrong there with nearly every board (two
planes of connect four took 23 ns so, and take 2), and the threads of a card wait for the one with most bits. So every
cell is written: on a core as vectors, in which each byte of the board comes to the cells that want a bit of it; on a
card as words of four cells, or as many as rows of this size are aligned to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.compile.overloads import overload

VECTOR = 64  # cells of a vector, at most
WORD = 4  # cells of a word

_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)


def painter(bits: Sequence[int], first: int = 0, start: int = 0) -> Callable[[Any, Any], None]:
    """A helper paint(out, boards) that writes board j to plane `first` + j: to its cells from `start` on, of which cell
    `start` + k is bit bits[k]."""
    shifts = np.array(bits, np.uint64)

    def paint(out: Any, boards: Any) -> None:
        for j, board in enumerate(boards):
            cells = np.asarray(out[first + j]).reshape(-1)  # a view
            cells[start : start + len(shifts)] = (np.uint64(board) >> shifts) & np.uint64(1)

    vectors_of, words_of = by_vectors(tuple(bits), first, start), by_words(tuple(bits), first, start)

    @overload(paint, target="cpu")
    def _paint(out: Any, boards: Any) -> Any:
        return lambda out, boards: vectors_of(out, boards)  # noqa: PLW0108 - a function is compiled, not an intrinsic

    @overload(paint, target="cuda")
    def _paint_there(out: Any, boards: Any) -> Any:
        return lambda out, boards: words_of(out, boards)  # noqa: PLW0108

    return paint


def by_vectors(bits: tuple[int, ...], first: int, start: int) -> Any:
    """For a core: a byte of the board for every cell, less the other bits of it."""

    @intrinsic
    def paint(typing_context: Any, out: Any, boards: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            for board, place in _planes(context, builder, signature, arguments, first, start):
                parts = builder.bitcast(board, ir.VectorType(_I8, 8))
                for at, size in vectors(len(bits)):
                    wanted, kind = bits[at : at + size], ir.VectorType(_I8, size)
                    sources = ir.Constant(ir.VectorType(_I32, size), [b >> 3 for b in wanted])
                    spread = builder.shuffle_vector(parts, ir.Constant(parts.type, ir.Undefined), sources)
                    found = builder.and_(spread, ir.Constant(kind, [1 << (b & 7) for b in wanted]))
                    cells = builder.zext(builder.icmp_unsigned("!=", found, ir.Constant(kind, None)), kind)
                    builder.store(cells, _pointer(builder, place, at, kind), align=1)
            return context.get_dummy_value()

        return types.none(out, boards), generate

    return paint


def by_words(bits: tuple[int, ...], first: int, start: int) -> Any:
    """For a thread of a card: words, which are put together bit by bit."""

    @intrinsic
    def paint(typing_context: Any, out: Any, boards: Any) -> Any:
        shape = getattr(out, "shape", (1, 1, 1))  # of an array in a record it is known; else a cell at a time is right

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            for j, (board, place) in enumerate(_planes(context, builder, signature, arguments, first, start)):
                halves = builder.trunc(board, _I32), builder.trunc(builder.lshr(board, ir.Constant(_I64, 32)), _I32)
                begin = (first + j) * shape[1] * shape[2] + start
                for at, size in words(len(bits), begin, int(np.prod(shape))):
                    kind, cells = ir.IntType(8 * size), _word(builder, halves, bits[at : at + size])
                    cells = cells if size == WORD else builder.trunc(cells, kind)
                    builder.store(cells, _pointer(builder, place, at, kind), align=size)
            return context.get_dummy_value()

        return types.none(out, boards), generate

    return paint


def vectors(n: int) -> Iterator[tuple[int, int]]:
    """n cells as vectors, (where one begins, how many): the last may write cells of the one before again."""
    at = 0
    while at < n:
        rest = n - at
        size = 1 << (min(rest, VECTOR).bit_length() - 1)
        if size < rest < VECTOR and 2 * size <= n and at > 0:
            size, at = 2 * size, n - 2 * size
        yield at, size
        at += size


def words(n: int, begin: int, whole: int) -> Iterator[tuple[int, int]]:
    """n cells from byte `begin` of a row on as words that are aligned, rows of `whole` bytes following each other."""
    at = 0
    while at < n:
        size = WORD
        while size > n - at or (begin + at) % size or whole % size:
            size //= 2
        yield at, size
        at += size


def _planes(
    context: Any, builder: Any, signature: Any, arguments: Any, first: int, start: int
) -> Iterator[tuple[Any, Any]]:
    """Every board as 64 bits, and the address of its first cell."""
    out = context.make_array(signature.args[0])(context, builder, arguments[0])
    plane = builder.extract_value(out.strides, 0)
    for j, kind in enumerate(signature.args[1].types):
        board = context.cast(builder, builder.extract_value(arguments[1], j), kind, types.uint64)
        offset = builder.add(builder.mul(plane, ir.Constant(_I64, first + j)), ir.Constant(_I64, start))
        yield board, builder.gep(builder.bitcast(out.data, _I8.as_pointer()), [offset])


def _pointer(builder: Any, place: Any, cells: int, kind: Any) -> Any:
    return builder.bitcast(builder.gep(place, [ir.Constant(_I64, cells)]), kind.as_pointer())


def _word(builder: Any, halves: Any, bits: Sequence[int]) -> Any:
    """A word of which byte k is the bit bits[k]. Four bits that follow each other are spread by one multiplication:
    the shifts 0, 7, 14 and 21 in it bring one of them each to the lowest place of its byte."""
    start = bits[0]
    if len(bits) == WORD and start % 32 <= 28 and list(bits) == list(range(start, start + WORD)):
        four = builder.and_(builder.lshr(halves[start // 32], ir.Constant(_I32, start % 32)), ir.Constant(_I32, 15))
        return builder.and_(builder.mul(four, ir.Constant(_I32, 0x00204081)), ir.Constant(_I32, 0x01010101))
    found = ir.Constant(_I32, 0)
    for k, b in enumerate(bits):
        right = b % 32 - 8 * k
        moved = (builder.lshr if right >= 0 else builder.shl)(halves[b // 32], ir.Constant(_I32, abs(right)))
        found = builder.or_(found, builder.and_(moved, ir.Constant(_I32, 1 << 8 * k)))
    return found
