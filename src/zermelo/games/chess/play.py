"""Chess: playing a move, and what en passant needs on both sides of it.

An action is a whole number; `promotion` and `kind` are 0 for most moves:

    bits 0-5     from
         6-11    to
         12-14   promotion: 1 knight, 2 bishop, 3 rook, 4 queen
         15-16   kind: 1 double step, 2 en passant, 3 castling (written as the king's move)
"""

import numpy as np

from zermelo.compile.bits import lowest
from zermelo.compile.rules import helper
from zermelo.games.chess.attacks import NONE, ONE, ahead, attackers, bit, men, sideways, u64

DOUBLE_STEP, EN_PASSANT, CASTLING = 1 << 15, 2 << 15, 3 << 15
# The rights to castle are four bits: 1 K, 2 Q, 4 k, 8 q. KEPT[square] are those left when a man leaves or reaches it.
KEPT = np.full(64, 15, np.int64)
KEPT[[4, 7, 0, 60, 63, 56]] = [12, 14, 13, 3, 11, 7]


@helper
def moved(board, kept, origin, target):
    """The board after whatever of it stands on `origin` has gone to `target`."""
    return (board & kept) | (((board >> origin) & ONE) << target)


@helper
def play(s, action):
    origin, target = u64(action & 63), u64(action >> 6 & 63)
    kept = ~(ONE << origin | ONE << target)
    for_good = ((s.pawns >> origin) | ((s.white | s.black) >> target)) & ONE  # a pawn moves or something is taken
    s.clock = 0 if for_good else s.clock + 1
    s.white = moved(s.white, kept, origin, target)
    s.black = moved(s.black, kept, origin, target)
    s.pawns = moved(s.pawns, kept, origin, target)
    s.knights = moved(s.knights, kept, origin, target)
    s.diagonals = moved(s.diagonals, kept, origin, target)
    s.straights = moved(s.straights, kept, origin, target)
    s.kings = moved(s.kings, kept, origin, target)
    s.castling = s.castling & KEPT[origin] & KEPT[target]
    s.en_passant = 0
    if action >> 12:
        finish(s, action >> 12 & 7, action & CASTLING, action & 63, action >> 6 & 63)
    s.fullmove += s.turn
    s.turn = 1 - s.turn


@helper
def finish(s, promotion, kind, origin, target):
    """What a promotion, a double step, en passant or castling does beyond moving one man."""
    there = bit(target)
    if promotion:
        s.pawns ^= there
        if promotion == 1:
            s.knights |= there
        if promotion == 2 or promotion == 4:
            s.diagonals |= there
        if promotion >= 3:
            s.straights |= there
    elif kind == DOUBLE_STEP:
        open_en_passant(s, (origin + target) // 2, there)
    elif kind == EN_PASSANT:
        victim = ahead(there, 1 - s.turn)
        s.pawns ^= victim
        swap(s, 1 - s.turn, victim)
    else:
        rook = (u64(0xA0) if target > origin else u64(0x09)) << u64(56 * s.turn)  # h1 and f1, or a1 and d1
        s.straights ^= rook
        swap(s, s.turn, rook)


@helper
def swap(s, side, squares):
    if side == 0:
        s.white ^= squares
    else:
        s.black ^= squares


@helper
def open_en_passant(s, passed, pawn):
    """Note the square a pawn has passed, if it can really be taken there.

    So positions that offer the same moves are equal, which is how the laws of chess count repetitions.
    """
    side = 1 - s.turn
    if men(s, side) & s.pawns & sideways(pawn):
        s.en_passant = passed
        if en_passant_takers(s, side) == NONE:
            s.en_passant = 0


@helper
def can_take_en_passant(s, side, origin):
    """Would the king of `side` be safe after its pawn on `origin` has taken en passant?"""
    target = bit(s.en_passant)
    victim = ahead(target, 1 - side)
    occupied = (s.white | s.black | target) ^ (bit(origin) | victim)
    king = lowest(men(s, side) & s.kings)
    return attackers(s, king, side, men(s, 1 - side) & ~victim, occupied) == NONE


@helper
def en_passant_takers(s, side):
    """The pawns that may legally take on s.en_passant, as a board."""
    takers = NONE
    near = men(s, side) & s.pawns & sideways(ahead(bit(s.en_passant), 1 - side))
    while near:
        origin = lowest(near)
        if can_take_en_passant(s, side, origin):
            takers |= bit(origin)
        near &= near - ONE
    return takers
