"""What a learned evaluation sees: the handcrafted evaluation, and what its terms are made of, white's less black's.

    STAGES sets of features, by the pieces that are left; a position uses one of them:

    LEAD       the handcrafted evaluation (evaluation.py)
    the rest   counts of what is good or bad, one number each, named below: what they add to it is learned

So learning begins with an evaluation that plays well, the weight of every term can be changed, and what the handcrafted
one does not know (hanging men, checks, how far the other king is from a passed pawn …) is added. Every feature is one
number for the whole board, so a position has 32 of them: a judgement takes 1.6 times as long as the handcrafted one, a
node of a search 1.1 times.

Where a lead is hard to win, every number is made smaller. Against a king alone only LEAD is told: it knows the way.
w… is white's, b… black's.
"""

from zermelo.compile.bits import popcount, swap_bytes
from zermelo.compile.rules import helper
from zermelo.games.chess.attacks import DIAGONAL, EIGHT, KING, STRAIGHT, sideways, slide, u64
from zermelo.games.chess.evaluation import FEW, as_an_endgame, lead_of, more, survey
from zermelo.games.chess.values import OPENING

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
FAR_AHEAD = 8.0  # pawns from which on more of them count a quarter: a chance of winning has no room for more


@helper
def write_features(s, index, value):
    """Write the pairs, return how many."""
    x = survey(s)
    w, b = x.white, x.black
    # 1. Which set of weights
    base = SET * min(STAGES - 1, x.phase * STAGES // OPENING)
    for i in range(SET):
        index[u64(i)] = base + i
    # 2. What the handcrafted evaluation counts
    value[KNIGHT_MOBILITY] = 0.25 * x.mobility[0]
    value[BISHOP_MOBILITY] = 0.25 * x.mobility[1]
    value[ROOK_MOBILITY] = 0.25 * x.mobility[2]
    value[QUEEN_MOBILITY] = 0.25 * x.mobility[3]
    value[PRESSURE] = 0.0625 * x.pressure
    value[PAWN_COUNT] = more(w.pawns, b.pawns)
    value[KNIGHT_COUNT] = x.knights
    value[BISHOP_COUNT] = x.bishops
    value[ROOK_COUNT] = x.rooks
    value[BISHOP_PAIR] = x.pairs
    value[DOUBLED] = x.doubled
    value[ISOLATED] = x.isolated
    value[GUARDED] = x.guarded
    value[KING_TO_PASSED] = 0.125 * x.near
    value[OTHER_TO_PASSED] = 0.125 * x.far
    value[OPEN_FILE] = x.open_files
    value[HALF_OPEN_FILE] = x.half_open_files
    value[PAWN_HITS] = -x.attacked_by_pawns
    value[SHIELD] = x.shield
    value[SHIELD_AHEAD] = x.shield_ahead
    value[BARE_FILE] = x.bare_files
    value[TURN] = 1.0 - 2.0 * s.turn
    value[CASTLING_RIGHTS] = popcount(s.castling & 3) - popcount(s.castling & 12)
    # 3. Pawns
    w_stops, b_stops = (w.pawns << EIGHT) & ~sideways(w.front), (b.pawns << EIGHT) & ~sideways(b.front)
    value[SIDE_BY_SIDE] = more(w.pawns & sideways(w.pawns), b.pawns & sideways(b.pawns))
    value[BACKWARD] = more(w_stops & swap_bytes(b.takes), b_stops & swap_bytes(w.takes))
    # 4. Threats, on boards that are not turned
    w_n, w_b, w_r, w_q = w.attacks
    b_n, b_b, b_r, b_q = b.attacks
    w_king, b_king = w.king, b.king ^ 56
    w_minor, b_minor = w_n | w_b, b_n | b_b
    queens = s.diagonals & s.straights
    rooks, pieces = s.straights & ~queens, ~(s.pawns | s.kings)
    w_seen = w.takes | w_minor | w_r | w_q | KING[w_king]
    b_seen = swap_bytes(b.takes) | b_minor | b_r | b_q | KING[b_king]
    w_hangs, b_hangs = s.black & w_seen & ~b_seen, s.white & b_seen & ~w_seen
    w_hits, b_hits = (rooks & w_minor) | (queens & (w_minor | w_r)), (rooks & b_minor) | (queens & (b_minor | b_r))
    value[LESS_HITS_MORE] = more(s.black & w_hits, s.white & b_hits)
    value[HANGING_PIECE] = more(w_hangs & pieces, b_hangs & pieces)
    value[HANGING_PAWN] = more(w_hangs & s.pawns, b_hangs & s.pawns)
    # 5. Kings
    w_near, b_near = w.shelter | w.shelter << EIGHT, b.shelter | b.shelter << EIGHT
    value[STORM] = more(s.black & s.pawns & w_near, swap_bytes(s.white & s.pawns) & b_near)
    occupied, w_safe, b_safe = s.white | s.black, ~(s.white | b_seen), ~(s.black | w_seen)
    w_straight, b_straight = slide(STRAIGHT, b_king, occupied) & w_safe, slide(STRAIGHT, w_king, occupied) & b_safe
    w_diagonal, b_diagonal = slide(DIAGONAL, b_king, occupied) & w_safe, slide(DIAGONAL, w_king, occupied) & b_safe
    value[ROOK_CHECKS] = more(w_straight & w_r, b_straight & b_r)
    value[QUEEN_CHECKS] = more((w_straight | w_diagonal) & w_q, (b_straight | b_diagonal) & b_q)
    # 6. All together
    lead = lead_of(x, s)
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
    """Endgames as the handcrafted evaluation sees them; how many features are told."""
    rest = as_an_endgame(s, lead)
    if abs(rest) < abs(lead):
        for i in range(SET):
            value[u64(i)] *= rest / lead
    value[LEAD] = softened(rest / 100.0)
    return 1 if popcount(s.white) == 1 or popcount(s.black) == 1 else SET
