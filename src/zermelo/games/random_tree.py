"""Random trees: every node has the same number of moves, every leaf an independent uniform payoff. For experiments.

The tree is never stored. A node is known by a hash of the path that leads to it, and everything about it is drawn from
a hash of (seed, path, what is asked), so the same seed is the same tree, on any machine, compiled or not:

    branching   moves at each node, 1 to 64        node   a hash of the moves so far; 0 at the root
    depth       plies to the leaves, 0 to 64       ply    how many moves that were
    seed        which tree                         turn   who moves next, unless nature does
    chance      % of inner nodes that are chance nodes
    extra       % of moves after which the same player moves again

All of these are fields of the state: `load("random-tree", branching=3, depth=6, seed=1)` compiles nothing anew.

A move costs one ply, and so does a chance outcome, which leaves the turn where it was. Outcomes have unequal
probabilities. Payoffs are uniform in (−1, 1), of a game between two for player 0, and player 1 gets the opposite; with
`players=3` or more they are drawn for each player alone, and nothing sums to zero. The evaluation of an inner node is
one more such number, or one for every player: it says nothing about what lies below, but always the same.
"""

import numpy as np

from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.drawing import draw, game_tree

u64 = np.uint64
MOST = 64  # moves at a node, plies, players
STEP = u64(0x9E3779B97F4A7C15)  # odd, bits spread evenly: keeps seeds, and moves, far apart
IS_CHANCE, AGAIN, ESTIMATE, WEIGHT, PAYOFF = (
    u64(i * MOST) for i in range(1, 6)
)  # what is asked; + i where there are many


@helper
def noise(s, asked):
    """64 random bits about this node of this tree."""
    return scramble(s.node ^ (s.seed * STEP + asked))


@helper
def happens(s, asked, percent):
    return np.int64(noise(s, asked) >> u64(33)) % 100 < percent


@helper
def number(s, asked):
    """Uniform in (−1, 1), neither end included: 52 random bits and a half."""
    return (np.float64(noise(s, asked) >> u64(12)) + 0.5) * 2.0**-51 - 1.0


@rules(name="random-tree")
def random_tree(players=2):
    if not 2 <= players <= MOST:
        raise GameError(f"random-tree: players must be 2 to {MOST}, not {players}")
    number_of_players = players

    class RandomTree:
        """A tree of equal branching with independent payoffs, drawn from a seed."""

        players, zero_sum = number_of_players, number_of_players == 2
        max_actions, max_chance_outcomes, max_plies = MOST, MOST, MOST
        utility_range = (-1, 1)
        state = {
            "node": "u8",
            "seed": "u8",
            **dict.fromkeys(("branching", "depth", "chance", "extra", "ply", "turn"), "i1"),
        }

        def start(s):
            s.branching = 3
            s.depth = 4

        def player(s):
            if s.ply == s.depth:
                return OVER
            if s.chance > 0 and happens(s, IS_CHANCE, s.chance):
                return CHANCE
            return s.turn

        def actions(s, out):
            for i in range(s.branching):
                out[i] = i
            return s.branching

        def chances(s, out, probability):
            total = 0.0
            for i in range(s.branching):
                out[i] = i
                probability[i] = 1.0 + np.float64(noise(s, WEIGHT + u64(i)) >> u64(61))
                total += probability[i]
            for i in range(s.branching):
                probability[i] /= total
            return s.branching

        def apply(s, move):
            by_nature = s.chance > 0 and happens(s, IS_CHANCE, s.chance)
            s.node = scramble(s.node + STEP * u64(move + 1))
            s.ply += 1
            if not by_nature and not (s.extra > 0 and happens(s, AGAIN, s.extra)):
                s.turn = (s.turn + 1) % number_of_players

        def utility(s, out):
            out[0] = number(s, PAYOFF)
            if number_of_players == 2:
                out[1] = -out[0]
            else:
                for p in range(1, number_of_players):
                    out[p] = number(s, PAYOFF + u64(p))

        def evaluate(s):
            return number(s, ESTIMATE)

        def evaluate_players(s, out):
            out[0] = number(s, ESTIMATE)
            if number_of_players == 2:
                out[1] = -out[0]
            else:
                for p in range(1, number_of_players):
                    out[p] = number(s, ESTIMATE + u64(p))

        def validate(s):
            if not 1 <= s.branching <= MOST:
                return f"branching must be 1 to {MOST}, not {s.branching}"
            if not 0 <= s.ply <= s.depth <= MOST:
                return f"depth must be 0 to {MOST} and not less than ply, not {s.depth}"
            if not (0 <= s.chance <= 100 and 0 <= s.extra <= 100):
                return "chance and extra are percentages, 0 to 100"
            return None if 0 <= s.turn < number_of_players else f"there is no player {s.turn}"

        def clicks(s, a):
            return (str(a),)

        def text(s):
            return draw(game_tree(s.game, s)).text if is_small(s, 50) else describe(s)

        def svg(s, marks):
            if not is_small(s, 400):
                return None
            return draw(game_tree(s.game, s), title=describe(s)).svg

    return RandomTree


def is_small(s, nodes):
    """Whether the tree below has at most so many nodes, and can be drawn whole."""
    return sum(s.branching**i for i in range(s.depth - s.ply + 1)) <= nodes


def describe(s):
    mover = s.game.player(s)
    who = "over" if mover == OVER else "nature moves" if mover == CHANCE else f"player {mover} moves"
    return f"tree {s.seed}: {s.branching} moves a node, ply {s.ply} of {s.depth}, {who}"
