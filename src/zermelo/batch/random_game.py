"""One game at random, from any position to its end. Everything that samples games calls it.

Every action is equally likely, unless the rules say which actions look good and the caller wants that used (`epsilon`);
chance keeps its own probabilities. Repetition is not looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, at, expand, has_chance, move_score, noisy, offers, utility
from zermelo.compile.random import below, pick, uniform
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER

PLAYED = np.dtype([("action", "i8"), ("mover", "i8")], align=True)  # one ply of a game, for whoever wants the moves
LONG = 10_000  # plies, where the rules do not say how long a game can be


@helper
def random_game(
    s: Any, out: Any, probability: Any, epsilon: Any, random: Any, limit: Any, payoff: Any, log: Any
) -> Any:
    """Play `s` to its end, in place: (plies, True) with the payoffs written, or (limit, False) without.

    `epsilon` is None for moves at random; a number has the best scored move played, and with that probability any.
    `log` is None, or (limit,) PLAYED, which gets the moves. Either None costs nothing: the compiler leaves it out.
    """
    plies = 0
    while True:
        p, n = expand(s, out, probability)
        if p == OVER:
            utility(s, payoff)
            return plies, True
        if plies >= limit:
            return plies, False
        if has_chance(s) and p == CHANCE:
            action = out[pick(random, probability, n)]
        elif epsilon is None:
            action = out[below(random, n)]
        else:
            action = best_scored(s, out, n, epsilon, random)
        if log is not None:
            at(log, plies).action, at(log, plies).mover = action, p
        apply(s, action)
        plies += 1


@helper
def best_scored(s: Any, out: Any, n: Any, epsilon: Any, random: Any) -> Any:
    """The action of the highest move_score (of several, any), or else any noisy one; with probability `epsilon` any."""
    choice = out[below(random, n)]
    if uniform(random) < epsilon:
        return choice
    if offers(s, "move_score"):
        highest, equals = -np.inf, 0
        for i in range(n):
            score = float(move_score(s, out[i]))
            if score > highest:
                highest, equals, choice = score, 1, out[i]
            elif score == highest:
                equals += 1
                if below(random, equals) == 0:  # the last of k equals replaces the others with probability 1 / k
                    choice = out[i]
    elif offers(s, "noisy"):
        m = noisy(s, out)
        if m > 0:
            choice = out[below(random, m)]
    return choice
