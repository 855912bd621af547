"""Chess: the legal moves. Every move generated is legal; none has to be tried and taken back.

What restricts the side to move is worked out once for a position (`restrictions`):

    answers      where a move must end to answer a check: everywhere if there is none, nowhere if there are two
    rook_pins    lines from the king to a rook or queen that pins one of our men, that rook or queen included
    bishop_pins  the same for bishops and queens

A pinned man may move as long as it stays on its line. Its own moves reach no other pin line of the same kind, so the
union of them is enough. Only en passant, which empties two squares of one rank, is judged by the board after it.
Actions are drawn in play.py.
"""

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.rules import helper
from zermelo.games.chess.attacks import (
    ALL,
    DIAGONAL,
    KING,
    KNIGHT,
    NONE,
    NOT_A,
    NOT_H,
    ONE,
    STRAIGHT,
    ahead,
    bit,
    men,
    pieces_attack,
    sideways,
    slide,
    threats,
    u64,
)
from zermelo.games.chess.play import CASTLING, DOUBLE_STEP, EN_PASSANT, en_passant_takers

LAST_RANKS = u64(0xFF000000000000FF)
THIRD_RANKS = (u64(0x0000000000FF0000), u64(0x0000FF0000000000))  # by side: what a double step passes
# By wing (king's, queen's), on the first rank: what must be empty, and what must not be attacked.
CLEAR = (u64(0x60), u64(0x0E))
CROSSED = (u64(0x60), u64(0x0C))


# -- what restricts moves ----------------------------------------------------------------------------------------------


@helper
def restrictions(s, mine, theirs, king):
    """(answers, rook_pins, bishop_pins) for the side to move."""
    contact = theirs & ((s.pawns & sideways(ahead(bit(king), s.turn))) | (s.knights & KNIGHT[king]))
    answers = contact if contact else ALL
    answers, straight_checks, rook_pins = lines_to_king(STRAIGHT, s.straights, mine, theirs, king, answers)
    answers, diagonal_checks, bishop_pins = lines_to_king(DIAGONAL, s.diagonals, mine, theirs, king, answers)
    if popcount(contact) + straight_checks + diagonal_checks > 1:
        answers = NONE
    return answers, rook_pins, bishop_pins


@helper
def lines_to_king(lines, sliders, mine, theirs, king, answers):
    """Checks and pins by rooks and queens, or by bishops and queens: (answers, how many checks, pin lines)."""
    checks, pins = 0, NONE
    view = slide(lines, king, theirs)  # what the king would see if none of our own men were there
    snipers = view & theirs & sliders
    while snipers:
        sniper = lowest(snipers)
        way = view & (slide(lines, sniper, bit(king)) | bit(sniper))
        shields = popcount(way & mine)
        if shields == 0:
            answers &= way
            checks += 1
        elif shields == 1:
            pins |= way
        snipers &= snipers - ONE
    return answers, checks, pins


# -- lists of moves ----------------------------------------------------------------------------------------------------


@helper
def generate(s, out, captures_only):
    """Write the legal moves (or only captures and promotions) into `out`, return how many."""
    turn = s.turn
    mine, theirs = men(s, turn), men(s, 1 - turn)
    king = lowest(mine & s.kings)
    answers, rook_pins, bishop_pins = restrictions(s, mine, theirs, king)
    attacked = threats(s, 1 - turn, (mine | theirs) ^ bit(king))  # the king does not shield the squares behind it
    wanted, pushes = (theirs, LAST_RANKS) if captures_only else (~mine, ALL)
    n = 0
    if answers:
        n = pawn_moves(s, out, n, mine, theirs, answers, rook_pins, bishop_pins, pushes)
        n = piece_moves(s, out, n, mine, theirs, answers & wanted, rook_pins, bishop_pins)
    if s.en_passant != 0:
        n = en_passant_moves(s, out, n)
    n = add_moves(out, n, king, KING[king] & wanted & ~attacked)
    if s.castling != 0 and answers == ALL and not captures_only:
        n = castling_moves(s, out, n, king, mine | theirs, attacked)
    return n


@helper
def write(out, n, action):
    out[u64(n)] = action  # unsigned: a signed index would be tested for counting from the end
    return n + 1


@helper
def add_moves(out, n, origin, targets):
    while targets:
        n = write(out, n, origin | lowest(targets) << 6)
        targets &= targets - ONE
    return n


@helper
def add_pawn_moves(out, n, targets, step, kind):
    """Moves of different pawns, each to one of `targets` from `step` squares before it."""
    promoting = targets & LAST_RANKS
    targets ^= promoting
    while targets:
        target = lowest(targets)
        n = write(out, n, (target - step) | target << 6 | kind)
        targets &= targets - ONE
    while promoting:
        target = lowest(promoting)
        for piece in range(4, 0, -1):
            n = write(out, n, (target - step) | target << 6 | piece << 12)
        promoting &= promoting - ONE
    return n


@helper
def pawn_moves(s, out, n, mine, theirs, answers, rook_pins, bishop_pins, pushes):
    """Steps that end in `pushes`, and captures, but for en passant."""
    pawns, turn = mine & s.pawns, s.turn
    forward = 8 - 16 * turn
    empty = ~(mine | theirs)
    movers = pawns & ~bishop_pins
    single = (ahead(movers & ~rook_pins, turn) | (ahead(movers & rook_pins, turn) & rook_pins)) & empty
    double = ahead(single & THIRD_RANKS[turn], turn) & empty
    n = add_pawn_moves(out, n, single & answers & pushes, forward, 0)
    n = add_pawn_moves(out, n, double & answers & pushes, 2 * forward, DOUBLE_STEP)
    movers = pawns & ~rook_pins
    free, pinned = ahead(movers & ~bishop_pins, turn), ahead(movers & bishop_pins, turn)
    left = ((free & NOT_A) >> ONE) | (((pinned & NOT_A) >> ONE) & bishop_pins)
    right = ((free & NOT_H) << ONE) | (((pinned & NOT_H) << ONE) & bishop_pins)
    n = add_pawn_moves(out, n, left & answers & theirs, forward - 1, 0)
    return add_pawn_moves(out, n, right & answers & theirs, forward + 1, 0)


@helper
def en_passant_moves(s, out, n):
    takers = en_passant_takers(s, s.turn)
    while takers:
        n = write(out, n, lowest(takers) | s.en_passant << 6 | EN_PASSANT)
        takers &= takers - ONE
    return n


@helper
def piece_moves(s, out, n, mine, theirs, allowed, rook_pins, bishop_pins):
    """Knights, bishops, rooks and queens to `allowed` squares; a queen is a bishop first and a rook then."""
    movers = mine & s.knights & ~(rook_pins | bishop_pins)
    while movers:
        origin = lowest(movers)
        n = add_moves(out, n, origin, KNIGHT[origin] & allowed)
        movers &= movers - ONE
    n = slider_moves(out, n, DIAGONAL, mine & s.diagonals & ~rook_pins, mine | theirs, allowed, bishop_pins)
    return slider_moves(out, n, STRAIGHT, mine & s.straights & ~bishop_pins, mine | theirs, allowed, rook_pins)


@helper
def slider_moves(out, n, lines, movers, occupied, allowed, pins):
    while movers:
        origin = lowest(movers)
        line = pins if pins & bit(origin) else ALL
        n = add_moves(out, n, origin, slide(lines, origin, occupied) & allowed & line)
        movers &= movers - ONE
    return n


@helper
def castling_moves(s, out, n, king, occupied, attacked):
    """Castling on either wing; the king is known not to be in check."""
    home = u64(56 * s.turn)
    for wing in range(2):
        right = s.castling >> (2 * s.turn + wing) & 1
        if right and ((CLEAR[wing] << home) & occupied) | ((CROSSED[wing] << home) & attacked) == NONE:
            n = write(out, n, king | (king + 2 - 4 * wing) << 6 | CASTLING)
    return n


# -- the end -----------------------------------------------------------------------------------------------------------


@helper
def cannot_mate(s):
    """Neither side can ever mate: bare kings, one knight, or bishops that all stand on squares of one colour."""
    if s.pawns | s.straights:
        return False
    if s.knights:
        return s.diagonals == NONE and popcount(s.knights) == 1
    light = u64(0x55AA55AA55AA55AA)
    return s.diagonals & light == NONE or s.diagonals & ~light == NONE


@helper
def can_answer(s):
    """Has a side in check a legal move? (Then neither castling nor a pinned man can help.)"""
    turn = s.turn
    mine, theirs = men(s, turn), men(s, 1 - turn)
    king = lowest(mine & s.kings)
    answers, rook_pins, bishop_pins = restrictions(s, mine, theirs, king)
    occupied = mine | theirs
    free = mine & ~(rook_pins | bishop_pins)
    pawns = free & s.pawns
    single = ahead(pawns, turn) & ~occupied
    double = ahead(single & THIRD_RANKS[turn], turn) & ~occupied
    takes = sideways(ahead(pawns, turn)) & theirs
    reached = (pieces_attack(s, free, occupied) & ~mine) | single | double | takes
    escapes = KING[king] & ~mine & ~threats(s, 1 - turn, occupied ^ bit(king))
    return (reached & answers) | escapes != NONE or s.en_passant != 0  # noted only if it is legal
