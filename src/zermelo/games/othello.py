"""Othello: outflank the other side's discs and they turn over to yours. Boards of 8 × 8, 6 × 6 or 4 × 4.

Squares are numbered row by row from the top, and square q is bit q of a 64-bit board (drawn for 8 × 8):

       a  b  c  d  e  f  g  h
    1  0  1  2  3  4  5  6  7     mine    the discs of the side to move
    2  8  9 10 11 12 13 14 15     theirs  the discs of the other side
    3 16 17 18 19 20 21 22 23     moves   where the side to move may put a disc; follows from the discs, and is kept
    4 24 25 26  ○  ● 29 30 31             so that it is computed once a position however often it is asked for
    5 32 33 34  ●  ○ 37 38 39     turn    0 black (moves first), 1 white
    6 40 41 42 43 44 45 46 47     over    1 when neither side can move; follows from the discs as well
    7 48 49 50 51 52 53 54 55
    8 56 57 58 59 60 61 62 63     an action is a square; `size * size` is the pass, legal only where nothing else is

Moves are written "f5" and "pass". A position is its squares from a1 to h8 as X (black), O (white) and -, then the side
to move: "---…-OX-…-XO-…--- X"; `parse` also reads a whole game, "f5d6c3", in which passes may be left out.
Reference: the rules of the World Othello Federation, without clocks.
"""

import numpy as np

from zermelo.core.bits import highest, lowest, popcount
from zermelo.core.game import OVER, GameError
from zermelo.core.random import scramble
from zermelo.core.rules import helper, rules
from zermelo.games._othello_people import PASSES, SIDES, SIGNS, Sheet

u64 = np.uint64
NONE, ONE, TWO = u64(0), u64(1), u64(2)
# (columns, rows) a step: the four directions in which the squares' numbers grow, then those in which they fall
STEPS = ((1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1))


def area(size, columns, rows):
    """The squares of these columns and rows."""
    return u64(sum(1 << (y * size + x) for y in rows for x in columns))


def ray(size, q, step):
    """The squares seen from square q in one direction, as far as the edge of the board."""
    x, y, squares = q % size + step[0], q // size + step[1], 0
    while 0 <= x < size and 0 <= y < size:
        squares |= 1 << (y * size + x)
        x, y = x + step[0], y + step[1]
    return squares


@rules(name="othello")
def othello(size=8, score=False):
    """Outflank discs to turn them over; whoever has more at the end wins (score=True: by how many)."""
    if size not in (4, 6, 8):
        raise GameError(f"othello: the size may be 4, 6 or 8, not {size}")
    SQUARES = PASS = size * size
    ALL = area(size, range(size), range(size))
    LEFT, RIGHT = area(size, (0,), range(size)), area(size, (size - 1,), range(size))
    FLANKS, RANKS = LEFT | RIGHT, area(size, range(size), (0, size - 1))  # the edge: its columns and its rows
    EDGE, CORNERS = FLANKS | RANKS, FLANKS & RANKS
    CENTRE = area(size, (size // 2 - 1, size // 2), (size // 2 - 1, size // 2))
    BEFORE_CORNERS = area(size, (1, size - 2), (1, size - 2))
    ACROSS, RISING, DOWN, FALLING = u64(1), u64(size - 1), u64(size), u64(size + 1)  # the four axes, as shifts
    RAYS = np.array([[ray(size, q, step) for step in STEPS] for q in range(SQUARES)], u64)
    SCALE, SOFTNESS = (float(SQUARES), 75.0) if score else (1.0, 15.0)

    @helper
    def ends_of_lines(mine, between, shift):
        """The squares at the far end of lines of `between` that begin beside `mine`, both ways along one axis.

        The fill doubles its step: one square, one more, then two pairs; no line between two squares is longer than six.
        """
        up = between & (mine << shift)
        down = between & (mine >> shift)
        up |= between & (up << shift)
        down |= between & (down >> shift)
        pairs_up = between & (between << shift)
        pairs_down = pairs_up >> shift
        two = TWO * shift
        up |= pairs_up & (up << two)
        down |= pairs_down & (down >> two)
        up |= pairs_up & (up << two)
        down |= pairs_down & (down >> two)
        return (up << shift) | (down >> shift)

    @helper
    def mobility(mine, theirs):
        """The empty squares where a disc of `mine` outflanks some of `theirs`."""
        inner = theirs & ~FLANKS  # no line goes on beyond the left or the right edge
        found = ends_of_lines(mine, inner, ACROSS) | ends_of_lines(mine, theirs, DOWN)
        found |= ends_of_lines(mine, inner, RISING) | ends_of_lines(mine, inner, FALLING)
        return found & ALL & ~(mine | theirs)

    @helper
    def outflanked(mine, theirs, q):
        """The discs of `theirs` that a disc of `mine` on q turns over.

        On each ray the nearest square without a disc of theirs decides: if it is mine, all before it turn over.
        """
        turned = NONE
        for k in range(4):
            line = RAYS[q, k]
            rest = line & ~theirs
            end = rest & (NONE - rest) & mine  # the lowest bit
            turned |= line & (end - u64(end != NONE))
        for k in range(4, 8):
            line = RAYS[q, k]
            rest = line & ~theirs
            end = (ONE << u64(highest(rest | ONE))) & rest & mine  # the highest bit
            turned |= line & (NONE - (end + end))
        return turned

    @helper
    def settle(s):
        """What follows from the discs. The other side's moves matter only where there are none of one's own."""
        s.moves = mobility(s.mine, s.theirs)
        s.over = 0
        if s.moves == NONE and mobility(s.theirs, s.mine) == NONE:
            s.over = 1

    @helper
    def beside(squares):
        """These squares and their neighbours."""
        near = squares | ((squares & ~RIGHT) << ACROSS) | ((squares & ~LEFT) >> ACROSS)
        return (near | (near << DOWN) | (near >> DOWN)) & ALL

    @helper
    def stable(discs):
        """Discs that can never turn: on each axis there is the edge, or another such disc, on one side at least.

        What a shift carries over the edge lands on an edge square, which is safe on that axis anyway.
        """
        before, safe = ONE, NONE
        while safe != before:
            before = safe
            safe = discs & ((before << ACROSS) | (before >> ACROSS) | FLANKS)
            safe &= (before << DOWN) | (before >> DOWN) | RANKS
            safe &= (before << RISING) | (before >> RISING) | EDGE
            safe &= (before << FALLING) | (before >> FALLING) | EDGE
        return safe

    @helper
    def list_squares(squares, out):
        n = 0
        while squares != NONE:
            out[n] = lowest(squares)
            squares &= squares - ONE  # without its lowest bit
            n += 1
        return n

    class Othello:
        __doc__ = f"Outflank discs to turn them over, on {size} × {size} squares; whoever has more at the end wins."
        max_actions = SQUARES - 4
        max_plies = 2 * (SQUARES - 4)  # a pass is never followed by another: every second ply at least fills a square
        state = {"mine": "u8", "theirs": "u8", "moves": "u8", "turn": "i1", "over": "i1"}

        def start(s):
            s.theirs = CENTRE & (ONE << (u64(size // 2) * FALLING) | ONE << (u64(size // 2 - 1) * FALLING))
            s.mine = CENTRE & ~s.theirs
            settle(s)

        def player(s):
            return OVER if s.over else s.turn

        def actions(s, out):
            if s.moves == NONE:
                out[0] = PASS
                return 1
            return list_squares(s.moves, out)

        def apply(s, action):
            mine, theirs = s.mine, s.theirs
            turned, placed = NONE, NONE
            if action != PASS:
                turned, placed = outflanked(mine, theirs, action), ONE << u64(action)
            s.mine = theirs ^ turned
            s.theirs = mine | turned | placed
            s.turn = 1 - s.turn
            settle(s)

        def utility(s, out):
            lead = popcount(s.mine) - popcount(s.theirs)
            if not score:
                lead = (lead > 0) - (lead < 0)
            out[s.turn] = lead
            out[1 - s.turn] = -lead

        def key(s):
            """The discs and the turn; all else follows from them."""
            turn = u64(s.turn) * u64(0xD1B54A32D192ED03)  # many bits: a single one would look like a disc
            k = (scramble(s.mine) ^ s.theirs ^ turn) * u64(0x9E3779B97F4A7C15)
            return k ^ (k >> u64(32))

        def evaluate(s):
            """Moves, stable discs, corners, less discs before empty corners and discs beside empty squares.

            In (-1, 1), the result expected; with score=True in (-squares, squares), the discs expected.
            """
            mine, theirs = s.mine, s.theirs
            empty = ALL & ~(mine | theirs)
            risky, frontier = BEFORE_CORNERS & beside(CORNERS & empty), beside(empty)
            total = popcount(s.moves) - popcount(mobility(theirs, mine))
            total += 2 * (popcount(stable(mine)) - popcount(stable(theirs)))
            total += 6 * (popcount(mine & CORNERS) - popcount(theirs & CORNERS))
            total -= 7 * (popcount(mine & risky) - popcount(theirs & risky))
            total -= popcount(mine & frontier) - popcount(theirs & frontier)
            value = SCALE * total / (abs(total) + SOFTNESS)
            return value if s.turn == 0 else -value

        def noisy(s, out):
            """Corners that can be taken at once."""
            return list_squares(s.moves & CORNERS, out)

        # -- for people ------------------------------------------------------------------------------------------

        def format_action(s, a):
            return sheet.moves[a]

        def parse_action(s, text):
            if s.over:
                raise GameError("the game is over")
            action = sheet.read_move(text)
            _must_be_legal(s, action)
            return action

        def clicks(s, a):
            return (sheet.moves[a],)

        def format(s):
            return f"{''.join(sheet.signs(s))} {SIGNS[s.turn]}"

        def parse(s, text):
            if sheet.is_game(text):
                with np.errstate(over="ignore"):  # 64-bit boards wrap around on purpose
                    _replay(s, text)
            else:
                black, white, s.turn = sheet.read_board(text)
                s.mine, s.theirs = (black, white) if s.turn == 0 else (white, black)
                settle(s)

        def problem(s):
            if s.turn not in (0, 1):
                return f"turn is 0 for black or 1 for white, not {s.turn}"
            if s.mine & s.theirs or (s.mine | s.theirs) & ~ALL:
                return "two discs share a square, or one lies off the board"
            if CENTRE & ~(s.mine | s.theirs):
                return "the four squares in the middle are never empty"
            blocked = mobility(s.mine, s.theirs) == NONE and mobility(s.theirs, s.mine) == NONE
            if s.moves != mobility(s.mine, s.theirs) or s.over != blocked:
                return "moves and over do not follow from the discs"
            return None

        def text(s):
            return sheet.text(s)

        def svg(s, marks):
            return sheet.svg(s, marks)

    sheet = Sheet(size)

    def _must_be_legal(s, action, at=""):
        if action == PASS and s.moves:
            raise GameError(f"{at}{SIDES[s.turn]} can move and may not pass")
        if action != PASS and not s.moves:
            raise GameError(f"{at}{SIDES[s.turn]} cannot move anywhere and must pass")
        if action != PASS and not s.moves & u64(1 << action):
            taken = (s.mine | s.theirs) & u64(1 << action)
            reason = "is taken" if taken else f"outflanks nothing for {SIDES[s.turn]}"
            raise GameError(f"{at}{sheet.moves[action]} {reason}")

    def _replay(s, text):
        """A game from the start; passes that were left out are played."""
        Othello.start(s)
        for number, word in enumerate(sheet.split_game(text), 1):
            if not (s.moves or s.over or word in PASSES):
                Othello.apply(s, PASS)
            if s.over:
                raise GameError(f"the game is over before move {number}, {word}")
            action = sheet.read_move(word)
            _must_be_legal(s, action, f"move {number}: ")
            Othello.apply(s, action)

    return Othello
