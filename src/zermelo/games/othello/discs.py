"""Othello: what discs on a board do. Where a side may put one, which it turns over, and which can never turn again.

Squares are numbered row by row from the top, and square q is bit q of a 64-bit board. Along each of the four axes one
way adds to a square's number, as drawn for 8 × 8, and the other subtracts the same:

                q  -  +1 ACROSS
              / | \\
            /   |   \\
    +7 RISING   |    +9 FALLING
            +8 DOWN
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.bits import highest, lowest
from zermelo.compile.rules import helper

u64 = np.uint64
NONE, ONE, TWO = u64(0), u64(1), u64(2)
# (columns, rows) a step: the four directions in which the squares' numbers grow, then those in which they fall
STEPS = ((1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1))


class Discs(NamedTuple):
    """What one board's sets of squares have in common, and helpers that rules may call."""

    all_squares: Any
    corners: Any
    mobility: Callable[[Any, Any], Any]
    outflanked: Callable[[Any, Any, Any], Any]
    beside: Callable[[Any], Any]
    stable: Callable[[Any], Any]


def area(size, columns, rows):
    """The squares of these columns and rows."""
    return u64(sum(1 << (y * size + x) for y in rows for x in columns))


def ray(size, q, step):
    """The squares seen from square q in one direction, as far as the edge of the board."""
    x, y, squares = q % size + step[0], q // size + step[1], 0
    while 0 <= x < size and 0 <= y < size:
        squares |= 1 << (y * size + x)
        x, y = x + step[0], y + step[1]
    return squares


@helper
def list_squares(squares, out):
    n = 0
    while squares != NONE:
        out[n] = lowest(squares)
        squares &= squares - ONE  # without its lowest bit
        n += 1
    return n


def make_discs(size):
    """The sets and helpers of a board of `size` × `size`."""
    ALL = area(size, range(size), range(size))
    LEFT, RIGHT = area(size, (0,), range(size)), area(size, (size - 1,), range(size))
    FLANKS, RANKS = LEFT | RIGHT, area(size, range(size), (0, size - 1))  # the edge: its columns and its rows
    EDGE, CORNERS = FLANKS | RANKS, FLANKS & RANKS
    ACROSS, RISING, DOWN, FALLING = u64(1), u64(size - 1), u64(size), u64(size + 1)  # the four axes, as shifts
    RAYS = np.array([[ray(size, q, step) for step in STEPS] for q in range(size * size)], u64)

    @helper
    def ends_of_lines(mine, between, shift):
        """The squares at the far end of lines of `between` that begin beside `mine`, both ways along one axis.

        The fill doubles its step: one square, one more, then two pairs; no line between two squares is longer than six.
        """
        up = between & (mine << shift)
        down = between & (mine >> shift)
        up |= between & (up << shift)
        down |= between & (down >> shift)
        pairs_up = between & (between << shift)
        pairs_down = pairs_up >> shift
        two = TWO * shift
        up |= pairs_up & (up << two)
        down |= pairs_down & (down >> two)
        up |= pairs_up & (up << two)
        down |= pairs_down & (down >> two)
        return (up << shift) | (down >> shift)

    @helper
    def mobility(mine, theirs):
        """The empty squares where a disc of `mine` outflanks some of `theirs`."""
        inner = theirs & ~FLANKS  # no line goes on beyond the left or the right edge
        found = ends_of_lines(mine, inner, ACROSS) | ends_of_lines(mine, theirs, DOWN)
        found |= ends_of_lines(mine, inner, RISING) | ends_of_lines(mine, inner, FALLING)
        return found & ALL & ~(mine | theirs)

    @helper
    def outflanked(mine, theirs, q):
        """The discs of `theirs` that a disc of `mine` on q turns over.

        On each ray the nearest square without a disc of theirs decides: if it is mine, all before it turn over.
        """
        turned = NONE
        for k in range(4):
            line = RAYS[q, k]
            rest = line & ~theirs
            end = rest & (NONE - rest) & mine  # the lowest bit
            turned |= line & (end - u64(end != NONE))
        for k in range(4, 8):
            line = RAYS[q, k]
            rest = line & ~theirs
            end = (ONE << u64(highest(rest | ONE))) & rest & mine  # the highest bit
            turned |= line & (NONE - (end + end))
        return turned

    @helper
    def beside(squares):
        """These squares and their neighbours."""
        near = squares | ((squares & ~RIGHT) << ACROSS) | ((squares & ~LEFT) >> ACROSS)
        return (near | (near << DOWN) | (near >> DOWN)) & ALL

    @helper
    def stable(discs):
        """Discs that can never turn: on each axis there is the edge, or another such disc, on one side at least.

        What a shift carries over the edge lands on an edge square, which is safe on that axis anyway.
        """
        before, safe = ONE, NONE
        while safe != before:
            before = safe
            safe = discs & ((before << ACROSS) | (before >> ACROSS) | FLANKS)
            safe &= (before << DOWN) | (before >> DOWN) | RANKS
            safe &= (before << RISING) | (before >> RISING) | EDGE
            safe &= (before << FALLING) | (before >> FALLING) | EDGE
        return safe

    return Discs(ALL, CORNERS, mobility, outflanked, beside, stable)
