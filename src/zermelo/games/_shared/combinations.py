"""Sets of cells as numbers: what games number their endings with.

The combinatorial number system: a set of k cells c1 < c2 < … < ck has the number C(c1, 1) + C(c2, 2) + … + C(ck, k).
The sets of k among n cells have the numbers from 0 to C(n, k) - 1, whatever n is:

    k = 2    {0,1} 0   {0,2} 1   {1,2} 2   {0,3} 3   {1,3} 4   {2,3} 5   {0,4} 6   …

Several sets on one board are numbered one after the other, each among the cells that those before it leave free:

    taken      0 1 0 0 1 0        squeeze: the cells taken are left out      0 0 1 0   (the set {1} of four)
    set        0 0 0 1 0 0        spread: … and put back in
"""

import itertools
import math

import numpy as np

from zermelo.compile.bits import gather, lowest, scatter
from zermelo.compile.rules import helper

CELLS, MOST = 64, 16
SMALL, LISTED = 3, 4960  # sets of up to 3 cells, and so many of each size (all of 32 cells), are looked up
CHOOSE = np.array([[math.comb(n, k) for k in range(MOST + 1)] for n in range(CELLS + 1)], np.int64)  # [n, k]
u64 = np.uint64
NONE, ONE = u64(0), u64(1)


def _first_sets(k):
    """The sets of k cells that have the first numbers, and zeros where there are not so many."""
    cells = next((n for n in range(CELLS) if math.comb(n, k) >= LISTED), CELLS)
    chosen = sorted(each[::-1] for each in itertools.combinations(range(cells), k))
    sets = [sum(1 << c for c in each) for each in chosen[:LISTED]]
    return sets + [0] * (LISTED - len(sets))


SETS = np.array([_first_sets(k) for k in range(SMALL + 1)], np.uint64)  # [k, number]


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
        if k <= SMALL and number < LISTED:
            return cells | SETS[k, number]
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
    return gather(cells, ~taken)


@helper
def spread(cells, taken):
    """The set of which `squeeze` leaves the cells `taken` out."""
    return scatter(cells, ~taken)
