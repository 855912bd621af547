"""Backgammon, without the cube: fifteen checkers a side, two dice; a gammon counts double, a backgammon three times.

The record. Each player has a row of counts and sees the board in the same way, moving from 24 down to 1:

    points[p]    25    24 23 22 21 20 19   18 17 16 15 14 13   12 11 10  9  8  7    6  5  4  3  2  1    0
                 bar   their home board    their outer board   my outer board       my home board       off
    at the start        2  .  .  .  .  .    .  .  .  .  .  5    .  .  .  .  3  .    5  .  .  .  .  .

    player p's point i is player 1-p's point 25 - i.

    turn    the player to roll or to play; -1: the opening roll decides
    dice    the higher and the lower die to be played; 0, 0: they are still to be rolled

A turn is two plies: a roll by chance (an outcome is written 31: higher die, lower die; at the opening, where doubles
are rolled again, player 0's die and player 1's), then one action, the whole play of both dice (`plays.py`).
Plays that lead to the same position are one action. Who cannot move has the single action 0.

Moves are written `8/5 6/5`, `bar/22*`, `13/7(2)`, `6/off`. Positions are written as GNU Backgammon's position ID, the
player to roll or play and the dice: `4HPwATDgc/ABMA:0:31`, a dash for what is not known yet (`notation.py`).

Reference: the rules at https://bkgm.com/rules.html.
"""

from itertools import permutations

import numpy as np

from zermelo.compile.rules import helper, rules
from zermelo.core.game import CHANCE, OVER
from zermelo.games.backgammon import drawing, notation
from zermelo.games.backgammon.drawing import halfway as halfway
from zermelo.games.backgammon.endings import class_of, endings, race_rank_of, rank_of, set_up_ranked
from zermelo.games.backgammon.evaluation import quick_look, worth
from zermelo.games.backgammon.features import MAX_ACTIVE, NUM_FEATURES, write_features
from zermelo.games.backgammon.notation import CHECKERS
from zermelo.games.backgammon.notation import fibs as fibs
from zermelo.games.backgammon.notation import mat as mat
from zermelo.games.backgammon.planes import PLANES, write_planes
from zermelo.games.backgammon.plays import (
    BAR,
    CANNOT_MOVE,
    MAX_PLAYS,
    at_least,
    opposition,
    plays_of_double,
    plays_of_two,
)

OFF = 0
START = ((24, 2), (13, 5), (8, 3), (6, 5))
OPENING_ROLLS = np.array([10 * a + b for a in range(1, 7) for b in range(1, 7) if a != b])
ROLLS = np.array([10 * a + b for a in range(1, 7) for b in range(1, a)] + [11 * a for a in range(1, 7)])  # doubles last


@helper
def move_checker(points, p, source, die):
    target = max(source - die, OFF)
    points[p, source] -= 1
    points[p, target] += 1
    if target != OFF and points[1 - p, 25 - target] == 1:
        points[1 - p, 25 - target] = 0
        points[1 - p, BAR] += 1


@helper
def stake(points, loser):
    """1: a simple game; 2: the loser has borne off none; 3: and has one on the bar or in the winner's home."""
    if points[loser, OFF] > 0:
        return 1
    for i in range(19, 26):
        if points[loser, i] > 0:
            return 3
    return 2


def cell_name(p, point):
    """The cell of the drawing where player p's point lies: cells carry player 0's numbers."""
    if point in (BAR, OFF):
        return "bar" if point == BAR else "off"
    return str(point if p == 0 else 25 - point)


@rules(
    name="backgammon",
    players=2,
    max_actions=MAX_PLAYS,
    max_chance_outcomes=30,
    utility_range=(-3, 3),
    utility_values=(-3, -2, -1, 1, 2, 3),
    num_features=NUM_FEATURES,
    max_active_features=MAX_ACTIVE,
    plane_shape=PLANES,
    small_endings=6,
    training={"hidden": (256,), "games": 1_500_000, "learning_rate": 0.2, "final_learning_rate": 0.01, "lam": 0.0},
)
class Backgammon:
    """Bring fifteen checkers home and bear them off first; a lone checker may be hit."""

    state = {"points": ("i1", (2, 26)), "dice": ("i1", (2,)), "turn": "i1"}

    def start(s):
        for point, count in START:
            s.points[0, point] = count
            s.points[1, point] = count
        s.turn = -1

    def player(s):
        if s.points[0, OFF] == CHECKERS or s.points[1, OFF] == CHECKERS:
            return OVER
        return CHANCE if s.dice[0] == 0 else s.turn

    def chances(s, out, probability):
        if s.turn < 0:
            for i in range(30):
                out[i] = OPENING_ROLLS[i]
                probability[i] = 1 / 30
            return 30
        for i in range(21):
            out[i] = ROLLS[i]
            probability[i] = 2 / 36 if i < 15 else 1 / 36
        return 21

    def actions(s, out):
        one, two, three, four = at_least(s.points, s.turn)
        open_points, blots = opposition(s.points, s.turn)
        if s.dice[0] == s.dice[1]:
            n = plays_of_double(out, one, two, three, four, open_points, s.dice[0])
        else:
            n = plays_of_two(out, one, two, open_points, blots, s.dice[0], s.dice[1])
        if n == 0:
            out[0] = CANNOT_MOVE
            n = 1
        return n

    def apply(s, action):
        if s.dice[0] == 0:
            a, b = action // 10, action % 10
            if s.turn < 0:
                s.turn = 0 if a > b else 1
            s.dice[0], s.dice[1] = max(a, b), min(a, b)
            return
        while action != 0:
            move_checker(s.points, s.turn, action & 31, action >> 5 & 7)
            action >>= 8
        s.turn = 1 - s.turn
        s.dice[0], s.dice[1] = 0, 0

    def utility(s, out):
        winner = 0 if s.points[0, OFF] == CHECKERS else 1
        points = stake(s.points, 1 - winner)
        out[winner] = points
        out[1 - winner] = -points

    def evaluate(s):
        """The result to be expected, as a simple game counts it, within (-1, 1): see `evaluation.py`."""
        return worth(s)

    def perspective(s):
        """Whoever rolls or plays next."""
        return max(s.turn, 0)

    def features(s, index, value):
        return write_features(s.points, max(s.turn, 0), index, value)

    def planes(s, out):
        write_planes(s.points, s.dice, max(s.turn, 0), out)

    def move_score(s, action):
        """A quick look at the play: checkers hit, points made, checkers borne off, less checkers left alone."""
        return quick_look(s.points, s.turn, action)

    def ending(s):
        """Bearing off, before a roll; see endings.py."""
        return class_of(s)

    def rank(s):
        return rank_of(s)

    def unrank(s, ending, rank):
        return set_up_ranked(s, ending, rank)

    def race_rank(s, who):
        return race_rank_of(s, who)

    endings = endings

    def parse(s, text):
        notation.parse_position(s, text)

    def format(s):
        return notation.format_position(s)

    def validate(s):
        return notation.validate(s)

    def format_action(s, a):
        return notation.format_play(s, a)

    def parse_action(s, text):
        return notation.parse_play(s, text)

    def text(s):
        return drawing.draw_text(s)

    def svg(s, marks):
        return drawing.draw_svg(s, marks)

    def clicks(s, a):
        if s.game.player(s) == CHANCE:
            return ()
        cells = [point for step in notation.steps(a) for point in step]
        return tuple(cell_name(s.turn, point) for point in cells) or ("pass",)

    def click_orders(s, a):
        """A play's steps in every order in which they can be taken: from the bar first, from where a checker stands."""
        steps, orders = list(notation.steps(a)), set()
        if not steps:
            return [s.game.clicks(s, a)]
        mine = s.points[s.turn].tolist()
        for order in set(permutations(steps)):
            row = mine.copy()
            for source, target in order:
                if row[source] == 0 or (row[BAR] and source != BAR):
                    break
                row[source] -= 1
                row[target] += 1
            else:
                orders.add(tuple(cell_name(s.turn, point) for step in order for point in step))
        return sorted(orders)

    def halfway(s, cells, marks):
        return drawing.halfway(s, cells, marks)

    def fibs(s):
        return fibs(s)

    def mat(history, names):
        return mat(history, tuple(names)) if names else mat(history)
