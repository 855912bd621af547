"""Chess: what a learned evaluation sees: the handmade evaluation, and what its terms are made of, white's less black's.

    STAGES sets of features, by the pieces that are left; a position uses one of them:

    LEAD       the handmade evaluation (_chess_evaluation.py), here made of the same counts as the other features
    the rest   counts of what is good or bad, one number each, named below: what they add to it is learned

So learning begins with an evaluation that plays well, the weight of every term can be changed, and what the handmade
one does not know (hanging men, checks, how far the other king is from a passed pawn …) is added. Every feature is one
number for the whole board, so a position has 32 of them, and they cost about as much as the handmade evaluation.

Where a lead is hard to win, every number is made smaller. Against a king alone only LEAD is told: it knows the way.
For the counts black's boards are turned upside down, so that both sides go up the board: w… is white's, b… black's.
"""

from zermelo.core.bits import lowest, popcount, swap_bytes
from zermelo.core.rules import helper
from zermelo.games import _chess_values as values
from zermelo.games._chess_attacks import (
    DIAGONAL,
    EIGHT,
    KING,
    STRAIGHT,
    bit,
    sideways,
    slide,
    u64,
)
from zermelo.games._chess_evaluation import FEW, LIGHT, as_an_endgame, before
from zermelo.games._chess_values import BISHOP, KNIGHT_, MOBILITY, OPENING, QUEEN, ROOK, USUAL
from zermelo.games._chess_walk import walk_men, walk_passed

STAGES = 4
(
    LEAD,
    TURN,
    PAWN_COUNT,
    KNIGHT_COUNT,
    BISHOP_COUNT,
    ROOK_COUNT,
    BISHOP_PAIR,
    CASTLING_RIGHTS,
    DOUBLED,
    ISOLATED,
    GUARDED,
    SIDE_BY_SIDE,
    BACKWARD,
    OPEN_FILE,
    HALF_OPEN_FILE,
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
    ROOK_CHECKS,
    QUEEN_CHECKS,
    PRESSURE,
    KNIGHT_MOBILITY,
    BISHOP_MOBILITY,
    ROOK_MOBILITY,
    QUEEN_MOBILITY,
    SET,
) = range(33)
COUNT, MOST = STAGES * SET, SET
DARK = ~LIGHT
FAR_AHEAD = 8.0  # pawns from which on more of them count a quarter: a chance of winning has no room for more


@helper
def write_features(s, index, value):
    """Write the pairs, return how many."""
    # 1. Which set of weights
    queens = s.diagonals & s.straights
    bishops, rooks = s.diagonals & ~queens, s.straights & ~queens
    phase = popcount(s.knights) + popcount(s.diagonals) + 2 * popcount(s.straights) + popcount(queens)
    base = SET * min(STAGES - 1, phase * STAGES // OPENING)
    for i in range(SET):
        index[u64(i)] = base + i
    # 2. Men, one by one
    total, moves, pressure, (w_n, w_b, w_r, w_q), (b_n, b_b, b_r, b_q) = walk_men(
        s.white, s.black, s.pawns, s.knights, bishops, rooks, queens, s.kings
    )
    b_n, b_b, b_r, b_q = swap_bytes(b_n), swap_bytes(b_b), swap_bytes(b_r), swap_bytes(b_q)
    value[KNIGHT_MOBILITY] = 0.25 * moves[0]
    value[BISHOP_MOBILITY] = 0.25 * moves[1]
    value[ROOK_MOBILITY] = 0.25 * moves[2]
    value[QUEEN_MOBILITY] = 0.25 * moves[3]
    value[PRESSURE] = 0.0625 * pressure
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
    total += values.DOUBLED * count(value, DOUBLED, w & w_front, b & b_front)
    total += values.ISOLATED * count(value, ISOLATED, w & ~sideways(w_files), b & ~sideways(b_files))
    total += values.GUARDED * count(value, GUARDED, w & w_takes, b & b_takes)
    count(value, SIDE_BY_SIDE, w & sideways(w), b & sideways(b))
    count(value, BACKWARD, (w << EIGHT) & ~w_span & swap_bytes(b_takes), (b << EIGHT) & ~b_span & swap_bytes(w_takes))
    # what is attacked
    w_king, b_king = lowest(s.white & s.kings), lowest(s.black & s.kings) ^ 56
    w_seen = w_takes | w_n | w_b | w_r | w_q | KING[w_king]
    b_seen = b_takes | b_n | b_b | b_r | b_q | KING[b_king]
    wx_seen, bx_seen = swap_bytes(w_seen), swap_bytes(b_seen)  # as the other side sees them
    occupied, f_occupied = s.white | s.black, f_white | f_black
    worth, near, far = walk_passed(w_passed, swap_bytes(b_passed), occupied, w_king, b_king ^ 56)
    total += worth
    value[KING_TO_PASSED] = 0.125 * near
    value[OTHER_TO_PASSED] = 0.125 * far
    # 4. Pieces
    w_bishops, b_bishops = s.white & bishops, f_black & swap_bytes(bishops)
    more_knights = count(value, KNIGHT_COUNT, s.white & s.knights, s.black & s.knights)
    more_bishops = count(value, BISHOP_COUNT, w_bishops, b_bishops)
    more_rooks = count(value, ROOK_COUNT, w_rooks, b_rooks)
    more_queens = popcount(s.white & queens) - popcount(s.black & queens)
    total -= USUAL[KNIGHT_] * MOBILITY[KNIGHT_] * more_knights + USUAL[BISHOP] * MOBILITY[BISHOP] * more_bishops
    total -= USUAL[ROOK] * MOBILITY[ROOK] * more_rooks + USUAL[QUEEN] * MOBILITY[QUEEN] * more_queens
    pairs = is_pair(w_bishops) - is_pair(b_bishops)
    value[BISHOP_PAIR] = pairs
    w_closed, b_closed = w_rooks & ~w_files, b_rooks & ~b_files
    x_files, y_files = swap_bytes(b_files), swap_bytes(w_files)
    total += values.BISHOP_PAIR * pairs
    total += values.OPEN_FILE * count(value, OPEN_FILE, w_closed & ~x_files, b_closed & ~y_files)
    total += values.HALF_OPEN_FILE * count(value, HALF_OPEN_FILE, w_closed & x_files, b_closed & y_files)
    # threats
    pieces = ~(s.pawns | s.kings)
    f_pieces = swap_bytes(s.white & pieces)  # the other side's
    pieces &= s.black
    total -= values.ATTACKED_BY_PAWN * count(value, PAWN_HITS, pieces & w_takes, f_pieces & b_takes)
    w_minor, b_minor = w_n | w_b, b_n | b_b
    w_hits = s.black & ((rooks & w_minor) | (queens & (w_minor | w_r)))
    b_hits = (swap_bytes(s.white & rooks) & b_minor) | (swap_bytes(s.white & queens) & (b_minor | b_r))
    count(value, LESS_HITS_MORE, w_hits, b_hits)
    w_hangs, b_hangs = w_seen & ~bx_seen, b_seen & ~wx_seen
    w_other, b_other = s.black & s.pawns, f_white & f_pawns
    count(value, HANGING_PIECE, w_hangs & pieces, b_hangs & f_pieces)
    count(value, HANGING_PAWN, w_hangs & w_other, b_hangs & b_other)
    # 5. Kings
    w_first, b_first = before_king(w_king), before_king(b_king)
    total += values.SHIELD * count(value, SHIELD, w & w_first, b & b_first)
    total += values.SHIELD_AHEAD * count(value, SHIELD_AHEAD, w & (w_first << EIGHT), b & (b_first << EIGHT))
    total += values.BARE_FILE * count(value, BARE_FILE, w_first & ~w_files, b_first & ~b_files)
    count(value, STORM, w_other & (w_first | w_first << EIGHT), b_other & (b_first | b_first << EIGHT))
    w_safe, b_safe = ~(s.white | bx_seen), ~(f_black | wx_seen)
    w_aim, b_aim = b_king ^ 56, w_king ^ 56
    w_straight, b_straight = slide(STRAIGHT, w_aim, occupied) & w_safe, slide(STRAIGHT, b_aim, f_occupied) & b_safe
    w_diagonal, b_diagonal = slide(DIAGONAL, w_aim, occupied) & w_safe, slide(DIAGONAL, b_aim, f_occupied) & b_safe
    count(value, ROOK_CHECKS, w_straight & w_r, b_straight & b_r)
    count(value, QUEEN_CHECKS, (w_straight | w_diagonal) & w_q, (b_straight | b_diagonal) & b_q)
    value[TURN] = 1.0 - 2.0 * s.turn
    value[CASTLING_RIGHTS] = popcount(s.castling & 3) - popcount(s.castling & 12)
    # 6. All together
    lead = values.weigh(total, min(phase, OPENING)) + values.MOVE * (1 - 2 * s.turn)
    value[LEAD] = softened(lead / 100.0)
    if popcount(occupied) < FEW:
        return with_few_men(s, lead, value)
    return SET


@helper
def softened(pawns):
    """What the feature LEAD says of so many pawns."""
    over = abs(pawns) - FAR_AHEAD
    if over <= 0.0:
        return pawns
    return FAR_AHEAD + over / 4.0 if pawns > 0 else -FAR_AHEAD - over / 4.0


@helper
def with_few_men(s, lead, value):
    """Endgames as the handmade evaluation sees them; how many features are told."""
    rest = as_an_endgame(s, lead)
    if abs(rest) < abs(lead):
        for i in range(SET):
            value[u64(i)] *= rest / lead
    value[LEAD] = softened(rest / 100.0)
    return 1 if popcount(s.white) == 1 or popcount(s.black) == 1 else SET


@helper
def count(value, term, white, black):
    more = popcount(white) - popcount(black)
    value[u64(term)] = more
    return more


@helper
def is_pair(bishops):
    return 1 if bishops & LIGHT and bishops & DARK else 0


@helper
def before_king(king):
    first = bit(king) << EIGHT
    return first | sideways(first)
