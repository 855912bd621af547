"""What a learned evaluation sees of a checkers position: A. L. Samuel's terms, pieces by square, and patterns of men.

The board is turned so that the side to move goes down the page, as black does; a term is that side's number less the
other's, seen from its own end, and divided so that it is rarely beyond ±1. The definitions are those of Appendix C of
Samuel's paper (1959), where "passive" and "active" become "own" and "their". Weights differ by phase, which is told by
the number of pieces, and by lead, which is told by material:

    phase              0: 19–24 pieces    1: 13–18    2: 8–12    3: 7 and fewer
    lead               0: behind          1: even     2: ahead

    term t             TERMS · phase + t
    piece at bit b     SQUARES + 70 · (3 · phase + lead) + b, for a king + 35; value 1 for one's own, -1 for the
                       other's, whose bits and lead are as seen from its end
    pattern k          PATTERNS + 6561 · (9 · (phase ≥ 2) + k) + p; p has a digit for each of eight squares, to the
                       base three: 0 no man, 1 an own man, 2 one of theirs. Nine overlapping parts of the board, four
                       rows high and two squares wide. (Samuel's signature tables, 1967, join terms in this way.)
    kings at a and b   PAIRS + 35 · (35 · lead + a) + b, an own king and one of theirs, in phase 3 only

Terms that a sum of squares could give are there because a few weights are learned sooner than many.
"""

import numpy as np

from zermelo.compile.bits import lowest, popcount, reverse
from zermelo.compile.rules import helper
from zermelo.games.checkers.board import (
    BOARD,
    BOTTOM,
    CENTRE,
    EIGHT,
    FIVE,
    FOUR,
    NINE,
    NONE,
    ONE,
    TEN,
    TURNED,
    u64,
)
from zermelo.games.checkers.notation import board_of

# -- the terms; capitals are Samuel's names ----------------------------------------------------------------------------
PIECES = 0  # men
KINGS = 1  # kings
RATIO = 2  # (own - their) / (own + their) material, a king being 3 and a man 2: ahead, exchanges gain
ADV = 3  # advancement: men on the fifth and sixth rows, less men on the third and fourth
APEX = 4  # no kings, and an own man on square 7 or 26 while the other has none there
BACK = 5  # back row bridge: squares 1 and 3 held, and they have no king
CENT = 6  # men on the centre squares
CNTR = 7  # centre squares held, or within one step
CORN = 8  # behind, with at most 6 points of material, and within one step of a double corner
CRAMP = 9  # 13 and one of 9 and 14 held, their men on 17, 21, 22 and 25
DENY = 10  # squares that could be stepped to, only to be taken there for nothing
DIA = 11  # pieces on the two diagonals between the double corners
DIAV = 12  # their moment about these diagonals: 3/2 on them, 1 beside them, 1/2 two away
DYKE = 13  # three pieces in a row on a diagonal
EXCH = 14  # steps that force an exchange
EXPOS = 15  # pieces between two empty squares of a diagonal
FORK = 16  # empty squares from which two of their pieces, neighbours in a row, would be attacked at once
GAP = 17  # empty squares between two own pieces, or an own piece and the edge
GUARD = 18  # the bridge or Oreo's triangle is held, and they have no king
HOLE = 19  # empty squares with three own pieces around or more
KCENT = 20  # kings on the centre squares
MOB = 21  # squares that can be stepped to
MOBIL = 22  # those of them not denied
MOVE = 23  # the opposition, while pieces are even and few: whoever is to move has it with an odd number in his files
NODE = 24  # pieces with three empty squares around or more
OREO = 25  # the triangle 2, 3, 7 is held, and they have no king
POLE = 26  # men with nobody beside them
THRET = 27  # steps, not denied, that attack a piece
# Not among Samuel's, but of the same kind:
TEMPO = 28  # rows that men have gone
RUN = 29  # men whom nobody can stop on their way to the crown, the nearer the more
STUCK = 30  # men that cannot step
TRAP = 31  # kings without a step that is not denied
TAKE = 32  # pieces that can be taken as things stand
TURN = 33  # 1: what it is worth to be on the move
CHASE = 34  # ahead: their kings within two and three steps of one's own kings; behind: the other way round
FADE = 35  # ahead, while plies go by without progress: 0 up to 40 quiet plies, 1 at 80
TERMS = 36

SLOTS = 35  # bits of a board
PHASES, LEADS, PARTS = 4, 3, 9
SQUARES = TERMS * PHASES
PATTERNS = SQUARES + PHASES * LEADS * 2 * SLOTS
PAIRS = PATTERNS + 2 * PARTS * 3**8
NUM_FEATURES = PAIRS + LEADS * SLOTS * SLOTS
MAX_ACTIVE = TERMS + 24 + PARTS  # with 7 pieces there are at most 12 pairs of kings

f4 = np.float32
THREES = np.array([sum(3**i for i in range(8) if byte >> i & 1) for byte in range(256)])  # bits as digits
BRIDGE, TRIANGLE, APEXES = board_of((1, 3)), board_of((2, 3, 7)), board_of((7, 26))
CRAMPING, CRAMPED, BESIDE = board_of((13,)), board_of((17, 21, 22, 25)), board_of((9, 14))
CORNERS = board_of((1, 5, 28, 32))
FILES = board_of((*range(1, 5), *range(9, 13), *range(17, 21), *range(25, 29)))
ROWS_3_4, ROWS_5_6 = board_of(range(9, 17)), board_of(range(17, 25))
ROW_2, ROW_3, ROW_4, ROW_5, ROW_6, ROW_7 = (board_of(range(1 + 4 * r, 5 + 4 * r)) for r in range(1, 7))
DIAGONALS = board_of((1, 6, 10, 15, 19, 24, 28, 5, 9, 14, 18, 23, 27, 32))
ONE_AWAY = board_of((2, 7, 11, 16, 20, 13, 17, 22, 26, 31))
TWO_AWAY = board_of((3, 8, 12, 21, 25, 30))
NO_FOUR_UP, NO_FOUR_DOWN = BOARD & ~(BOARD << FOUR), BOARD & ~(BOARD >> FOUR)  # squares whose neighbour there is none
NO_FIVE_UP, NO_FIVE_DOWN = BOARD & ~(BOARD << FIVE), BOARD & ~(BOARD >> FIVE)


@helper
def turned(board):
    """The board turned round: square 1 becomes 32."""
    return reverse(board) >> TURNED


@helper
def material(pieces, kings):
    """Two points a man, three a king."""
    return 2 * popcount(pieces) + popcount(pieces & kings)


@helper
def write_features(black, white, kings, turn, quiet, index, value):
    """Write the pairs of the position; how many."""
    if turn == 0:
        mine, theirs, crowned = black, white, kings
        far_mine, far_theirs, far_crowned = turned(white), turned(black), turned(kings)
    else:
        mine, theirs, crowned = turned(white), turned(black), turned(kings)
        far_mine, far_theirs, far_crowned = black, white, kings
    count = popcount(mine | theirs)
    phase = 0 if count >= 19 else 1 if count >= 13 else 2 if count >= 8 else 3
    own, other = material(mine, crowned), material(theirs, crowned)
    lead = 1 + (own > other) - (own < other)
    for term in range(TERMS):
        index[term] = TERMS * phase + term
        value[term] = f4(0)
    # 1. What belongs to the position as a whole.
    value[TURN] = f4(1)
    value[RATIO] = f4(2 * (own - other)) / f4(own + other)
    value[FADE] = f4(lead - 1) * f4(max(0, quiet - 40)) * f4(0.025)
    if own == other and own + other < 48:
        value[MOVE] = f4(1) if popcount((mine | theirs) & FILES) & 1 else f4(-1)
    # 2. Each side's terms and pieces, from its own end.
    write_terms(mine, theirs, crowned, f4(1), own < other, value)
    write_terms(far_mine, far_theirs, far_crowned, f4(-1), own > other, value)
    n = write_pieces(mine, crowned, SQUARES + 2 * SLOTS * (LEADS * phase + lead), f4(1), index, value, TERMS)
    base = SQUARES + 2 * SLOTS * (LEADS * phase + 2 - lead)
    n = write_pieces(far_mine, far_crowned, base, f4(-1), index, value, n)
    # 3. Patterns of men; kings against kings.
    base = PATTERNS + (PARTS * 3**8 if phase >= 2 else 0)
    n = write_patterns(mine & ~crowned, theirs & ~crowned, base, index, value, n)
    if lead == 2:
        value[CHASE] = chased(mine & crowned, theirs & crowned)
    elif lead == 0:
        value[CHASE] = -chased(theirs & crowned, mine & crowned)
    if phase == 3:
        n = write_king_pairs(mine & crowned, theirs & crowned, PAIRS + SLOTS * SLOTS * lead, index, value, n)
    return n


@helper
def write_pieces(pieces, kings, base, sign, index, value, n):
    """One for every man and king, by its square; how many pairs there are now."""
    n = write_squares(pieces & ~kings, base, sign, index, value, n)
    return write_squares(pieces & kings, base + SLOTS, sign, index, value, n)


@helper
def write_squares(pieces, base, sign, index, value, n):
    while pieces != NONE:
        index[n] = base + lowest(pieces)
        value[n] = sign
        n += 1
        pieces &= pieces - ONE
    return n


@helper
def gathered(x):
    """The two lowest squares of four rows, as a byte."""
    return (x & u64(3)) | (x >> u64(2) & u64(12)) | (x >> u64(5) & u64(48)) | (x >> u64(7) & u64(192))


@helper
def write_patterns(mine, theirs, base, index, value, n):
    """One for every part of the board, by the men that stand there; how many pairs there are now."""
    for first in (0, 9, 18):  # the bit of the first square of the first, third and fifth row
        for column in range(3):
            place = u64(first + column)
            index[n] = base + THREES[gathered(mine >> place)] + 2 * THREES[gathered(theirs >> place)]
            value[n] = f4(1)
            base += 3**8
            n += 1
    return n


@helper
def write_king_pairs(mine, theirs, base, index, value, n):
    """One for every own king and king of theirs, by their squares; how many pairs there are now."""
    while mine != NONE:
        at, others = base + SLOTS * lowest(mine), theirs
        while others != NONE:
            index[n] = at + lowest(others)
            value[n] = f4(1)
            n += 1
            others &= others - ONE
        mine &= mine - ONE
    return n


@helper
def around(squares):
    return (squares << FOUR | squares << FIVE | squares >> FOUR | squares >> FIVE) & BOARD


@helper
def chased(kings, others):
    """How many of the others' kings are within three steps of one of the kings, and once more within two."""
    near = around(kings)
    near |= around(near)
    return f4(0.25) * f4(popcount(near & others) + popcount((near | around(near)) & others))


@helper
def write_terms(mine, theirs, kings, sign, behind, value):
    """Add a side's terms, times `sign`; the side goes down the page."""
    empty = BOARD & ~(mine | theirs)
    men, own, their = mine & ~kings, mine & kings, theirs & kings
    # 1. Pieces and where they are.
    value[PIECES] += sign * f4(0.5) * f4(popcount(men))
    value[KINGS] += sign * f4(0.5) * f4(popcount(own))
    value[ADV] += sign * f4(0.25) * f4(popcount(men & ROWS_5_6) - popcount(men & ROWS_3_4))
    value[CENT] += sign * f4(0.25) * f4(popcount(men & CENTRE))
    value[KCENT] += sign * f4(0.5) * f4(popcount(own & CENTRE))
    value[DIA] += sign * f4(0.25) * f4(popcount(mine & DIAGONALS))
    moment = 3 * popcount(mine & DIAGONALS) + 2 * popcount(mine & ONE_AWAY) + popcount(mine & TWO_AWAY)
    value[DIAV] += sign * f4(0.125) * f4(moment)
    rows = popcount(men & ROW_2) + 2 * popcount(men & ROW_3) + 3 * popcount(men & ROW_4) + 4 * popcount(men & ROW_5)
    value[TEMPO] += sign * f4(0.1) * f4(rows + 5 * popcount(men & ROW_6) + 6 * popcount(men & ROW_7))
    # 2. Guards of the back row and other formations.
    if their == NONE:
        bridge, oreo = mine & BRIDGE == BRIDGE, mine & TRIANGLE == TRIANGLE
        value[BACK] += sign if bridge else f4(0)
        value[OREO] += sign if oreo else f4(0)
        value[GUARD] += sign if bridge or oreo else f4(0)
        if own == NONE and men & APEXES != NONE and theirs & APEXES == NONE:
            value[APEX] += sign
    if mine & CRAMPING != NONE and mine & BESIDE != NONE and theirs & CRAMPED == CRAMPED:
        value[CRAMP] += sign
    a, b, c, d = mine << FOUR, mine << FIVE, mine >> FOUR, mine >> FIVE  # squares with an own piece above, below
    value[DYKE] += sign * f4(0.25) * f4(popcount(mine & a & c) + popcount(mine & b & d))
    value[HOLE] += sign * f4(0.5) * f4(popcount(empty & ((a & b & (c | d)) | (c & d & (a | b)))))
    between = (a & (c | NO_FOUR_DOWN)) | (c & NO_FOUR_UP) | (b & (d | NO_FIVE_DOWN)) | (d & NO_FIVE_UP)
    value[GAP] += sign * f4(0.25) * f4(popcount(empty & between))
    e, f, g, h = empty << FOUR, empty << FIVE, empty >> FOUR, empty >> FIVE  # squares with an empty one above, below
    value[EXPOS] += sign * f4(0.25) * f4(popcount(mine & ((e & g) | (f & h))))
    value[NODE] += sign * f4(0.25) * f4(popcount(mine & ((e & f & (g | h)) | (g & h & (e | f)))))
    value[STUCK] += sign * f4(0.25) * f4(popcount(men & ~(g | h)))
    p, q, r, t = theirs << FOUR, theirs << FIVE, theirs >> FOUR, theirs >> FIVE
    value[POLE] += sign * f4(0.5) * f4(popcount(men & ~(a | b | c | d | p | q | r | t)))
    # 3. Steps, and whether who steps there is taken, and whether that would be an exchange: by a piece of theirs from
    #    below over the square to the one above, or by a king the other way. A step leaves its own square empty.
    kp, kq = their << FOUR & g, their << FIVE & h
    up4, up5 = r & e, t & f  # squares where a piece is taken by one that comes up by four, by five
    value[TAKE] += sign * f4(0.5) * f4(popcount(mine & (up4 | up5 | kp | kq)))
    back4 = mine << EIGHT | (mine << NINE & empty >> ONE) | (own >> ONE & empty << NINE)
    back5 = mine << TEN | (mine << NINE & empty << ONE) | (own << ONE & empty << NINE)
    to4, to5, over4, over5 = a & empty, b & empty, own >> FOUR & empty, own >> FIVE & empty
    loses4 = (r & ~back4) | (up5 & ~back5) | kq
    loses5 = (t & ~back5) | (up4 & ~back4) | kp
    loses6 = their << FOUR | (up5 & ~back5) | kq
    loses7 = their << FIVE | (up4 & ~back4) | kp
    reach = to4 | to5 | over4 | over5
    safe = (to4 & ~loses4) | (to5 & ~loses5) | (over4 & ~loses6) | (over5 & ~loses7)
    all_steps, free = popcount(reach), popcount(safe)
    value[MOB] += sign * f4(0.125) * f4(all_steps)
    value[DENY] += sign * f4(0.25) * f4(all_steps - free)
    value[MOBIL] += sign * f4(0.125) * f4(free)
    value[EXCH] += sign * f4(0.25) * f4(popcount(to4 & ~loses4 & (r | up5)) + popcount(to5 & ~loses5 & (t | up4)))
    value[CNTR] += sign * f4(0.25) * f4(popcount((mine | reach) & CENTRE))
    if behind and 2 * popcount(mine) + popcount(own) <= 6 and (mine | reach) & CORNERS != NONE:
        value[CORN] += sign
    value[TRAP] += sign * f4(0.5) * f4(popcount(own & ~(safe << FOUR | safe << FIVE | safe >> FOUR | safe >> FIVE)))
    # 4. Attacks: one of theirs below with an empty square behind it (above, for kings).
    left, right = r & empty >> EIGHT, t & empty >> TEN
    behind4, behind5 = p & empty << EIGHT, q & empty << TEN
    by_king = (over4 | over5 | (own << FOUR & empty) | (own << FIVE & empty)) & (behind4 | behind5)
    value[THRET] += sign * f4(0.25) * f4(popcount(safe & (((to4 | to5) & (left | right)) | by_king)))
    value[FORK] += sign * f4(0.5) * f4(popcount(empty & left & right))
    # 5. Free ways to the crown, from there back: empty squares that none of theirs stands beside to take.
    clear = empty & ~(up4 | up5 | kp | kq)
    way = empty & BOTTOM
    nearest = (way >> FOUR | way >> FIVE) & men
    way = (way >> FOUR | way >> FIVE) & clear
    near = (way >> FOUR | way >> FIVE) & men
    way = (way >> FOUR | way >> FIVE) & clear
    far = (way >> FOUR | way >> FIVE) & men
    way = (way >> FOUR | way >> FIVE) & clear
    farther = (way >> FOUR | way >> FIVE) & men
    runs = 4 * popcount(nearest) + 3 * popcount(near) + 2 * popcount(far) + popcount(farther)
    value[RUN] += sign * f4(0.25) * f4(runs)
