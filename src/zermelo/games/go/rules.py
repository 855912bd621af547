"""Go: surround more of the board than the other side. Any board up to 19 × 19; area scoring, positional superko.

Points are numbered row by row from the top left; an action is a point, or width × height for a pass. On 9 × 9:

    A9  B9  C9 … J9          0  1  2 …  8       stones[0]  black (player 0)    two words of 64 bits each:
    A8  B8  C8 … J8          9 10 11 … 17       stones[1]  white (player 1)    point p is bit p % 64 of word p // 64
    …                                           atari[c]   the stones of c whose chain has one liberty left
    A1  B1  C1 … J1         72 73 74 … 80       chain      working space, empty between moves

    ko       the point that may not be retaken at once, or -1      turn     whose turn it is
    passes   passes in a row: two end the game                     plies    moves made, passes included

Keeping the chains in atari makes legality a matter of a few words: a point may be played on if it is empty and next to
an empty point, a chain of one's own that is not in atari, or a chain of the other's that is. A chain that had one
liberty loses it to the stone played there, so capturing needs no counting either; only the few chains next to a new
stone are counted, and no further than to two liberties.

Suicide is forbidden. Positional superko (no board may come twice, whoever's turn it is) is declared, and honoured by
`History`; the state itself knows only the immediate recapture. Two passes end the game, and so do `max_plies` moves,
because random play without superko could go round in circles. The score is by area: stones, and empty points that only
one colour reaches; white adds `komi`.

Moves are written as in GTP ("D4", "pass"; there is no column I), games as in SGF (`sgf`, `from_sgf`), positions row by
row from the top: `.X./XO./... O - 0 3` (whose turn, ko, passes, plies).

What a network sees, from the side to move:

    plane   0 my stones     2 mine in atari       4 the point that ko forbids         6 everywhere 1: I am white
            1 the other's   3 the other's         5 everywhere 1: they have passed

Reference: John Tromp and Bill Taylor's rules, https://tromp.github.io/go.html
"""

import numpy as np

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.core.history import History
from zermelo.games._shared.cell_sets import (
    ONE,
    ZERO,
    bit,
    cells_of,
    list_cells,
    make_cell_sets,
    neighbours,
    set_painter,
    u64,
)
from zermelo.games._shared.symmetries import turned_and_mirrored, with_policy
from zermelo.games.go import drawing, notation
from zermelo.games.go import sgf as sgf_format

NONE = -1
ZERO_TRAINING = {
    "rounds": 1000,
    "blocks": 6,
    "channels": 96,
    "moves_per_round": 4,
    "simulations": 64,
    "fast_simulations": 16,
    "ramp": 0.15,
    "opening": 4,
    "root_value": 0.5,
    "learning_rate": 0.0015,
    "averaging": 0.999,
}


@rules(name="go", players=2, repetition="forbidden", repetitions=2)
def go(size=9, height=0, komi=7.0, score=False):
    """Surround more of the board than the other side."""
    WIDTH, HEIGHT = size, height or size
    if not (1 <= WIDTH <= 19 and 1 <= HEIGHT <= 19):
        raise GameError(f"go: a board of {WIDTH} × {HEIGHT} does not go: 1 to 19 lines each way")
    if not abs(komi) <= 1000:
        raise GameError(f"go: a komi of {komi} makes no sense")
    POINTS = WIDTH * HEIGHT
    PASS = POINTS
    LIMIT = max(200, 3 * POINTS)
    LIMIT_TELLS = LIMIT - 40  # from this ply on, a table keeps positions that differ in their number apart
    KOMI = float(komi)
    WORDS, FULL, NEAR, around = make_cell_sets(WIDTH, HEIGHT)
    BESIDE = np.array([(near + [NONE] * 4)[:4] for near in neighbours(WIDTH, HEIGHT)])
    NAMES = notation.point_names(WIDTH, HEIGHT)

    # -- sets of points; `s.chain` is the set that is being made -------------------------------------------------------

    @helper
    def of(sets, colour, w):
        """Word w of a colour's set. Both are at hand, and one is chosen: a record that is never indexed by what is not
        known before can be kept in registers."""
        return sets[1, w] if colour == 1 else sets[0, w]

    @helper
    def put(sets, colour, w, word):
        black, white = sets[0, w], sets[1, w]
        sets[0, w] = black if colour == 1 else word
        sets[1, w] = word if colour == 1 else white

    @helper
    def within(point, w):
        """Word w of the set of one point."""
        return bit(point) if point >> 6 == w else ZERO

    @helper
    def empty(s, w):
        return FULL[w] & ~(s.stones[0, w] | s.stones[1, w])

    @helper
    def around_chain(s, w):
        before = s.chain[w - 1] if w > 0 else ZERO
        after = s.chain[w + 1] if w + 1 < WORDS else ZERO
        return around(before, s.chain[w], after, w)

    @helper
    def clear_chain(s):
        for w in range(WORDS):
            s.chain[w] = ZERO

    @helper
    def start_chain(s, point):
        for w in range(WORDS):
            s.chain[w] = within(point, w)

    @helper
    def spread_in_atari(s, colour):
        """Let s.chain grow to all chains of `colour` in atari that it touches."""
        growing = True
        while growing:
            growing = False
            for w in range(WORDS):
                more = around_chain(s, w) & of(s.atari, colour, w) & ~s.chain[w]
                s.chain[w] |= more
                growing |= more != ZERO

    @helper
    def leave_atari(s, colour):
        spread_in_atari(s, colour)
        for w in range(WORDS):
            put(s.atari, colour, w, of(s.atari, colour, w) & ~s.chain[w])

    # -- liberties -----------------------------------------------------------------------------------------------------

    @helper
    def liberties_of_stone(s, point):
        n = 0
        for w in range(WORDS):
            n += popcount(NEAR[point, w] & empty(s, w))
        return n

    @helper
    def has_two_liberties(s, colour):
        """Let s.chain, part of a chain, grow until it is the whole chain or has two liberties."""
        growing, liberties = True, 0
        while growing and liberties < 2:
            growing, liberties = False, 0
            for w in range(WORDS):
                next_to = around_chain(s, w)
                liberties += popcount(next_to & empty(s, w))
                more = next_to & of(s.stones, colour, w) & ~s.chain[w]
                s.chain[w] |= more
                growing |= more != ZERO
        return liberties >= 2

    @helper
    def count_chain(s, colour, point):
        """Note it in s.atari if the chain at `point` has one liberty; s.chain is (part of) that chain afterwards."""
        for w in range(WORDS):
            s.chain[w] = NEAR[point, w] & of(s.stones, colour, w) | within(point, w)
        if liberties_of_stone(s, point) < 2 and not has_two_liberties(s, colour):
            for w in range(WORDS):
                put(s.atari, colour, w, of(s.atari, colour, w) | s.chain[w])

    # -- moves ---------------------------------------------------------------------------------------------------------

    @helper
    def capture(s, me, point):
        """Take the chains whose last liberty was `point`; s.ko is the prisoner if it is just one."""
        you = 1 - me
        start_chain(s, point)
        spread_in_atari(s, you)
        prisoners = 0
        before = ZERO
        for w in range(WORDS):
            taken = s.chain[w] & ~within(point, w)
            if taken != ZERO:
                s.ko = 64 * w + lowest(taken)
                prisoners += popcount(taken)
            put(s.stones, you, w, of(s.stones, you, w) & ~taken)
            put(s.atari, you, w, of(s.atari, you, w) & ~taken)
            after = s.chain[w + 1] & ~within(point, w + 1) if w + 1 < WORDS else ZERO
            s.chain[w] = around(before, taken, after, w) & of(s.atari, me, w)
            before = taken
        leave_atari(s, me)  # chains next to the prisoners have room again
        if prisoners > 1:
            s.ko = NONE

    @helper
    def put_stone(s, me, point):
        you = 1 - me
        # 1. What stands next to the point?
        prisoners, joined, friends = ZERO, ZERO, ZERO
        for w in range(WORDS):
            prisoners |= NEAR[point, w] & of(s.atari, you, w)
            joined |= NEAR[point, w] & of(s.atari, me, w)
            friends |= NEAR[point, w] & of(s.stones, me, w)
        for w in range(WORDS):
            put(s.stones, me, w, of(s.stones, me, w) | within(point, w))
        # 2. Chains of the other's without a liberty come off.
        if prisoners != ZERO:
            capture(s, me, point)
            if friends != ZERO or liberties_of_stone(s, point) > 1:
                s.ko = NONE  # only a lone stone in atari could be retaken at once
        # 3. The chains the stone joins are one chain now, with liberties of its own.
        if joined != ZERO:
            start_chain(s, point)
            leave_atari(s, me)
        count_chain(s, me, point)
        # 4. The others next to it have lost a liberty.
        for side in range(4):
            beside, foe = BESIDE[point, side], ZERO
            for w in range(WORDS):
                foe |= within(beside, w) & of(s.stones, you, w) & ~s.chain[w]
            if foe != ZERO:
                count_chain(s, you, beside)
        clear_chain(s)

    @helper
    def playable_next_to(s, me, w):
        """Points that make an empty point beside them a legal move."""
        if w >= WORDS:
            return ZERO
        return empty(s, w) | (of(s.stones, me, w) & ~of(s.atari, me, w)) | of(s.atari, 1 - me, w)

    # -- score ---------------------------------------------------------------------------------------------------------

    @helper
    def reach(s, colour):
        """Let s.chain be the stones of `colour`, and the empty points that it reaches through empty points."""
        for w in range(WORDS):
            s.chain[w] = of(s.stones, colour, w)
        growing = True
        while growing:
            growing = False
            for w in range(WORDS):
                more = around_chain(s, w) & empty(s, w) & ~s.chain[w]
                s.chain[w] |= more
                growing |= more != ZERO

    @helper
    def reached(s, colour):
        """How many points that are."""
        reach(s, colour)
        n = 0
        for w in range(WORDS):
            n += popcount(s.chain[w])
        clear_chain(s)
        return n

    @helper
    def margin(s):
        """Black's area less white's and komi. Points that both reach belong to nobody and cancel out."""
        return reached(s, 0) - reached(s, 1) - KOMI

    @helper
    def hash_board(s, h):
        for colour in range(2):
            for w in range(WORDS):
                h = scramble(h ^ s.stones[colour, w]) + ONE
        return h

    paint_mine, paint_theirs, paint_mine_in_atari, paint_theirs_in_atari = (
        set_painter(of, POINTS, plane) for plane in range(4)
    )

    @helper
    def fill(out, plane):
        for y in range(HEIGHT):
            for x in range(WIDTH):
                out[plane, y, x] = 1

    class Go:
        __doc__ = f"Surround more of a {WIDTH} × {HEIGHT} board than the other side."
        max_actions = POINTS + 1
        max_plies = LIMIT
        utility_range = (-POINTS - KOMI, POINTS - KOMI) if score else (-1, 1)
        policy_size, plane_shape = POINTS + 1, (7, HEIGHT, WIDTH)
        zero_training, strongest = ZERO_TRAINING, "zero"
        state = {
            "stones": ("u8", (2, WORDS)),
            "atari": ("u8", (2, WORDS)),
            "chain": ("u8", (WORDS,)),
            "ko": "i2",
            "plies": "i2",
            "passes": "i1",
            "turn": "i1",
        }

        def start(s):
            s.ko = NONE

        def player(s):
            if s.passes == 2 or s.plies >= LIMIT:
                return OVER
            return s.turn

        def side_to_move(s):
            """Without the limit on the length of a game."""
            return OVER if s.passes == 2 else s.turn

        def actions(s, out):
            n = 0
            before, here = ZERO, playable_next_to(s, s.turn, 0)
            for w in range(WORDS):
                after = playable_next_to(s, s.turn, w + 1)
                legal = around(before, here, after, w) & empty(s, w)
                if s.ko >> 6 == w:
                    legal &= ~bit(s.ko)
                n = list_cells(legal, w, out, n)
                before, here = here, after
            out[n] = PASS
            return n + 1

        def apply(s, point):
            s.ko = NONE
            s.passes += 1
            if point != PASS:
                s.passes = 0
                put_stone(s, s.turn, point)
            s.turn = 1 - s.turn
            s.plies += 1

        def utility(s, out):
            lead = margin(s)
            if not score:
                lead = 1.0 if lead > 0.0 else -1.0 if lead < 0.0 else 0.0
            out[0] = lead
            out[1] = -lead

        def evaluate(s):
            """The score if the game ended now; without `score`, as a fraction of what a board and komi are worth."""
            return margin(s) if score else margin(s) / (POINTS + abs(KOMI) + 1.0)

        def repetition_key(s):
            """The board alone: positional superko."""
            return hash_board(s, ONE)

        def key(s):
            """The position, without the number of moves that led to it."""
            return hash_board(s, scramble(u64((s.ko + 1) * 8 + s.passes * 2 + s.turn + 1)))

        # -- for a search ----------------------------------------------------------------------------------------

        def search_key(s):
            plies = s.plies if s.plies >= LIMIT_TELLS else 0
            return hash_board(s, scramble(u64((s.ko + 1) * 8 + s.passes * 2 + s.turn + 1 + (plies << 20))))

        def move_score(s, point):
            """Captures, then chains saved; last of all one's own eyes and a pass, unless that pass ends the game."""
            if point == PASS:
                return 1.0 if s.passes == 1 else -2.0
            me = s.turn
            taken, saved, strange = 0, 0, ZERO
            for w in range(WORDS):
                taken += popcount(NEAR[point, w] & of(s.atari, 1 - me, w))
                saved += popcount(NEAR[point, w] & of(s.atari, me, w))
                strange |= NEAR[point, w] & ~of(s.stones, me, w)
            if taken + saved > 0:
                return 10.0 * taken + 5.0 * saved
            return -1.0 if strange == ZERO else 0.0

        # -- for learning ----------------------------------------------------------------------------------------

        def planes(s, out):
            me, you = s.turn, 1 - s.turn
            paint_mine(out, s.stones, me)
            paint_theirs(out, s.stones, you)
            paint_mine_in_atari(out, s.atari, me)
            paint_theirs_in_atari(out, s.atari, you)
            if s.ko != NONE:
                out[4, s.ko // WIDTH, s.ko % WIDTH] = 1
            if s.passes > 0:
                fill(out, 5)
            if me == 1:
                fill(out, 6)

        def owners(s, out):
            """The area that each side is counted; points that both reach are nobody's."""
            for colour in range(2):
                reach(s, colour)
                for w in range(WORDS):
                    cells = s.chain[w]
                    while cells != ZERO:
                        point = 64 * w + lowest(cells)
                        cells &= cells - ONE
                        out[0, point // WIDTH, point % WIDTH] += 1 - 2 * colour
                clear_chain(s)

        def symmetries():
            return with_policy(turned_and_mirrored(HEIGHT, WIDTH), others=1)

        # -- notation and drawing --------------------------------------------------------------------------------

        def format_action(s, a):
            return "pass" if a == PASS else NAMES[a]

        def gtp(s, a):
            return "pass" if a == PASS else NAMES[a]

        def gtp_setup(s):
            if WIDTH != HEIGHT:
                raise GameError("GTP knows square boards alone")
            stones = [
                f"play {colour} {NAMES[p]}" for colour, of in zip("bw", s.stones, strict=True) for p in cells_of(of)
            ]
            return [f"boardsize {WIDTH}", f"komi {KOMI:g}", "clear_board", *stones]

        def parse_action(s, text):
            return PASS if text.strip().lower() == "pass" else notation.parse_point(text, NAMES)

        def clicks(s, a):
            return ("pass",) if a == PASS else (NAMES[a],)

        def format(s):
            return notation.format_position(s, NAMES, WIDTH)

        def parse(s, text):
            notation.parse_position(s, text, NAMES, WIDTH)

        def validate(s):
            return notation.validate(s, NAMES, WIDTH, LIMIT)

        def text(s):
            return drawing.text(s, NAMES, WIDTH)

        def svg(s, marks):
            return drawing.picture(s, marks, NAMES, WIDTH)

        def sgf(history, names):
            return sgf(history, names)

    return Go


def sgf(history, names=()):
    """A game as SGF: the names of black and white, the setup, the moves and, when it is over, the result."""
    game, lead = history.game, None
    if history.is_over:
        scored = go(**{**game.variant.parameters, "score": True}, compiled=False)
        lead = scored.utility(scored.parse(game.format(history.state)))
    size = game.options["size"]
    return sgf_format.write(history, size, game.options["height"] or size, lead, names)


def from_sgf(text):
    """The History of an SGF's main line; setup stones may stand before the first move."""
    options, setup, moves = sgf_format.read(text)
    game = go(**options)
    history = History(game, game.parse(setup))
    for number, (turn, point) in enumerate(moves, 1):
        if turn != history.state.turn:
            raise GameError(f"move {number} of the SGF is {'BW'[turn]}'s, but it is the other side's turn")
        if point not in history.actions():
            move = game.format_action(history.state, point)
            raise GameError(f"move {number} of the SGF, {move}, is not legal: {game.format(history.state)}")
        history.play(point)
    return history
