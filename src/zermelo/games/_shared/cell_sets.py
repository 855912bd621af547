"""Sets of cells on boards of any size: as many 64-bit words as the board needs, one bit a cell.

Cells are numbered row by row from the top left. A 9 × 9 board takes two words, a 19 × 19 board six:

     0  1  2 …  8          cell c is bit c % 64 of word c // 64
     9 10 11 … 17
     …                     a set is an array field of the record: ("u8", (words,))

A board of hexagons has the same numbers; every row stands half a cell to the right of the one above, so that two of
the diagonals are neighbours too:

    squares   · N ·        hexagons    · N N        N N: c - width and c - width + 1
              W c E                    W c E
              · S ·                    S S ·        S S: c + width - 1 and c + width
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.painting import painter
from zermelo.compile.rules import helper

u64 = np.uint64
ZERO = u64(0)
ONE = u64(1)


class CellSets(NamedTuple):
    """What the sets of one board have in common; the function is a helper, so rules may call it."""

    words: int
    full: NDArray[np.uint64]  # (words,) every cell of the board
    near: NDArray[np.uint64]  # (cells, words) the neighbours of every cell
    around: Callable[[Any, Any, Any, Any], Any]  # word w of the neighbours of a set


@helper
def bit(cell):
    """The bit of a cell within its word, which is word number cell >> 6."""
    return ONE << u64(cell & 63)


@helper
def list_cells(word, w, out, n):
    """Write the cells of word number `w` to out[n], out[n + 1] …; how many there are in `out` now."""
    end = n + popcount(word)
    for i in range(n, end):
        out[i] = 64 * w + lowest(word)
        word &= word - ONE
    return end


def set_painter(read, cells, plane):
    """A helper paint(out, sets, which) that makes a plane of 1 where a set has a cell, and of 0 elsewhere; read(sets,
    which, w) is word w of the set. (A helper for each word, since what one paints is compiled in; see painter.)"""
    w = (cells - 1) // 64
    paint = painter(range(cells - 64 * w), plane, 64 * w)

    @helper
    def paint_last(out, sets, which):
        paint(out, (read(sets, which, w),))

    if w == 0:
        return paint_last
    paint_before = set_painter(read, 64 * w, plane)

    @helper
    def paint_set(out, sets, which):
        paint_before(out, sets, which)
        paint_last(out, sets, which)

    return paint_set


def words_of(cells: Iterable[int], words: int) -> NDArray[np.uint64]:
    """The set of these cells, as an array of words."""
    total = sum(1 << c for c in set(cells))
    return np.array([(total >> (64 * w)) & 0xFFFFFFFFFFFFFFFF for w in range(words)], np.uint64)


def cells_of(words: Iterable[Any]) -> list[int]:
    """The cells of a set, in order."""
    total = sum(int(word) << (64 * w) for w, word in enumerate(words))
    return [c for c in range(total.bit_length()) if total >> c & 1]


@cache
def neighbours(width: int, height: int, hexagons: bool = False) -> list[list[int]]:
    """The neighbours of every cell, in order."""
    steps = [(0, -1), (-1, 0), (1, 0), (0, 1)] + [(1, -1), (-1, 1)] * hexagons
    return [
        sorted((y + dy) * width + x + dx for dx, dy in steps if 0 <= x + dx < width and 0 <= y + dy < height)
        for y in range(height)
        for x in range(width)
    ]


def make_cell_sets(width: int, height: int, hexagons: bool = False) -> CellSets:
    """The sets of a board of `width` × `height` cells (a width of at most 63)."""
    cells = range(width * height)
    words = -(-len(cells) // 64)
    full = words_of(cells, words)
    near = np.array([words_of(n, words) for n in neighbours(width, height, hexagons)])
    not_first = words_of([c for c in cells if c % width > 0], words)
    not_last = words_of([c for c in cells if c % width < width - 1], words)
    last_bit = u64(63)
    row, row_rest = u64(width), u64(64 - width)
    slant, slant_rest = u64(max(width - 1, 1)), u64(64 - max(width - 1, 1))

    @helper
    def around(before, here, after, w):
        """Word w of the neighbours of a set, from its words w - 1, w and w + 1; bits off the board may be set."""
        found = (here << row) | (before >> row_rest) | (here >> row) | (after << row_rest)
        found |= ((here << ONE) | (before >> last_bit)) & not_first[w]
        found |= ((here >> ONE) | (after << last_bit)) & not_last[w]
        if hexagons:
            found |= ((here >> slant) | (after << slant_rest)) & not_first[w]
            found |= ((here << slant) | (before >> slant_rest)) & not_last[w]
        return found

    return CellSets(words, full, near, around)
