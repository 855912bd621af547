"""Checkers' board as bits (drawn in checkers.py): sets of squares, steps and jumps of a whole side at once."""

import numpy as np

from zermelo.compile.bits import popcount
from zermelo.compile.rules import helper
from zermelo.games.checkers.notation import board_of

u64 = np.uint64
NONE, ONE, FOUR, FIVE, EIGHT, NINE, TEN = u64(0), u64(1), u64(4), u64(5), u64(8), u64(9), u64(10)
TURNED = u64(29)  # 63 - 34: what puts a board back in place whose 64 bits were reversed
BOARD = board_of(range(1, 33))
TOP, BOTTOM = board_of(range(1, 5)), board_of(range(29, 33))  # where white and black are crowned
CENTRE = board_of((10, 11, 14, 15, 18, 19, 22, 23))
BLACK_CAMP, WHITE_CAMP = board_of(range(1, 13)), board_of(range(21, 33))  # at the start
DOWN, UP, ANY = 3, 12, 15  # sets of directions: 1 << direction


@helper
def sides(s):
    """(pieces of the side to move, pieces of the other)."""
    return (s.black, s.white) if s.turn == 0 else (s.white, s.black)


@helper
def going_down(pieces, kings, turn):
    """Those of a side's pieces that may go down the page."""
    return pieces if turn == 0 else pieces & kings


@helper
def going_up(pieces, kings, turn):
    """Those that may go up."""
    return pieces if turn == 1 else pieces & kings


@helper
def delta(direction):
    """What a step in a direction adds to a bit's number: 4, 5, -5 or -4."""
    return (1 - (direction & 2)) * (4 + ((direction ^ (direction >> 1)) & 1))


@helper
def jumpers(down, up, theirs, empty):
    """The pieces that can capture; `down` are those that may go down the page."""
    below = ((theirs & (empty >> FOUR)) >> FOUR) | ((theirs & (empty >> FIVE)) >> FIVE)
    above = ((theirs & (empty << FOUR)) << FOUR) | ((theirs & (empty << FIVE)) << FIVE)
    return (down & below) | (up & above)


@helper
def steps(down, up, empty):
    """How many steps there are to empty squares."""
    below = popcount(down & (empty >> FOUR)) + popcount(down & (empty >> FIVE))
    return below + popcount(up & (empty << FIVE)) + popcount(up & (empty << FOUR))


@helper
def jumps_from(at, theirs, empty):
    """The set of directions in which a piece at bit `at` can jump."""
    here = ONE << u64(at)
    ways = 0
    if (here << FOUR) & theirs != NONE and (here << EIGHT) & empty != NONE:
        ways |= 1
    if (here << FIVE) & theirs != NONE and (here << TEN) & empty != NONE:
        ways |= 2
    if (here >> FIVE) & theirs != NONE and (here >> TEN) & empty != NONE:
        ways |= 4
    if (here >> FOUR) & theirs != NONE and (here >> EIGHT) & empty != NONE:
        ways |= 8
    return ways
