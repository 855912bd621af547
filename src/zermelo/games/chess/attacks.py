"""Chess: who attacks what, on 64-bit boards. No magic numbers, no large tables: 5 KB say it all.

Squares are numbered as in chess.py: a1 = 0, b1 = 1, … h8 = 63. Four lines cross on every square, and on each of them
the other squares have either higher or lower numbers:

    line      0 rank   1 file   2 diagonal /   3 diagonal \\
    higher    east     north    north-east     north-west
    lower     west     south    south-west     south-east

A slider sees the higher squares of a line as far as the lowest man on them, the lower squares as far as the highest:
two bit tricks instead of a walk. (Filling the board from all sliders of a side at once was measured to be no faster.)
"""

import numpy as np

from zermelo.compile.bits import highest, lowest
from zermelo.compile.rules import helper

u64 = np.uint64
NONE, ONE, ALL, EIGHT = u64(0), u64(1), u64(0xFFFFFFFFFFFFFFFF), u64(8)
FILE_A, FILE_H = u64(0x0101010101010101), u64(0x8080808080808080)
NOT_A, NOT_H = ~FILE_A, ~FILE_H
NOT_AB, NOT_GH = ~(FILE_A | FILE_A << ONE), ~(FILE_H | FILE_H >> ONE)
STRAIGHT, DIAGONAL = 0, 2  # the first of the two lines on which rooks, or bishops, move
STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))  # east, north, north-east, north-west


def _reached(square: int, steps: list[tuple[int, int]], far: int) -> int:
    """The squares up to `far` steps away in each direction, as a board."""
    board = 0
    for dx, dy in steps:
        x, y = square % 8, square // 8
        for _ in range(far):
            x, y = x + dx, y + dy
            if not (0 <= x < 8 and 0 <= y < 8):
                break
            board |= 1 << (8 * y + x)
    return board


def _table(steps: list[tuple[int, int]], far: int) -> list[int]:
    return [_reached(square, steps, far) for square in range(64)]


_AROUND = [*STEPS, *((-dx, -dy) for dx, dy in STEPS)]
_JUMPS = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]

HIGHER = np.array([_table([step], 7) for step in STEPS], u64)  # (4, 64): by line, by square
LOWER = np.array([_table([(-dx, -dy)], 7) for dx, dy in STEPS], u64)
KING = np.array(_table(_AROUND, 1), u64)
KNIGHT = np.array(_table(_JUMPS, 1), u64)


@helper
def bit(square):
    return ONE << u64(square)


@helper
def men(s, side):
    return s.white if side == 0 else s.black


@helper
def ahead(board, side):
    """Every man one rank forward: up for white (side 0), down for black."""
    return board << EIGHT if side == 0 else board >> EIGHT


@helper
def sideways(board):
    """Every man one file to the left and one to the right."""
    return ((board & NOT_A) >> ONE) | ((board & NOT_H) << ONE)


# -- one man -----------------------------------------------------------------------------------------------------------


@helper
def line(index, square, occupied):
    """What a slider on `square` sees on one of the four lines: as far as the first men, and those men."""
    up, down = HIGHER[index, square], LOWER[index, square]
    above, below = up & occupied, down & occupied
    return (up & (above ^ (above - ONE))) | (down & (ALL << u64(highest(below | ONE))))


@helper
def slide(lines, square, occupied):
    """What a rook (lines = STRAIGHT) or a bishop (lines = DIAGONAL) on `square` sees."""
    return line(lines, square, occupied) | line(lines + 1, square, occupied)


@helper
def attackers(s, square, side, enemies, occupied):
    """The men among `enemies` that attack `square`, which belongs to `side`; `occupied` is what stops sliders."""
    pawns = s.pawns & sideways(ahead(bit(square), side))
    jumpers = (s.knights & KNIGHT[square]) | (s.kings & KING[square])
    straights = s.straights & slide(STRAIGHT, square, occupied)
    diagonals = s.diagonals & slide(DIAGONAL, square, occupied)
    return enemies & (pawns | jumpers | straights | diagonals)


@helper
def in_check(s, side):
    king = lowest(men(s, side) & s.kings)
    return attackers(s, king, side, men(s, 1 - side), s.white | s.black) != NONE


# -- all men of a side at once -----------------------------------------------------------------------------------------


@helper
def knights_attack(knights):
    """Every square some knight of the set attacks."""
    one = sideways(knights)
    two = ((knights & NOT_AB) >> u64(2)) | ((knights & NOT_GH) << u64(2))
    return (one << u64(16)) | (one >> u64(16)) | (two << EIGHT) | (two >> EIGHT)


@helper
def pieces_attack(s, pieces, occupied):
    """Every square that `pieces` (knights, bishops, rooks and queens) attack, the ones they guard included."""
    seen = knights_attack(pieces & s.knights)
    movers = pieces & s.diagonals
    while movers:
        seen |= slide(DIAGONAL, lowest(movers), occupied)
        movers &= movers - ONE
    movers = pieces & s.straights
    while movers:
        seen |= slide(STRAIGHT, lowest(movers), occupied)
        movers &= movers - ONE
    return seen


@helper
def threats(s, side, occupied):
    """Every square that `side` attacks; `occupied` is what stops sliders."""
    mine = men(s, side)
    pawns = sideways(ahead(mine & s.pawns, side))
    return pieces_attack(s, mine, occupied) | pawns | KING[lowest(mine & s.kings)]
