"""Sets of cells as numbers: what games number their endings with.

The combinatorial number system: a set of k cells c1 < c2 < … < ck has the number C(c1, 1) + C(c2, 2) + … + C(ck, k).
The sets of k among n cells have the numbers from 0 to C(n, k) - 1, whatever n is:

    k = 2    {0,1} 0   {0,2} 1   {1,2} 2   {0,3} 3   {1,3} 4   {2,3} 5   {0,4} 6   …

Several sets on one board are numbered one after the other, each among the cells that those before it leave free:

    taken      0 1 0 0 1 0        squeeze: the cells taken are left out      0 0 1 0   (the set {1} of four)
    set        0 0 0 1 0 0        spread: … and put back in
"""

import math

import numpy as np

from zermelo.compile.bits import lowest
from zermelo.compile.rules import helper

CELLS, MOST = 64, 16
CHOOSE = np.array([[math.comb(n, k) for k in range(MOST + 1)] for n in range(CELLS + 1)], np.int64)  # [n, k]
u64 = np.uint64
NONE, ONE = u64(0), u64(1)


@helper
def choose(n, k):
    """How many sets of k there are among n cells: n up to 64, k up to 16."""
    return CHOOSE[n, k]


@helper
def number_set(cells):
    """The number of a set of cells among those of its size; bit c is cell c."""
    number, k = np.int64(0), 0
    while cells != NONE:
        k += 1
        number += CHOOSE[lowest(cells), k]
        cells &= cells - ONE
    return number


@helper
def nth_set(number, k, n):
    """The set of k of n cells that has this number."""
    cells, c = NONE, n
    while k > 0:
        if k == 1:
            return cells | ONE << u64(number)
        c -= 1
        while CHOOSE[c, k] > number:
            c -= 1
        number -= CHOOSE[c, k]
        cells |= ONE << u64(c)
        k -= 1
    return cells


@helper
def squeeze(cells, taken):
    """A set that has no cell of `taken`, with those cells left out of the board."""
    while taken != NONE:
        below = (taken & (~taken + ONE)) - ONE
        cells = (cells & below) | ((cells >> ONE) & ~below)
        taken = (taken & (taken - ONE)) >> ONE
    return cells


@helper
def spread(cells, taken):
    """The set of which `squeeze` leaves the cells `taken` out."""
    while taken != NONE:
        below = (taken & (~taken + ONE)) - ONE
        cells = (cells & below) | ((cells & ~below) << ONE)
        taken &= taken - ONE
    return cells
