"""Self-play: whole games inside one kernel, the network moving for both sides, and learning from each game at its end.

    π(s; w): the successor with the best V(s'; w) for whoever moves

Dice explore by themselves. Where there are none, a game begins with some random moves, and now and then a move is an
experiment: any (ε), or one drawn by how good it looks (temperature). Positions are the players' (after their move):
what chance does in between is seen through its results.
"""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import apply, assign, at, expand, has_chance, over, perspective, row, utility
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, pick, uniform
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.evaluate.network import WIDE, expected, forward, outputs_at, outputs_of
from zermelo.learn.fitting import fit, turned
from zermelo.learn.returns import lambda_returns, outputs_for
from zermelo.learn.trajectory import TOO_LONG, begin, forbidden, random_moves, remember, room_of, to_move


class Rates(NamedTuple):
    """How a round of games is played and learned from."""

    learning_rate: float  # η
    lam: float
    gamma: float
    epsilon: float  # how often a move is any move
    temperature: float  # > 0: moves are drawn with weight exp(value / temperature)
    opening: int  # up to so many random moves begin a game
    squared_error: bool  # as published; else cross-entropy
    on_policy: bool  # learn what experiments are worth too; else only what the best moves are worth
    expected_backup: bool  # instead of the next position that came about: the average over all of chance
    truncated_value: float  # a game that is truncated counts so much for player 0 (NaN: as the network thinks)


@helper
def net_begins(net: Any) -> None:
    """A game begins, in which the weights do not change: a wide first layer is computed from position to position."""
    a, b = at(net.weights, 0), at(net.scratch, 0)
    b.going, b.age = 1 if a.sizes[1] >= WIDE else 0, 0


@helper
def look(net: Any, trajectory: Any, s: Any, place: Any) -> Any:
    """The value of `s` for player 0; its outputs, from player 0's view, in trajectory.best[place:]."""
    outputs = outputs_of(net)
    if over(s, row(trajectory.moves, 1)):
        utility(s, trajectory.payoff)
        outputs_for(net, trajectory.payoff[0], trajectory.best, place)
        return trajectory.payoff[0]
    forward(net, s)
    first, turn = outputs_at(net), perspective(s) != 0
    for k in range(outputs):
        trajectory.best[place + k] = turned(at(net.scratch, 0).units, first, k, outputs, turn)
    return expected(net, trajectory.best, place)


@helper
def best_successor(net: Any, trajectory: Any, s: Any, p: Any, n: Any, level: Any, plies: Any) -> Any:
    """The place of the best action, -1 if all are forbidden; trajectory.best has the outputs of where it leads.

    `level` 0: the game's own move; 1: a reply looked at on the way, with rows and scratch of its own.
    """
    child, out = at(trajectory.states, room_of(trajectory) + 1 + level), row(trajectory.moves, 2 * level)
    outputs, sign = outputs_of(net), 1.0 if p == 0 else -1.0
    best, choice = -np.inf, -1
    for i in range(n):
        assign(child, s)
        apply(child, out[i])
        if level == 0 and forbidden(trajectory, plies, child):
            continue
        v = sign * look(net, trajectory, child, outputs)
        if v > best:
            best, choice = v, i
            for k in range(outputs):
                trajectory.best[k] = trajectory.best[outputs + k]
    return choice


@helper
def explore(net: Any, trajectory: Any, s: Any, p: Any, n: Any, plies: Any, choice: Any, random: Any, rates: Any) -> Any:
    """The place of the action to play where `choice` is the best: that one, or another to learn from."""
    child, out, outputs = at(trajectory.states, room_of(trajectory) + 1), row(trajectory.moves, 0), outputs_of(net)
    if rates.epsilon > 0.0 and uniform(random) < rates.epsilon:
        other = below(random, n)
        assign(child, s)
        apply(child, out[other])
        return choice if forbidden(trajectory, plies, child) else other
    if rates.temperature > 0.0:
        # a second pass, so that the first need keep nothing: one drawn with weight exp(value / temperature)
        best, sign = expected(net, trajectory.best, 0), 1.0 if p == 0 else -1.0
        total, drawn = 0.0, choice
        for i in range(n):
            assign(child, s)
            apply(child, out[i])
            if forbidden(trajectory, plies, child):
                continue
            weight = exp(sign * (look(net, trajectory, child, outputs) - best) / rates.temperature)
            total += weight
            if uniform(random) * total < weight:
                drawn = i
        return drawn
    return choice


@helper
def move(net: Any, trajectory: Any, s: Any, p: Any, n: Any, plies: Any, early: Any, random: Any, rates: Any) -> Any:
    """Player p moves: `early` in the game anywhere, else by the best action or to explore, and then trajectory.best has
    the outputs of where the best one leads (or this one, if it is learned from).

    (the place of the best action, of the one that was played). The first is -1 for a random move at the beginning, the
    second if every action is forbidden.
    """
    child, out = at(trajectory.states, room_of(trajectory) + 1), row(trajectory.moves, 0)
    if early:
        played = below(random, n)
        assign(child, s)
        apply(child, out[played])
        if not forbidden(trajectory, plies, child):
            assign(s, child)
            return -1, played
    choice = best_successor(net, trajectory, s, p, n, 0, plies)
    if choice < 0:
        return -1, -1
    played = explore(net, trajectory, s, p, n, plies, choice, random, rates)
    apply(s, out[played])
    if played != choice and rates.on_policy:
        look(net, trajectory, s, 0)
    return choice, played


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
            best_successor(net, trajectory, rolled, p, n, 1, 0)
        else:
            look(net, trajectory, rolled, 0)
        for k in range(outputs):
            nexts[place + k] += np.float32(probability[i]) * trajectory.best[k]


@helper
def play(net: Any, trajectory: Any, random: Any, rates: Any, totals: Any) -> Any:
    """One game; (how many positions are on the trajectory, how many decisions were taken, did it come to its end?)."""
    outputs, out, probability = outputs_of(net), row(trajectory.moves, 0), row(trajectory.chance, 0)
    net_begins(net)
    s, opening = begin(trajectory), random_moves(random, rates.opening)
    t, plies, mover = 0, 0, -1
    while True:
        p, n = to_move(trajectory, s, plies, mover)
        if p == OVER:
            break
        if p == TOO_LONG:
            if np.isnan(rates.truncated_value):
                return max(t - 1, 0), plies, False  # the last one has no successor to learn from
            trajectory.payoff[0] = rates.truncated_value
            break
        if has_chance(s) and p == CHANCE:
            if rates.expected_backup and t > 0:
                average_over_chance(net, trajectory, s, trajectory.nexts, (t - 1) * outputs)
                trajectory.cut[t - 1] = 1
                p, n = expand(s, out, probability)
            apply(s, out[pick(random, probability, n)])
            continue
        mover = p
        choice, played = move(net, trajectory, s, p, n, plies, plies < opening, random, rates)
        if played < 0:  # nobody has won
            trajectory.payoff[0] = 0.0
            break
        if choice >= 0:
            totals[5] += n
            if t > 0 and not (rates.expected_backup and trajectory.cut[t - 1] == 1):
                for k in range(outputs):
                    trajectory.nexts[(t - 1) * outputs + k] = trajectory.best[k]
                trajectory.cut[t - 1] = 1 if played != choice and not rates.on_policy else 0
            trajectory.cut[t] = 0
            assign(at(trajectory.states, t), s)
            t += 1
        plies += 1
        remember(trajectory, plies, s)
    # The end: the last position's value is what it came to; if the game was over there, there is nothing to learn.
    if t > 0 and over(at(trajectory.states, t - 1), out):
        t -= 1
    if t > 0 and trajectory.cut[t - 1] == 0:
        outputs_for(net, trajectory.payoff[0], trajectory.nexts, (t - 1) * outputs)
    return t, plies, True


@kernel
def play_and_learn(net, trajectory, random, rates, seen, games, totals):  # type: ignore[no-untyped-def]
    """Play `games` games, learning after each. totals: see trainer.TOTALS."""
    outputs = outputs_of(net)
    for _ in range(games):
        n, decisions, finished = play(net, trajectory, random, rates, totals)
        at(net.scratch, 0).going = 0
        if n > 0:
            lambda_returns(net, n, trajectory.nexts, trajectory.cut, rates.lam, rates.gamma, trajectory.target)
        for t in range(n - 1, -1, -1):
            s = at(trajectory.states, t)
            totals[2] += fit(net, s, trajectory.target, t * outputs, rates.learning_rate, rates.squared_error, seen)
        totals[0] += n
        totals[1] += decisions
        totals[3] += 0.0 if finished else 1.0
        totals[4] += trajectory.payoff[0]
