"""What a policy/value network sees of nine men's morris, the numbers of moves, and the board's sixteen symmetries.

The board is the grid of 7 × 7 as it is drawn, with its 24 points:

    0 my men    2 on every point: my men not yet placed     4 on every point: plies since a man was placed or taken off
    1 theirs    3 … theirs

A move is where a man comes from and goes to (a man from the hand: from where it goes to), and whom it takes off:
25 × the number of the pair + the man's point, 24 for nobody. Where men may fly there are 24 × 24 pairs, a policy of
14,400; along lines there are 64, and 24 to place a man on: 2,200.

The board may be turned and mirrored, and its inner and outer ring may change places.
"""

import numpy as np

from zermelo.compile.bits import lowest
from zermelo.compile.rules import helper
from zermelo.games.nine_mens_morris.notation import NAMES

PLANES = (5, 7, 7)
POINTS = NOBODY = 24
AROUND = np.array([[7 - int(name[1]), "abcdefg".index(name[0])] for name in NAMES], np.int8)  # (24, 2): row, column


def number_pairs(flying):
    """(24, 24) int16: the number of from and to; -1 where nobody can go."""
    if flying:
        return np.arange(POINTS * POINTS, dtype=np.int16).reshape(POINTS, POINTS)
    pairs = np.full((POINTS, POINTS), -1, np.int16)
    joined = [(a, b) for a in range(POINTS) for b in range(POINTS) if a == b or _are_joined(a, b)]
    for number, pair in enumerate(joined):
        pairs[pair] = number
    return pairs


def _are_joined(a, b):
    if a // 8 == b // 8:
        return (a - b) % 8 in (1, 7)
    return a % 8 == b % 8 and a % 2 == 1 and abs(a - b) == 8


def point_symmetries():
    """Sixteen lists of the points, the identity first: item b is the point that comes to lie on b."""
    turned = [[(2 - b if mirrored else b) + 2 * k for b in range(8)] for mirrored in (False, True) for k in range(4)]
    rings = ((0, 1, 2), (2, 1, 0))
    return [[8 * ring + b % 8 for ring in order for b in turn] for order in rings for turn in turned]


def find_symmetries(pairs):
    """Sixteen (cells, policy)."""
    return [_symmetry(image, pairs) for image in point_symmetries()]


def _symmetry(image, pairs):
    cells, places = np.arange(49), [7 * row + column for row, column in AROUND.tolist()]
    policy = np.zeros(25 * (int(pairs.max()) + 1), np.int64)
    for b in range(POINTS):
        cells[places[b]] = places[image[b]]
    for a, b in np.argwhere(pairs >= 0).tolist():
        here, there = 25 * int(pairs[a, b]), 25 * int(pairs[image[a], image[b]])
        policy[here : here + 25] = [there + point for point in (*image, NOBODY)]
    return cells, policy


@helper
def write_men(men, plane, out):
    while men != 0:
        point = lowest(men)
        men &= men - 1
        out[plane, AROUND[point, 0], AROUND[point, 1]] = 1


@helper
def write_planes(s, out):
    write_men(s.white if s.turn == 0 else s.black, 0, out)
    write_men(s.black if s.turn == 0 else s.white, 1, out)
    for point in range(POINTS):
        row, column = AROUND[point, 0], AROUND[point, 1]
        out[2, row, column] = (s.left + 1) >> 1
        out[3, row, column] = s.left >> 1
        out[4, row, column] = s.quiet
