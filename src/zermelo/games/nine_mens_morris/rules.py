"""Nine men's morris: 24 points on three nested squares, nine men each; three in a line take an enemy off.

The points by name, and the bit of a board that stands for each: eight bits a ring, clockwise from the upper left
corner, the outer ring first. Corners have even bits; the middles of sides, joined across the rings, have odd ones.

    a7--------d7--------g7          0---------1---------2
    |  b6-----d6-----f6  |          |   8-----9----10   |
    |  |  c5--d5--e5  |  |          |   |  16-17-18  |  |
    a4-b4-c4      e4-f4-g4          7--15-23     19-11--3
    |  |  c3--d3--e3  |  |          |   |  22-21-20  |  |
    |  b2-----d2-----f2  |          |  14----13----12   |
    a1--------d1--------g1          6---------5---------4

    white, black   the men of player 0, who begins, and of player 1
    left           men not yet placed, of both sides together: 18 at the start, even when white is to place
    turn           0 white, 1 black
    quiet          plies since a man was placed or taken off

    action   bit   0–4    5–9                       10–14
                   to     from (24: from the hand)  the man taken off (24: none)

Closing a mill and taking a man off are one action; closing two mills at once still takes one man. Nine men have at most
26 moves, and never more than 102 actions against nine (the tests count them): max_actions. Eighteen men are placed, at
most 14 are taken off after that, and 100 quiet plies end the game: max_plies is 1,518.

Positions are written row by row from the top, then the side to move, `left`, and `quiet` where it is not 0:
`w../.b./.../....../.../.../... w 16`. Moves: `d2` places, `d2-d3` moves, `d2-d3xf4` takes f4 off.

R. Gasser, "Solving nine men's morris", Games of No Chance (1996), showed the game (with flying) to be a draw.
"""

import numpy as np

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER
from zermelo.games.nine_mens_morris import drawing, notation
from zermelo.games.nine_mens_morris.endings import class_of, endings, rank_of, set_up_ranked
from zermelo.games.nine_mens_morris.planes import PLANES, find_symmetries, number_pairs, write_planes

FULL, CORNERS, SIDES = 0xFFFFFF, 0x555555, 0xAAAAAA
NOBODY = 24
QUIET_LIMIT = 100  # fifty moves of each side
QUIET_TELLS = 60  # from so many quiet plies on, a table keeps positions that differ in them apart


@helper
def clockwise(x):
    """Every man one point on along his ring."""
    return ((x << 1) & 0xFEFEFE) | ((x >> 7) & 0x010101)


@helper
def backward(x):
    """Every man one point back along his ring."""
    return ((x >> 1) & 0x7F7F7F) | ((x & 0x010101) << 7)


@helper
def closing(x):
    """The points, taken or not, that make three in a line with two men of `x`."""
    on, back = clockwise(x), backward(x)
    in_ring = (CORNERS & ((on & clockwise(on)) | (back & backward(back)))) | (SIDES & on & back)
    across = SIDES & ((x << 8) | (x >> 16)) & ((x >> 8) | (x << 16))
    return in_ring | across


@helper
def neighbours(x):
    return clockwise(x) | backward(x) | ((x & SIDES) << 8) & FULL | (x & SIDES) >> 8


@helper
def mobility(x, empty):
    """How many moves along lines the men `x` have."""
    in_rings = popcount(clockwise(x) & empty) + popcount(backward(x) & empty)
    return in_rings + popcount((x & SIDES) << 8 & empty) + popcount((x & SIDES) >> 8 & empty)


@helper
def can_fly(men, flying):
    return flying and popcount(men) == 3


@helper
def write_moves(origin, targets, mills, prey, out, n):
    """The actions from `origin` to each target: on a point of `mills` one for each man of `prey`. How many so far."""
    simple = targets & ~mills if prey != 0 else targets
    while simple != 0:
        out[n] = lowest(simple) | origin << 5 | NOBODY << 10
        n += 1
        simple &= simple - 1
    closed = targets & mills
    while closed != 0:
        victims = prey
        while victims != 0:
            out[n] = lowest(closed) | origin << 5 | lowest(victims) << 10
            n += 1
            victims &= victims - 1
        closed &= closed - 1
    return n


@helper
def write_actions(s, flying, only_mills, out):
    """The legal actions, or only those that close a mill; how many."""
    mine, theirs = (s.white, s.black) if s.turn == 0 else (s.black, s.white)
    empty = FULL & ~(mine | theirs)
    prey = theirs & ~closing(theirs)  # men in mills are safe while there are others
    if prey == 0:
        prey = theirs
    if s.left > 0:
        mills = closing(mine)
        return write_moves(NOBODY, empty & mills if only_mills else empty, mills, prey, out, 0)
    flies = can_fly(mine, flying)
    n, men = 0, mine
    while men != 0:
        man = men & -men
        men ^= man
        targets = empty if flies else neighbours(man) & empty
        if targets != 0:
            mills = closing(mine ^ man)
            n = write_moves(lowest(man), targets & mills if only_mills else targets, mills, prey, out, n)
    return n


@helper
def side_value(men, hand, empty):
    """One side in men: those on the board and in hand, open mills (one man would close them), moves along lines."""
    return popcount(men) + hand + 0.1 * popcount(closing(men) & empty) + 0.1 * mobility(men, empty)


@helper
def hashed(s, quiet):
    """54 bits hold the position, and there is room for `quiet` above them."""
    return scramble(np.uint64(s.white | s.black << 24 | s.left << 48 | s.turn << 53 | quiet << 54))


@helper
def has_few(s):
    """Has the side to move too few men for a mill, those in hand included?"""
    men = s.white if s.turn == 0 else s.black
    return popcount(men) + ((s.left + 1) >> 1) < 3


@rules(name="nine-mens-morris")
def nine_mens_morris(flying=True):
    """Close mills, take men off; a player with two men or without a move has lost. With flying, three men may jump."""

    PAIRS = number_pairs(flying)

    class NineMensMorris:
        """Close mills, take men off; a player with two men or without a move has lost."""

        players = 2
        max_actions = 102
        max_plies = 18 + (14 + 1) * QUIET_LIMIT
        utility_range = (-1, 1)
        policy_size, plane_shape = 25 * (int(PAIRS.max()) + 1), PLANES
        small_endings = 3
        repetition = "draw"
        repetitions = 3
        stuck_ends = True
        state = {"white": "i4", "black": "i4", "left": "i1", "turn": "i1", "quiet": "i1"}

        def start(s):
            s.left = 18

        def player(s):
            return OVER if s.quiet >= QUIET_LIMIT or has_few(s) else s.turn

        def side_to_move(s):
            """Whoever has too few men has lost; quiet plies only make a draw."""
            return OVER if has_few(s) else s.turn

        def actions(s, out):
            return write_actions(s, flying, False, out)

        def noisy(s, out):
            """What closes a mill."""
            return write_actions(s, flying, True, out)

        def apply(s, action):
            to, origin, victim = action & 31, (action >> 5) & 31, action >> 10
            moved = 1 << to
            if origin == NOBODY:
                s.left -= 1
            else:
                moved |= 1 << origin
            taken = (1 << victim) & FULL
            if s.turn == 0:
                s.white ^= moved
                s.black ^= taken
            else:
                s.black ^= moved
                s.white ^= taken
            s.quiet = 0 if origin == NOBODY or victim != NOBODY else s.quiet + 1
            s.turn = 1 - s.turn

        def utility(s, out):
            """Too few men, or no move, is a loss; otherwise the quiet plies have run out."""
            mine = s.white if s.turn == 0 else s.black
            empty = FULL & ~(s.white | s.black)
            stuck = s.left == 0 and not can_fly(mine, flying) and neighbours(mine) & empty == 0
            out[s.turn] = -1.0 if has_few(s) or stuck else 0.0
            out[1 - s.turn] = -out[s.turn]

        def key(s):
            """The position without `quiet`; 54 bits hold it, so that different positions have different keys."""
            return hashed(s, 0)

        def reversible_plies(s):
            return s.quiet

        def evaluate(s):
            """White's share of all value on the board less black's."""
            empty = FULL & ~(s.white | s.black)
            white = side_value(s.white, (s.left + 1 - s.turn) >> 1, empty)
            black = side_value(s.black, (s.left + s.turn) >> 1, empty)
            return (white - black) / (white + black)

        # -- for a search ----------------------------------------------------------------------------------------

        def search_key(s):
            return hashed(s, s.quiet if s.quiet >= QUIET_TELLS else 0)

        def move_score(s, action):
            """A mill closed first, then one of the other side's prevented."""
            to, victim = action & 31, action >> 10
            if victim != NOBODY:
                return 10.0
            theirs = s.black if s.turn == 0 else s.white
            return 5.0 if closing(theirs) >> to & 1 else 0.0

        # -- for learning: see planes.py -------------------------------------------------------------------------

        def planes(s, out):
            write_planes(s, out)

        def policy_index(s, action):
            to, origin, victim = action & 31, (action >> 5) & 31, action >> 10
            return 25 * int(PAIRS[to if origin == NOBODY else origin, to]) + victim

        def symmetries():
            return find_symmetries(PAIRS)

        # -- endings with few men: see endings.py ----------------------------------------------------------------

        def ending(s):
            return class_of(s)

        def rank(s):
            return rank_of(s)

        def unrank(s, ending, rank):
            return set_up_ranked(s, ending, rank)

        # -- notation and drawing --------------------------------------------------------------------------------

        endings = endings
        validate = notation.validate
        format = notation.format_position
        parse = notation.parse_position
        format_action = notation.format_action
        parse_action = notation.parse_action
        clicks = notation.clicks
        text = drawing.text
        svg = drawing.svg

    return NineMensMorris
