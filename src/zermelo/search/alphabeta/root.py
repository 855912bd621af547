"""One iteration at the root: every root move to a depth, the best so far raising the bar for the others.

The root is kept apart from the other nodes because people want to know more about it: the value, the bound, the
variation and the nodes of every move, also when the search is stopped in the middle.
"""

from __future__ import annotations

import numpy as np

from zermelo.compile.dispatch import NEVER, apply, assign, at, player, repetition, search_key, side
from zermelo.compile.kernel import kernel
from zermelo.search.alphabeta.kernel import (
    BUSY,
    BUSY_SLOTS,
    FINISHED_BY,
    SPLIT_DEPTH,
    above,
    note_position,
    outlasts_paths,
    share_of,
    walk,
)
from zermelo.search.alphabeta.nodes import NORMAL, PROVEN_EXACT, ask, proof_for
from zermelo.search.alphabeta.table import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, store
from zermelo.search.alphabeta.workspace import MAX_PV


@kernel
def search_root(states, frames, work, table, control, evaluator, thread, depth, lo, hi, roots, multi_pv):
    """(value from player 0's view, place of the best root move or -1, how many were finished).

    With `multi_pv`, all moves are searched with the whole window, so that each gets its own value.
    """
    w, s, below = at(work, 0), at(states, 0), at(states, 1)
    w.root_depth = depth
    if repetition(s) != NEVER:
        note_position(states, frames, w, 0)
    sign = 1.0 if side(s, player(s)) == 0 else -1.0
    low, high = (lo, hi) if sign > 0.0 else (-hi, -lo)
    best, choice, finished, all_proven = -np.inf, -1, 0, PROVEN_EXACT
    key, child = search_key(s), at(frames, 1)
    for i in range(len(roots)):
        at(roots, i).searched = 0
    for turn in range(2):  # second, what other threads were searching the first time
        for i in range(len(roots)):
            r = at(roots, i)
            if r.searched != 0:
                continue
            share = share_of(key, r.move) if w.use_abdada != 0 and depth >= SPLIT_DEPTH else 0
            place = BUSY + (share >> 1 & (BUSY_SLOTS - 1))
            if share != 0:
                if turn == 0 and i > 0 and control[place] == share:
                    continue
                control[place] = share
            before = w.nodes
            assign(below, s)
            apply(below, r.move)
            whole = finished == 0 or multi_pv or w.use_scout == 0
            mark = low if not multi_pv else (lo if sign > 0.0 else -hi)
            edge = high if whole else above(mark)
            a_lo, a_hi = (mark, edge) if sign > 0.0 else (-edge, -mark)
            ask(child, a_lo, a_hi, depth - 1, NORMAL)
            walk(states, frames, work, table, control, evaluator, thread, 1)
            v = child.value
            if not whole and sign * v > mark and sign * v < high and w.stopped == 0:
                w.re_searches += 1
                whole, edge = True, high
                a_lo, a_hi = (mark, edge) if sign > 0.0 else (-edge, -mark)
                ask(child, a_lo, a_hi, depth - 1, NORMAL)
                walk(states, frames, work, table, control, evaluator, thread, 1)
                v = child.value
            if share != 0:
                control[place] = 0
            if w.stopped != 0:
                return sign * best, choice, finished
            r.nodes = w.nodes - before
            r.searched, r.value, r.proven = 1, v, child.proven
            finished += 1
            if sign * v <= mark:
                r.bound = BOUND_UPPER if sign > 0.0 else BOUND_LOWER
            elif sign * v >= edge:
                r.bound = BOUND_LOWER if sign > 0.0 else BOUND_UPPER
            else:
                r.bound = BOUND_EXACT
            all_proven &= child.proven
            r.pv[0] = r.move
            r.pv_length = 1 + min(child.pv_length, MAX_PV - 1)
            for k in range(r.pv_length - 1):
                r.pv[k + 1] = child.pv[k]
            if sign * v > best:
                best, choice = sign * v, i
                low = max(low, best)
                if best >= high and not multi_pv:
                    control[FINISHED_BY] = thread + 1
                    return sign * best, choice, finished
    if w.use_table != 0 and best > (lo if sign > 0.0 else -hi):
        mine = proof_for(sign)
        proven = (at(roots, choice).proven & mine) | (all_proven & (PROVEN_EXACT - mine)) if outlasts_paths(s) else 0
        store(table, key, sign * best, at(roots, choice).move, depth, BOUND_EXACT, proven, w.generation)
    control[FINISHED_BY] = thread + 1
    return sign * best, choice, finished
