"""Chess: a handmade evaluation in pawns, from white's side, in the manner of Shannon (1950).

    men         what each is worth and where it stands, for the middle game and for the endgame (_chess_values.py)
    mobility    squares a piece attacks where no man of its own side stands and no pawn of the other side attacks
    pawns       doubled, isolated, guarded by another, passed; pieces attacked by pawns, rooks on open files
    bishops     two are worth more than twice one
    king        pieces that attack squares around the other king, the more of them the worse; pawns before the own king
    turn        a little for the side to move

What cannot be won counts little: a minor piece ahead without a pawn, or bishops of opposite colours.
Pawns x become x / (|x| + 4), which lies between the utilities -1 and 1: one pawn is 0.2, a piece 0.43, a queen 0.69.
"""

from zermelo.core.bits import lowest, popcount
from zermelo.core.rules import helper
from zermelo.games._chess_attacks import (
    DIAGONAL,
    EIGHT,
    FILE_A,
    KING,
    KNIGHT,
    NONE,
    ONE,
    STRAIGHT,
    ahead,
    bit,
    men,
    sideways,
    slide,
    u64,
)
from zermelo.games._chess_values import (
    ATTACKED_BY_PAWN,
    BARE_FILE,
    BISHOP,
    BISHOP_PAIR,
    DOUBLED,
    GUARDED,
    HALF_OPEN_FILE,
    ISOLATED,
    KING_,
    KNIGHT_,
    MOBILITY,
    MOVE,
    OPEN_FILE,
    OPENING,
    PASSED,
    PAWN,
    PRESSURE,
    QUEEN,
    ROOK,
    SHIELD,
    SHIELD_AHEAD,
    USUAL,
    WORTH,
    weigh,
)

HALF = 4.0  # pawns that are worth half a win
FEW = 12  # with fewer men than these, endgames are looked at one by one
LIGHT = u64(0x55AA55AA55AA55AA)  # the light squares
SIXTEEN, THIRTY_TWO = u64(16), u64(32)


@helper
def pawns_ahead(s):
    """White's advantage in pawns."""
    phase = popcount(s.knights) + popcount(s.diagonals) + 2 * popcount(s.straights)
    phase += popcount(s.diagonals & s.straights)  # a queen counts 1 and 2 already
    total = side_total(s, 0) - side_total(s, 1)
    lead = weigh(total, min(phase, OPENING)) + MOVE * (1 - 2 * s.turn)
    if popcount(s.white | s.black) < FEW:
        lead = as_an_endgame(s, lead)
    return lead / 100.0


@helper
def bounded(pawns):
    return pawns / (abs(pawns) + HALF)


@helper
def spread_files(pawns):
    """Every square of the files on which these pawns stand."""
    files = pawns | pawns >> EIGHT
    files |= files >> SIXTEEN
    files |= files >> THIRTY_TWO
    return (files & u64(0xFF)) * FILE_A


@helper
def before(pawns, side):
    """Every square in front of these pawns."""
    found = ahead(pawns, side)
    if side == 0:
        found |= found << EIGHT
        found |= found << SIXTEEN
        return found | found << THIRTY_TWO
    found |= found >> EIGHT
    found |= found >> SIXTEEN
    return found | found >> THIRTY_TWO


@helper
def side_total(s, side):
    """What one side's men come to: two sums in one number, as _chess_values.py draws it."""
    mine, theirs = men(s, side), men(s, 1 - side)
    own, other = mine & s.pawns, theirs & s.pawns
    return pawn_total(s, side, own, other) + piece_total(s, side, mine, theirs, own, other)


@helper
def pawn_total(s, side, own, other):
    flip = 56 * side  # tables are drawn for white
    total = 0
    pawns = own
    while pawns:
        total += WORTH[PAWN, lowest(pawns) ^ flip]
        pawns &= pawns - ONE
    front = before(other, 1 - side)
    passed = own & ~(front | sideways(front)) & ~before(own, 1 - side)
    while passed:
        total += passed_worth(s, side, lowest(passed))
        passed &= passed - ONE
    files = spread_files(own)
    total += DOUBLED * popcount(own & before(own, side)) + ISOLATED * popcount(own & ~sideways(files))
    return total + GUARDED * popcount(own & sideways(ahead(own, side)))


@helper
def passed_worth(s, side, square):
    """A pawn that no other can stop: by its rank; in the endgame, whether the way is free and which king is nearer."""
    rank = (square ^ (56 * side)) >> 3
    worth = PASSED[rank]
    if rank >= 3:
        goal = square + 8 - 16 * side
        ours, theirs = lowest(s.kings & men(s, side)), lowest(s.kings & ~men(s, side))
        nearer = 5 * distance(theirs, goal) - 3 * distance(ours, goal)
        worth += (nearer * (rank - 2)) << 32
        if (s.white | s.black) & bit(goal):
            worth -= (PASSED[rank] >> 33) << 32
    return worth


@helper
def distance(a, b):
    """A king's steps from one square to another."""
    return max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3)))


@helper
def piece_total(s, side, mine, theirs, own, other):
    """Pieces, their mobility, and the danger they bring to the other king."""
    flip, occupied = 56 * side, mine | theirs
    unsafe = sideways(ahead(other, 1 - side))
    free = ~(mine | unsafe)
    around = KING[lowest(theirs & s.kings)]
    around |= ahead(around, 1 - side)
    own_files, other_files = spread_files(own), spread_files(other)
    total, attackers, pressure = 0, 0, 0
    movers = mine & s.knights
    while movers:
        square = lowest(movers)
        seen = KNIGHT[square]
        hits = popcount(seen & around)
        total += WORTH[KNIGHT_, square ^ flip] + MOBILITY[KNIGHT_] * (popcount(seen & free) - USUAL[KNIGHT_])
        attackers, pressure = attackers + (hits > 0), pressure + PRESSURE[KNIGHT_] * hits
        movers &= movers - ONE
    movers = mine & s.diagonals
    while movers:
        square = lowest(movers)
        seen, kind = slide(DIAGONAL, square, occupied), BISHOP
        if s.straights & bit(square):
            seen, kind = seen | slide(STRAIGHT, square, occupied), QUEEN
        hits = popcount(seen & around)
        total += WORTH[kind, square ^ flip] + MOBILITY[kind] * (popcount(seen & free) - USUAL[kind])
        attackers, pressure = attackers + (hits > 0), pressure + PRESSURE[kind] * hits
        movers &= movers - ONE
    movers = mine & s.straights & ~s.diagonals
    while movers:
        square = lowest(movers)
        seen = slide(STRAIGHT, square, occupied)
        hits = popcount(seen & around)
        total += WORTH[ROOK, square ^ flip] + MOBILITY[ROOK] * (popcount(seen & free) - USUAL[ROOK])
        attackers, pressure = attackers + (hits > 0), pressure + PRESSURE[ROOK] * hits
        if bit(square) & own_files == NONE:
            total += OPEN_FILE if bit(square) & other_files == NONE else HALF_OPEN_FILE
        movers &= movers - ONE
    bishops = mine & s.diagonals & ~s.straights
    if bishops & LIGHT and bishops & ~LIGHT:
        total += BISHOP_PAIR
    queens = mine & s.diagonals & s.straights
    danger = pressure * min(attackers, 5) if queens else pressure * min(attackers, 5) >> 1
    total += danger + ATTACKED_BY_PAWN * popcount(unsafe & mine & ~(s.pawns | s.kings))
    return total + king_total(lowest(mine & s.kings), side, own, own_files)


@helper
def king_total(square, side, own, own_files):
    """Where the king stands, the pawns before him, and files beside him without any."""
    first = ahead(bit(square), side)
    first |= sideways(first)
    total = WORTH[KING_, square ^ (56 * side)] + SHIELD * popcount(own & first)
    total += SHIELD_AHEAD * popcount(own & ahead(first, side))
    return total + BARE_FILE * popcount(first & ~own_files)


# -- endgames ----------------------------------------------------------------------------------------------------------


@helper
def as_an_endgame(s, lead):
    """The lead with few men left: hard to win without pawns, and a bare king is driven to the edge."""
    strong = 0 if lead > 0 else 1
    mine, theirs = men(s, strong), men(s, 1 - strong)
    two_knights = mine & ~(s.knights | s.kings) == NONE and popcount(mine) <= 3
    if mine & s.pawns == NONE and (two_knights or strength(s, mine) - strength(s, theirs) < 4):
        return lead / 8.0
    bishops = s.diagonals & ~s.straights
    if s.knights | s.straights == NONE and popcount(mine & bishops) == 1 and popcount(theirs & bishops) == 1:
        return lead / (1.0 + (popcount(bishops & LIGHT) == 1))
    if theirs == theirs & s.kings:
        hunted, hunter = lowest(theirs), lowest(mine & s.kings)
        x, y = hunted & 7, hunted >> 3
        corner = max(3 - x, x - 4) + max(3 - y, y - 4)
        drive = 10.0 * corner + 5.0 * (7 - distance(hunted, hunter))
        return lead + drive if strong == 0 else lead - drive
    return lead


@helper
def strength(s, side_men):
    """Pieces in pawns: knights and bishops 3, rooks 5, queens 9."""
    minor = popcount(side_men & (s.knights | s.diagonals))
    return 3 * minor + 5 * popcount(side_men & s.straights) + popcount(side_men & s.diagonals & s.straights)
