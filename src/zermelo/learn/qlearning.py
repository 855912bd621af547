"""Q-learning: what an action is worth, learned without ever asking where it would lead.

    Q(s, a; w) = w_a · φ(s)            a weight for every feature and every action there can be (`policy_size`)

    Q-learning   w_a ← w_a + η (r + γ max_a' Q(s', a') - Q(s, a)) φ(s)       off-policy: whatever is played next,
                                                                             the best action is learned about
    SARSA        w_a ← w_a + η (r + γ Q(s', a') - Q(s, a)) φ(s)              on-policy: a' is what is played next

Two sides play, so the best action at s' is that of whoever moves there: max for player 0, min for player 1. Payoffs
come at the end, r = 0 before; what chance does between s and s' is part of the world.

Who has V(s; w) chooses by looking at every successor, and so needs the rules: `apply`, without moving. Here `apply` is
called once for every move, to make it: the learner sees where it is, what it may do there, and what comes of it.

    w        feature 0: action 0, 1 …   feature 1: action 0, 1 …          (features · actions,)
    Q(s, ·)  from the view of `perspective(s)`, like V

References: C. Watkins, Learning from delayed rewards (1989); G. Rummery and M. Niranjan, On-line Q-learning using
connectionist systems (1994), where SARSA comes from; M. Littman, Markov games as a framework for multi-agent
reinforcement learning (1994), for two sides.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import assign, at, expand, features, perspective, policy_index, row
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, generator, uniform
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame, State
from zermelo.compile.rules import helper
from zermelo.core.game import GameError
from zermelo.evaluate.arithmetic import add_rows, f4
from zermelo.evaluate.network import rounded
from zermelo.learn.gradient import clear
from zermelo.learn.self_play import by_name, make_totals, self_play
from zermelo.learn.settings import Settings
from zermelo.learn.td import settle
from zermelo.learn.trajectory import make_trajectory, random_moves


class QFunction(NamedTuple):
    """The weights, and scratch space for one thread: two arrays of one record each, as in a Network."""

    weights: Any  # w, sizes = (features, actions)
    scratch: Any  # index, value: the active features; units: Q(s, ·)

    @property
    def w(self) -> NDArray[np.float32]:
        """(features, actions), to be read and written."""
        features, actions = self.weights[0]["sizes"]
        found: NDArray[np.float32] = self.weights[0]["w"][: features * actions].reshape(features, actions)
        return found


def make_q_function(game: RecordGame) -> QFunction:
    """Q = 0 everywhere, for the features and actions of `game`."""
    variant = game.variant
    if variant.num_features is None or variant.max_active_features is None or variant.policy_size is None:
        raise GameError(
            f"{game.name}: Q(s, a) needs features(s, index, value), and policy_size: how many actions there are"
        )
    if game.players != 2 or not game.zero_sum:
        raise GameError(f"{game.name}: Q(s, a) is learned for games of two players against each other")
    if game.repetition == "forbidden":
        raise GameError(f"{game.name}: who never looks ahead cannot know which moves repetition forbids")
    count, active, actions = variant.num_features, variant.max_active_features, variant.policy_size
    weights = np.dtype([("w", "f4", (rounded(count * actions),)), ("sizes", "i8", (2,))], align=True)
    scratch = [("units", "f4", (rounded(actions),)), ("index", "i8", (active,)), ("value", "f4", (active,))]
    made = np.zeros(1, weights).view(np.recarray)
    made[0]["sizes"][:] = count, actions
    return QFunction(made, roomy(1, np.dtype(scratch, align=True)).view(np.recarray))


@helper
def read(q: Any, s: Any) -> Any:
    """Q(s, ·) into the units; how many features are active."""
    a, b = at(q.weights, 0), at(q.scratch, 0)
    n = features(s, b.index, b.value)
    clear(b.units, 0, a.sizes[1])
    add_rows(b.units, a.w, b.index, b.value, n, a.sizes[1])
    return n


@helper
def sign_of(s: Any) -> Any:
    """What makes the perspective's value player 0's."""
    return 1.0 if perspective(s) == 0 else -1.0


@helper
def best_action(q: Any, s: Any, p: Any, out: Any, n: Any) -> Any:
    """The place among `out` of the action with the best Q for player p, which `read` has just computed."""
    units = at(q.scratch, 0).units
    sign = sign_of(s) if p == 0 else -sign_of(s)
    choice, best = 0, -np.inf
    for i in range(n):
        v = sign * units[policy_index(s, out[i])]
        if v > best:
            best, choice = v, i
    return choice


@helper
def move_towards(q: Any, s: Any, action: Any, target: Any, rate: Any) -> Any:
    """Q(s, action) is moved towards the target, which is player 0's; the error before."""
    a, b = at(q.weights, 0), at(q.scratch, 0)
    n = read(q, s)
    error = f4(sign_of(s) * target) - b.units[action]
    for i in range(n):
        a.w[b.index[i] * a.sizes[1] + action] += f4(rate) * error * b.value[i]
    return abs(error)


class ActionLearner(NamedTuple):
    """Learns with every move: `pending` is the action taken out of states[0], while it waits for what comes of it."""

    q: Any
    hyper: Any
    totals: Any

    def game_begins(learner, trajectory: Any, random: Any) -> None:
        at(trajectory.notes, 0).opening = random_moves(random, learner.hyper.opening)

    def choose_move(learner, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        q, hyper, g = learner.q, learner.hyper, at(trajectory.notes, 0)
        units, before, out = at(q.scratch, 0).units, at(trajectory.states, 0), row(trajectory.moves, 0)
        # 1. The best action, or an exploratory one.
        read(q, s)
        choice = best_action(q, s, p, out, n)
        place = choice
        if g.plies < g.opening or (hyper.epsilon > 0.0 and uniform(random) < hyper.epsilon):
            place = below(random, n)
        action = policy_index(s, out[place])
        # 2. What the best one promises (or the one that is played) is what the action before was worth.
        if g.pending >= 0:
            value = sign_of(s) * units[action if hyper.on_policy else policy_index(s, out[choice])]
            learn(learner, before, g.pending, hyper.gamma * value)
        g.pending = action if g.plies >= g.opening else -1
        assign(before, s)
        return place

    def game_ends(learner, trajectory: Any, truncated: Any) -> Any:
        """The last action was worth what the game came to."""
        finished, g = settle(learner, trajectory, truncated), at(trajectory.notes, 0)
        if finished and g.pending >= 0:
            learn(learner, at(trajectory.states, 0), g.pending, g.payoff[0])
        return finished


@helper
def learn(learner: Any, s: Any, action: Any, target: Any) -> None:
    sums = at(learner.totals, 0)
    sums.error += move_towards(learner.q, s, action, target, learner.hyper.learning_rate)
    sums.positions += 1


@kernel
def read_actions(q, states, moves, chance, out):  # type: ignore[no-untyped-def]
    """Q(s, a) for every action that states[0] offers, from player 0's view; (player, how many)."""
    s = at(states, 0)
    p, n = expand(s, row(moves, 0), row(chance, 0))
    if p >= 0:
        read(q, s)
        for i in range(n):
            out[i] = sign_of(s) * at(q.scratch, 0).units[policy_index(s, row(moves, 0)[i])]
    return p, n


class QLearner:
    """Self-play of both sides. Of the settings: games, the learning rate and its schedule, gamma, epsilon, opening,
    truncated_value, seed, games_per_round, and `on_policy`, which makes SARSA of it."""

    def __init__(self, game: RecordGame, settings: Settings):
        if settings.hidden:
            raise GameError("Q(s, a) is linear in the features here: no hidden layers")
        if settings.pretrain:
            raise GameError("Q(s, a) begins with nothing: evaluations say what positions are worth, not actions")
        if game.fields:
            raise GameError(f"{game.name}: games to learn from begin where the rules say, not with other fields")
        self.game, self.settings = game, settings
        self.q = make_q_function(game)
        self.games = 0
        self.totals = by_name(make_totals())  # of the last round
        self._random = generator(settings.seed)
        self._trajectory = make_trajectory(game, 1)

    @property
    def finished(self) -> bool:
        return self.games >= self.settings.games

    def round(self) -> None:
        """Some games; the weights move."""
        count = min(self.settings.games_per_round, self.settings.games - self.games)
        totals = make_totals()
        learner = ActionLearner(self.q, self.settings.hyperparameters(self.games), totals)
        self.game.run(self_play, learner, self._trajectory, self._random, count, totals)
        if not np.isfinite(self.q.w).all():
            raise GameError("the weights have grown beyond all bounds: a smaller learning rate may learn")
        self.games += count
        self.totals = by_name(totals)

    def values(self, s: State) -> dict[int, float]:
        """Q(s, a) of every action, from player 0's view."""
        width = self.game.variant.width
        moves, chance = rows(1, width), rows(1, width if self.game.variant.max_chance_outcomes else 1, "f8")
        out = np.zeros(width)
        p, n = self.game.run(read_actions, self.q, self.game.record(s), moves, chance, out)
        return dict(zip(moves["at"][0, :n].tolist(), out[:n].tolist(), strict=True)) if p >= 0 else {}

    def best(self, s: State) -> int:
        """What greedy play does."""
        values = self.values(s)
        if not values:
            raise GameError(f"{self.game.name}: nobody is to move here")
        choose = max if self.game.player(s) == 0 else min
        return choose(values, key=values.__getitem__)
