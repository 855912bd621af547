"""What the way to a position has to do with its value: repetition, and whether an answer is true on other paths too."""

from __future__ import annotations

import numpy as np

from zermelo.compile.dispatch import DRAWN, FORBIDDEN, LOST, NEVER, at, player, repetition, repetition_key, repetitions
from zermelo.compile.repetition import forbids, repetition_payoff, stood_before
from zermelo.compile.rules import helper
from zermelo.search.alphabeta.nodes import AFTER_NULL, PATH_FREE, PROVEN_EXACT, answer
from zermelo.search.alphabeta.scores import with_distance


@helper
def decided_by_repetition(states, frames, w, ply):
    """Has the position stood before, so that nothing is left to search? Then the answer stands in the frame.

    NaN stands for "forbidden". A position that comes back within the search is not looked at a third time where that
    would decide: what can be forced once can be forced again (`quick_repetition`).
    """
    note_position(states, frames, w, ply)
    s, f = at(states, ply), at(frames, ply)
    times, first = stood_before(s, w.keys, w.past + ply, f.null_moves)
    if times == 0 or ply == 0:
        return False
    deciding, first = times + 1 >= repetitions(s), max(first - w.past, -1)
    if repetition(s) == FORBIDDEN:
        if not (deciding and forbids(w.keys, w.past + ply, player(at(states, ply - 1)))):
            return False
        answer(f, np.nan, PROVEN_EXACT, first)
        return True
    if deciding or (first >= 0 and w.use_quick_repetition != 0):
        value = repetition_payoff(s, 0, f.last_mover)
        answer(f, with_distance(value, w.distance_step * ply), PROVEN_EXACT, first)
        return True
    return False


@helper
def note_position(states, frames, w, ply):
    """Keep what repetition needs to know of the position at `ply`: its key, and how it was come to."""
    s, f = at(states, ply), at(frames, ply)
    w.keys[w.past + ply] = repetition_key(s)
    f.null_moves, f.last_mover = 0, w.last_mover
    if ply > 0:
        parent = at(frames, ply - 1)
        f.null_moves = parent.null_moves + (1 if f.mode == AFTER_NULL else 0)
        if repetition(s) == LOST:  # only there somebody is blamed, and to ask whose turn it was is not free
            p = player(at(states, ply - 1))
            f.last_mover = p if p >= 0 else parent.last_mover


@helper
def dependence_above(depends_on, ply):
    """What a node at `ply` passes on of its children's dependence: only what concerns the path above it."""
    return depends_on if depends_on < ply else PATH_FREE


@helper
def outlasts_paths(s):
    """Is a proof made on one path a proof on every path?

    Where repetition draws, yes: whoever wins need not repeat, since the place he would come back to is won already, and
    sooner. Where repetition loses or is forbidden, a position met before may take the very move the proof needs.
    """
    return repetition(s) == NEVER or repetition(s) == DRAWN
