"""Checkers, which is English draughts: men and short kings on the 32 dark squares of an 8 × 8 board.

The squares as people number them, and the bit each has in a board. Every ninth bit is left out (8, 17, 26), so that
from any square a step down the page is +4 or +5 and a step up is -5 or -4, and a step over the edge meets a bit that is
never set. Black (player 0) begins and moves down, white (player 1) moves up.

        squares                             bits
     .  1  .  2  .  3  .  4           .  0  .  1  .  2  .  3
     5  .  6  .  7  .  8  .           4  .  5  .  6  .  7  .
     .  9  . 10  . 11  . 12           .  9  . 10  . 11  . 12      directions from a square x
    13  . 14  . 15  . 16  .          13  . 14  . 15  . 16  .
     . 17  . 18  . 19  . 20           . 18  . 19  . 20  . 21        2: -5     3: -4
    21  . 22  . 23  . 24  .          22  . 23  . 24  . 25  .               x
     . 25  . 26  . 27  . 28           . 27  . 28  . 29  . 30        0: +4     1: +5
    29  . 30  . 31  . 32  .          31  . 32  . 33  . 34  .

    black, white   all pieces of a side, men and kings
    kings          those of either side that are crowned
    turn           0 black, 1 white
    quiet          plies since a capture or a man's move

An action is a whole move, however many men it jumps; two routes are two actions, even where they come to the same:

    bit   0–5    6–9     10–11      12–13      …
          start  jumps   direction  direction  …      jumps = 0: one step in the first direction

The squares that jumps can lead to from one square are 8, with 9 jumps among them, and nobody is jumped twice: a move
has at most 9. Twelve kings have at most 48 steps, and no side more than 40 capture routes (the tests count them):
max_actions is 48. Men make at most 2 × 72 moves, there are at most 24 captures, and a game ends after 80 plies without
either: max_plies.

Positions are PDN's FEN, moves and games PDN. The layout and the terms of the evaluation are A. L. Samuel's: "Some
studies in machine learning using the game of checkers", IBM Journal of Research and Development 3 (1959).
"""

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER
from zermelo.games.checkers import drawing, notation
from zermelo.games.checkers.board import (
    ANY,
    BLACK_CAMP,
    BOARD,
    BOTTOM,
    CENTRE,
    DOWN,
    FIVE,
    FOUR,
    NONE,
    ONE,
    TOP,
    UP,
    WHITE_CAMP,
    delta,
    going_down,
    going_up,
    jumpers,
    jumps_from,
    sides,
    steps,
    u64,
)
from zermelo.games.checkers.endings import class_of, endings, rank_of, set_up_ranked
from zermelo.games.checkers.features import MAX_ACTIVE, NUM_FEATURES, write_features
from zermelo.games.checkers.notation import from_pdn, pdn
from zermelo.games.checkers.planes import PLANES, POLICY, number_of, write_planes

__all__ = ["Checkers", "from_pdn", "pdn"]

QUIET_LIMIT = 80  # forty moves of each side
QUIET_TELLS = 40  # from so many quiet plies on, a table keeps positions that differ in them apart
TRAINING = {
    "games": 40_000,
    "depth": 3,
    "target": "root",
    "lam": 0.9,
    "learning_rate": 0.05,
    "final_learning_rate": 0.005,
    "coherence": True,
    "epsilon": 0.05,
    "opening": 8,
    "games_per_round": 50,
}


@helper
def write_steps(pieces, direction, out, n):
    """One action for every piece, a step in `direction`; the number of actions so far."""
    while pieces != NONE:
        out[n] = lowest(pieces) | direction << 10
        n += 1
        pieces &= pieces - ONE
    return n


@helper
def write_routes(start, allowed, theirs, empty, out, n):
    """Every way for the piece at bit `start` to go on jumping until it no longer can; the number of actions so far.

    The route is the stack of this depth-first walk: to go back, its last direction is undone. A man's directions lead
    to his crown row, and there is nothing beyond: crowning ends a move by itself.
    """
    at, route, jumps, tried = start, 0, 0, 0
    ways = jumps_from(at, theirs, empty) & allowed
    while True:
        if ways >> tried != 0:
            # 1. On with the next direction; where no jump follows, the move ends.
            direction = tried + lowest(ways >> tried)
            way = delta(direction)
            theirs ^= ONE << u64(at + way)
            at += 2 * way
            route |= direction << 2 * jumps
            jumps += 1
            tried = 0
            ways = jumps_from(at, theirs, empty) & allowed
            if ways == 0:
                out[n] = start | jumps << 6 | route << 10
                n += 1
        elif jumps == 0:
            return n
        else:
            # 2. Back over the last jump; its direction and those before it have been tried.
            jumps -= 1
            direction = (route >> 2 * jumps) & 3
            route ^= direction << 2 * jumps
            way = delta(direction)
            at -= 2 * way
            theirs ^= ONE << u64(at + way)
            tried = direction + 1
            ways = jumps_from(at, theirs, empty) & allowed


@helper
def write_captures(s, out):
    """The capturing actions; how many."""
    mine, theirs = sides(s)
    empty = BOARD & ~(mine | theirs)
    able = jumpers(going_down(mine, s.kings, s.turn), going_up(mine, s.kings, s.turn), theirs, empty)
    n = 0
    while able != NONE:
        start = lowest(able)
        here = able & (~able + ONE)
        allowed = ANY if here & s.kings != NONE else (DOWN if s.turn == 0 else UP)
        n = write_routes(start, allowed, theirs, empty | here, out, n)
        able ^= here
    return n


@helper
def side_value(pieces, kings, turn, empty):
    """One side's pieces in men: a king counts one and a half, the rest are Samuel's centre, back row and mobility."""
    men = pieces & ~kings
    material = popcount(men) + 1.5 * popcount(pieces & kings)
    back = popcount(men & (TOP if turn == 0 else BOTTOM))
    mobility = steps(going_down(pieces, kings, turn), going_up(pieces, kings, turn), empty)
    return material + 0.05 * popcount(pieces & CENTRE) + 0.1 * back + 0.02 * mobility


@helper
def hashed(s, quiet):
    h = scramble(s.black ^ (u64(s.turn) << u64(63) | u64(quiet) << u64(40)))
    return scramble(scramble(h ^ s.white) ^ s.kings)


@rules(
    name="checkers",
    players=2,
    max_actions=48,
    max_plies=(2 * 72 + 24 + 1) * QUIET_LIMIT,
    utility_range=(-1, 1),
    utility_values=(-1, 0, 1),
    num_features=NUM_FEATURES,
    max_active_features=MAX_ACTIVE,
    policy_size=POLICY,
    small_endings=4,
    plane_shape=PLANES,
    training=TRAINING,
    repetition="draw",
    repetitions=3,
    stuck_ends=True,
)
class Checkers:
    """Capture whenever you can; whoever cannot move has lost."""

    state = {"black": "u8", "white": "u8", "kings": "u8", "turn": "i1", "quiet": "i1"}

    def start(s):
        s.black, s.white = BLACK_CAMP, WHITE_CAMP

    def player(s):
        return OVER if s.quiet >= QUIET_LIMIT else s.turn

    def side_to_move(s):
        return s.turn

    def actions(s, out):
        n = write_captures(s, out)
        if n > 0:
            return n
        mine, theirs = sides(s)
        empty = BOARD & ~(mine | theirs)
        down, up = going_down(mine, s.kings, s.turn), going_up(mine, s.kings, s.turn)
        n = write_steps(down & (empty >> FOUR), 0, out, 0)
        n = write_steps(down & (empty >> FIVE), 1, out, n)
        n = write_steps(up & (empty << FIVE), 2, out, n)
        return write_steps(up & (empty << FOUR), 3, out, n)

    def noisy(s, out):
        """Captures."""
        return write_captures(s, out)

    def apply(s, action):
        start, jumps, route = action & 63, (action >> 6) & 15, action >> 10
        at, taken = start, NONE
        if jumps == 0:
            at += delta(route)
        for _ in range(jumps):
            way = delta(route & 3)
            taken |= ONE << u64(at + way)
            at += 2 * way
            route >>= 2
        here, there = ONE << u64(start), ONE << u64(at)
        was_king = s.kings & here != NONE
        mine, theirs = sides(s)
        mine, theirs = (mine & ~here) | there, theirs & ~taken
        s.black, s.white = (mine, theirs) if s.turn == 0 else (theirs, mine)
        s.kings &= ~(here | taken)
        if was_king or there & (TOP | BOTTOM) != NONE:
            s.kings |= there
        s.quiet = s.quiet + 1 if was_king and jumps == 0 else 0
        s.turn = 1 - s.turn

    def utility(s, out):
        """A side without a move has lost, and so it has if the quiet plies run out with that very move."""
        mine, theirs = sides(s)
        empty = BOARD & ~(mine | theirs)
        down, up = going_down(mine, s.kings, s.turn), going_up(mine, s.kings, s.turn)
        stuck = steps(down, up, empty) == 0 and jumpers(down, up, theirs, empty) == NONE
        out[s.turn] = -1.0 if stuck else 0.0
        out[1 - s.turn] = -out[s.turn]

    def key(s):
        """The position without `quiet`, for tables and for repetition."""
        return hashed(s, 0)

    def reversible_plies(s):
        return s.quiet

    def evaluate(s):
        """Black's share of all value on the board less white's, so that whoever is ahead gains by exchanges."""
        empty = BOARD & ~(s.black | s.white)
        black = side_value(s.black, s.kings, 0, empty)
        white = side_value(s.white, s.kings, 1, empty)
        return (black - white) / (black + white)

    def perspective(s):
        return s.turn

    def features(s, index, value):
        """The terms, squares and patterns of features.py, seen by the side to move."""
        return write_features(s.black, s.white, s.kings, s.turn, s.quiet, index, value)

    def planes(s, out):
        """The pieces as the side to move sees them; see planes.py."""
        write_planes(s, out)

    def policy_index(s, action):
        """A number for every step and every route there can be; see planes.py."""
        return number_of(s.turn, action)

    def search_key(s):
        return hashed(s, s.quiet if s.quiet >= QUIET_TELLS else 0)

    def move_score(s, action):
        """Pieces taken, and a man crowned."""
        start, jumps, route = action & 63, (action >> 6) & 15, action >> 10
        if (ONE << u64(start)) & s.kings != NONE:
            return 10.0 * jumps
        at = start + (delta(route) if jumps == 0 else 0)
        for _ in range(jumps):
            at += 2 * delta(route & 3)
            route >>= 2
        return 10.0 * jumps + (5.0 if (ONE << u64(at)) & (TOP | BOTTOM) != NONE else 0.0)

    def threatened(s):
        """Captures are forced, so a position with one cannot be judged; and without any move the game is over."""
        mine, theirs = sides(s)
        empty = BOARD & ~(mine | theirs)
        down, up = going_down(mine, s.kings, s.turn), going_up(mine, s.kings, s.turn)
        return jumpers(down, up, theirs, empty) != NONE or steps(down, up, empty) == 0

    def ending(s):
        """Men and kings of both sides; see endings.py."""
        return class_of(s)

    def rank(s):
        return rank_of(s)

    def unrank(s, ending, rank):
        return set_up_ranked(s, ending, rank)

    endings = endings
    validate = notation.validate
    format = notation.format_position
    parse = notation.parse_position
    format_action = notation.format_action
    parse_action = notation.parse_action
    clicks = notation.clicks
    refusal = notation.refusal
    text = drawing.text
    svg = drawing.svg
    halfway = drawing.halfway

    def pdn(history, names):
        return pdn(history, **dict(zip(("Black", "White"), names, strict=False)))
