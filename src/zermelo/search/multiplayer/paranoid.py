"""The root player against all the others: paranoid search (Sturtevant and Korf 2000) and best-reply search.

Best reply (Schadd and Winands 2011): of all opponents who move between two moves of the root player's side only one,
whoever hurts most, is free to choose; the others pass. Rules know no pass, so the others make the move that they rank
first themselves (BRS+, Esser et al. 2013), and every position on the way is one that the rules reach:

    root  →  1 free?  →  2 free?  →  3 free?  →  root        replier: NOBODY, until an opponent leaves the usual move;
             usual or    usual or    usual or                from then on that one is free and everybody else is not
             any move    any move    any move
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import apply, assign, at, move_score, offers, over, side
from zermelo.compile.kernel import kernel
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.search.limits import RUNNING, STOP
from zermelo.search.multiplayer.stack import (
    BROKEN,
    DONE,
    NOBODY,
    ROUNDING,
    STOPPED,
    TOO_SHORT,
    descend,
    enter,
    judge,
    side_total,
    update_pv,
)


@helper
def rate(states: Any, frames: Any, w: Any, ply: Any, p: Any, root_player: Any, control: Any) -> Any:
    """Score the actions of player `p` for the order they are tried in; the place of the one that p ranks first.

    Ranked by what the estimate after it gives p's own side, ties by `move_score`, then by the rules' order.
    """
    s, f, below, child = at(states, ply), at(frames, ply), at(states, ply + 1), at(frames, ply + 1)
    sign = 1.0 if side(s, p) == side(s, root_player) else -1.0
    first, top, top_score = 0, -np.inf, 0.0
    for i in range(f.count):
        if control[STOP] != RUNNING:  # the next node will tell
            break
        assign(below, s)
        apply(below, f.moves[i])
        judge(below, child, w, over(below, child.moves))
        scored = float(move_score(s, f.moves[i]))
        f.scores[i] = scored if offers(s, "move_score") else sign * child.values[root_player]
        own = side_total(s, child.values, p)
        if own > top or (own == top and scored > top_score):
            first, top, top_score = i, own, scored
    return first


@helper
def bring_forward(f: Any) -> None:
    """Swap the best of the children that are left to the front of them."""
    best = f.tried
    for i in range(f.tried + 1, f.count):
        if f.scores[i] > f.scores[best]:
            best = i
    f.moves[f.tried], f.moves[best] = f.moves[best], f.moves[f.tried]
    f.scores[f.tried], f.scores[best] = f.scores[best], f.scores[f.tried]


@helper
def who_replied(g: Any, action: Any) -> Any:
    """The opponent who has replied after `action` at the node of frame `g`."""
    if g.mover == CHANCE or g.replier != NOBODY or action == g.usual:
        return np.int64(g.replier)
    return np.int64(g.mover)


class Question(NamedTuple):
    """What is asked of the positions below a root move."""

    window: tuple[float, float]  # (α, β), from the root player's view
    prune: bool
    root_player: int
    replies: bool  # best reply: only one opponent is free
    last_pv: NDArray[np.int64]  # (plies,) what was best one depth ago, to be tried first
    most: float  # that the root player can get


@kernel
def paranoid(states, frames, work, pvs, keys, question, control):  # type: ignore[no-untyped-def]
    """The root player's value of states[0], frames[0].left plies deep, in frames[0].best: (how it ended, False).

    The root player's side maximizes it, everybody else minimizes it, chance averages it: paranoid. With `replies`, of
    the opponents who move between two moves of the root player's side only one is free; the others make the move they
    rank first (the best reply). It is a value within the window (α, β), else a bound: ≤ α at most, ≥ β at least.
    """
    window, prune, root_player, replies, last_pv, most = question
    w, ply, entering = at(work, 0), 0, True
    while True:
        s, f = at(states, ply), at(frames, ply)
        if entering:
            # 1. A new node: its window is that of the node above.
            if control[STOP] != RUNNING or w.nodes >= w.budget:
                return STOPPED, False
            p, n = enter(states, frames, w, keys, ply)
            if n < 0:
                return TOO_SHORT, False
            f.alpha, f.beta = window
            f.replier, f.on_pv, f.ordered = NOBODY, 1 if len(last_pv) > 0 else 0, 0
            if ply > 0:
                g = at(frames, ply - 1)
                played = g.moves[g.tried - 1]
                f.alpha, f.beta = g.alpha, g.beta
                if replies and (g.mover == CHANCE or side(s, g.mover) != side(s, root_player)):
                    f.replier = who_replied(g, played)
                f.on_pv = 1 if g.on_pv != 0 and ply < len(last_pv) and played == last_pv[ply - 1] else 0
            if p == OVER:
                f.best = f.values[root_player]
                if f.best > most + ROUNDING * (1.0 + abs(most)):
                    return BROKEN, False
            elif p == CHANCE:
                f.best, f.alpha, f.beta = 0.0, -np.inf, np.inf
            else:
                # 2. Who is not free makes the usual move; everybody else's moves are put in order.
                f.best = -np.inf if side(s, p) == side(s, root_player) else np.inf
                if side(s, p) == side(s, root_player):
                    f.replier = NOBODY
                bound = f.replier != NOBODY and f.replier != p
                f.usual = f.moves[0]
                if n > 1 and (bound or f.left > 1):
                    f.usual = f.moves[rate(states, frames, w, ply, p, root_player, control)]
                    f.ordered = 1
                    if bound:
                        f.moves[0], f.count, f.ordered = f.usual, 1, 0
                        w.held += 1
                    elif f.on_pv != 0:
                        for i in range(n):
                            if f.moves[i] == last_pv[ply]:
                                f.scores[i] = np.inf
        else:
            # 3. Back from a child: it narrows the window of whoever chose it.
            value = at(frames, ply + 1).best
            if f.mover == CHANCE:
                f.best += f.chance[f.tried - 1] * value
            else:
                up = side(s, f.mover) == side(s, root_player)
                if (value > f.best) if up else (value < f.best):
                    f.best = value
                    update_pv(frames, pvs, ply, f.moves[f.tried - 1])
                    f.alpha, f.beta = (max(f.alpha, value), f.beta) if up else (f.alpha, min(f.beta, value))
                    if prune and f.alpha >= f.beta and f.tried < f.count:
                        f.tried = f.count
                        w.cuts += 1
        # 4. Down to the next child, or up.
        if f.tried < f.count:
            if f.ordered != 0:
                bring_forward(f)
            descend(states, frames, ply)
            ply += 1
            entering = True
        elif ply == 0:
            return DONE, False
        else:
            ply -= 1
            entering = False
