"""What a policy/value network sees of a backgammon position, from the side of whoever rolls or plays.

The board as one row of 26 cells, numbered as that player numbers the points: 0 off, 1 … 24, 25 the bar. The other
side's checkers stand on the same points (its bar is cell 0, what it has borne off cell 25):

    0, 3   how many checkers there are: mine, the other side's
    1, 4   1 where one stands alone
    2, 5   1 where there are two or more, which make a point
    6, 7   everywhere the higher die, the lower die; 0 before the roll

There is no policy: an action is the whole play of both dice, and of these there are too many to be numbered. A network
for this game judges the positions that plays lead to.
"""

from zermelo.compile.rules import helper

CELLS = 26
PLANES = (8, 1, CELLS)


@helper
def write_planes(points, dice, me, out):
    for cell in range(CELLS):
        for side in range(2):
            count = points[me, cell] if side == 0 else points[1 - me, 25 - cell]
            if count > 0:
                out[3 * side, 0, cell] = count
                out[3 * side + (1 if count == 1 else 2), 0, cell] = 1
    if dice[0] > 0:
        for cell in range(CELLS):
            out[6, 0, cell] = dice[0]
            out[7, 0, cell] = dice[1]
