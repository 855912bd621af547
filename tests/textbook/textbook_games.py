"""Small plain games for the textbook's tests: the bins, trees written as tuples, tic-tac-toe, taking turns."""

from functools import cache
from random import Random

from hypothesis import strategies as st

from zermelo.core.game import CHANCE, OVER, Game

BINS = {"A": (-50, 50), "B": (1, 3), "C": (-5, 15)}


class Bins(Game):
    """The agent picks a bin, the opponent a number from it: () → (bin,) → (bin, number)."""

    name = "bins"

    def start(self):
        return ()

    def player(self, s):
        return (0, 1, OVER)[len(s)]

    def actions(self, s):
        return list(BINS) if not s else BINS[s[0]] if len(s) == 1 else ()

    def succ(self, s, a):
        return (*s, a)

    def utility(self, s, player=0):
        return s[-1] if player == 0 else -s[-1]


class CoinBins(Bins):
    """A fair coin after the agent's choice; tails moves it by `shift` bins, −1 to the left, +1 to the right.

    () → (bin,) → (bin, coin, bin') → (bin, coin, bin', number)
    """

    name = "coin-bins"

    def __init__(self, shift):
        self.shift = shift

    def player(self, s):
        return (0, CHANCE, None, 1, OVER)[len(s)]

    def actions(self, s):
        if len(s) < 2:
            return ["heads", "tails"] if s else list(BINS)
        return BINS[s[2]] if len(s) == 3 else ()

    def chances(self, s):
        return [("heads", 0.5), ("tails", 0.5)]

    def succ(self, s, a):
        if len(s) != 1:
            return (*s, a)
        bins = list(BINS)
        moved = (bins.index(s[0]) + (self.shift if a == "tails" else 0)) % len(bins)
        return (*s, a, bins[moved])


class Tree(Game):
    """A tree written as tuples; a state is the node itself.

    (u_0, u_1, …) as ("end", utilities) · (player, child, …) · (CHANCE, (probability, child), …)
    Actions are the children's numbers. The evaluation is a number that depends on the node alone.
    """

    name = "tree"

    def __init__(self, root, players=2, teams=None):
        self.root, self.players, self.teams = root, players, teams

    def start(self):
        return self.root

    def player(self, s):
        return OVER if s[0] == "end" else s[0]

    def actions(self, s):
        return [] if s[0] == "end" else range(len(s) - 1)

    def succ(self, s, a):
        return s[1 + a][1] if s[0] == CHANCE else s[1 + a]

    def chances(self, s):
        return [(i, p) for i, (p, _) in enumerate(s[1:])]

    def utility(self, s, player=0):
        return s[1][player]

    def evaluate(self, s):
        return float(Random(repr(s)).randrange(-9, 10))


def end(*utilities):
    """A leaf; of one number, the leaf of a zero-sum game of two."""
    return ("end", utilities if len(utilities) > 1 else (utilities[0], -utilities[0]))


def trees(players=2, chance=True, leaves=24):
    """Random trees in which anybody may move at any time; leaves hold an integer per player (zero-sum for two)."""
    number = st.integers(-9, 9)
    leaf = number.map(end) if players == 2 else st.tuples(*[number] * players).map(lambda u: ("end", u))

    def grow(children):
        few = st.lists(children, min_size=1, max_size=3)
        moves = st.builds(lambda p, c: (p, *c), st.integers(0, players - 1), few)
        weights = st.lists(st.integers(1, 4), min_size=3, max_size=3)
        nature = st.builds(lambda w, c: (CHANCE, *zip(shares(w[: len(c)]), c, strict=True)), weights, few)
        return st.one_of(moves, moves, nature) if chance else moves

    return st.recursive(leaf, grow, max_leaves=leaves)


def shares(weights):
    return [w / sum(weights) for w in weights]


def full_tree(b, d, rng, player=0):
    """Players 0 and 1 in turn, b moves a node, d plies, independent uniform leaves."""
    if d == 0:
        return end(rng.random())
    return (player, *(full_tree(b, d - 1, rng, 1 - player) for _ in range(b)))


def some_policy(game, seed):
    """A stochastic policy with nothing to recommend it: weights drawn from the state and the seed."""

    def policy(s):
        actions = game.actions(s)
        rng = Random(f"{seed} {s!r}")
        return dict(zip(actions, shares([rng.randrange(1, 5) for _ in actions]), strict=True))

    return policy


class Rotation(Game):
    """n players take turns for ever; a state is the number of moves made, and so is its evaluation."""

    name = "rotation"

    def __init__(self, players=3):
        self.players = players

    def start(self):
        return 0

    def player(self, s):
        return s % self.players

    def actions(self, s):
        return ["go"]

    def succ(self, s, a):
        return s + 1

    def utility(self, s, player=0):
        raise AssertionError("this game never ends")

    def evaluate(self, s):
        return float(s)


LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)


@cache
def has_line(stones):
    return any(stones & line == line for line in LINES)


class TicTacToe(Game):
    """A state is (stones of the player to move, stones of the other, whose turn); a stone is a bit."""

    name = "tic-tac-toe"

    def __init__(self):
        self.nodes = 0  # how often player(s) was asked: once at each node of the plain algorithms

    def start(self):
        return (0, 0, 0)

    def player(self, s):
        self.nodes += 1
        return OVER if has_line(s[1]) or s[0] | s[1] == 0b111111111 else s[2]

    def actions(self, s):
        taken = s[0] | s[1]
        return [1 << i for i in range(9) if not taken >> i & 1]

    def succ(self, s, a):
        return (s[1], s[0] | a, 1 - s[2])

    def utility(self, s, player=0):
        if not has_line(s[1]):
            return 0
        return 1 if player != s[2] else -1
