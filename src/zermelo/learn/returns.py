"""Targets: what each position of a game that was played should have been worth.

A game leaves a trajectory of positions 0 … n-1, those its players moved to, and what was thought of the next one:

    next[t]    the outputs for position t + 1, when it was chosen; for the last position what the game ended with
    cut[t]     lowest bit: the move out of t was exploratory. next[t] is what the best move promised, and what came
               later tells nothing about t

    G[t] = (1 - λ) next[t] + λ G[t + 1]       λ = 0: TD(0).  λ = 1: Monte Carlo.  cut: G[t] = next[t]

Sutton and Barto, Reinforcement Learning, chapter 12: the forward view of TD(λ). `traces.py` has the backward one.
All outputs are from player 0's view. A discount γ < 1 draws every target towards a payoff of 0.
"""

from __future__ import annotations

from typing import Any

from zermelo.compile.dispatch import at
from zermelo.compile.rules import helper
from zermelo.evaluate.arithmetic import ONE, f4
from zermelo.evaluate.network import outputs_of


@helper
def outputs_for(net: Any, payoff: Any, out: Any, place: Any) -> None:
    """What the outputs should have said of a game that ends with `payoff` for player 0."""
    levels = at(net.weights, 0).levels
    for k in range(outputs_of(net)):
        share = (payoff - levels[k]) / (levels[k + 1] - levels[k])
        out[place + k] = f4(min(max(share, 0.0), 1.0))


@helper
def lambda_returns(net: Any, n: Any, nexts: Any, cut: Any, lam: Any, gamma: Any, target: Any) -> None:
    """target[t * outputs + k] for the n positions of a game."""
    outputs, levels, lam, gamma = outputs_of(net), at(net.weights, 0).levels, f4(lam), f4(gamma)
    for t in range(n - 1, -1, -1):
        for k in range(outputs):
            x = nexts[t * outputs + k]
            if t + 1 < n and cut[t] & 1 == 0:
                x = (ONE - lam) * x + lam * target[(t + 1) * outputs + k]
            nothing = f4(min(max(levels[k] / (levels[k] - levels[k + 1]), 0.0), 1.0))  # for a payoff of 0
            target[t * outputs + k] = gamma * x + (ONE - gamma) * nothing
