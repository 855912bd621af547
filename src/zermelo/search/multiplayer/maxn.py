"""Max^n (Luckhardt and Irani 1986): every side maximizes its own total. The kernel below one root move.

Ties go to the first child, as in the textbook, so children are tried in the order of the rules and no other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.dispatch import at, has_chance, side
from zermelo.compile.kernel import kernel
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.search.limits import RUNNING, STOP
from zermelo.search.multiplayer.stack import (
    BROKEN,
    DONE,
    ROUNDING,
    STOPPED,
    TOO_SHORT,
    descend,
    enter,
    side_total,
    update_pv,
)


@helper
def fits(s: Any, values: Any, bounds: Any) -> Any:
    """Do the values of a leaf keep to what pruning relies on?"""
    zero_sum, least, most, _ = bounds
    total, size = 0.0, 1.0
    for p in range(len(values)):
        total += values[p]
        size += abs(values[p])
    for p in range(len(values)):
        t = side_total(s, values, p)
        if t < least[p] - ROUNDING * size or t > most[p] + ROUNDING * size:
            return False
    return not zero_sum or abs(total) <= ROUNDING * size


@kernel
def max_n(states, frames, work, pvs, keys, above_all, held, bounds, control):  # type: ignore[no-untyped-def]
    """Everybody's value of states[0], frames[0].left plies deep, in frames[0].values: (how it ended, refused).

    The textbook's, by the first of the best children, unless `refused`: then all that is known is that the side of
    player `above_all` (CHANCE: nobody), who moved here, does not get more than the `held` which another move gives it.

    Two prunings, neither of which changes a value above. Immediate: a side that has the most it can get looks no
    further. Shallow (Korf 1991): in a zero-sum game what a side has for sure, with the least that the others can
    get, bounds what is left for the side above; once that is no more than it has in hand, it will not come here. The
    bound reaches down one change of sides and no deeper: below that, ties and third parties make it wrong.
    """
    zero_sum, _, most, rest = bounds
    w, ply, entering, refused = at(work, 0), 0, True, False
    while True:
        s, f = at(states, ply), at(frames, ply)
        above, in_hand, limit = above_all, held, np.inf
        if ply > 0:
            g = at(frames, ply - 1)
            above, in_hand, limit = g.mover, g.alpha, g.beta
        if entering:
            # 1. A new node. Sides that move on keep their window, others get what the side above leaves them.
            if control[STOP] != RUNNING or w.nodes >= w.budget:
                return STOPPED, False
            p, n = enter(states, frames, w, keys, ply)
            f.best, f.alpha, f.beta = -np.inf, -np.inf, np.inf
            if n < 0:
                return TOO_SHORT, False
            if p == CHANCE:
                for q in range(len(f.values)):
                    f.values[q] = 0.0
            elif p == OVER:
                if not fits(s, f.values, bounds):
                    return BROKEN, False
            elif above != CHANCE:
                if side(s, p) == side(s, above):
                    f.alpha, f.beta = in_hand, limit
                elif zero_sum:
                    f.beta = -in_hand - rest[above, p]
                    if has_chance(s):  # means are rounded, and what looks equal may be a little more
                        f.beta += ROUNDING * (1.0 + abs(f.beta))
        else:
            # 2. Back from a child.
            values = at(frames, ply + 1).values
            if f.mover == CHANCE:
                for q in range(len(values)):
                    f.values[q] += f.chance[f.tried - 1] * values[q]
            elif not refused:
                t = side_total(s, values, f.mover)
                if t > f.best:
                    f.best, f.alpha = t, max(f.alpha, t)
                    for q in range(len(values)):
                        f.values[q] = values[q]
                    update_pv(frames, pvs, ply, f.moves[f.tried - 1])
                    if f.tried < f.count and (t >= f.beta or t >= most[f.mover]):
                        f.tried = f.count
                        w.cuts += 1
        # 3. Down to the next child, or up.
        if f.tried < f.count:
            descend(states, frames, ply)
            ply += 1
            entering = True
            continue
        refused = False
        if f.count > 0 and f.mover != CHANCE:
            together = above != CHANCE and side(s, f.mover) == side(s, above)
            refused = f.best == -np.inf or (f.best >= f.beta and not together)
        if ply == 0:
            return DONE, refused
        ply -= 1
        entering = False
