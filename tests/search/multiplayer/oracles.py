"""Games of many players for the compiled search, and slow, plain recursions over `History` as its oracles."""

from itertools import permutations

import numpy as np
from hypothesis import strategies as st

from tests.search.kernel_oracles import SHAPES
from zermelo.compile.dispatch import evaluate_players
from zermelo.compile.rules import helper, rules
from zermelo.core.game import CHANCE, OVER
from zermelo.games.random_tree import ESTIMATE, PAYOFF, noise, random_tree
from zermelo.textbook.sides import team_total

u64 = np.uint64

# -- random trees ------------------------------------------------------------------------------------------------------


def grown(name, players, **changes):
    """The random tree's rules with something changed."""
    source = random_tree.source(players=players)
    for word, value in changes.items():
        setattr(source, word, value)
    return rules(name=name)(source)


def tripled(asked):
    """Zero-sum payoffs of three, few and small, so that ties abound."""
    shares = sorted({p for t in [(2, -1, -1), (1, 0, -1), (0, 0, 0)] for p in permutations(t)})
    table, many = np.array(shares, float), u64(len(shares))

    def write(s, out):
        drawn = int((noise(s, asked) >> u64(8)) % many)
        for p in range(3):
            out[p] = table[drawn, p]

    return write


def hunted(asked):
    """One against two who share the opposite."""

    def write(s, out):
        out[0] = float(int((noise(s, asked) >> u64(8)) % u64(5))) - 2.0
        out[1] = -out[0] / 2
        out[2] = -out[0] / 2

    return write


def pair(kind):
    return {"utility": kind(PAYOFF), "evaluate_players": kind(ESTIMATE)}


TEAMS = grown("team-tree", 4, teams=(0, 1, 0, 2))
LOTTERY = grown("lottery-tree", 3, zero_sum=True, utility_range=(-1, 2), **pair(tripled))
HUNT = grown("hunt-tree", 3, zero_sum=True, teams=(0, 1, 1), utility_range=(-2, 2), **pair(hunted))


def trees(families=("three", "teams", "lottery", "hunt"), chance=(0, 0, 20, 50), extra=(0, 0, 30, 100)):
    made = {"two": (random_tree, {"players": 2}), "three": (random_tree, {"players": 3}), "teams": (TEAMS, {}),
            "lottery": (LOTTERY, {}), "hunt": (HUNT, {})}  # fmt: skip

    def build(family, shape, seed, chance, extra, turn):
        make, options = made[family]
        players = {"two": 2, "teams": 4}.get(family, 3)
        fields = {"branching": shape[0], "depth": shape[1], "seed": seed, "chance": chance, "extra": extra}
        return make(**options, **fields, turn=turn % players)

    shapes = [shape for shape in SHAPES if shape[1] > 0]
    return st.builds(build, st.sampled_from(families), st.sampled_from(shapes), st.integers(0, 2**64 - 1),
                     st.sampled_from(chance), st.sampled_from(extra), st.integers(0, 11))  # fmt: skip


# -- a game that comes back to where it was ----------------------------------------------------------------------------


@helper
def mixed(a, b):
    return (a * 7 + b * 5 + a * b * 3) % 9 - 4


@rules(name="ring-walk")
def ring_walk(rule="draw", times=2, luck=False, sides=(0, 1, 2)):
    """Three walk one piece round a ring in turn, or leave it where it is, until it stands on the last point."""

    class RingWalk:
        players, max_actions, max_chance_outcomes, zero_sum = 3, 3, 2 if luck else 0, False
        teams, repetition, repetitions = sides, rule, times
        state = {"at": "i1", "turn": "i1", "points": "i1", "salt": "i1"}

        def start(s):
            s.points = 5

        def player(s):
            if s.at == s.points - 1:
                return OVER
            return CHANCE if luck and s.at == 1 and s.turn == 2 else s.turn

        def actions(s, out):
            for i in range(3):
                out[i] = (i + s.salt) % 3  # 0 on, 1 back, 2 stay
            return 3

        def apply(s, a):
            if a < 2:
                s.at = (s.at + 1 - 2 * a) % s.points
            s.turn = (s.turn + 1) % 3

        def utility(s, out):
            for p in range(3):
                out[p] = mixed(s.turn + p, s.salt)

        def evaluate_players(s, out):
            for p in range(3):
                out[p] = mixed(s.at + 3 * p, s.turn + s.salt) / 2

        if luck:

            def chances(s, out, probability):
                for i in range(2):
                    out[i] = i
                    probability[i] = 0.25 + 0.5 * i
                return 2

    return RingWalk


# -- oracles -----------------------------------------------------------------------------------------------------------


def judged(game, s):
    """The game's estimates, one number a player."""
    out = np.zeros(game.players)
    with np.errstate(over="ignore"):
        evaluate_players(s.record[0], out)
    return tuple(out.tolist())


def children(history):
    for a in history.actions():
        history.play(a)
        yield a
        history.undo()


def average(history, below):
    chances = dict(history.game.chances(history.state))
    vectors = [(chances[a], below()) for a in children(history)]
    return tuple(sum(p * v[i] for p, v in vectors) for i in range(len(vectors[0][1])))


def leaf(history, depth):
    """The values of a leaf, or None."""
    game = history.game
    stuck = not history.is_repeated and not game.is_end(history.state) and not history.actions()
    if not stuck and history.is_over:
        return tuple(history.utility(p) for p in range(game.players))
    return judged(game, history.state) if depth <= 0 or stuck else None


def slow_maxn(history, depth):
    """Everybody's values."""
    done = leaf(history, depth)
    if done is not None:
        return done
    p = history.player()
    if p == CHANCE:
        return average(history, lambda: slow_maxn(history, depth))
    return max((slow_maxn(history, depth - 1) for _ in children(history)), key=lambda v: team_total(history.game, p, v))


def slow_paranoid(history, depth, root_player):
    """The root player's value, if all others are against it."""
    done = leaf(history, depth)
    if done is not None:
        return done[root_player]
    p = history.player()
    if p == CHANCE:
        return average(history, lambda: (slow_paranoid(history, depth, root_player),))[0]
    choose = max if history.game.side(p) == history.game.side(root_player) else min
    return choose(slow_paranoid(history, depth - 1, root_player) for _ in children(history))


def usual(history):
    """What the player to move ranks first: the best for its side by the estimate one ply on."""
    game, p = history.game, history.player()

    def after(a):
        s = game.succ(history.state, a)
        return [game.utility(s, q) for q in range(game.players)] if game.is_end(s) else judged(game, s)

    return max(history.actions(), key=lambda a: team_total(game, p, after(a)))


def slow_best_reply(history, depth, root_player, replier=None):
    """The root player's value, if one opponent is free and the others make their usual move. All cases are tried."""
    done = leaf(history, depth)
    if done is not None:
        return done[root_player]
    game, p = history.game, history.player()
    if p == CHANCE:
        return average(history, lambda: (slow_best_reply(history, depth, root_player, replier),))[0]
    if game.side(p) == game.side(root_player):
        return max(slow_best_reply(history, depth - 1, root_player) for _ in children(history))
    free, held = replier in (None, p), usual(history)
    found = []
    for a in children(history):
        if free:
            found.append(slow_best_reply(history, depth - 1, root_player, p))
        if a == held and replier != p:
            found.append(slow_best_reply(history, depth - 1, root_player, replier))
    return min(found)
