"""Nine men's morris: endings with three to five men on each side and none in hand, and the numbers they have.

A class is how many men both sides have, the mover's first: (a – b) has the number 10 a + b. A quiet move leads to
(b – a), so these two make a group; a man taken off leads to (b - 1 – a), or ends the game.

The board has sixteen symmetries: turned, mirrored, inner and outer ring exchanged. The mover's men come first, as a
number of sets that are not the same in another position, then the other's, on the points that are left:

    men       3        4        5         6         7         8         9
    sets      2,024    10,626   42,504    134,596   346,104   735,471   1,307,504
    … apart   158      757      2,830     8,774     22,188    46,879    82,880

A set that some symmetries leave as it is leaves a choice, and the smallest number counts; the others are unused. Plies
without a man taken off have no part in this: values are those of play without the limit on them.
"""

import math
from itertools import combinations

import numpy as np

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.endings import Ending
from zermelo.compile.rules import helper
from zermelo.games._shared.combinations import choose, nth_set, number_set, spread, squeeze, u64
from zermelo.games.nine_mens_morris.planes import POINTS, point_symmetries

FEWEST, MOST = 3, 5

GOES_TO = np.array(point_symmetries())  # (16, 24): where a symmetry brings the man on a point


def _number_sets(count):
    """Of every set of so many points, by its number: the number of sets like it, and a symmetry that leads to the first
    of those; then the first ones themselves, and the symmetries, as bits, that leave each as it is."""
    cells = np.array(list(combinations(range(POINTS), count)))  # (sets, count)
    boards = (1 << cells).sum(axis=1)
    numbers = sum(np.array([[math.comb(int(c), k + 1) for c in range(POINTS)]])[0][cells[:, k]] for k in range(count))
    images = np.array([(1 << image[cells]).sum(axis=1) for image in GOES_TO])  # (16, sets)
    firsts, like = np.unique(images.min(axis=0), return_inverse=True)
    symmetry = images.argmin(axis=0)
    of_number = np.argsort(numbers)
    like, symmetry = like[of_number], symmetry[of_number]
    kept = np.zeros(len(firsts), np.int64)
    for k, image in enumerate(images):
        stays = np.isin(boards, firsts) & (image == boards)
        kept[np.searchsorted(firsts, boards[stays])] |= 1 << k
    return like, symmetry, firsts, kept


_SETS = [_number_sets(count) for count in range(FEWEST, MOST + 1)]
APART = np.array([len(firsts) for _, _, firsts, _ in _SETS])  # by men less FEWEST
BEFORE = np.array([sum(math.comb(POINTS, n) for n in range(FEWEST, count)) for count in range(FEWEST, MOST + 1)])
BEFORE_FIRST = np.array([int(APART[:k].sum()) for k in range(len(APART))])
LIKE = np.concatenate([like for like, _, _, _ in _SETS]).astype(np.int32)  # [BEFORE + number of a set]
SYMMETRY = np.concatenate([symmetry for _, symmetry, _, _ in _SETS]).astype(np.int8)
FIRST = np.concatenate([firsts for _, _, firsts, _ in _SETS]).astype(np.int32)  # [BEFORE_FIRST + number apart]
KEPT = np.concatenate([kept for _, _, _, kept in _SETS]).astype(np.int32)


@helper
def moved_by(men, symmetry):
    """Men where a symmetry brings them."""
    there = 0
    while men != 0:
        there |= 1 << GOES_TO[symmetry, lowest(men)]
        men &= men - 1
    return there


@helper
def class_of(s):
    mine, theirs = (s.white, s.black) if s.turn == 0 else (s.black, s.white)
    a, b = popcount(mine), popcount(theirs)
    if s.left != 0 or a < FEWEST or b < FEWEST or a > MOST or b > MOST:
        return -1
    return 10 * a + b


@helper
def rank_of(s):
    mine, theirs = (s.white, s.black) if s.turn == 0 else (s.black, s.white)
    a, b = popcount(mine) - FEWEST, popcount(theirs)
    number = BEFORE[a] + number_set(u64(mine))
    symmetry, like = SYMMETRY[number], int(LIKE[number])
    first, other = u64(FIRST[BEFORE_FIRST[a] + like]), moved_by(theirs, symmetry)
    # The other's men as the symmetries that keep the mover's show them: the smallest number, the identity's among them.
    kept = int(KEPT[BEFORE_FIRST[a] + like]) >> 1
    best = number_set(squeeze(u64(other), first))
    k = 1
    while kept != 0:
        if kept & 1:
            best = min(best, number_set(squeeze(u64(moved_by(other, k)), first)))
        kept >>= 1
        k += 1
    return like * choose(POINTS - FEWEST - a, b) + best


@helper
def set_up_ranked(s, ending, rank):
    """White is to move."""
    a, b = ending // 10, ending % 10
    ways = choose(POINTS - a, b)
    at = BEFORE_FIRST[a - FEWEST] + rank // ways
    s.white = int(FIRST[at])
    s.black = int(spread(nth_set(rank % ways, b, POINTS - a), u64(s.white)))
    return KEPT[at] == 1 or rank_of(s) == rank


# -- the list ----------------------------------------------------------------------------------------------------------


def endings(limit):
    """Classes in which both sides have up to `limit` men, 3 to 5."""
    groups = []
    counts = [(a, b) for a in range(FEWEST, min(limit, MOST) + 1) for b in range(FEWEST, a + 1)]
    for a, b in sorted(counts, key=lambda n: (n[0], n[0] + n[1])):
        groups.append([_ending(*each) for each in dict.fromkeys(((a, b), (b, a)))])
    return groups


def _ending(a, b):
    return Ending(10 * a + b, f"{a} men – {b} men", int(APART[a - FEWEST]) * math.comb(POINTS - a, b), max(a, b))
