"""Chess: both sides' men walked through in one loop: what they are worth where they stand, and what they attack.

What two short loops cost most is guessing wrong where they end; in one loop nothing need be guessed of whose a man is.
Sums are white's less black's, two in one number, as values.py draws it.
"""

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.rules import helper
from zermelo.games.chess.attacks import (
    DIAGONAL,
    EIGHT,
    KING,
    KNIGHT,
    NONE,
    ONE,
    STRAIGHT,
    bit,
    sideways,
    slide,
    u64,
)
from zermelo.games.chess.values import BISHOP, KING_, KNIGHT_, MOBILITY, PASSED, PAWN, PRESSURE, QUEEN, ROOK, WORTH


@helper
def choose(mask, yes, no):
    """`yes` where all bits of `mask` are set, `no` where none is: without a branch that could be guessed wrong."""
    return no ^ ((yes ^ no) & mask)


@helper
def distance(a, b):
    """A king's steps from one square to another."""
    return max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3)))


@helper
def walk_passed(w_passed, b_passed, occupied, w_king, b_king):
    """What pawns that no other can stop are worth: by rank; in the endgame, whether the way is free and which king is
    nearer. Also the steps of their own kings, and of the others, to the squares before them, times how far they are."""
    total, near, far = 0, 0, 0
    passed = w_passed | b_passed
    while passed:
        square = lowest(passed)
        mine = int(w_passed >> u64(square) & ONE)
        sign = 2 * mine - 1
        goal = square + 8 * sign
        rank = (square ^ (56 - 56 * mine)) >> 3
        weight = max(0, rank - 2) * sign
        white, black = distance(w_king, goal), distance(b_king, goal)
        near += weight * (white if mine else black)
        far += weight * (black if mine else white)
        worth = PASSED[rank]
        if rank >= 3 and occupied & bit(goal):
            worth -= (worth >> 33) << 32
        total += sign * worth
        passed &= passed - ONE
    return total + ((5 * far - 3 * near) << 32), near, far


@helper
def walk_men(white, black, pawns, knights, bishops, rooks, queens, kings):
    """What men are worth where they stand, mobility and pressure included, these two also by themselves (mobility by
    kinds); and the squares that each kind attacks."""
    occupied = white | black
    w_king, b_king = lowest(white & kings), lowest(black & kings)
    w_free, b_free = ~(white | sideways((black & pawns) >> EIGHT)), ~(black | sideways((white & pawns) << EIGHT))
    w_around, b_around = KING[b_king], KING[w_king]
    w_around |= w_around >> EIGHT
    b_around |= b_around << EIGHT
    total = WORTH[KING_, w_king] - WORTH[KING_, b_king ^ 56]
    movers = pawns
    while movers:
        square = lowest(movers)
        total += worth_of(PAWN, square, int(white >> u64(square) & ONE))
        movers &= movers - ONE
    danger, moves_n, moves_b, moves_r, moves_q = 0, 0, 0, 0, 0
    w_n, w_b, w_r, w_q = NONE, NONE, NONE, NONE
    b_n, b_b, b_r, b_q = NONE, NONE, NONE, NONE
    movers = knights
    while movers:
        square = lowest(movers)
        seen = KNIGHT[square]
        mine = int(white >> u64(square) & ONE)
        mask = NONE - u64(mine)
        w_n |= seen & mask
        b_n |= seen & ~mask
        hits = popcount(seen & choose(mask, w_around, b_around))
        danger += (int(hits > 0) + (PRESSURE[KNIGHT_] * hits << 8)) << (32 * mine)
        total += worth_of(KNIGHT_, square, mine)
        moves_n += (2 * mine - 1) * popcount(seen & choose(mask, w_free, b_free))
        movers &= movers - ONE
    movers = bishops
    while movers:
        square = lowest(movers)
        seen = slide(DIAGONAL, square, occupied)
        mine = int(white >> u64(square) & ONE)
        mask = NONE - u64(mine)
        w_b |= seen & mask
        b_b |= seen & ~mask
        hits = popcount(seen & choose(mask, w_around, b_around))
        danger += (int(hits > 0) + (PRESSURE[BISHOP] * hits << 8)) << (32 * mine)
        total += worth_of(BISHOP, square, mine)
        moves_b += (2 * mine - 1) * popcount(seen & choose(mask, w_free, b_free))
        movers &= movers - ONE
    movers = rooks
    while movers:
        square = lowest(movers)
        seen = slide(STRAIGHT, square, occupied)
        mine = int(white >> u64(square) & ONE)
        mask = NONE - u64(mine)
        w_r |= seen & mask
        b_r |= seen & ~mask
        hits = popcount(seen & choose(mask, w_around, b_around))
        danger += (int(hits > 0) + (PRESSURE[ROOK] * hits << 8)) << (32 * mine)
        total += worth_of(ROOK, square, mine)
        moves_r += (2 * mine - 1) * popcount(seen & choose(mask, w_free, b_free))
        movers &= movers - ONE
    movers = queens
    while movers:
        square = lowest(movers)
        seen = slide(DIAGONAL, square, occupied) | slide(STRAIGHT, square, occupied)
        mine = int(white >> u64(square) & ONE)
        mask = NONE - u64(mine)
        w_q |= seen & mask
        b_q |= seen & ~mask
        hits = popcount(seen & choose(mask, w_around, b_around))
        danger += (int(hits > 0) + (PRESSURE[QUEEN] * hits << 8)) << (32 * mine)
        total += worth_of(QUEEN, square, mine)
        moves_q += (2 * mine - 1) * popcount(seen & choose(mask, w_free, b_free))
        movers &= movers - ONE
    pressure = danger_of(danger >> 32, white & queens) - danger_of(danger & 0xFFFFFFFF, black & queens)
    total += MOBILITY[KNIGHT_] * moves_n + MOBILITY[BISHOP] * moves_b
    total += MOBILITY[ROOK] * moves_r + MOBILITY[QUEEN] * moves_q + pressure
    return total, (moves_n, moves_b, moves_r, moves_q), pressure, (w_n, w_b, w_r, w_q), (b_n, b_b, b_r, b_q)


@helper
def worth_of(kind, square, mine):
    worth = WORTH[kind, square ^ (56 - 56 * mine)]
    return (worth ^ (mine - 1)) - (mine - 1)  # black's less than nothing


@helper
def danger_of(danger, queens):
    """What pieces beside the other king are worth: their pressure (all above 8 bits) times their number."""
    pressure = min(danger & 0xFF, 5) * (danger >> 8)
    return pressure if queens else pressure >> 1
