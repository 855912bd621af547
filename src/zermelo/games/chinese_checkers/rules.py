"""Chinese checkers (Stern-Halma): on a six-pointed star, be the first to fill the corner opposite to one's own.

The board of 121 points has 17 rows, a at the bottom; points are numbered row by row from the top, and a set of them is
two words of 64 bits (`star.py` draws a smaller one). Corners are counted clockwise from the bottom:

                  q1                    3      pieces[p]   the points of player p's pieces: (2,) words
                p1  p2               2     4   turn        whose turn it is
    m1 m2 m3 m4 m5 … m13                ✡      plies       moves made so far
      l1 l2     …     l12            1     5
      …                                 0      an action   128 · from + to; 0 is to pass
    e1 e2 e3 e4 e5 … e13
                d1 …                           2 players start in corners 0 and 3, 3 players in 0, 2 and 4,
                  a1                           4 players in 0, 1, 3 and 4, and 6 in all of them

A move takes one piece to a neighbouring point, or hops over a neighbour of any colour to the point beyond, and on, and
on; nothing is captured, and only where the piece ends matters. A move may not end in a corner that is neither one's own
nor the goal, and a piece that has reached the goal stays in it. Whoever cannot move passes. The goal is filled when all
its points are taken, one of them at least by its owner: a piece left at home cannot spoil the game. After `rounds`
rounds it is a draw. The winner gets 1, the others share −1.

What a network sees: the star as whoever moves sits at it, home at the bottom, its points in a grid of 17 × 17, a row a
line and every row half a point further to the right than the one above. A plane for the pieces of each player, mine
first and the others' in turn; with four players, who do not all sit alike, one more, everywhere 1 for the second and
the fourth. A policy has from × to, points as they are seen; 0 is to pass.

The game appeared in Germany in 1892 as Stern-Halma, and its rules are printed with many variations; docs/games says
which these are. `size` 1, 2 and 3 are smaller stars of 13, 37 and 73 points.
"""

import numpy as np

from zermelo.compile.bits import lowest
from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.games.chinese_checkers import drawing, notation
from zermelo.games.chinese_checkers.star import CORNERS, Star, words
from zermelo.games.chinese_checkers.views import cell_numbers, mirror, seen_by

u64 = np.uint64
ONE, NONE = u64(1), u64(0)
PASS, SHIFT = 0, 7  # an action is from << SHIFT | to; from and to are never both 0
MOST_ROUNDS = 10_000
NEARLY = 0.05  # of the way: as good as there, to an estimate


@rules(name="chinese-checkers")
def chinese_checkers(players=3, size=4, rounds=250):
    """Be the first to fill the opposite corner of a star."""
    if players not in CORNERS:
        raise GameError(f"chinese-checkers: 2, 3, 4 or 6 can play, not {players}")
    if not 1 <= size <= 4:
        raise GameError(f"chinese-checkers: a star has size 1 to 4, not {size}")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise GameError(f"chinese-checkers: a game has 1 to {MOST_ROUNDS} rounds, not {rounds}")
    STAR = Star(size)
    PLAYERS, PIECES, MOST_PLIES = players, size * (size + 1) // 2, rounds * players
    HOMES = [STAR.corner(k) for k in CORNERS[players]]
    GOALS = [STAR.corner((k + 3) % 6) for k in CORNERS[players]]
    MIDDLE = {*range(len(STAR))} - {c for k in range(6) for c in STAR.corner(k)}
    ALLOWED = [MIDDLE | {*home, *goal} for home, goal in zip(HOMES, GOALS, strict=True)]  # where a move may end
    HOME, GOAL, REST = (np.array([words(points) for points in sets], np.uint64) for sets in (HOMES, GOALS, ALLOWED))
    NEAR, LANDING = STAR.near(), STAR.landings()
    FAR = [[STAR.distance(c, STAR.tip((k + 3) % 6)) for c in range(len(STAR))] for k in CORNERS[players]]
    WAY = np.array([[far * (far + 2 * size) for far in row] for row in FAR], np.int16)  # stragglers weigh more
    FULL_WAY = sum(int(WAY[0, c]) for c in HOMES[0])  # of all pieces at the start …
    LEAST_WAY = sum(int(WAY[0, c]) for c in GOALS[0])  # … and in the goal

    POINTS, SIDE = len(STAR), 4 * size + 1
    SEEN = np.array([seen_by(STAR, k) for k in CORNERS[players]], np.int16)  # (players, points): which point it seems
    CELLS = np.array(cell_numbers(STAR), np.int16)  # (points,): where in the grid
    SEATS = 4  # with so many players, not everybody sees the others in the same places

    @helper
    def occupied(s):
        low, high = NONE, NONE
        for p in range(PLAYERS):
            low |= s.pieces[p, 0]
            high |= s.pieces[p, 1]
        return low, high

    @helper
    def contains(low, high, c):
        return ((low if c < 64 else high) >> u64(c & 63)) & ONE != NONE

    @helper
    def hops(low, high, c):
        """Where hops take a piece from `c`, that point itself included; low, high are all the other pieces."""
        here = int(c)
        seen_low, seen_high = (ONE << u64(here), NONE) if here < 64 else (NONE, ONE << u64(here - 64))
        todo_low, todo_high = NONE, NONE
        while True:
            over_low, over_high = NEAR[here, 0] & low, NEAR[here, 1] & high
            while over_low | over_high != NONE:
                if over_low != NONE:
                    over = lowest(over_low)
                    over_low &= over_low - ONE
                else:
                    over = 64 + lowest(over_high)
                    over_high &= over_high - ONE
                land = int(LANDING[here, over])
                if land >= 0 and not contains(low | seen_low, high | seen_high, land):
                    bit = ONE << u64(land & 63)
                    if land < 64:
                        seen_low |= bit
                        todo_low |= bit
                    else:
                        seen_high |= bit
                        todo_high |= bit
            if todo_low != NONE:
                here = lowest(todo_low)
                todo_low &= todo_low - ONE
            elif todo_high != NONE:
                here = 64 + lowest(todo_high)
                todo_high &= todo_high - ONE
            else:
                return seen_low, seen_high

    @helper
    def targets(s, low, high, c):
        """Where the piece on `c` may end; low, high are all pieces."""
        p = s.turn
        if c < 64:
            low ^= ONE << u64(c)
        else:
            high ^= ONE << u64(c - 64)
        hop_low, hop_high = hops(low, high, c)
        near_low, near_high = NEAR[c, 0] & ~low, NEAR[c, 1] & ~high
        if contains(GOAL[p, 0], GOAL[p, 1], c):
            rest_low, rest_high = GOAL[p, 0], GOAL[p, 1]
        else:
            rest_low, rest_high = REST[p, 0], REST[p, 1]
        if c < 64:
            rest_low &= ~(ONE << u64(c))
        else:
            rest_high &= ~(ONE << u64(c - 64))
        return (hop_low | near_low) & rest_low, (hop_high | near_high) & rest_high

    @helper
    def list_moves(s, low, high, c, out, n):
        """Append the moves of the piece on `c` to the `n` in `out`; how many there are then."""
        to_low, to_high = targets(s, low, high, c)
        while to_low != NONE:
            out[n] = c << SHIFT | lowest(to_low)
            to_low &= to_low - ONE
            n += 1
        while to_high != NONE:
            out[n] = c << SHIFT | (64 + lowest(to_high))
            to_high &= to_high - ONE
            n += 1
        return n

    @helper
    def winner(s):
        """Whose goal is filled, with a piece of theirs in it; -1 if nobody's is."""
        low, high = occupied(s)
        for p in range(PLAYERS):
            missing = (GOAL[p, 0] & ~low) | (GOAL[p, 1] & ~high)
            own = (GOAL[p, 0] & s.pieces[p, 0]) | (GOAL[p, 1] & s.pieces[p, 1])
            if missing == NONE and own != NONE:
                return p
        return -1

    @helper
    def way_left(s, p):
        """How far the pieces of player `p` are from the tip of the goal, all together."""
        total = 0
        for word in range(2):
            left = s.pieces[p, word]
            while left != NONE:
                total += int(WAY[p, 64 * word + lowest(left)])
                left &= left - ONE
        return total

    @helper
    def write_pieces(s, owner, plane, out):
        for word in range(2):
            left = s.pieces[owner, word]
            while left != NONE:
                cell = int(CELLS[SEEN[s.turn, 64 * word + lowest(left)]])
                left &= left - ONE
                out[plane, cell // SIDE, cell % SIDE] = 1

    class ChineseCheckers:
        __doc__ = f"{PLAYERS} players race across a star of {len(STAR)} points."
        players = PLAYERS
        max_actions = PIECES * (len(STAR) - PLAYERS * PIECES)  # every piece to every empty point
        max_plies = MOST_PLIES
        policy_size, plane_shape = POINTS * POINTS, (PLAYERS + (PLAYERS == SEATS), SIDE, SIDE)
        state = {"pieces": ("u8", (PLAYERS, 2)), "turn": "i2", "plies": "i4"}

        def start(s):
            for p in range(PLAYERS):
                s.pieces[p, 0] = HOME[p, 0]
                s.pieces[p, 1] = HOME[p, 1]

        def player(s):
            return OVER if s.plies >= MOST_PLIES or winner(s) >= 0 else s.turn

        def side_to_move(s):
            """Without the limit on the length of a game."""
            return OVER if winner(s) >= 0 else s.turn

        def actions(s, out):
            low, high = occupied(s)
            n = 0
            for word in range(2):
                left = s.pieces[s.turn, word]
                while left != NONE:
                    n = list_moves(s, low, high, 64 * word + lowest(left), out, n)
                    left &= left - ONE
            if n == 0:
                out[0] = PASS
                n = 1
            return n

        def apply(s, action):
            if action != PASS:
                c, to = action >> SHIFT, action & 127
                s.pieces[s.turn, c >> 6] = s.pieces[s.turn, c >> 6] ^ (ONE << u64(c & 63))
                s.pieces[s.turn, to >> 6] = s.pieces[s.turn, to >> 6] ^ (ONE << u64(to & 63))
            s.plies += 1
            s.turn = s.turn + 1 if s.turn + 1 < PLAYERS else 0

        def utility(s, out):
            won = winner(s)
            for p in range(PLAYERS):
                out[p] = 0.0 if won < 0 else 1.0 if p == won else -1.0 / (PLAYERS - 1)

        def key(s):
            """The pieces and whose turn it is; how many plies were made only where they end the game."""
            k = scramble(u64(s.turn + 1) if s.plies < MOST_PLIES else u64(99))  # else a piece could stand for a turn
            for p in range(PLAYERS):
                k = scramble(scramble(k ^ s.pieces[p, 0]) ^ s.pieces[p, 1])
            return k

        def evaluate(s):
            """The share of the way that player 0 has made, less that of the best of the others: about -1 to 1."""
            ahead = way_left(s, 1)
            for p in range(2, PLAYERS):
                ahead = min(ahead, way_left(s, p))
            return (ahead - way_left(s, 0)) / (FULL_WAY - LEAST_WAY)

        def evaluate_players(s, out):
            """Everybody's expected payoff, if the chance to win goes by how little of the way is left. Sums to zero."""
            total = 0.0
            for p in range(PLAYERS):
                left = (way_left(s, p) - LEAST_WAY) / (FULL_WAY - LEAST_WAY) + NEARLY
                out[p] = 1.0 / (left * left * left * left)
                total += out[p]
            for p in range(PLAYERS):
                out[p] = (PLAYERS * out[p] / total - 1.0) / (PLAYERS - 1)

        # -- for learning ----------------------------------------------------------------------------------------

        def planes(s, out):
            for i in range(PLAYERS):
                write_pieces(s, (s.turn + i) % PLAYERS, i, out)
            if PLAYERS == SEATS and s.turn % 2 == 1:
                for cell in range(SIDE * SIDE):
                    out[PLAYERS, cell // SIDE, cell % SIDE] = 1

        def policy_index(s, action):
            if action == PASS:
                return 0
            return POINTS * int(SEEN[s.turn, action >> SHIFT]) + int(SEEN[s.turn, action & 127])

        def symmetries():
            """With two players, left and right may be exchanged; with more, that would change whose turn is next."""
            return [(np.arange(SIDE * SIDE), np.arange(POINTS * POINTS)), mirror(STAR)][: 2 if players == 2 else 1]

        # -- notation and drawing --------------------------------------------------------------------------------

        def format_action(s, a):
            return notation.format_action(STAR, a)

        def parse_action(s, text):
            return notation.parse_action(STAR, s, text)

        def clicks(s, a):
            return notation.clicks(STAR, a)

        def format(s):
            return notation.format_position(STAR, players, s)

        def parse(s, text):
            notation.parse_position(STAR, players, s, text)

        def validate(s):
            return notation.validate(STAR, players, PIECES, MOST_PLIES, s)

        def text(s):
            return drawing.draw_text(STAR, players, s)

        def svg(s, marks):
            return drawing.draw_svg(STAR, players, s, marks)

    return ChineseCheckers
