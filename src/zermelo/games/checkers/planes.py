"""What a policy/value network sees of checkers, and the numbers of moves: from the side to move.

The board is 8 × 8, as drawn in rules.py, turned by half for black, so that whoever moves moves up it:

    0 my men     2 the other side's men      4 everywhere the plies since a capture or a man's move, 0 to 80
    1 my kings   3 the other side's kings

A move has a number of its own wherever it starts and however it goes on: 4 × the square (from 0) + the direction for a
step; for captures the routes there are on an empty board, along which no square is jumped twice, are counted once and
for all. They are 1,328, so a policy has 1,456 numbers. ROUTES walks them: the squares are its first 32 nodes.

    ROUTES[node, direction]   the route that is one jump longer, or -1      (1360, 4) int16
"""

import numpy as np

from zermelo.compile.bits import lowest
from zermelo.compile.rules import helper
from zermelo.games.checkers.board import NONE, ONE, sides

PLANES = (5, 8, 8)
SQUARES, STEPS = 32, 128


def _row_and_column(square):
    """On the page: the dark squares of the first row are the second, fourth … of their row."""
    row = square // 4
    return row, 2 * (square % 4) + (row % 2 == 0)


def _walk_routes():
    square_at = {_row_and_column(square): square for square in range(SQUARES)}
    following = [[-1] * 4 for _ in range(SQUARES)]
    todo = [(square, _row_and_column(square), frozenset()) for square in range(SQUARES)]
    for node, (row, column), taken in todo:
        for direction, (down, right) in enumerate(((1, -1), (1, 1), (-1, -1), (-1, 1))):
            over, landing = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if landing in square_at and over not in taken:
                following[node][direction] = len(following)
                todo.append((len(following), landing, taken | {over}))
                following.append([-1] * 4)
    return np.array(following, np.int16)


ROUTES = _walk_routes()
POLICY = STEPS + len(ROUTES) - SQUARES


@helper
def write_men(pieces, kings, turn, plane, out):
    """The pieces of a side, men into `plane` and kings into the next, as the side to move sees them."""
    while pieces != NONE:
        bit = lowest(pieces)
        here = pieces & (~pieces + ONE)
        pieces ^= here
        square = bit - bit // 9
        square = square if turn else 31 - square
        row = square >> 2
        out[plane + (here & kings != NONE), row, 2 * (square & 3) + (row & 1 == 0)] = 1


@helper
def write_planes(s, out):
    mine, theirs = sides(s)
    write_men(mine, s.kings, s.turn, 0, out)
    write_men(theirs, s.kings, s.turn, 2, out)
    if s.quiet > 0:
        for row in range(8):
            for column in range(8):
                out[4, row, column] = s.quiet


@helper
def number_of(turn, action):
    bit, jumps, route = action & 63, (action >> 6) & 15, action >> 10
    square, turned = (bit - bit // 9, 0) if turn else (31 - bit + bit // 9, 3)
    if jumps == 0:
        return 4 * square + (route ^ turned)
    node = square
    for _ in range(jumps):
        node = int(ROUTES[node, (route & 3) ^ turned])
        route >>= 2
    return STEPS - SQUARES + node
