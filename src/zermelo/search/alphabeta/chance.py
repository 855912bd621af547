"""Chance nodes: the average of the outcomes, with Star1 and Star2 to stop early.

The average is known to lie between `least` and `most`: every outcome contributes its probability times what is known
of it, at first no more than the game's `utility_range`. When `most` is below the window or `least` above it, the
rest need not be looked at. The window of one outcome is what it would have to be for that to happen.

    Star1   search the outcomes one by one
    Star2   first probe every outcome by one move of its own, which bounds it from one side, then Star1

Without a declared utility_range every outcome is searched with an open window.
References: Ballard, The *-minimax search procedure for trees containing chance nodes (1983); Hauk, Buro and Schaeffer,
Rediscovering *-minimax search (2004).
"""

from __future__ import annotations

import numpy as np

from zermelo.compile.dispatch import apply, assign, at, expand, player, side, utility_range
from zermelo.compile.rules import helper
from zermelo.search.alphabeta.nodes import (
    CHANCES,
    NORMAL,
    PATH_FREE,
    PROBE,
    PROVEN_EXACT,
    PROVEN_LOWER,
    PROVEN_UPPER,
    answer,
    ask,
    only_with,
)
from zermelo.search.alphabeta.paths import dependence_above


@only_with("chances")
def first_outcome(states, frames, w, ply):
    """List the outcomes, with what is known of them; ask the first."""
    s, f = at(states, ply), at(frames, ply)
    _, f.count = expand(s, f.moves, f.chance)
    least, most = utility_range(s)
    f.stage, f.all_proven, f.children_depend_on = CHANCES, PROVEN_EXACT, PATH_FREE
    f.pass_ = 0 if is_open(s, w) else PROBE if w.use_star == 2 else 1
    f.tried, f.best, f.least, f.most = 0, 0.0, 0.0, 0.0
    if f.pass_ != 0:
        for i in range(f.count):
            f.lows[i], f.highs[i] = least, most
            f.least += f.chance[i] * least
            f.most += f.chance[i] * most
    return ask_outcome(states, frames, w, ply)


@helper
def is_open(s, w):
    least, most = utility_range(s)
    return w.use_star == 0 or not (least > -np.inf and most < np.inf)


@only_with("chances")
def ask_outcome(states, frames, w, ply):
    """Ask about outcome number `tried`; when there is none, answer with the average."""
    s, f, below, c = at(states, ply), at(frames, ply), at(states, ply + 1), at(frames, ply + 1)
    if f.pass_ == 0:
        if f.tried < f.count:
            assign(below, s)
            apply(below, f.moves[f.tried])
            return ask(c, -np.inf, np.inf, f.depth, NORMAL)
        return answer(f, f.best, f.all_proven, dependence_above(f.children_depend_on, ply))
    while True:
        while f.tried < f.count:
            i, share = f.tried, f.chance[f.tried]
            assign(below, s)
            apply(below, f.moves[i])
            if share > 0.0 and not (f.pass_ == PROBE and player(below) < 0):
                least, most = utility_range(s)
                slack = 1e-9 * (most - least)  # so that a value on the edge of what is possible is not a bound
                a = (f.lo - (f.most - share * f.highs[i])) / share
                b = (f.hi - (f.least - share * f.lows[i])) / share
                a, b = max(a, f.lows[i] - slack), min(b, f.highs[i] + slack)
                return ask(c, a, b, f.depth, PROBE if f.pass_ == PROBE else NORMAL)
            f.tried += 1
        if f.pass_ != PROBE:
            break
        f.pass_, f.tried = 1, 0
    total = 0.0
    for i in range(f.count):
        if f.chance[i] > 0.0:
            total += f.chance[i] * f.lows[i]
    return answer(f, total, f.all_proven, dependence_above(f.children_depend_on, ply))


@only_with("chances")
def next_outcome(states, frames, w, ply):
    """Take in the answer about an outcome; enough may be known of the average."""
    f, c, i = at(frames, ply), at(frames, ply + 1), at(frames, ply).tried
    f.children_depend_on = min(f.children_depend_on, c.depends_on)
    share = f.chance[i]
    f.tried += 1
    if f.pass_ == 0:
        f.all_proven &= c.proven
        f.best += share * c.value
        return ask_outcome(states, frames, w, ply)
    from_below, from_above = c.value > c.lo, c.value < c.hi
    if f.pass_ == PROBE:  # one move: what the side to move can get, and no more than that
        below = at(states, ply + 1)
        maximizes = side(below, player(below)) == 0
        from_below, from_above = from_below and maximizes, from_above and not maximizes
    f.all_proven &= c.proven | (0 if from_below else PROVEN_LOWER) | (0 if from_above else PROVEN_UPPER)
    if from_below and c.value > f.lows[i]:
        f.least += share * (c.value - f.lows[i])
        f.lows[i] = c.value
    if from_above and c.value < f.highs[i]:
        f.most += share * (c.value - f.highs[i])
        f.highs[i] = c.value
    if f.most <= f.lo or f.least >= f.hi:
        w.star_cuts += 1
        if f.most <= f.lo:
            return answer(f, f.most, f.all_proven & PROVEN_UPPER, dependence_above(f.children_depend_on, ply))
        return answer(f, f.least, f.all_proven & PROVEN_LOWER, dependence_above(f.children_depend_on, ply))
    return ask_outcome(states, frames, w, ply)
