"""Choosing by V: a player looks at every successor and moves to the best one, or explores.

    π(s; w): the successor with the best V(s'; w) for whoever moves

Dice explore by themselves. Where there are none, a game begins with some random moves, and now and then a move is
exploratory: any (ε), or one drawn by how good it looks (temperature).
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, assign, at, expand, over, perspective, row, utility
from zermelo.compile.evaluator import estimate
from zermelo.compile.random import below, uniform
from zermelo.compile.rules import helper
from zermelo.evaluate.network import expected, forward, outputs_at, outputs_of
from zermelo.learn.gradient import turned
from zermelo.learn.returns import outputs_for
from zermelo.learn.trajectory import forbidden, room_of


@helper
def look(net: Any, trajectory: Any, s: Any, place: Any) -> Any:
    """The value of `s` for player 0; its outputs, from player 0's view, in notes.best[place:]."""
    g = at(trajectory.notes, 0)
    outputs = outputs_of(net)
    if over(s, row(trajectory.moves, 1)):
        utility(s, g.payoff)
        outputs_for(net, g.payoff[0], g.best, place)
        return g.payoff[0]
    forward(net, s)
    first, turn = outputs_at(net), perspective(s) != 0
    for k in range(outputs):
        g.best[place + k] = turned(at(net.scratch, 0).units, first, k, outputs, turn)
    return expected(net, g.best, place)


@helper
def best_successor(net: Any, trajectory: Any, s: Any, p: Any, n: Any, level: Any) -> Any:
    """The place of the best action, -1 if all are forbidden; notes.best has the outputs of where it leads.

    `level` 0: the game's own move; 1: a reply looked at on the way, with rows and scratch of its own.
    """
    g = at(trajectory.notes, 0)
    child, out = at(trajectory.states, room_of(trajectory) + 1 + level), row(trajectory.moves, 2 * level)
    outputs, sign = outputs_of(net), 1.0 if p == 0 else -1.0
    best, choice = -np.inf, -1
    for i in range(n):
        assign(child, s)
        apply(child, out[i])
        if level == 0 and forbidden(trajectory, child):
            continue
        v = sign * look(net, trajectory, child, outputs)
        if v > best:
            best, choice = v, i
            for k in range(outputs):
                g.best[k] = g.best[outputs + k]
    return choice


@helper
def explore(net: Any, trajectory: Any, s: Any, p: Any, n: Any, random: Any, hyper: Any) -> Any:
    """The place of the action to play, where notes.choice is the best: that one, or another to learn from."""
    g = at(trajectory.notes, 0)
    child, out, outputs = at(trajectory.states, room_of(trajectory) + 1), row(trajectory.moves, 0), outputs_of(net)
    if hyper.epsilon > 0.0 and uniform(random) < hyper.epsilon:
        other = below(random, n)
        assign(child, s)
        apply(child, out[other])
        return g.choice if forbidden(trajectory, child) else other
    if hyper.temperature > 0.0:
        # a second pass, so that the first need keep nothing: one drawn with weight exp(value / temperature)
        best, sign = expected(net, g.best, 0), 1.0 if p == 0 else -1.0
        total, drawn = 0.0, g.choice
        for i in range(n):
            assign(child, s)
            apply(child, out[i])
            if forbidden(trajectory, child):
                continue
            weight = exp(sign * (look(net, trajectory, child, outputs) - best) / hyper.temperature)
            total += weight
            if uniform(random) * total < weight:
                drawn = i
        return drawn
    return g.choice


@helper
def move_by_value(learner: Any, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
    """`choose_move` of who has learner.net: early in the game anywhere, else the best action or an exploratory one.

    notes.choice is the place of the best one, and notes.best has the outputs of where it leads (-1: early).
    """
    g = at(trajectory.notes, 0)
    g.choice = -1
    if g.plies < g.opening:
        child, out = at(trajectory.states, room_of(trajectory) + 1), row(trajectory.moves, 0)
        place = below(random, n)
        assign(child, s)
        apply(child, out[place])
        if not forbidden(trajectory, child):
            return place
    g.choice = best_successor(learner.net, trajectory, s, p, n, 0)
    if g.choice < 0:
        return -1
    return explore(learner.net, trajectory, s, p, n, random, learner.hyper)


@helper
def average_over_chance(net: Any, trajectory: Any, s: Any, nexts: Any, place: Any) -> None:
    """What the best replies to all outcomes at chance node `s` are worth on average, into nexts[place:]."""
    outputs = outputs_of(net)
    probability, out = row(trajectory.chance, 1), row(trajectory.moves, 0)
    rolled = at(trajectory.states, room_of(trajectory) + 1)
    _, count = expand(s, out, probability)
    for k in range(outputs):
        nexts[place + k] = np.float32(0)
    for i in range(count):
        assign(rolled, s)
        apply(rolled, out[i])
        p, n = expand(rolled, row(trajectory.moves, 2), row(trajectory.chance, 2))
        if p >= 0:
            best_successor(net, trajectory, rolled, p, n, 1)
        else:
            look(net, trajectory, rolled, 0)
        for k in range(outputs):
            nexts[place + k] += np.float32(probability[i]) * at(trajectory.notes, 0).best[k]


@helper
def greedy(evaluator: Any, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
    """The place of the best successor by any evaluator, -1 if all are forbidden; of equal ones, any."""
    g = at(trajectory.notes, 0)
    child, out, spare = (
        at(trajectory.states, room_of(trajectory) + 1),
        row(trajectory.moves, 0),
        row(trajectory.moves, 1),
    )
    sign, best, choice, same = 1.0 if p == 0 else -1.0, -np.inf, -1, 0
    for i in range(n):
        assign(child, s)
        apply(child, out[i])
        if forbidden(trajectory, child):
            continue
        if over(child, spare):
            utility(child, g.payoff)
            v = sign * g.payoff[0]
        else:
            v = sign * float(estimate(evaluator, child))
        same = 1 if v > best else same + 1 if v == best else same
        if v > best or (v == best and uniform(random) * same < 1.0):
            best, choice = v, i
    return choice
