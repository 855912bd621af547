"""TD(λ) as it is published: step by step, while the game goes on, with eligibility traces.

    e ← γ λ e + ∇V(s_t; w)                               which weights had a part in what was thought so far
    w ← w + η (γ V(s_t+1; w) - V(s_t; w)) e              … and are to blame, or to praise, for the change of mind

One trace of all weights for every output, from player 0's view. At an exploratory move (off-policy) traces are cut:
what comes of it tells nothing about the positions before it.

    e    output 0: ∂V_0/∂w_0 ∂V_0/∂w_1 …   output 1: ∂V_1/∂w_0 …        (outputs · weights,)

This is the backward view; `returns.py` has the forward one, which moves the weights after the game, and of the first
layer only those that were active. With weights that stand still during a game both add up to the same change (the tests
show it). Where they move, the backward view already plays the rest of the game by what it has just learned, and costs
a multiplication for every weight, output and step, active or not.
Without `squared` the gradients are those of the cross-entropy: ∇ of what stands inside of σ.

References: R. Sutton, Learning to predict by the methods of temporal differences (1988); G. Tesauro, Practical issues
in temporal difference learning (1992).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import at, over, perspective, row
from zermelo.compile.rules import helper
from zermelo.evaluate.arithmetic import ONE, f4, fast
from zermelo.evaluate.network import Network, forward, outputs_at, outputs_of
from zermelo.learn.gradient import Coherence, clear, coherence, descend, turned
from zermelo.learn.returns import lambda_returns, outputs_for
from zermelo.learn.successors import average_over_chance, look, move_by_value
from zermelo.learn.td import settle
from zermelo.learn.trajectory import random_moves


class Traces(NamedTuple):
    e: NDArray[np.float32]
    plain: Coherence  # gradients are added as they are


def make_traces(net: Network) -> Traces:
    """Room for one thread."""
    return Traces(np.zeros(net.sizes[-1] * net.w.size, np.float32), coherence(0))


@helper
def forget(traces: Any) -> None:
    clear(traces.e, 0, len(traces.e))


@helper
def trace(net: Any, trajectory: Any, traces: Any, s: Any, squared: Any) -> None:
    """∇V(s) joins the traces; V(s), from player 0's view, stands in notes.outs."""
    g = at(trajectory.notes, 0)
    n = forward(net, s)
    a, b, outputs, first = at(net.weights, 0), at(net.scratch, 0), outputs_of(net), outputs_at(net)
    turn = perspective(s) != 0
    for k in range(outputs):
        g.outs[k] = turned(b.units, first, k, outputs, turn)
        own = outputs - 1 - k if turn else k  # as the perspective sees it, and then less of it is more
        slope = b.units[first + own] * (ONE - b.units[first + own]) if squared else ONE
        clear(b.errors, first, outputs)
        b.errors[first + own] = -slope if turn else slope
        descend(net, n, traces.e, k * a.count, ONE, traces.plain)


@fast
def move_along(into: Any, e: Any, first: Any, count: Any, factor: Any, fade: Any) -> None:
    """into += factor · e, and e fades."""
    for j in range(count):
        i, place = np.uintp(j), np.uintp(first + j)
        into[i] += factor * e[place]
        e[place] *= fade


@fast
def move_coherently(into: Any, e: Any, delta: Any, outputs: Any, count: Any, rate: Any, fade: Any, seen: Any) -> None:
    """The same with a rate for every weight; all outputs together, for it is what they agree on that counts."""
    for j in range(count):
        i = np.uintp(j)
        d = f4(0)
        for k in range(outputs):
            place = np.uintp(k * count + j)
            d += delta[k] * e[place]
            e[place] *= fade
        if d != f4(0):
            net, total = seen.net[i], seen.total[i]
            into[i] += rate * d * (abs(net) / total if total > f4(0) else ONE)
            seen.net[i] = net + d
            seen.total[i] = total + abs(d)


@helper
def follow(learner: Any, trajectory: Any, nexts: Any) -> Any:
    """All weights move: the last position's value, in notes.outs, should have been `nexts`. The mean error."""
    g = at(trajectory.notes, 0)
    net, hyper, traces, into = learner.net, learner.hyper, learner.traces, learner.into
    count, outputs, total = at(net.weights, 0).count, outputs_of(net), 0.0
    fade, delta = f4(hyper.gamma * hyper.lam), g.target
    lambda_returns(net, 1, nexts, g.cut, 0.0, hyper.gamma, delta)  # of one step: discounted, and no more
    for k in range(outputs):
        delta[k] -= g.outs[k]
        total += abs(delta[k])
    if len(learner.seen.net) > 0:
        move_coherently(into, traces.e, delta, outputs, count, f4(hyper.learning_rate), fade, learner.seen)
    else:
        for k in range(outputs):
            move_along(into, traces.e, k * count, count, f4(hyper.learning_rate) * delta[k], fade)
    return total / outputs


class BackwardTD(NamedTuple):
    """Changes are added to `into`: the weights themselves, or for a test something else."""

    net: Any
    traces: Any
    into: Any
    hyper: Any
    seen: Any  # a rate for every weight, or none
    totals: Any

    def game_begins(learner, trajectory: Any, random: Any) -> None:
        at(learner.net.scratch, 0).going = 0  # the weights move: nothing can be computed from the position before
        g = at(trajectory.notes, 0)
        g.opening, g.pending = random_moves(random, learner.hyper.opening), 0
        forget(learner.traces)

    def before_chance(learner, trajectory: Any, s: Any) -> Any:
        """With an expected backup the pending position is worth the mean over all of chance, whatever comes now."""
        g = at(trajectory.notes, 0)
        if not learner.hyper.expected_backup or g.pending == 0:
            return False
        average_over_chance(learner.net, trajectory, s, g.nexts, 0)
        at(learner.totals, 0).error += follow(learner, trajectory, g.nexts)
        forget(learner.traces)
        g.pending = 0
        return True

    def choose_move(learner, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        return move_by_value(learner, trajectory, s, p, n, random)

    def after_move(learner, trajectory: Any, s: Any, n: Any, place: Any) -> None:
        """What the move promises is what the position before should have been worth."""
        g, hyper, sums = at(trajectory.notes, 0), learner.hyper, at(learner.totals, 0)
        if g.choice < 0:
            return
        if place != g.choice and hyper.on_policy:
            look(learner.net, trajectory, s, 0)
        sums.successors += n
        if g.pending != 0:
            sums.error += follow(learner, trajectory, g.best)
        if place != g.choice and not hyper.on_policy:
            forget(learner.traces)
        g.pending = 0 if over(s, row(trajectory.moves, 1)) else 1
        if g.pending != 0:
            trace(learner.net, trajectory, learner.traces, s, hyper.squared_error)
            sums.positions += 1

    def game_ends(learner, trajectory: Any, truncated: Any) -> Any:
        """The last position's value is what the game came to."""
        g = at(trajectory.notes, 0)
        finished = settle(learner, trajectory, truncated)
        if finished and g.pending != 0:
            outputs_for(learner.net, g.payoff[0], g.best, 0)
            at(learner.totals, 0).error += follow(learner, trajectory, g.best)
        return finished
