"""Chess: what a learned evaluation sees: white's less black's, so that one set of weights serves both sides.

There are STAGES such sets, by the pieces that are left, and a position uses one of them. In a set stand

    terms      30          counts of what is good or bad, one number each: named below
    men        6 × 32      a man on a square, as its side sees the board; the files e to h count as d to a
    mobility   9+12+13+20  a knight, bishop, rook or queen that has 0, 1, 2 … squares to go to (the last: or more)
    passed     3 × 8       a passed pawn by rank: it may go on; it would be attacked there; something stands there
    danger     2 × 5 × 16  attackers of the other king by their number and pressure; with a queen among them or not

All but the terms are 1 for what is white's and -1 for what is black's. Some things are said twice, once for all and
once for each case (a knight; a knight on f3): what is learned of the one serves in cases that have hardly been seen.
Where a lead is hard to win, every number is made smaller. A king alone against a rook or more has one feature of its
own, behind the sets: the nearer to mate, the larger. So whatever games teach about such endings, the way is right.

Men of both sides are walked through in one loop: what two short loops cost most is guessing wrong where they end.
For the terms black's boards are turned upside down, so that both sides go up the board: w… is white's, b… black's.
"""

import numpy as np

from zermelo.core.bits import lowest, popcount, swap_bytes
from zermelo.core.rules import helper
from zermelo.games._chess_attacks import (
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
from zermelo.games._chess_evaluation import FEW, LIGHT, before, distance, strength
from zermelo.games._chess_values import BISHOP, KING_, KNIGHT_, OPENING, PAWN, QUEEN, ROOK

STAGES = 4
(
    TURN,
    PAWN_COUNT,
    KNIGHT_COUNT,
    BISHOP_COUNT,
    ROOK_COUNT,
    QUEEN_COUNT,
    BISHOP_PAIR,
    CASTLING_RIGHTS,
    DOUBLED,
    ISOLATED,
    GUARDED,
    SIDE_BY_SIDE,
    BACKWARD,
    OPEN_FILE,
    HALF_OPEN_FILE,
    ROOK_BEHIND_PASSED,
    KING_TO_PASSED,
    OTHER_TO_PASSED,
    PAWN_HITS,
    LESS_HITS_MORE,
    HANGING_PIECE,
    HANGING_PAWN,
    SHIELD,
    SHIELD_AHEAD,
    BARE_FILE,
    STORM,
    KNIGHT_CHECKS,
    ROOK_CHECKS,
    QUEEN_CHECKS,
    PRESSURE,
    TERMS,
) = range(31)
MEN = TERMS
KNIGHTS = MEN + 6 * 32
BISHOPS, ROOKS, QUEENS, PASSED = KNIGHTS + 9, KNIGHTS + 21, KNIGHTS + 34, KNIGHTS + 54
DANGER = PASSED + 3 * 8
SET = DANGER + 2 * 5 * 16
HUNTED = STAGES * SET
COUNT = HUNTED + 1
MOST = TERMS + 32 + 30 + 16 + 2  # terms, men, pieces, pawns, kings
DARK = ~LIGHT
PLACE = np.array([square // 8 * 4 + min(square % 8, 7 - square % 8) for square in range(64)])  # of a square, for white


@helper
def write_features(s, index, value):
    """Write the pairs, return how many."""
    # 1. Which set of weights
    if (popcount(s.white) == 1 or popcount(s.black) == 1) and hunt(s, index, value):
        return 1
    queens = s.diagonals & s.straights
    bishops, rooks = s.diagonals & ~queens, s.straights & ~queens
    phase = popcount(s.knights) + popcount(s.diagonals) + 2 * popcount(s.straights) + popcount(queens)
    base = SET * min(STAGES - 1, phase * STAGES // OPENING)
    for i in range(TERMS):
        index[u64(i)] = base + i
    # 2. Men, one by one
    n, w_n, w_b, w_r, w_q, b_n, b_b, b_r, b_q = write_men(
        s.white, s.black, s.pawns, s.knights, bishops, rooks, queens, s.kings, base, index, value
    )
    b_n, b_b, b_r, b_q = swap_bytes(b_n), swap_bytes(b_b), swap_bytes(b_r), swap_bytes(b_q)
    # 3. Pawns
    f_white, f_black, f_pawns = swap_bytes(s.white), swap_bytes(s.black), swap_bytes(s.pawns)
    w, b = s.white & s.pawns, f_black & f_pawns
    w_takes, b_takes = sideways(w << EIGHT), sideways(b << EIGHT)
    w_front, b_front = before(w, 0), before(b, 0)
    w_behind, b_behind = before(w, 1), before(b, 1)
    w_files, b_files = w | w_front | w_behind, b | b_front | b_behind
    w_span, b_span = sideways(w_front), sideways(b_front)
    w_passed = w & ~(swap_bytes(b_front | b_span) | w_behind)
    b_passed = b & ~(swap_bytes(w_front | w_span) | b_behind)
    w_rooks, b_rooks = s.white & rooks, f_black & swap_bytes(rooks)
    count(value, PAWN_COUNT, w, b)
    count(value, DOUBLED, w & w_front, b & b_front)
    count(value, ISOLATED, w & ~sideways(w_files), b & ~sideways(b_files))
    count(value, GUARDED, w & w_takes, b & b_takes)
    count(value, SIDE_BY_SIDE, w & sideways(w), b & sideways(b))
    count(value, BACKWARD, (w << EIGHT) & ~w_span & swap_bytes(b_takes), (b << EIGHT) & ~b_span & swap_bytes(w_takes))
    count(value, ROOK_BEHIND_PASSED, w_rooks & before(w_passed, 1), b_rooks & before(b_passed, 1))
    # what is attacked
    w_most, b_most = w_takes | w_n | w_b | w_r | w_q, b_takes | b_n | b_b | b_r | b_q
    w_king, b_king = lowest(s.white & s.kings), lowest(s.black & s.kings) ^ 56
    w_seen, b_seen = w_most | KING[w_king], b_most | KING[b_king]
    wx_seen, bx_seen = swap_bytes(w_seen), swap_bytes(b_seen)  # as the other side sees them
    occupied, f_occupied = s.white | s.black, f_white | f_black
    n = write_passed(
        w_passed, swap_bytes(b_passed), occupied, w_seen, bx_seen, w_king, b_king ^ 56, base, index, value, n
    )
    # pieces
    w_bishops, b_bishops = s.white & bishops, f_black & swap_bytes(bishops)
    count(value, KNIGHT_COUNT, s.white & s.knights, s.black & s.knights)
    count(value, BISHOP_COUNT, w_bishops, b_bishops)
    count(value, ROOK_COUNT, w_rooks, b_rooks)
    count(value, QUEEN_COUNT, s.white & queens, s.black & queens)
    value[BISHOP_PAIR] = is_pair(w_bishops) - is_pair(b_bishops)
    w_closed, b_closed = w_rooks & ~w_files, b_rooks & ~b_files
    count(value, OPEN_FILE, w_closed & ~swap_bytes(b_files), b_closed & ~swap_bytes(w_files))
    count(value, HALF_OPEN_FILE, w_closed & swap_bytes(b_files), b_closed & swap_bytes(w_files))
    # threats
    pieces = ~(s.pawns | s.kings)
    f_pieces = swap_bytes(s.white & pieces)  # the other side's
    pieces &= s.black
    count(value, PAWN_HITS, pieces & w_takes, f_pieces & b_takes)
    w_minor, b_minor = w_n | w_b, b_n | b_b
    f_queens = swap_bytes(s.white & queens)
    w_hits = s.black & ((rooks & w_minor) | (queens & (w_minor | w_r)))
    b_hits = (swap_bytes(s.white & rooks) & b_minor) | (f_queens & (b_minor | b_r))
    count(value, LESS_HITS_MORE, w_hits, b_hits)
    w_hangs, b_hangs = w_seen & ~bx_seen, b_seen & ~wx_seen
    w_other, b_other = s.black & s.pawns, f_white & f_pawns
    count(value, HANGING_PIECE, w_hangs & pieces, b_hangs & f_pieces)
    count(value, HANGING_PAWN, w_hangs & w_other, b_hangs & b_other)
    # kings
    w_first, b_first = before_king(w_king), before_king(b_king)
    count(value, SHIELD, w & w_first, b & b_first)
    count(value, SHIELD_AHEAD, w & (w_first << EIGHT), b & (b_first << EIGHT))
    count(value, BARE_FILE, w_first & ~w_files, b_first & ~b_files)
    count(value, STORM, w_other & (w_first | w_first << EIGHT), b_other & (b_first | b_first << EIGHT))
    w_safe, b_safe = ~(s.white | bx_seen), ~(f_black | wx_seen)
    w_aim, b_aim = b_king ^ 56, w_king ^ 56
    w_straight, b_straight = slide(STRAIGHT, w_aim, occupied) & w_safe, slide(STRAIGHT, b_aim, f_occupied) & b_safe
    w_diagonal, b_diagonal = slide(DIAGONAL, w_aim, occupied) & w_safe, slide(DIAGONAL, b_aim, f_occupied) & b_safe
    count(value, KNIGHT_CHECKS, KNIGHT[w_aim] & w_safe & w_n, KNIGHT[b_aim] & b_safe & b_n)
    count(value, ROOK_CHECKS, w_straight & w_r, b_straight & b_r)
    count(value, QUEEN_CHECKS, (w_straight | w_diagonal) & w_q, (b_straight | b_diagonal) & b_q)
    value[TURN] = 1.0 - 2.0 * s.turn
    value[CASTLING_RIGHTS] = popcount(s.castling & 3) - popcount(s.castling & 12)
    if popcount(occupied) < FEW:
        as_an_endgame(s, value, n)
    return n


@helper
def put(index, value, n, feature, amount):
    index[u64(n)] = feature
    value[u64(n)] = amount
    return n + 1


@helper
def count(value, term, white, black):
    value[u64(term)] = popcount(white) - popcount(black)


@helper
def is_pair(bishops):
    return int(bishops & LIGHT != NONE) & int(bishops & DARK != NONE)


@helper
def before_king(king):
    first = bit(king) << EIGHT
    return first | sideways(first)


@helper
def hunt(s, index, value):
    """A king alone against a rook or more: how near he is to the edge and to the other king, and what hunts him."""
    white = popcount(s.black) == 1
    hunters = s.white if white else s.black
    if hunters & s.straights == NONE:
        return False
    king, other = lowest(s.kings & ~hunters), lowest(s.kings & hunters)
    x, y = king & 7, king >> 3
    near = 2 * max(3 - x, x - 4) + 2 * max(3 - y, y - 4) + 7 - distance(king, other)
    amount = 1.0 + near / 32.0 + strength(s, hunters) / 64.0
    put(index, value, 0, HUNTED, amount if white else -amount)
    return True


@helper
def write_passed(w_passed, b_passed, occupied, w_seen, b_seen, w_king, b_king, base, index, value, n):
    """Passed pawns, and how near the kings are to the squares before them."""
    near, far = 0.0, 0.0
    passed = w_passed | b_passed
    while passed:
        square = lowest(passed)
        mine = int(w_passed >> u64(square) & ONE)
        goal = square - 8 + 16 * mine
        rank = (square ^ (0 if mine else 56)) >> 3
        attacked = (b_seen if mine else w_seen) & ~occupied
        state = 16 * int(occupied >> u64(goal) & ONE) + 8 * int(attacked >> u64(goal) & ONE)
        n = put(index, value, n, base + PASSED + state + rank, 2.0 * mine - 1.0)
        weight = max(0, rank - 2) * 0.125 * (2 * mine - 1)
        white, black = distance(w_king, goal), distance(b_king, goal)
        near += weight * (white if mine else black)
        far += weight * (black if mine else white)
        passed &= passed - ONE
    value[KING_TO_PASSED] = near
    value[OTHER_TO_PASSED] = far
    return n


@helper
def choose(mask, yes, no):
    """`yes` where all bits of `mask` are set, `no` where none is: without a branch that could be guessed wrong."""
    return no ^ ((yes ^ no) & mask)


@helper
def write_piece(kind, mobility, most, square, mine, free, base, index, value, n):
    """A piece where it stands, and how many squares it may go to."""
    sign = 2.0 * mine - 1.0
    n = put(index, value, n, base + MEN + 32 * kind + PLACE[square ^ (56 - 56 * mine)], sign)
    return put(index, value, n, base + mobility + min(most, popcount(free)), sign)


@helper
def write_men(white, black, pawns, knights, bishops, rooks, queens, kings, base, index, value):
    occupied = white | black
    w_king, b_king = lowest(white & kings), lowest(black & kings)
    w_free, b_free = ~(white | sideways((black & pawns) >> EIGHT)), ~(black | sideways((white & pawns) << EIGHT))
    w_around, b_around = KING[b_king], KING[w_king]
    w_around |= w_around >> EIGHT
    b_around |= b_around << EIGHT
    n = put(index, value, TERMS, base + MEN + 32 * KING_ + PLACE[w_king], 1.0)
    n = put(index, value, n, base + MEN + 32 * KING_ + PLACE[b_king ^ 56], -1.0)
    movers = pawns
    while movers:
        square = lowest(movers)
        mine = int(white >> u64(square) & ONE)
        n = put(index, value, n, base + MEN + 32 * PAWN + PLACE[square ^ (56 - 56 * mine)], 2.0 * mine - 1.0)
        movers &= movers - ONE
    danger = 0
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
        danger += (int(hits > 0) + (3 * hits << 8)) << (32 * mine)
        n = write_piece(KNIGHT_, KNIGHTS, 8, square, mine, seen & choose(mask, w_free, b_free), base, index, value, n)
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
        danger += (int(hits > 0) + (2 * hits << 8)) << (32 * mine)
        n = write_piece(BISHOP, BISHOPS, 11, square, mine, seen & choose(mask, w_free, b_free), base, index, value, n)
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
        danger += (int(hits > 0) + (3 * hits << 8)) << (32 * mine)
        n = write_piece(ROOK, ROOKS, 12, square, mine, seen & choose(mask, w_free, b_free), base, index, value, n)
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
        danger += (int(hits > 0) + (4 * hits << 8)) << (32 * mine)
        n = write_piece(QUEEN, QUEENS, 19, square, mine, seen & choose(mask, w_free, b_free), base, index, value, n)
        movers &= movers - ONE
    value[PRESSURE] = 0.0
    n = write_danger(danger >> 32, white & queens, base, 1.0, index, value, n)
    n = write_danger(danger & 0xFFFFFFFF, black & queens, base, -1.0, index, value, n)
    return n, w_n, w_b, w_r, w_q, b_n, b_b, b_r, b_q


@helper
def write_danger(danger, queens, base, sign, index, value, n):
    attackers, pressure = min(danger & 0xFF, 5), danger >> 8
    cell = 16 * (attackers - 1) + min(pressure >> 1, 15) + (0 if queens else 80)
    put(index, value, n, base + DANGER + cell, sign)
    value[PRESSURE] += sign * (0.0625 if queens else 0.03125) * attackers * pressure
    return n + (attackers > 0)


@helper
def as_an_endgame(s, value, n):
    """With few men left: hard to win without pawns, and with bishops of opposite colours."""
    white = strength(s, s.white) + popcount(s.white & s.pawns)
    black = strength(s, s.black) + popcount(s.black & s.pawns)
    mine, theirs = (s.white, s.black) if white >= black else (s.black, s.white)
    bishops = s.diagonals & ~s.straights
    part = 1.0
    two_knights = mine & ~(s.knights | s.kings) == NONE and popcount(mine) <= 3
    if mine & s.pawns == NONE and (two_knights or strength(s, mine) - strength(s, theirs) < 4):
        part = 0.125
    elif s.knights | s.straights == NONE and popcount(mine & bishops) == 1 and popcount(theirs & bishops) == 1:
        part = 0.5 if popcount(bishops & LIGHT) == 1 else 1.0
    if part < 1.0:
        for i in range(n):
            value[u64(i)] *= part
