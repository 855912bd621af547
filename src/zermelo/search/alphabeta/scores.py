"""The value of finished games: the payoff, moved toward zero by a step a ply, so that sooner is better for a winner."""

from __future__ import annotations

from zermelo.compile.dispatch import utility
from zermelo.compile.rules import helper

DISTANCE_STEP = 1e-12  # what a ply is worth: a proven win is better the sooner it comes, a loss the later
MOST_STEPS = 4000  # plies to the end that are told


@helper
def sooner(value, steps):
    """A win `steps` later is worth less, a loss is less bad."""
    return value - steps if value > 0.0 else value + steps if value < 0.0 else value


@helper
def ended(s, w, ply):
    """The value, from player 0's view, of a game that ended `ply` plies below the root."""
    utility(s, w.payoff)
    return sooner(w.payoff[0], w.step * ply)


def unstepped(value: float) -> tuple[float, int | None]:
    """A proven value without the steps that stand for plies, and how many these were. Payoffs have few decimals."""
    payoff = round(value, 3)
    steps = abs(payoff - value) / DISTANCE_STEP
    if payoff == 0 or abs(steps - round(steps)) > 0.02 or not 0 < round(steps) <= MOST_STEPS:
        return value, None
    return payoff, round(steps)
