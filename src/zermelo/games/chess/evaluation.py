"""Chess: a handcrafted evaluation in pawns, from white's side, in the manner of Shannon (1950).

    men         what each is worth and where it stands, for the middle game and for the endgame (values.py)
    mobility    squares a piece attacks where no man of its own side stands and no pawn of the other side attacks
    pawns       doubled, isolated, guarded by another, passed; pieces attacked by pawns, rooks on open files
    bishops     two are worth more than twice one
    king        pieces that attack squares around the other king, the more of them the worse; pawns before the own king
    turn        a little for the side to move

What cannot be won counts little: a minor piece ahead without a pawn, or bishops of opposite colours.
Pawns x become x / (|x| + 4), which lies between the utilities -1 and 1: one pawn is 0.2, a piece 0.43, a queen 0.69.

Black's boards are turned upside down, so that both sides go up the board: w… is white's, b… black's.
"""

from typing import Any, NamedTuple

from zermelo.compile.bits import lowest, popcount, swap_bytes
from zermelo.compile.rules import helper
from zermelo.games.chess.attacks import EIGHT, NONE, bit, men, sideways, u64
from zermelo.games.chess.values import (
    ATTACKED_BY_PAWN,
    BARE_FILE,
    BISHOP,
    BISHOP_PAIR,
    DOUBLED,
    GUARDED,
    HALF_OPEN_FILE,
    ISOLATED,
    KNIGHT_,
    MOBILITY,
    MOVE,
    OPEN_FILE,
    OPENING,
    QUEEN,
    ROOK,
    SHIELD,
    SHIELD_AHEAD,
    USUAL,
    weigh,
)
from zermelo.games.chess.walk import distance, walk_men, walk_passed

HALF = 4.0  # pawns that are worth half a win
FEW = 12  # with fewer men than these, endgames are looked at one by one
LIGHT = u64(0x55AA55AA55AA55AA)  # the light squares
DARK = ~LIGHT
SIXTEEN, THIRTY_TWO = u64(16), u64(32)


class Squares(NamedTuple):
    """Of one side, black's upside down."""

    pawns: Any
    takes: Any  # attacked by its pawns
    front: Any  # every square before its pawns
    files: Any  # every square of the files they stand on
    shelter: Any  # the three squares before its king
    king: Any  # his square
    attacks: Any  # what its knights, bishops, rooks and queens attack, black's not turned


class Survey(NamedTuple):
    """A position in numbers, white's less black's; features.py looks at each by itself."""

    total: Any  # what all of it is worth: two sums in one number, as values.py draws it
    phase: Any
    mobility: Any  # of knights, bishops, rooks, queens
    pressure: Any
    doubled: Any
    isolated: Any
    guarded: Any
    near: Any  # steps of kings to passed pawns: their own
    far: Any  # … and the other
    knights: Any
    bishops: Any
    rooks: Any
    pairs: Any
    open_files: Any
    half_open_files: Any
    attacked_by_pawns: Any
    shield: Any
    shield_ahead: Any
    bare_files: Any
    white: Any
    black: Any


@helper
def pawns_ahead(s):
    """White's advantage in pawns."""
    lead = lead_of(survey(s), s)
    if popcount(s.white | s.black) < FEW:
        lead = as_an_endgame(s, lead)
    return lead / 100.0


@helper
def bounded(pawns):
    return pawns / (abs(pawns) + HALF)


@helper
def lead_of(x, s):
    """In hundredths of a pawn."""
    return weigh(x.total, min(x.phase, OPENING)) + MOVE * (1 - 2 * s.turn)


@helper(inline=True)
def survey(s):
    """Every term of the evaluation."""
    queens = s.diagonals & s.straights
    bishops, rooks = s.diagonals & ~queens, s.straights & ~queens
    phase = popcount(s.knights) + popcount(s.diagonals) + 2 * popcount(s.straights) + popcount(queens)
    total, mobility, pressure, w_attacks, b_attacks = walk_men(
        s.white, s.black, s.pawns, s.knights, bishops, rooks, queens, s.kings
    )
    # pawns
    f_black = swap_bytes(s.black)
    w, b = s.white & s.pawns, f_black & swap_bytes(s.pawns)
    w_takes, b_takes = sideways(w << EIGHT), sideways(b << EIGHT)
    w_front, b_front = before(w), before(b)
    w_behind, b_behind = behind(w), behind(b)
    w_files, b_files = w | w_front | w_behind, b | b_front | b_behind
    w_passed = w & ~(swap_bytes(b_front | sideways(b_front)) | w_behind)
    b_passed = b & ~(swap_bytes(w_front | sideways(w_front)) | b_behind)
    doubled = more(w & w_front, b & b_front)
    isolated = more(w & ~sideways(w_files), b & ~sideways(b_files))
    guarded = more(w & w_takes, b & b_takes)
    total += DOUBLED * doubled + ISOLATED * isolated + GUARDED * guarded
    w_king, b_king = lowest(s.white & s.kings), lowest(s.black & s.kings) ^ 56
    worth, near, far = walk_passed(w_passed, swap_bytes(b_passed), s.white | s.black, w_king, b_king ^ 56)
    # pieces
    more_knights, more_bishops = (
        more(s.white & s.knights, s.black & s.knights),
        more(s.white & bishops, s.black & bishops),
    )
    more_rooks, more_queens = more(s.white & rooks, s.black & rooks), more(s.white & queens, s.black & queens)
    total += worth - USUAL[KNIGHT_] * MOBILITY[KNIGHT_] * more_knights - USUAL[BISHOP] * MOBILITY[BISHOP] * more_bishops
    total -= USUAL[ROOK] * MOBILITY[ROOK] * more_rooks + USUAL[QUEEN] * MOBILITY[QUEEN] * more_queens
    pairs = is_pair(s.white & bishops) - is_pair(s.black & bishops)
    w_open, b_open = s.white & rooks & ~w_files, f_black & swap_bytes(rooks) & ~b_files
    open_files = more(w_open & ~swap_bytes(b_files), b_open & ~swap_bytes(w_files))
    half_open = more(w_open, b_open) - open_files
    pieces = ~(s.pawns | s.kings)
    attacked = more(s.white & pieces & swap_bytes(b_takes), s.black & pieces & w_takes)
    total += BISHOP_PAIR * pairs + OPEN_FILE * open_files + HALF_OPEN_FILE * half_open + ATTACKED_BY_PAWN * attacked
    # kings
    w_shelter, b_shelter = before_king(w_king), before_king(b_king)
    shield = more(w & w_shelter, b & b_shelter)
    shield_ahead = more(w & (w_shelter << EIGHT), b & (b_shelter << EIGHT))
    bare = more(w_shelter & ~w_files, b_shelter & ~b_files)
    total += SHIELD * shield + SHIELD_AHEAD * shield_ahead + BARE_FILE * bare
    return Survey(
        total,
        phase,
        mobility,
        pressure,
        doubled,
        isolated,
        guarded,
        near,
        far,
        more_knights,
        more_bishops,
        more_rooks,
        pairs,
        open_files,
        half_open,
        attacked,
        shield,
        shield_ahead,
        bare,
        Squares(w, w_takes, w_front, w_files, w_shelter, w_king, w_attacks),
        Squares(b, b_takes, b_front, b_files, b_shelter, b_king, b_attacks),
    )


@helper
def more(white, black):
    return popcount(white) - popcount(black)


@helper
def before(pawns):
    """Every square in front of these pawns."""
    found = pawns << EIGHT
    found |= found << EIGHT
    found |= found << SIXTEEN
    return found | found << THIRTY_TWO


@helper
def behind(pawns):
    found = pawns >> EIGHT
    found |= found >> EIGHT
    found |= found >> SIXTEEN
    return found | found >> THIRTY_TWO


@helper
def before_king(king):
    """The three squares before him."""
    first = bit(king) << EIGHT
    return first | sideways(first)


@helper
def is_pair(bishops):
    return 1 if bishops & LIGHT and bishops & DARK else 0


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
