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

    step: float
    lam: float
    gamma: float
    epsilon: float  # how often a move is any move
    temperature: float  # > 0: moves are drawn with weight exp(value / temperature)
    opening: int  # up to so many random moves begin a game
    squared: bool  # the published error; else cross-entropy
    on_policy: bool  # learn what experiments are worth too; else only what the best moves are worth
    full: bool  # instead of the next position that came about: the average over all of chance
    draws: float  # a game that is broken off counts so much for player 0 (NaN: as the network thinks)


@helper
def net_begins(net: Any) -> None:
    """A game begins, in which the weights do not change: a wide first layer is computed from position to position."""
    a, b = at(net.weights, 0), at(net.scratch, 0)
    b.going, b.age = 1 if a.sizes[1] >= WIDE else 0, 0


@helper
def look(net: Any, trail: Any, s: Any, place: Any) -> Any:
    """The value of `s` for player 0; its outputs, from player 0's view, in trail.best[place:]."""
    outputs = outputs_of(net)
    if over(s, row(trail.moves, 1)):
        utility(s, trail.payoff)
        outputs_for(net, trail.payoff[0], trail.best, place)
        return trail.payoff[0]
    forward(net, s)
    first, turn = outputs_at(net), perspective(s) != 0
    for k in range(outputs):
        trail.best[place + k] = turned(at(net.scratch, 0).units, first, k, outputs, turn)
    return expected(net, trail.best, place)


@helper
def best_successor(net: Any, trail: Any, s: Any, p: Any, n: Any, level: Any, plies: Any) -> Any:
    """The place of the best action, -1 if all are forbidden; trail.best has the outputs of where it leads.

    `level` 0: the game's own move; 1: a reply looked at on the way, with rows and scratch of its own.
    """
    child, out = at(trail.states, room_of(trail) + 1 + level), row(trail.moves, 2 * level)
    outputs, sign = outputs_of(net), 1.0 if p == 0 else -1.0
    best, choice = -np.inf, -1
    for i in range(n):
        assign(child, s)
        apply(child, out[i])
        if level == 0 and forbidden(trail, plies, child):
            continue
        v = sign * look(net, trail, child, outputs)
        if v > best:
            best, choice = v, i
            for k in range(outputs):
                trail.best[k] = trail.best[outputs + k]
    return choice


@helper
def experiment(net: Any, trail: Any, s: Any, p: Any, n: Any, plies: Any, choice: Any, random: Any, rates: Any) -> Any:
    """The place of the action to play where `choice` is the best: that one, or another to learn from."""
    child, out, outputs = at(trail.states, room_of(trail) + 1), row(trail.moves, 0), outputs_of(net)
    if rates.epsilon > 0.0 and uniform(random) < rates.epsilon:
        other = below(random, n)
        assign(child, s)
        apply(child, out[other])
        return choice if forbidden(trail, plies, child) else other
    if rates.temperature > 0.0:
        # a second pass, so that the first need keep nothing: one drawn with weight exp(value / temperature)
        best, sign = expected(net, trail.best, 0), 1.0 if p == 0 else -1.0
        total, drawn = 0.0, choice
        for i in range(n):
            assign(child, s)
            apply(child, out[i])
            if forbidden(trail, plies, child):
                continue
            weight = exp(sign * (look(net, trail, child, outputs) - best) / rates.temperature)
            total += weight
            if uniform(random) * total < weight:
                drawn = i
        return drawn
    return choice


@helper
def move(net: Any, trail: Any, s: Any, p: Any, n: Any, plies: Any, early: Any, random: Any, rates: Any) -> Any:
    """Player p moves: `early` in the game anywhere, else by the best action or an experiment, and then trail.best has
    the outputs of where the best one leads (or this one, if it is learned from).

    (the place of the best action, of the one that was played). The first is -1 for a random move at the beginning, the
    second if every action is forbidden.
    """
    child, out = at(trail.states, room_of(trail) + 1), row(trail.moves, 0)
    if early:
        played = below(random, n)
        assign(child, s)
        apply(child, out[played])
        if not forbidden(trail, plies, child):
            assign(s, child)
            return -1, played
    choice = best_successor(net, trail, s, p, n, 0, plies)
    if choice < 0:
        return -1, -1
    played = experiment(net, trail, s, p, n, plies, choice, random, rates)
    apply(s, out[played])
    if played != choice and rates.on_policy:
        look(net, trail, s, 0)
    return choice, played


@helper
def average_over_chance(net: Any, trail: Any, s: Any, nexts: Any, place: Any) -> None:
    """What the best replies to all outcomes at chance node `s` are worth on average, into nexts[place:]."""
    outputs = outputs_of(net)
    probability, out = row(trail.chance, 1), row(trail.moves, 0)
    rolled = at(trail.states, room_of(trail) + 1)
    _, count = expand(s, out, probability)
    for k in range(outputs):
        nexts[place + k] = np.float32(0)
    for i in range(count):
        assign(rolled, s)
        apply(rolled, out[i])
        p, n = expand(rolled, row(trail.moves, 2), row(trail.chance, 2))
        if p >= 0:
            best_successor(net, trail, rolled, p, n, 1, 0)
        else:
            look(net, trail, rolled, 0)
        for k in range(outputs):
            nexts[place + k] += np.float32(probability[i]) * trail.best[k]


@helper
def play(net: Any, trail: Any, random: Any, rates: Any, totals: Any) -> Any:
    """One game; (how many positions are on the trail, how many decisions were taken, did it come to its end?)."""
    outputs, out, probability = outputs_of(net), row(trail.moves, 0), row(trail.chance, 0)
    net_begins(net)
    s, opening = begin(trail), random_moves(random, rates.opening)
    t, plies, mover = 0, 0, -1
    while True:
        p, n = to_move(trail, s, plies, mover)
        if p == OVER:
            break
        if p == TOO_LONG:
            if np.isnan(rates.draws):
                return max(t - 1, 0), plies, False  # the last one has no successor to learn from
            trail.payoff[0] = rates.draws
            break
        if has_chance(s) and p == CHANCE:
            if rates.full and t > 0:
                average_over_chance(net, trail, s, trail.nexts, (t - 1) * outputs)
                trail.cut[t - 1] = 1
                p, n = expand(s, out, probability)
            apply(s, out[pick(random, probability, n)])
            continue
        mover = p
        choice, played = move(net, trail, s, p, n, plies, plies < opening, random, rates)
        if played < 0:  # nobody has won
            trail.payoff[0] = 0.0
            break
        if choice >= 0:
            totals[5] += n
            if t > 0 and not (rates.full and trail.cut[t - 1] == 1):
                for k in range(outputs):
                    trail.nexts[(t - 1) * outputs + k] = trail.best[k]
                trail.cut[t - 1] = 1 if played != choice and not rates.on_policy else 0
            trail.cut[t] = 0
            assign(at(trail.states, t), s)
            t += 1
        plies += 1
        remember(trail, plies, s)
    # The end: the last position's value is what it came to; if the game was over there, there is nothing to learn.
    if t > 0 and over(at(trail.states, t - 1), out):
        t -= 1
    if t > 0 and trail.cut[t - 1] == 0:
        outputs_for(net, trail.payoff[0], trail.nexts, (t - 1) * outputs)
    return t, plies, True


@kernel
def play_and_learn(net, trail, random, rates, seen, games, totals):  # type: ignore[no-untyped-def]
    """Play `games` games, learning after each. totals: see trainer.TOTALS."""
    outputs = outputs_of(net)
    for _ in range(games):
        n, decisions, finished = play(net, trail, random, rates, totals)
        at(net.scratch, 0).going = 0
        if n > 0:
            lambda_returns(net, n, trail.nexts, trail.cut, rates.lam, rates.gamma, trail.target)
        for t in range(n - 1, -1, -1):
            s = at(trail.states, t)
            totals[2] += fit(net, s, trail.target, t * outputs, rates.step, rates.squared, seen)
        totals[0] += n
        totals[1] += decisions
        totals[3] += 0.0 if finished else 1.0
        totals[4] += trail.payoff[0]
