"""TD(λ) as it is published: step by step, while the game goes on, with eligibility traces.

    e ← γ λ e + ∇V(s_t; w)                               which weights had a part in what was thought so far
    w ← w + η (γ V(s_t+1; w) - V(s_t; w)) e              … and are to blame, or to praise, for the change of mind

One trace of all weights for every output, from player 0's view. At an experiment (off-policy) traces are cut short:
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

from zermelo.compile.dispatch import apply, at, expand, has_chance, over, perspective, row
from zermelo.compile.kernel import kernel
from zermelo.compile.random import pick
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.evaluate.arithmetic import ONE, f4, fast
from zermelo.evaluate.network import Network, forward, outputs_at, outputs_of
from zermelo.learn.fitting import Coherence, clear, coherence, descend, turned
from zermelo.learn.returns import lambda_returns, outputs_for
from zermelo.learn.selfplay import average_over_chance, move
from zermelo.learn.trajectory import TOO_LONG, begin, random_moves, remember, to_move


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
    """∇V(s) joins the traces; V(s), from player 0's view, stands in trajectory.outs."""
    n = forward(net, s)
    a, b, outputs, first = at(net.weights, 0), at(net.scratch, 0), outputs_of(net), outputs_at(net)
    turn = perspective(s) != 0
    for k in range(outputs):
        trajectory.outs[k] = turned(b.units, first, k, outputs, turn)
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
def follow(net: Any, trajectory: Any, traces: Any, into: Any, nexts: Any, rates: Any, seen: Any) -> Any:
    """All weights move: the last position's value, in trajectory.outs, should have been `nexts`. The mean error."""
    count, outputs, total = at(net.weights, 0).count, outputs_of(net), 0.0
    fade, delta = f4(rates.gamma * rates.lam), trajectory.target
    lambda_returns(net, 1, nexts, trajectory.cut, 0.0, rates.gamma, delta)  # of one step: discounted, and no more
    for k in range(outputs):
        delta[k] -= trajectory.outs[k]
        total += abs(delta[k])
    if len(seen.net) > 0:
        move_coherently(into, traces.e, delta, outputs, count, f4(rates.learning_rate), fade, seen)
    else:
        for k in range(outputs):
            move_along(into, traces.e, k * count, count, f4(rates.learning_rate) * delta[k], fade)
    return total / outputs


@helper
def play(net: Any, trajectory: Any, traces: Any, into: Any, random: Any, rates: Any, seen: Any, totals: Any) -> Any:
    """One game, from every move of which is learned; (how many decisions, did it come to its end?).

    Changes are added to `into`: to the weights themselves, or for a test to something else.
    """
    out, probability = row(trajectory.moves, 0), row(trajectory.chance, 0)
    at(net.scratch, 0).going = 0  # the weights move: nothing can be computed from the position before
    s, opening = begin(trajectory), random_moves(random, rates.opening)
    forget(traces)
    plies, mover = 0, -1
    waiting = False  # for what comes after the position that was moved to
    while True:
        # 1. Is it over?
        p, n = to_move(trajectory, s, plies, mover)
        if p == OVER:
            break
        if p == TOO_LONG:
            if np.isnan(rates.truncated_value):
                return plies, False
            trajectory.payoff[0] = rates.truncated_value
            break
        # 2. Chance.
        if has_chance(s) and p == CHANCE:
            if rates.expected_backup and waiting:
                average_over_chance(net, trajectory, s, trajectory.nexts, 0)
                totals[2] += follow(net, trajectory, traces, into, trajectory.nexts, rates, seen)
                forget(traces)
                waiting = False
                p, n = expand(s, out, probability)
            apply(s, out[pick(random, probability, n)])
            continue
        # 3. A move; what it promises is what the position before should have been worth.
        mover = p
        choice, played = move(net, trajectory, s, p, n, plies, plies < opening, random, rates)
        if played < 0:  # nobody has won
            trajectory.payoff[0] = 0.0
            break
        if choice >= 0:
            totals[5] += n
            if waiting:
                totals[2] += follow(net, trajectory, traces, into, trajectory.best, rates, seen)
            if played != choice and not rates.on_policy:
                forget(traces)
            waiting = not over(s, row(trajectory.moves, 1))
            if waiting:
                trace(net, trajectory, traces, s, rates.squared_error)
                totals[0] += 1
        plies += 1
        remember(trajectory, plies, s)
    # 4. The last position's value is what it came to.
    if waiting:
        outputs_for(net, trajectory.payoff[0], trajectory.best, 0)
        totals[2] += follow(net, trajectory, traces, into, trajectory.best, rates, seen)
    return plies, True


@kernel
def play_and_trace(net, trajectory, traces, random, rates, seen, games, totals):  # type: ignore[no-untyped-def]
    """Play `games` games, learning from every move. totals: as for play_and_learn."""
    for _ in range(games):
        decisions, finished = play(net, trajectory, traces, at(net.weights, 0).w, random, rates, seen, totals)
        totals[1] += decisions
        totals[3] += 0.0 if finished else 1.0
        totals[4] += trajectory.payoff[0]
