"""Chess: which moves a search should try first. Captures by what they take and with what, those that lose come last.

A man that takes something dearer than itself never loses by it. Where it takes something cheaper, the exchange on that
square is played through (`pays`): each side takes with its cheapest man, as long as that gains, and lines open behind
men that have moved.
"""

from zermelo.compile.bits import lowest
from zermelo.compile.rules import helper
from zermelo.games.chess.attacks import (
    DIAGONAL,
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
from zermelo.games.chess.play import CASTLING, EN_PASSANT

TO_A_QUEEN = 90.0
TO_LESS = -1.0  # a rook, a bishop or a knight: hardly ever better than a queen


@helper
def worth_at(s, square):
    """The man on a square, in pawns: pawn 1, knight and bishop 3, rook 5, queen 9; 0 for a king or nobody."""
    at = u64(square)
    light = (s.pawns >> at & ONE) + u64(3) * ((s.knights | s.diagonals) >> at & ONE)
    straight = s.straights >> at & ONE
    return light + u64(5) * straight + (straight & s.diagonals >> at)


@helper
def move_score_of(s, action):
    """10 × what is taken less what takes it, in pawns; below 0 for an exchange that loses, 0 for a quiet move."""
    origin, target, promotion = action & 63, action >> 6 & 63, action >> 12 & 7
    if promotion:
        return TO_A_QUEEN + 10.0 * worth_at(s, target) if promotion == 4 else TO_LESS
    if (s.white | s.black) & bit(target) == NONE:
        return 9.0 if action & CASTLING == EN_PASSANT else 0.0
    man, taken = worth_at(s, origin), worth_at(s, target)
    if man > taken and not pays(s, origin, target, taken, man):
        return 0.0 + taken - man
    return 10.0 * taken - man


@helper
def pays(s, origin, target, taken, man):
    """Does the side to move lose nothing by taking on `target`, whatever is taken back?

    `at_stake` is what the side that has just taken would lose on balance if its man were taken back for nothing; that
    side stands well (`wins`) when the other does not take, or cannot.
    """
    occupied = (s.white | s.black) ^ bit(origin)
    around = attackers_of_both(s, target, occupied)
    side, at_stake, wins = s.turn, int(man) - int(taken), True
    while True:
        side = 1 - side
        around &= occupied
        takers = around & men(s, side)
        if takers == NONE:
            return wins
        wins = not wins
        # the cheapest man takes; what it is worth is then at stake
        if takers & s.pawns:
            takers, at_stake = takers & s.pawns, 1 - at_stake
        elif takers & s.knights:
            takers, at_stake = takers & s.knights, 3 - at_stake
        elif takers & s.diagonals & ~s.straights:
            takers, at_stake = takers & s.diagonals & ~s.straights, 3 - at_stake
        elif takers & s.straights & ~s.diagonals:
            takers, at_stake = takers & s.straights & ~s.diagonals, 5 - at_stake
        elif takers & s.straights:
            takers, at_stake = takers & s.straights, 9 - at_stake
        else:  # a king takes only what is not guarded
            return wins if around & men(s, 1 - side) == NONE else not wins
        if at_stake < (1 if wins else 0):
            return wins
        occupied ^= bit(lowest(takers))
        around |= slide(DIAGONAL, target, occupied) & s.diagonals
        around |= slide(STRAIGHT, target, occupied) & s.straights


@helper
def attackers_of_both(s, square, occupied):
    """The men of either side that attack a square; `occupied` is what stops sliders."""
    here = bit(square)
    pawns = (sideways(ahead(here, 0)) & s.black) | (sideways(ahead(here, 1)) & s.white)
    jumpers = (s.knights & KNIGHT[square]) | (s.kings & KING[square])
    straights = s.straights & slide(STRAIGHT, square, occupied)
    return (s.pawns & pawns) | jumpers | straights | (s.diagonals & slide(DIAGONAL, square, occupied))
