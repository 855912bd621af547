"""The value of finished games: the payoff, moved toward zero by a step for each ply of distance to the end."""

from __future__ import annotations

from zermelo.compile.dispatch import ending_pays, side, utility
from zermelo.compile.evaluator import FAR
from zermelo.compile.rules import helper

DISTANCE_STEP = 1e-12  # what a ply is worth: a fast win is better than a slow one, a slow loss than a fast one
MAX_DISTANCE = 4000  # plies to the end that can be read back from a value


@helper
def with_distance(value, steps):
    """A value as it stands further from the end: a win that takes longer is worth less, a loss is less bad."""
    return value - steps if value > 0.0 else value + steps if value < 0.0 else value


@helper
def ended(s, w, ply):
    """The value, from player 0's view, of a game that ended `ply` plies below the root."""
    utility(s, w.payoff)
    return with_distance(w.payoff[0], w.distance_step * ply)


@helper
def tabled(s, p, known, w, ply):
    """The value, from player 0's view, of what `consult` says of `s`, where player `p` moves."""
    won, plies = known & 3, known >> 2
    if won == 0:
        return 0.0
    value = ending_pays(s) if (won == 1) == (side(s, p) == 0) else -ending_pays(s)
    return with_distance(value, w.distance_step * (ply + plies))


def without_distance(value: float) -> tuple[float, int | None]:
    """A proven value without the steps that stand for plies, and how many these were (None: nobody knows). Payoffs have
    few decimals."""
    payoff = round(value, 3)
    steps = abs(payoff - value) / DISTANCE_STEP
    if FAR <= steps + 0.5 < FAR + MAX_DISTANCE:  # by a table that does not say
        return payoff, None
    if payoff == 0 or abs(steps - round(steps)) > 0.02 or not 0 < round(steps) <= MAX_DISTANCE:
        return value, None
    return payoff, round(steps)
