"""Endings of checkers, numbered: both sides have a piece, and there are at most eight.

A position is seen by the side to move, the board turned so that it goes down the page: whose turn it is is in that, and
a position and the same with colours exchanged have one number. A class is a count of men and kings, the mover's first:

    (a men, b kings – c men, d kings)      number  ((9 a + b) 9 + c) 9 + d

A quiet move leads to (c, d – a, b), so these two make a group; a man crowned leads to a group with fewer men, a capture
to one with fewer pieces. Men stand anywhere but on the row where they are crowned, and never share a square:

    cells   0 –  3   the mover's men only        i of its a men stand here
            4 – 27   men of both                 a - i of them here; the other's c men on what is left of 4 – 31
           28 – 31   the other's men only

Kings then stand on any cells that are left. So there are, with no number unused,

    Σ_i C(4, i) C(24, a - i) C(28 - a + i, c)  ·  C(32 - a - c, b)  ·  C(32 - a - c - b, d)

positions. The plies since a capture or a man's move are not part of a position here: a table says what a position is
worth if nobody counts them.
"""

import math

import numpy as np

from zermelo.compile.bits import popcount, reverse
from zermelo.compile.endings import Ending
from zermelo.compile.rules import helper
from zermelo.games._shared.combinations import choose, nth_set, number_set, spread, squeeze
from zermelo.games.checkers.board import FOUR, TURNED, sides, u64

PIECES = 8
LEFT_OUT = u64(1 << 8 | 1 << 17 | 1 << 26)  # bits of a board that are no squares
FIRST_ROW = u64(0xF)


def _men_before(a, c):
    """[i]: how many ways to place men come before those with i of the mover's a on the first row; [5]: all of them."""
    ways = [math.comb(4, i) * math.comb(24, a - i) * math.comb(28 - a + i, c) if i <= a else 0 for i in range(5)]
    return [sum(ways[:i]) for i in range(6)]


MEN_BEFORE = np.array([[_men_before(a, c) for c in range(PIECES)] for a in range(PIECES)], np.int64)  # [a, c, i]


@helper
def material(s):
    """(a, b, c, d): men and kings of the side to move, men and kings of the other."""
    mine, theirs = sides(s)
    b, d = popcount(mine & s.kings), popcount(theirs & s.kings)
    return popcount(mine) - b, b, popcount(theirs) - d, d


@helper
def cells_of(board, turn):
    """The squares of a board as 32 cells, numbered from the end from which the side to move comes."""
    return squeeze(board if turn == 0 else reverse(board) >> TURNED, LEFT_OUT)


@helper
def class_of(s):
    a, b, c, d = material(s)
    if a + b < 1 or c + d < 1 or a + b + c + d > PIECES:
        return -1
    return ((9 * a + b) * 9 + c) * 9 + d


@helper
def rank_of(s):
    a, b, c, d = material(s)
    mine, theirs = sides(s)
    mine, theirs, kings = cells_of(mine, s.turn), cells_of(theirs, s.turn), cells_of(s.kings, s.turn)
    # 1. Men: the mover's on the first row, its others, the other side's on what is left.
    men, others = mine & ~kings, theirs & ~kings
    first, rest = men & FIRST_ROW, men >> FOUR
    i = popcount(first)
    number = number_set(first) * choose(24, a - i) + number_set(rest)
    number = number * choose(28 - a + i, c) + number_set(squeeze(others >> FOUR, rest))
    number += MEN_BEFORE[a, c, i]
    # 2. Kings, on what men leave free.
    men |= others
    number = number * choose(32 - a - c, b) + number_set(squeeze(mine & kings, men))
    return number * choose(32 - a - c - b, d) + number_set(squeeze(theirs & kings, men | (mine & kings)))


@helper
def set_up_ranked(s, ending, rank):
    """Black is to move: it goes down the page."""
    a, b, c, d = ending // 729, ending // 81 % 9, ending // 9 % 9, ending % 9
    ways = choose(32 - a - c - b, d)
    of_theirs, rank = rank % ways, rank // ways
    ways = choose(32 - a - c, b)
    of_mine, rank = rank % ways, rank // ways
    i = 0
    while i < 4 and rank >= MEN_BEFORE[a, c, i + 1]:
        i += 1
    rank -= MEN_BEFORE[a, c, i]
    ways = choose(28 - a + i, c)
    of_others, rank = rank % ways, rank // ways
    ways = choose(24, a - i)
    rest = nth_set(rank % ways, a - i, 24)
    men = nth_set(rank // ways, i, 4) | rest << FOUR
    others = spread(nth_set(of_others, c, 28 - a + i), rest) << FOUR
    mine = spread(nth_set(of_mine, b, 32 - a - c), men | others)
    theirs = spread(nth_set(of_theirs, d, 32 - a - c - b), men | others | mine)
    s.black, s.white = spread(men | mine, LEFT_OUT), spread(others | theirs, LEFT_OUT)
    s.kings = spread(mine | theirs, LEFT_OUT)
    return True


# -- the list ----------------------------------------------------------------------------------------------------------


def endings(limit):
    """Classes of up to `limit` pieces, from 2 to 8."""
    groups = []
    for pieces in range(2, min(limit, PIECES) + 1):
        counts = [
            (a, b, c, pieces - a - b - c)
            for a in range(pieces)
            for b in range(pieces - a)
            for c in range(pieces - a - b + 1)
            if a + b > 0 and a + b < pieces
        ]
        counts.sort(key=lambda n: (n[0] + n[2], n))
        for n in counts:
            turned = n[2:] + n[:2]
            if n <= turned:
                groups.append([_ending(each) for each in dict.fromkeys((n, turned))])
    return groups


def _ending(n):
    a, b, c, d = n
    size = int(MEN_BEFORE[a, c, 5]) * math.comb(32 - a - c, b) * math.comb(32 - a - c - b, d)
    return Ending(((9 * a + b) * 9 + c) * 9 + d, f"{_pieces(a, b)} – {_pieces(c, d)}", size, sum(n))


def _pieces(men, kings):
    said = [f"{n} {one if n == 1 else many}" for n, one, many in ((men, "man", "men"), (kings, "king", "kings")) if n]
    return ", ".join(said)
