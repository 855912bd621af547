"""One step of learning: the weights of a network are moved so that its outputs for one position come nearer a target.

    w ← w - η (V(s; w) - target) ∇V(s; w)

The gradient goes backwards through the layers; in the first, only the rows of active features are touched. Targets are
written from player 0's view, as the chances that the payoff is at least so much; where player 1 sees them they are
turned round.

With `coherence` every weight has a rate of its own: |sum of its changes| / sum of |its changes|, which is near 1 while
they all point one way and falls when they contradict each other (Beal and Smith, Temporal coherence and prediction
decay in TD learning, 1999).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import at, perspective
from zermelo.compile.rules import helper
from zermelo.evaluate.arithmetic import ONE, add_row, f4, fast
from zermelo.evaluate.network import forward, outputs_at, outputs_of


class Coherence(NamedTuple):
    """What each weight's changes added up to; empty arrays where all weights have the same rate."""

    net: NDArray[np.float32]
    total: NDArray[np.float32]


def coherence(parameters: int) -> Coherence:
    """For so many weights; 0: none."""
    return Coherence(np.zeros(parameters, np.float32), np.zeros(parameters, np.float32))


@helper
def turned(target: Any, place: Any, k: Any, outputs: Any, turn: Any) -> Any:
    """Output k of target[place:], as the other player sees it if `turn`: at least l is not at most -l."""
    return ONE - target[place + outputs - 1 - k] if turn else target[place + k]


@fast
def add_coherent(w: Any, row: Any, change: Any, start: Any, count: Any, factor: Any, rate: Any, seen: Any) -> None:
    """w[row + j] += rate · coherence · factor · change[start + j]"""
    for j in range(count):
        i = np.uintp(row + j)
        d = factor * change[np.uintp(start + j)]
        net, total = seen.net[i], seen.total[i]
        w[i] += rate * d * (abs(net) / total if total > f4(0) else ONE)
        seen.net[i] = net + d
        seen.total[i] = total + abs(d)


@fast
def clear(errors: Any, start: Any, count: Any) -> None:
    for j in range(count):
        errors[np.uintp(start + j)] = f4(0)


@fast
def through_squash(errors: Any, units: Any, start: Any, count: Any) -> None:
    """The error of σ(x) becomes that of x: σ' = σ (1 - σ)."""
    for j in range(count):
        i = np.uintp(start + j)
        errors[i] *= units[i] * (ONE - units[i])


@helper
def move_row(into: Any, row: Any, change: Any, start: Any, count: Any, factor: Any, rate: Any, seen: Any) -> None:
    if len(seen.net) > 0:
        add_coherent(into, row, change, start, count, factor, rate, seen)
    else:
        add_row(into, row, change, start, count, rate * factor)


@helper
def fit(net: Any, s: Any, target: Any, place: Any, rate: Any, squared: Any, seen: Any) -> Any:
    """Move the outputs for `s` towards target[place:]; the error before, averaged over the outputs.

    `squared`: descend (V - target)², as published; else the cross-entropy, whose gradient does not vanish where an
    output is sure of itself and wrong.
    """
    n = forward(net, s)
    total = compare(net, s, target, place, squared)
    descend(net, n, at(net.weights, 0).w, 0, f4(rate), seen)
    return total


@helper
def compare(net: Any, s: Any, target: Any, place: Any, squared: Any) -> Any:
    """The errors of the outputs for `s`, which `forward` has just computed; their mean size."""
    b, outputs, start = at(net.scratch, 0), outputs_of(net), outputs_at(net)
    turn, total = perspective(s) != 0, 0.0
    for k in range(outputs):
        y = b.units[start + k]
        error = f4(turned(target, place, k, outputs, turn)) - y
        total += abs(error)
        b.errors[start + k] = error * y * (ONE - y) if squared else error
    return total / outputs


@helper
def descend(net: Any, n: Any, into: Any, first: Any, rate: Any, seen: Any) -> None:
    """Add a step of every weight along the errors of the outputs, having seen `n` features, to into[first:].

    `into` may be the weights themselves: a row is moved only when what lies below it knows its error.
    """
    a, b = at(net.weights, 0), at(net.scratch, 0)
    start, row = outputs_at(net), a.count
    for layer in range(a.layers - 1, 1, -1):
        wide, count = a.sizes[layer - 1], a.sizes[layer]
        below = start - wide
        row -= (wide + 1) * count
        clear(b.errors, below, wide)
        for j in range(count):
            error, here = b.errors[start + j], row + j * (wide + 1)
            add_row(b.errors, below, a.w, here, wide, error)
            move_row(into, first + here, b.units, below, wide, error, rate, seen)
            move_row(into, first + here + wide, b.errors, start + j, 1, ONE, rate, seen)
        through_squash(b.errors, b.units, below, wide)
        start = below
    count = a.sizes[1]
    for i in range(n):
        move_row(into, first + b.index[i] * count, b.errors, 0, count, b.value[i], rate, seen)
    move_row(into, first + a.sizes[0] * count, b.errors, 0, count, ONE, rate, seen)
