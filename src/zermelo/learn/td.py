"""TD(λ), the forward view: a game is played by the network as it stands, and learned from when it has ended.

Positions are the players' (after their move): what chance does in between is seen through its results. The targets are
λ-returns (returns.py); the weights move position by position, from the last one to the first (gradient.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import assign, at, over, row
from zermelo.compile.rules import helper
from zermelo.evaluate.network import WIDE, outputs_of
from zermelo.learn.gradient import fit
from zermelo.learn.returns import lambda_returns, outputs_for
from zermelo.learn.successors import average_over_chance, look, move_by_value
from zermelo.learn.trajectory import random_moves


@helper
def keep_sums(net: Any) -> None:
    """The weights do not change from here on: a wide first layer is computed from position to position."""
    a, b = at(net.weights, 0), at(net.scratch, 0)
    b.going, b.age = 1 if a.sizes[1] >= WIDE else 0, 0


@helper
def settle(learner: Any, trajectory: Any, truncated: Any) -> Any:
    """What a game came to; False if it was truncated and only the network could say."""
    if truncated:
        if np.isnan(learner.hyper.truncated_value):
            return False
        at(trajectory.notes, 0).payoff[0] = learner.hyper.truncated_value
    return True


@helper
def add_end(net: Any, trajectory: Any) -> Any:
    """The last position's value is what the game came to; if it was over there, there is nothing to learn of it.
    How many positions there are to learn from."""
    g = at(trajectory.notes, 0)
    t = g.length
    if t > 0 and over(at(trajectory.states, t - 1), row(trajectory.moves, 0)):
        t -= 1
    if t > 0 and g.cut[t - 1] == 0:
        outputs_for(net, g.payoff[0], g.nexts, (t - 1) * outputs_of(net))
    return t


class ForwardTD(NamedTuple):
    net: Any
    hyper: Any
    seen: Any  # a rate for every weight, or none
    totals: Any

    def game_begins(learner, trajectory: Any, random: Any) -> None:
        keep_sums(learner.net)
        at(trajectory.notes, 0).opening = random_moves(random, learner.hyper.opening)

    def before_chance(learner, trajectory: Any, s: Any) -> Any:
        """With an expected backup the last position is worth the mean over all of chance, whatever comes now."""
        g = at(trajectory.notes, 0)
        t = g.length
        if not learner.hyper.expected_backup or t == 0:
            return False
        average_over_chance(learner.net, trajectory, s, g.nexts, (t - 1) * outputs_of(learner.net))
        g.cut[t - 1] = 1
        return True

    def choose_move(learner, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        return move_by_value(learner, trajectory, s, p, n, random)

    def after_move(learner, trajectory: Any, s: Any, n: Any, place: Any) -> None:
        """Keep the position, and what it was thought to be worth for the one before."""
        g, hyper, outputs = at(trajectory.notes, 0), learner.hyper, outputs_of(learner.net)
        if g.choice < 0:
            return
        if place != g.choice and hyper.on_policy:
            look(learner.net, trajectory, s, 0)
        at(learner.totals, 0).successors += n
        t = g.length
        if t > 0 and not (hyper.expected_backup and g.cut[t - 1] == 1):
            for k in range(outputs):
                g.nexts[(t - 1) * outputs + k] = g.best[k]
            g.cut[t - 1] = 1 if place != g.choice and not hyper.on_policy else 0
        g.cut[t] = 0
        assign(at(trajectory.states, t), s)
        g.length = t + 1

    def game_ends(learner, trajectory: Any, truncated: Any) -> Any:
        g = at(trajectory.notes, 0)
        net, hyper, sums = learner.net, learner.hyper, at(learner.totals, 0)
        finished = settle(learner, trajectory, truncated)
        if finished:
            n = add_end(net, trajectory)
        else:
            n = max(g.length - 1, 0)  # the last one has no successor to learn from
        at(net.scratch, 0).going = 0
        if n > 0:
            lambda_returns(
                net,
                n,
                g.nexts,
                g.cut,
                hyper.lam,
                hyper.gamma,
                g.target,
            )
        for t in range(n - 1, -1, -1):
            s, place = at(trajectory.states, t), t * outputs_of(net)
            sums.error += fit(net, s, g.target, place, hyper.learning_rate, hyper.squared_error, learner.seen)
        sums.positions += n
        return finished
