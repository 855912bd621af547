"""Chess: a handmade evaluation in pawns, from white's side, in the manner of Shannon (1950).

    material    queen 9, rook 5, bishop 3, knight 3, pawn 1
    mobility    0.1 for every square a piece attacks that no man of its own side stands on (kings and pawns not counted)
    king        0.1 for every pawn beside the own king while the other side has a queen,
                0.1 for every attack of a piece on a square beside the other king
    centre      0.2 for every pawn or knight on d4, e4, d5, e5, and 0.1 on the twelve squares around them

Pawns x become x / (|x| + 4), which lies between the utilities -1 and 1: one pawn is 0.2, a piece 0.43, a queen 0.69.
"""

from zermelo.core.bits import lowest, popcount
from zermelo.core.rules import helper
from zermelo.games._chess_attacks import DIAGONAL, KING, KNIGHT, NONE, ONE, STRAIGHT, men, slide, u64

HALF = 4.0  # pawns that are worth half a win
CENTRE, AROUND = u64(0x0000001818000000), u64(0x00003C24243C0000)


@helper
def pawns_ahead(s):
    """White's advantage in pawns."""
    return material(s, 0) - material(s, 1) + 0.1 * (activity(s, 0) - activity(s, 1) + shelter(s, 0) - shelter(s, 1))


@helper
def bounded(pawns):
    return pawns / (abs(pawns) + HALF)


@helper
def material(s, side):
    """In pawns; a queen stands among the diagonals and among the straights, and is worth one more than both."""
    mine = men(s, side)
    light = popcount(mine & s.pawns) + 3 * popcount(mine & (s.knights | s.diagonals))
    return light + 5 * popcount(mine & s.straights) + popcount(mine & s.diagonals & s.straights)


@helper
def activity(s, side):
    """In tenths of a pawn: squares attacked, once more those beside the other king, and the centre."""
    mine, occupied = men(s, side), s.white | s.black
    target = KING[lowest(s.kings & ~mine)]
    total = 0
    movers = mine & s.knights
    while movers:
        seen = KNIGHT[lowest(movers)]
        total += popcount(seen & ~mine) + popcount(seen & target)
        movers &= movers - ONE
    movers = mine & s.diagonals
    while movers:
        seen = slide(DIAGONAL, lowest(movers), occupied)
        total += popcount(seen & ~mine) + popcount(seen & target)
        movers &= movers - ONE
    movers = mine & s.straights
    while movers:
        seen = slide(STRAIGHT, lowest(movers), occupied)
        total += popcount(seen & ~mine) + popcount(seen & target)
        movers &= movers - ONE
    central = mine & (s.pawns | s.knights)
    return total + 2 * popcount(central & CENTRE) + popcount(central & AROUND)


@helper
def shelter(s, side):
    """In tenths of a pawn: pawns beside the own king, as long as there is a queen to be afraid of."""
    mine = men(s, side)
    if s.diagonals & s.straights & ~mine == NONE:
        return 0
    return popcount(KING[lowest(s.kings & mine)] & mine & s.pawns)
