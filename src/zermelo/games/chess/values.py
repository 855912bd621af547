"""Chess: what men are worth and where they stand well, in hundredths of a pawn, drawn as seen by white.

Every value is two: one for the middle game, one for the endgame. `both` keeps them in one whole number, so that a sum
of such numbers is two sums, and `weigh` mixes them by what is left on the board:

    63 … 32   31 … 0
    endgame   middle game      (a middle game below zero borrows from the endgame; `weigh` gives it back)

The boards show the files a to d; e to h mirror them. The left half is the middle game, the right half the endgame.
"""

import numpy as np

from zermelo.compile.rules import helper

PAWN, KNIGHT_, BISHOP, ROOK, QUEEN, KING_ = range(6)
OPENING = 24  # what all pieces count towards the middle game: knights and bishops 1, rooks 2, queens 4


def both(middle: int, end: int) -> int:
    return middle + (end << 32)


@helper
def weigh(total, phase):
    """The one number that two sums come to; `phase` runs from OPENING down to 0."""
    end = (total + (1 << 31)) >> 32
    middle = total - (end << 32)
    return (middle * phase + end * (OPENING - phase)) / OPENING


MATERIAL = (both(85, 110), both(325, 305), both(335, 320), both(480, 540), both(970, 1000), 0)

BOARDS = (
    """ pawns
      0    0    0    0         0    0    0    0
     40   50   50   55        60   55   50   45
     10   18   22   28        30   28   22   20
     -4    4    8   20        12   10    6    2
     -8    0    6   18         4    4    0   -2
     -6    0    2    6         0    0    0    0
     -6    6    2  -10         0    0    2    4
      0    0    0    0         0    0    0    0
    """,
    """ knights
    -60  -35  -25  -20       -45  -30  -20  -15
    -30  -15   10   15       -25  -12   -4    0
    -12   12   25   35       -15   -2    8   10
     -5   12   25   30       -10    2   12   18
    -10    8   18   24       -10    2   12   18
    -15    5   12   16       -15   -4    5   10
    -25  -15    0    4       -25  -12   -6    0
    -50  -18  -20  -15       -40  -28  -20  -15
    """,
    """ bishops
    -20  -10  -12  -15       -10   -6   -4   -4
    -15    0   -5   -5        -6   -2    0    0
     -2   12   15   12         0    2    3    2
     -4    8   12   20        -2    4    5    7
     -2    8   10   18        -3    2    5    7
      2   10   12   10        -4    0    4    5
      5   16    8    6        -8   -4   -1    1
    -12   -4  -10   -6       -12   -6   -8   -3
    """,
    """ rooks
      5    8    8   10         8    8    8    6
     15   18   22   25        10   10   10    8
      0    5    8   12         6    6    4    4
     -8   -3    2    8         4    4    4    2
    -14   -8   -4    0         0    0    0   -2
    -16   -6   -4   -2        -4   -2   -4   -4
    -18   -8   -2    2        -6   -4   -2   -4
     -8   -4    4   10        -6   -2   -2   -6
    """,
    """ queens
     -8    0    6    8         0    8   12   14
     -8  -18    2    0        -2   12   20   26
      0    4    8   12        -4    8   20   30
     -6   -4    2    2         2   16   22   34
     -4    0    0    0         0   14   18   28
     -4    4    0    0        -6    2   10   12
     -8   -2    6    4       -14  -12   -6   -2
     -6   -8   -4    4       -18  -16  -14  -10
    """,
    """ kings
    -60  -50  -50  -55       -60  -35  -20  -15
    -50  -40  -45  -50       -25    0   12   15
    -45  -35  -40  -50       -10   18   26   28
    -45  -35  -40  -55        -8   16   28   32
    -40  -30  -35  -50       -14    6   22   28
    -20  -12  -25  -35       -18    0   12   20
      8   12  -12  -30       -28  -10    0    6
     18   32    8  -12       -50  -32  -20  -20
    """,
)


def _read(drawing: str, material: int) -> list[int]:
    """A drawing as 64 numbers from a1 to h8, what the man itself is worth included."""
    rows = [[int(number) for number in row.split()] for row in drawing.splitlines()[1:9]]
    columns = (0, 1, 2, 3, 3, 2, 1, 0)
    return [material + both(row[x], row[x + 4]) for row in rows[::-1] for x in columns]


WORTH = np.array([_read(drawing, material) for drawing, material in zip(BOARDS, MATERIAL, strict=True)], np.int64)

BISHOP_PAIR = both(28, 45)
DOUBLED, ISOLATED, GUARDED = both(-10, -20), both(-12, -12), both(8, 6)  # pawns; GUARDED by another
PASSED = np.array([both(*v) for v in ((0, 0), (4, 10), (4, 14), (12, 30), (28, 55), (55, 95), (85, 140), (0, 0))])
OPEN_FILE, HALF_OPEN_FILE = both(25, 10), both(12, 6)  # rooks on files without pawns, or without our own
ATTACKED_BY_PAWN = both(-30, -30)
SHIELD, SHIELD_AHEAD, BARE_FILE = both(12, 0), both(6, 0), both(-15, 0)  # pawns before the king, and files without
# a square that a piece attacks where no man of our own stands and no pawn of theirs attacks; and how many are usual
MOBILITY = np.array([0, both(4, 4), both(4, 5), both(2, 4), both(1, 3), 0])
USUAL = np.array([0, 4, 6, 7, 12, 0])
PRESSURE = np.array([0, 3, 2, 3, 4, 0])  # for every square beside the other king that a piece attacks
MOVE = 12  # to be the next to move
