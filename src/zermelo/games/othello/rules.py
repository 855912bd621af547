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
What a network sees are two planes: the discs of the side to move, and the other side's.
Reference: the rules of the World Othello Federation, without clocks.
"""

import numpy as np

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.painting import painter
from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.games._shared.symmetries import turned_and_mirrored, with_policy
from zermelo.games.othello.discs import NONE, ONE, area, list_squares, make_discs, u64
from zermelo.games.othello.drawing import draw_svg, draw_text
from zermelo.games.othello.features import make_features
from zermelo.games.othello.notation import PASSES, SIDES, SIGNS, Notation

ZERO_TRAINING = {
    "rounds": 400,
    "blocks": 6,
    "channels": 96,
    "moves_per_round": 4,
    "simulations": 64,
    "fast_simulations": 16,
    "ramp": 0.15,
    "opening": 10,
    "targets": 12,  # there are seldom more moves
    "root_value": 0.5,
    "learning_rate": 0.0015,
    "averaging": 0.999,
}


@rules(name="othello")
def othello(size=8, score=False):
    """Outflank discs to turn them over; whoever has more at the end wins (score=True: by how many)."""
    if size not in (4, 6, 8):
        raise GameError(f"othello: the size may be 4, 6 or 8, not {size}")
    SQUARES = PASS = size * size
    ALL, CORNERS, mobility, outflanked, beside, stable = make_discs(size)
    FEATURES, write_features = make_features(size, mobility)
    CENTRE = area(size, (size // 2 - 1, size // 2), (size // 2 - 1, size // 2))
    BEFORE_CORNERS = area(size, (1, size - 2), (1, size - 2))
    SCALE, SOFTNESS = (float(SQUARES), 75.0) if score else (1.0, 15.0)
    HALVES = (range(size // 2), range(size // 2, size))
    QUADRANTS = [area(size, columns, rows) for columns in HALVES for rows in HALVES]
    QUADRANT = np.array([next(a for a in QUADRANTS if a >> u64(q) & ONE) for q in range(SQUARES)])

    @helper
    def settle(s):
        """What follows from the discs. The other side's moves matter only where there are none of one's own."""
        s.moves = mobility(s.mine, s.theirs)
        s.over = 0
        if s.moves == NONE and mobility(s.theirs, s.mine) == NONE:
            s.over = 1

    paint = painter(range(SQUARES))

    @helper
    def write_owner(discs, out, owner):
        while discs != NONE:
            q = lowest(discs)
            discs &= discs - ONE
            out[0, q // size, q % size] = owner

    @helper
    def lead_with_one(mine, theirs, q):
        """With q alone empty and `mine` to move: (its discs less theirs at the end, plies until then)."""
        lead = popcount(mine) - popcount(theirs)
        turned = outflanked(mine, theirs, q)
        if turned != NONE:
            return lead + 2 * popcount(turned) + 1, 1
        turned = outflanked(theirs, mine, q)
        if turned != NONE:
            return lead - 2 * popcount(turned) - 1, 2
        return lead, 0

    @helper
    def result(lead):
        return lead if score else (lead > 0) - (lead < 0)

    @helper
    def result_with_two(mine, theirs, moves, empty):
        """With two squares empty, where `mine` has `moves`: (its payoff, plies), a win soon and a loss late."""
        best, plies = -2 * SQUARES, 0
        while moves != NONE:
            q = lowest(moves)
            moves &= moves - ONE
            turned = outflanked(mine, theirs, q)
            lead, after = lead_with_one(theirs ^ turned, mine | turned | ONE << u64(q), lowest(empty ^ ONE << u64(q)))
            value = result(-lead)
            if value > best or (value == best and (after < plies if value > 0 else after > plies)):
                best, plies = value, after
        return best, 1 + plies

    @helper
    def count_out(s, empty, out):
        """Player 0's payoff and the plies until then, with one or two squares empty."""
        me = 1.0 - 2.0 * s.turn
        if empty & (empty - ONE) == NONE:
            lead, plies = lead_with_one(s.mine, s.theirs, lowest(empty))
            out[0], out[1] = me * result(lead), plies
        elif s.moves != NONE:
            value, plies = result_with_two(s.mine, s.theirs, s.moves, empty)
            out[0], out[1] = me * value, plies
        else:
            value, plies = result_with_two(s.theirs, s.mine, mobility(s.theirs, s.mine), empty)
            out[0], out[1] = -me * value, 1 + plies

    class Othello:
        __doc__ = f"Outflank discs to turn them over, on {size} × {size} squares; whoever has more at the end wins."
        max_actions = SQUARES - 4
        max_plies = 2 * (SQUARES - 4)  # a pass is never followed by another: every second ply at least fills a square
        utility_range = (-SCALE, SCALE)
        num_features, max_active_features = FEATURES
        policy_size, plane_shape = SQUARES + 1, (2, size, size)
        training = {
            "learning_rate": 0.03,
            "final_learning_rate": 0.001,
            "lam": 0.5,
            "epsilon": 0.1,
            "opening": 8,
            "games": 5_000_000,
        }
        zero_training = ZERO_TRAINING
        state = {"mine": "u8", "theirs": "u8", "moves": "u8", "turn": "i1", "over": "i1"}

        def start(s):
            s.theirs = CENTRE & (ONE << u64(size // 2 * (size + 1)) | ONE << u64((size // 2 - 1) * (size + 1)))
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

        # -- for a search ----------------------------------------------------------------------------------------

        def move_score(s, action):
            """Few answers for the other side first (a corner counts as two), then corners, and odd regions to fill."""
            if action == PASS:
                return 1.0
            place, empty = ONE << u64(action), ALL & ~(s.mine | s.theirs)
            turned = outflanked(s.mine, s.theirs, action)
            answers = mobility(s.theirs ^ turned, s.mine | turned | place)
            total = 200.0 - 4.0 * (popcount(answers) + popcount(answers & CORNERS))
            total += 3.0 * (popcount(QUADRANT[action] & empty) & 1)
            if place & CORNERS != NONE:
                total += 12.0
            elif place & BEFORE_CORNERS & beside(CORNERS & empty) != NONE:
                total -= 10.0
            return total

        def known_result(s, out):
            """The last two empty squares are counted out."""
            empty = ALL & ~(s.mine | s.theirs)
            two = empty & (empty - ONE)
            if two & (two - ONE) != NONE or s.over or empty == NONE:
                return False
            count_out(s, empty, out)  # apart: what is asked at every node stays small
            return True

        # -- for learning ----------------------------------------------------------------------------------------

        def features(s, index, value):
            """The patterns of discs as the side to move sees them; see features.py."""
            return write_features(s.mine, s.theirs, s.moves, index, value)

        def perspective(s):
            return s.turn

        def planes(s, out):
            paint(out, (s.mine, s.theirs))

        def owners(s, out):
            write_owner(s.mine, out, 1 - 2 * s.turn)
            write_owner(s.theirs, out, 2 * s.turn - 1)

        def symmetries():
            """Turned by half, and mirrored in a diagonal: the others would have white begin."""
            black = [(size // 2 - 1) * size + size // 2, size // 2 * size + size // 2 - 1]  # at the start
            return with_policy((p for p in turned_and_mirrored(size, size) if p[black[0]] in black), others=1)

        # -- notation and drawing --------------------------------------------------------------------------------

        def format_action(s, a):
            return notation.moves[a]

        def gtp(s, a):
            return notation.moves[a]

        def gtp_setup(s):
            if (s.mine | s.theirs) != CENTRE or s.turn != 0:
                raise GameError("a GTP engine is told a game of othello from its start, not from a position")
            return [f"boardsize {size}", "clear_board"]

        def parse_action(s, text):
            if s.over:
                raise GameError("the game is over")
            action = notation.read_move(text)
            _must_be_legal(s, action)
            return action

        def clicks(s, a):
            return (notation.moves[a],)

        def format(s):
            return f"{''.join(notation.signs(s))} {SIGNS[s.turn]}"

        def parse(s, text):
            if notation.is_game(text):
                with np.errstate(over="ignore"):  # 64-bit boards wrap around on purpose
                    _replay(s, text)
            else:
                black, white, s.turn = notation.read_board(text)
                s.mine, s.theirs = (black, white) if s.turn == 0 else (white, black)
                settle(s)

        def validate(s):
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
            return draw_text(notation, s)

        def svg(s, marks):
            return draw_svg(notation, s, marks)

    notation = Notation(size)

    def _must_be_legal(s, action, at=""):
        if action == PASS and s.moves:
            raise GameError(f"{at}{SIDES[s.turn]} can move and may not pass")
        if action != PASS and not s.moves:
            raise GameError(f"{at}{SIDES[s.turn]} cannot move anywhere and must pass")
        if action != PASS and not s.moves & u64(1 << action):
            taken = (s.mine | s.theirs) & u64(1 << action)
            reason = "is taken" if taken else f"outflanks nothing for {SIDES[s.turn]}"
            raise GameError(f"{at}{notation.moves[action]} {reason}")

    def _replay(s, text):
        """A game from the start; passes that were left out are played."""
        Othello.start(s)
        for number, word in enumerate(notation.split_game(text), 1):
            if not (s.moves or s.over or word in PASSES):
                Othello.apply(s, PASS)
            if s.over:
                raise GameError(f"the game is over before move {number}, {word}")
            action = notation.read_move(word)
            _must_be_legal(s, action, f"move {number}: ")
            Othello.apply(s, action)

    return Othello
