"""Hex: join your two sides of the board. Any size up to 19 × 19; nobody can be blocked without being beaten.

Cells are numbered row by row from the top left; every row stands half a cell to the right of the one above. Player 0
(red, x) joins top and bottom, player 1 (blue, o) left and right. There is no swap. On 3 × 3:

     a1  b1  c1             0 1 2          stones[p]      the stones of player p
       a2  b2  c2            3 4 5         linked[p, e]   those of them that are joined to p's side e (0 top or left,
         a3  b3  c3           6 7 8                       1 bottom or right)
                                           reach          working space of `evaluate`, empty otherwise
    an action is a cell                    winner         -1 while the game lasts
                                           turn           whose turn it is

A stone that comes to touch `linked[p, e]` brings its whole group in, once in a game; a stone in both sets has won.

Positions are written row by row from the top with x, o and dots, `x../.o./...`; whose turn it is follows.

What a network sees are two planes, the stones of the side to move and the other side's, mirrored for player 1 (rows
become columns), so that whoever moves joins top and bottom; a policy has the cells of the same view.

Reference: Piet Hein 1942; John Nash's strategy-stealing argument shows that the first player wins on every size.
"""

import numpy as np

from zermelo.compile.bits import lowest, popcount, reverse
from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.games._shared.cell_sets import ONE, ZERO, bit, cells_of, list_cells, make_cell_sets, u64, words_of
from zermelo.games._shared.symmetries import with_policy
from zermelo.games.hex import drawing

LETTERS = "abcdefghijklmnopqrs"
ZERO_TRAINING = {
    "rounds": 300,
    "blocks": 6,
    "channels": 96,
    "moves_per_round": 4,
    "simulations": 64,
    "fast_simulations": 16,
    "ramp": 0.15,
    "opening": 6,  # without such, the first player would soon win them all
    "root_value": 0.5,
    "learning_rate": 0.0015,
    "averaging": 0.999,
    "cores": {
        "rounds": 1350,
        "blocks": 3,
        "channels": 32,
        "parallel_games": 256,
        "simulations": 32,
        "fast_simulations": 8,
        "ramp": 0.0,
        "window": 98_304,
        "batch_size": 256,
        "reuse": 3.0,
        "learning_rate": 0.002,
        "averaging": 0.998,
    },
}


@rules(name="hex", players=2)
def hex_game(size=11):
    """Join your two sides of the board."""
    if not 2 <= size <= 19:
        raise GameError(f"hex: a board of {size} × {size} does not go: 2 to 19")
    CELLS = size * size
    WORDS, FULL, NEAR, around = make_cell_sets(size, size, hexagons=True)
    SIDES = np.array(  # (players, sides, words): where a stone is joined to a side at once
        [
            [words_of(range(size), WORDS), words_of(range(CELLS - size, CELLS), WORDS)],
            [words_of(range(0, CELLS, size), WORDS), words_of(range(size - 1, CELLS, size), WORDS)],
        ]
    )
    NAMES = [f"{LETTERS[x]}{y + 1}" for y in range(size) for x in range(size)]

    @helper
    def empty(s, w):
        return FULL[w] & ~(s.stones[0, w] | s.stones[1, w])

    @helper
    def touches(s, me, side, cell):
        """Is a stone on `cell` joined to the side?"""
        touching = SIDES[me, side, cell >> 6] & bit(cell)
        for w in range(WORDS):
            touching |= NEAR[cell, w] & s.linked[me, side, w]
        return touching != ZERO

    @helper
    def link(s, me, side, cell):
        """Bring the group of the stone on `cell` into the set of stones joined to the side."""
        s.linked[me, side, cell >> 6] |= bit(cell)
        growing = True
        while growing:
            growing = False
            for w in range(WORDS):
                before = s.linked[me, side, w - 1] if w > 0 else ZERO
                after = s.linked[me, side, w + 1] if w + 1 < WORDS else ZERO
                here = s.linked[me, side, w]
                more = around(before, here, after, w) & s.stones[me, w] & ~here
                s.linked[me, side, w] |= more
                growing |= more != ZERO

    @helper
    def put_stone(s, me, cell):
        s.stones[me, cell >> 6] |= bit(cell)
        joined = 0
        for side in range(2):
            if touches(s, me, side, cell):
                link(s, me, side, cell)
                joined += 1
        if joined == 2:
            s.winner = me

    @helper
    def spread(s, me, w, before, here):
        """Word w of what is next to s.reach, whose words w - 1 and w were `before` and `here`."""
        after = s.reach[w + 1] if w + 1 < WORDS else ZERO
        return around(before, here, after, w) & ~s.stones[1 - me, w] & FULL[w]

    @helper
    def stones_missing(s, me):
        """How many stones `me` needs at least to join the sides, if the other passed: a breadth-first search."""
        for w in range(WORDS):
            s.reach[w] = s.linked[me, 0, w]
        missing, arrived = 0, False
        while not arrived and missing < CELLS:
            missing += 1
            # 1. One more stone: a step onto empty cells, from the first side itself or from what is reached.
            before = ZERO
            for w in range(WORDS):
                here = s.reach[w]
                s.reach[w] |= (spread(s, me, w, before, here) | SIDES[me, 0, w]) & empty(s, w)
                before = here
            # 2. Stones that stand there already cost nothing.
            growing = True
            while growing:
                growing = False
                for w in range(WORDS):
                    before = s.reach[w - 1] if w > 0 else ZERO
                    more = spread(s, me, w, before, s.reach[w]) & s.stones[me, w] & ~s.reach[w]
                    s.reach[w] |= more
                    growing |= more != ZERO
            for w in range(WORDS):
                arrived |= s.reach[w] & SIDES[me, 1, w] != ZERO
        for w in range(WORDS):
            s.reach[w] = ZERO
        return missing

    @helper
    def wins_at(s, me, w):
        """Word w of the empty cells where a stone of `me` joins the two sides."""
        found = empty(s, w)
        for side in range(2):
            before = s.linked[me, side, w - 1] if w > 0 else ZERO
            after = s.linked[me, side, w + 1] if w + 1 < WORDS else ZERO
            found &= around(before, s.linked[me, side, w], after, w) | SIDES[me, side, w]
        return found

    @helper
    def hash_board(s):
        h = ONE
        for p in range(2):
            for w in range(WORDS):
                h = scramble(h ^ s.stones[p, w]) + ONE
        return h

    @helper
    def seen(me, cell):
        """The cell as player `me` sees it, who joins top and bottom."""
        return cell if me == 0 else cell % size * size + cell // size

    @helper
    def write_plane(s, owner, plane, out):
        for w in range(WORDS):
            stones = s.stones[owner, w]
            while stones != ZERO:
                cell = seen(s.turn, 64 * w + lowest(stones))
                out[plane, cell // size, cell % size] = 1
                stones &= stones - ONE

    class Hex:
        __doc__ = f"Join your two sides of a board of {size} × {size} hexagons; player 0 joins top and bottom."
        max_actions = CELLS
        max_plies = CELLS
        utility_range = (-1, 1)
        policy_size = CELLS
        plane_shape = (2, size, size)
        zero_training, strongest = ZERO_TRAINING, "zero"
        state = {
            "stones": ("u8", (2, WORDS)),
            "linked": ("u8", (2, 2, WORDS)),
            "reach": ("u8", (WORDS,)),
            "winner": "i1",
            "turn": "i1",
        }

        def start(s):
            s.winner = -1

        def player(s):
            return s.turn if s.winner < 0 else OVER

        def actions(s, out):
            n = 0
            for w in range(WORDS):
                n = list_cells(empty(s, w), w, out, n)
            return n

        def apply(s, cell):
            put_stone(s, s.turn, cell)
            s.turn = 1 - s.turn

        def utility(s, out):
            out[s.winner] = 1.0
            out[1 - s.winner] = -1.0

        def evaluate(s):
            """How many stones fewer player 0 needs to join its sides, as a fraction of size + 1: in (-1, 1)."""
            if s.winner >= 0:
                return 1.0 - 2.0 * s.winner
            return (stones_missing(s, 1) - stones_missing(s, 0)) / (size + 1.0)

        def key(s):
            return hash_board(s)

        # -- for a search ----------------------------------------------------------------------------------------

        def search_key(s):
            """The board turned by half is the same game: the last cell becomes the first. For boards of one word."""
            h = hash_board(s)
            if WORDS > 1:
                return h
            turned = ONE
            for p in range(2):
                turned = scramble(turned ^ (reverse(s.stones[p, 0]) >> u64(64 - CELLS))) + ONE
            return min(h, turned)

        def known_result(s, out):
            """One stone joins my sides; or the other can join theirs in two ways, of which I can stop one."""
            mine, theirs = 0, 0
            for w in range(WORDS):
                mine += popcount(wins_at(s, s.turn, w))
                theirs += popcount(wins_at(s, 1 - s.turn, w))
            if mine == 0 and theirs < 2:
                return False
            me = 1.0 - 2.0 * s.turn
            out[0], out[1] = (me, 1.0) if mine > 0 else (-me, 2.0)
            return True

        # -- for learning ----------------------------------------------------------------------------------------

        def planes(s, out):
            write_plane(s, s.turn, 0, out)
            write_plane(s, 1 - s.turn, 1, out)

        def policy_index(s, cell):
            return seen(s.turn, cell)

        def symmetries():
            """Turned by half."""
            return with_policy([np.arange(CELLS), np.arange(CELLS)[::-1].copy()])

        # -- notation and drawing --------------------------------------------------------------------------------

        def format_action(s, a):
            return NAMES[a]

        def parse_action(s, text):
            name = " ".join(text.lower().split())
            if name not in NAMES:
                raise GameError(f"'{name}' is not a cell such as {NAMES[0]} or {NAMES[-1]}")
            return NAMES.index(name)

        def clicks(s, a):
            return (NAMES[a],)

        def format(s):
            signs = drawing.signs(s, CELLS)
            return "/".join("".join(signs[i : i + size]) for i in range(0, CELLS, size))

        def parse(s, text):
            rows = "".join(text.lower().split()).split("/")
            if len(rows) != size:
                raise GameError(
                    f"a hex position has {size} rows such as '{'.' * size}' with / between, not {len(rows)}"
                )
            for y, row in enumerate(rows):
                if len(row) != size or set(row) - set("xo."):
                    raise GameError(f"row {y + 1} of the hex position must be {size} of x, o and dot, not '{row}'")
            board = "".join(rows)
            s.winner = -1
            s.turn = int(board.count("x") > board.count("o"))
            for cell, sign in enumerate(board):
                if sign != ".":
                    put_stone(s, "xo".index(sign), cell)

        def validate(s):
            red, blue = (len(cells_of(stones)) for stones in s.stones)
            if red - blue != s.turn:
                return f"x begins, so with {red} x and {blue} o it cannot be the turn of {'xo'[s.turn]}"
            if s.winner == s.turn:
                return "the game was over before the last move"
            return None

        def text(s):
            return drawing.text(s, size)

        def svg(s, marks):
            return drawing.picture(s, marks, NAMES, size)

    return Hex
