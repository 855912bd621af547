"""Kalah: endings with few seeds in the pits, and the numbers they have.

A class is how many seeds are in play, n: sowing never makes them more. A position is seen by whoever moves. First comes
how the seeds lie: a row of 2 · pits counts, one's own pits first, that sum to n, as a set of cells: a bar between every
two pits, as many cells before it as there are seeds (games/_shared/combinations.py numbers sets).

    pits    1 0 2 / 0 0 1           o | | o o / | | o      (a bar for the row's end, too)

Then who is ahead, and by how much: by n + 2 or more is as good as by n + 2, since only n seeds are left to be had. All
seeds together are an even number, so a lead is even or odd as n is, and there are n + 3 of them:

    lead    -(n + 2)   -n   -n + 2   …   n - 2   n   n + 2

With six pits there are C(n + 11, 11) (n + 3) numbers; those with an empty row are unused, since the game is over then.
A position from which seeds are missing is in no class.
"""

import math

from zermelo.compile.bits import highest
from zermelo.compile.endings import Ending
from zermelo.compile.rules import helper
from zermelo.games._shared.combinations import CELLS, MOST, ONE, choose, nth_set, u64

MOST_PITS = (MOST + 1) // 2  # so many bars have numbers


def make_numbering(pits, total):
    """class_of, rank_of and set_up_ranked, for so many pits a side and seeds in all."""
    BARS = 2 * pits - 1

    @helper
    def in_play(s):
        """Seeds in the pits; -1 where some are missing."""
        n, stored = 0, s.board[pits] + s.board[2 * pits + 1]
        for i in range(pits):
            n += s.board[i] + s.board[pits + 1 + i]
        return n if n + stored == total else -1

    @helper
    def class_of(s):
        n = in_play(s)
        return n if s.over == 0 and n <= most_seeds(pits, total) else -1

    @helper
    def rank_of(s):
        n, first = in_play(s), s.turn * (pits + 1)
        number, cell = 0, n + BARS
        for i in range(BARS):
            cell -= s.board[first + i if i < pits else pits + 1 - first + i - pits] + 1
            number += choose(cell, BARS - i)
        lead = s.board[first + pits] - s.board[2 * pits + 1 - first]
        lead = min(max(lead, -n - 2), n + 2)
        return number * (n + 3) + (lead + n + 2) // 2

    @helper
    def set_up_ranked(s, ending, rank):
        """South is to move."""
        n, lead = ending, 2 * (rank % (ending + 3)) - ending - 2
        stored = total - n
        if stored < abs(lead):
            return False
        s.board[pits], s.board[2 * pits + 1] = (stored + lead) // 2, (stored - lead) // 2
        cells, cell, south, north = nth_set(rank // (n + 3), BARS, n + BARS), n + BARS, 0, 0
        for i in range(2 * pits):
            bar = -1
            if i < BARS:
                bar = highest(cells)
                cells ^= ONE << u64(bar)
            seeds = cell - bar - 1
            cell = bar
            if i < pits:
                s.board[i] = seeds
                south += seeds
            else:
                s.board[i + 1] = seeds
                north += seeds
        return south > 0 and north > 0

    return class_of, rank_of, set_up_ranked


@helper
def most_seeds(pits, total):
    """More than so many have no numbers."""
    return min(total, CELLS - 2 * pits + 1)


def list_endings(limit, pits, total):
    """Classes with up to `limit` seeds in play, from 2 up."""
    most = min(limit, most_seeds(pits, total))
    return [[_ending(n, pits)] for n in range(2, most + 1)]


def _ending(n, pits):
    return Ending(n, f"{n} seeds", math.comb(n + 2 * pits - 1, 2 * pits - 1) * (n + 3), n)
