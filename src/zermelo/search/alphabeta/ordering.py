"""Which move first: the table's, those the game scores above 0, killers, historically good ones, the rest, the bad.

An order is a number; the highest is tried next. Bands keep the kinds apart:

    1e12         the move the table remembers
    1e9 + p      the game puts it forward: p = move_score(s, a) > 0 (without that hook, 1 for a noisy action)
    1e8          killers: quiet moves that refuted a sibling
    0 … 1e7      quiet: how often a move refuted anything (history heuristic), or what evaluation says of the position
                 after it, where the game scores no moves
    -1e9 + p     the game thinks little of it: p < 0
    left out     the game knows that another move is at least as good, if not as soon: p = -∞
    -1e15 …      left for later because another thread is at it
"""

from __future__ import annotations

import numpy as np

from zermelo.compile.dispatch import apply, assign, move_score, noisy, offers
from zermelo.compile.evaluator import estimate
from zermelo.compile.rules import helper
from zermelo.search.alphabeta.workspace import SLOTS

FROM_TABLE, SCORED, KILLER, QUIETEST, DEFERRED = 1e12, 1e9, 1e8, 1e7, -1e15
MOST_HISTORY = 1_000_000
_MIX = np.uint64(0x9E3779B97F4A7C15)


@helper
def slot(action, side):
    """Where the history of an action is kept."""
    return side * SLOTS + np.int64((np.uint64(action) * _MIX) >> np.uint64(52))


@helper
def rank(s, below, f, listed, w, evaluator):
    """Give every action of f.moves its order. `below` is scratch for a state, `listed` for a list of noisy actions."""
    # 1. What there is to go by.
    by_move_score = w.use_ordering != 0 and offers(s, "move_score")
    by_noise = w.use_ordering != 0 and not by_move_score and offers(s, "noisy")
    by_estimate = w.use_ordering != 0 and not by_move_score and f.depth >= 2
    sign, side = f.sign, 0 if f.sign > 0 else 1
    loud = noisy(s, listed) if by_noise else 0
    # 2. The band of every action, and its place within the band.
    count, kept = f.count, 0
    for n in range(count):
        i, a = kept, f.moves[n]
        f.moves[i] = a
        kept += 1
        if a == f.tt_move:
            f.order[i] = FROM_TABLE
            continue
        p = 0.0
        if by_move_score:
            p = float(move_score(s, a))
        elif by_noise:
            for k in range(loud):
                if listed[k] == a:
                    p = 1.0
                    break
        if p > 0.0:
            f.order[i] = SCORED + p
        elif p == -np.inf and w.use_known_result != 0 and w.goal == 0.0 and (kept > 1 or n + 1 < count):
            kept -= 1
            continue
        elif p < 0.0:
            f.order[i] = -SCORED + p
        elif w.use_killers != 0 and a == f.killer:
            f.order[i] = KILLER
        elif w.use_killers != 0 and a == f.killer_before:
            f.order[i] = KILLER - 1.0
        else:
            f.order[i] = float(w.history[slot(a, side)]) if w.use_history != 0 else 0.0
        # 3. Among quiet ones, what evaluation says of the position after it.
        if by_estimate:
            assign(below, s)
            apply(below, a)
            f.order[i] += sign * float(estimate(evaluator, below)) * w.scale * 1e6
    if by_estimate:
        w.poll -= count  # estimates take time: look at the stop flag sooner
    f.count = kept


@helper
def pick_next(f, tried, count):
    """Bring the action with the highest order among those left to place `tried`; equal ones keep the rules' order."""
    best = tried
    for i in range(tried + 1, count):
        if f.order[i] > f.order[best]:
            best = i
    if best != tried:
        a, o = f.moves[best], f.order[best]
        for i in range(best, tried, -1):
            f.moves[i], f.order[i] = f.moves[i - 1], f.order[i - 1]
        f.moves[tried], f.order[tried] = a, o


@helper
def remember(f, w, action, sign, depth):
    """A quiet action refuted a position: a killer here, and a point for it in the history."""
    if action != f.killer:
        f.killer_before = f.killer
        f.killer = action
    place = slot(action, 0 if sign > 0 else 1)
    w.history[place] += depth * depth
    if w.history[place] > MOST_HISTORY:
        for i in range(2 * SLOTS):
            w.history[i] >>= 1
