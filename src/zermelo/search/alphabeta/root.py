"""One iteration at the root: every root move to a depth, the best so far raising the bar for the others.

The root is kept apart from the other nodes because people want to know more about it: the value, the bound, the
variation and the nodes of every move, also when the search is stopped in the middle.
"""

from __future__ import annotations

import numpy as np

from zermelo.compile.dispatch import NEVER, apply, assign, at, player, repetition, search_key, side
from zermelo.compile.kernel import kernel
from zermelo.compile.rules import helper
from zermelo.search.alphabeta.abdada import FINISHED_BY, SPLIT_DEPTH, begin_share, end_share, is_busy, share_of
from zermelo.search.alphabeta.kernel import above, update_pv, walk
from zermelo.search.alphabeta.nodes import NORMAL, PROVEN_EXACT, ask, proof_for
from zermelo.search.alphabeta.paths import note_position, outlasts_paths
from zermelo.search.alphabeta.table import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, store


@kernel
def search_root(states, frames, work, table, control, evaluator, thread, depth, lo, hi, roots, multi_pv):
    """(value from player 0's view, place of the best root move or -1, how many were finished).

    With `multi_pv`, all moves are searched with the whole window, so that each gets its own value.
    """
    # 1. The window as the side to move sees it.
    w, s, child = at(work, 0), at(states, 0), at(frames, 1)
    w.root_depth, key = depth, search_key(s)
    if repetition(s) != NEVER:
        note_position(states, frames, w, 0)
    sign = 1.0 if side(s, player(s)) == 0 else -1.0
    floor, high = (lo, hi) if sign > 0.0 else (-hi, -lo)
    low, best, choice, finished, all_proven = floor, -np.inf, -1, 0, PROVEN_EXACT
    for i in range(len(roots)):
        at(roots, i).searched = 0
    for turn in range(2):  # second, what other threads were searching the first time
        for i in range(len(roots)):
            # 2. A move that nobody else is searching.
            r = at(roots, i)
            if r.searched != 0:
                continue
            share = share_of(key, r.move) if w.use_abdada != 0 and depth >= SPLIT_DEPTH else 0
            if share != 0:
                if turn == 0 and i > 0 and is_busy(control, share):
                    continue
                begin_share(control, share)
            # 3. The first within the whole window; the others must show that they are better to be searched so.
            before = w.nodes
            assign(at(states, 1), s)
            apply(at(states, 1), r.move)
            whole = finished == 0 or multi_pv or w.use_scout == 0
            bar = floor if multi_pv else low
            edge = high if whole else above(bar)
            ask_root(child, sign, bar, edge, depth - 1)
            walk(states, frames, work, table, control, evaluator, thread, 1)
            if not whole and sign * child.value > bar and sign * child.value < high and w.stopped == 0:
                w.re_searches += 1
                edge = high
                ask_root(child, sign, bar, edge, depth - 1)
                walk(states, frames, work, table, control, evaluator, thread, 1)
            if share != 0:
                end_share(control, share)
            if w.stopped != 0:
                return sign * best, choice, finished
            # 4. What is told of it, and whether it is the best so far.
            note_answer(r, child, sign, bar, edge, w.nodes - before)
            finished += 1
            all_proven &= child.proven
            if sign * child.value > best:
                best, choice = sign * child.value, i
                low = max(low, best)
                if best >= high and not multi_pv:
                    control[FINISHED_BY] = thread + 1
                    return sign * best, choice, finished
    # 5. Into the table with it.
    if w.use_table != 0 and best > floor:
        mine = proof_for(sign)
        proven = (at(roots, choice).proven & mine) | (all_proven & (PROVEN_EXACT - mine)) if outlasts_paths(s) else 0
        store(table, key, sign * best, at(roots, choice).move, depth, BOUND_EXACT, proven, w.generation)
    control[FINISHED_BY] = thread + 1
    return sign * best, choice, finished


@helper
def ask_root(child, sign, low, high, depth):
    """Ask about a root move within a window as the side to move sees it."""
    lo, hi = (low, high) if sign > 0.0 else (-high, -low)
    ask(child, lo, hi, depth, NORMAL)


@helper
def note_answer(r, child, sign, low, high, nodes):
    """Write down what the child's answer, within (low, high), says of root move `r`."""
    r.searched, r.value, r.proven, r.nodes = 1, child.value, child.proven, nodes
    r.bound = BOUND_EXACT
    if sign * child.value <= low:
        r.bound = BOUND_UPPER if sign > 0.0 else BOUND_LOWER
    elif sign * child.value >= high:
        r.bound = BOUND_LOWER if sign > 0.0 else BOUND_UPPER
    update_pv(r, child, r.move)
