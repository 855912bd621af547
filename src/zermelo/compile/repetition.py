"""What repetition makes of a position, for every kernel: the compiled counterpart of zermelo.core.history.

A kernel keeps the key of every position on the way, the game so far first, in one array (or row of words):

    keys   0 … positions of the game … root … positions of the search or of the game played on … top
                                                                                                    └ the one to judge

    draw        the game is over when a position stands for the `repetitions`-th time, and everybody gets 0
    loss        … and the side of whoever moved last has lost; chance is nobody, so the last player before it is blamed
    forbidden   a player may not move to such a position; chance may, and so may a move that leaves the position as it
                was (a pass)

Equal keys are taken for equal positions.
"""

from __future__ import annotations

from typing import Any

from zermelo.compile.constants import DRAWN, FORBIDDEN, LOST, repetition, repetitions, side
from zermelo.compile.helper import helper
from zermelo.compile.hooks import reversible_plies
from zermelo.core.game import CHANCE

PAST = 1024  # positions before the root of a search that are looked back to


@helper
def stood_before(s: Any, keys: Any, top: Any, null_moves: Any) -> Any:
    """(how often `s`, keys[top], stood before; the first place where it did, `top` if nowhere).

    Nothing before the last move that cannot be undone is looked at. `null_moves` of a search are on the way: they have
    places in `keys`, and rules do not count them.
    """
    k, times, first = keys[top], 0, top
    for i in range(max(0, top - null_moves - reversible_plies(s)), top):
        if keys[i] == k:
            if times == 0:
                first = i
            times += 1
    return times, first


@helper
def ends_by_repetition(s: Any, keys: Any, top: Any) -> Any:
    """Is the game over because `s`, keys[top], stands for the deciding time?"""
    if repetition(s) != DRAWN and repetition(s) != LOST:
        return False
    times, _ = stood_before(s, keys, top, 0)
    return times + 1 >= repetitions(s)


@helper
def is_forbidden(s: Any, keys: Any, top: Any, mover: Any) -> Any:
    """May `mover` (a player, or CHANCE) not move to `s`, keys[top], because it has stood before?"""
    if repetition(s) != FORBIDDEN:
        return False
    times, _ = stood_before(s, keys, top, 0)
    return times + 1 >= repetitions(s) and forbids(keys, top, mover)


@helper
def forbids(keys: Any, top: Any, mover: Any) -> Any:
    """Where repetition is forbidden: nobody forbids chance anything, and a pass repeats nothing."""
    return mover != CHANCE and keys[top] != keys[top - 1]


@helper
def repetition_payoff(s: Any, p: Any, last_mover: Any) -> Any:
    """Player `p`'s payoff of a game that ended by repetition. `last_mover` moved last, chance left out; CHANCE: nobody
    has moved yet."""
    if repetition(s) == DRAWN or last_mover < 0:
        return 0.0
    return -1.0 if side(s, p) == side(s, last_mover) else 1.0
