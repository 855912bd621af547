"""Every node of a game tree, once: the exact value, and the counts that rules are checked by.

The search is plain expectiminimax with an explicit stack. Side 0 (MAX) maximizes player 0's payoff, every other side
minimizes it, chance averages it; a depth limit puts an evaluator in place of what lies below. There is no pruning and
no table: what comes out is the definition, computed fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, expand, key, row, side, utility
from zermelo.compile.evaluator import HANDCRAFTED, estimate
from zermelo.compile.kernel import kernel
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.core.spec import whole
from zermelo.search.limits import NO_LIMIT, STOP, Control, new_control
from zermelo.search.stack import MAX, MIN, growing_stacks

NODES, ENDS, FIRST, SECOND, EVEN, CUTOFFS = range(6)  # counters: FIRST ends are good for player 0, SECOND are bad

POLL = 4095  # the stop flag is looked at when as many low bits of the count of nodes are 0
FULL, DEEP = -1, -2  # why a count could not be finished


@dataclass(frozen=True)
class Tree:
    """What a game tree holds. `value` is from player 0's view."""

    value: float
    best: int | None  # the first best action at the root; None where there is no choice
    nodes: int
    ends: int  # finished games
    first: int  # ends with a positive payoff for player 0
    second: int  # with a negative one
    even: int  # with zero
    cutoffs: int  # nodes evaluated because the depth was spent


@kernel
def expectiminimax(states, moves, chance, frames, payoff, depth, evaluator, counters, control):  # type: ignore[no-untyped-def]
    """The value of states[0] to `depth` moves, from player 0's view; the root's frame keeps the choice.

    NaN when the stack is too short: `luck` counts the chance nodes above, which cost no depth; or when somebody has
    asked to stop.
    """
    ply, luck, entering, value = 0, 0, True, 0.0
    while True:
        f = frames[ply]
        if entering:
            # 1. A new node: a leaf has its value at once, any other gets its children listed.
            counters[NODES] += 1
            if counters[NODES] & POLL == 0 and control[STOP] != 0:
                return np.nan
            s = states[ply]
            f.tried, f.choice = 0, -1
            p, f.count = expand(s, row(moves, ply), row(chance, ply))
            if p == OVER:
                utility(s, payoff)
                value = payoff[0]
                counters[ENDS] += 1
                counters[FIRST if value > 0 else SECOND if value < 0 else EVEN] += 1
            elif ply - luck == depth:
                value = float(estimate(evaluator, s))
                counters[CUTOFFS] += 1
                f.count = 0
            elif ply + 1 == len(states):
                return np.nan
            elif p == CHANCE:
                f.mover, f.best = CHANCE, 0.0
            else:
                f.mover = MAX if side(s, p) == 0 else MIN
                f.best = -np.inf if f.mover == MAX else np.inf
        else:
            # 2. Back from a child: its value counts for the side that moves here.
            if f.mover == CHANCE:
                f.best += row(chance, ply)[f.tried - 1] * value
            elif (value > f.best) if f.mover == MAX else (value < f.best):
                f.best, f.choice = value, f.tried - 1
            value = f.best
        # 3. Down to the next child, or up with the value.
        if f.tried < f.count:
            states[ply + 1] = states[ply]
            apply(states[ply + 1], row(moves, ply)[f.tried])
            f.tried += 1
            ply += 1
            luck += 1 if f.mover == CHANCE else 0
            entering = True
        elif ply == 0:
            return value
        else:
            ply -= 1
            luck -= 1 if frames[ply].mover == CHANCE else 0
            entering = False


def exhaustive(
    game: RecordGame,
    state: State | None = None,
    depth: int | None = None,
    evaluator: Any = HANDCRAFTED,
    control: Control | None = None,
) -> Tree:
    """Search the whole tree below `state` (or `depth` moves of it; chance costs no depth, as in the textbook).

    `control` is what somebody stops it by (limits.py); the value is NaN then.
    """
    control = new_control() if control is None else control
    if depth is not None:
        whole("the depth", depth, 0)
    for stack in growing_stacks(game, state, depth):
        counters = np.zeros(6, np.int64)
        limit = NO_LIMIT if depth is None else depth
        value = float(game.run(expectiminimax, *stack, limit, evaluator, counters, control))
        if not np.isnan(value) or control[STOP]:
            break
    choice = int(stack.frames[0]["choice"])
    best = int(stack.moves[0]["at"][choice]) if choice >= 0 else None
    return Tree(value, best, *(int(n) for n in counters))


@kernel
def count_positions(states, moves, chance, frames, payoff, depth, table, levels):  # type: ignore[no-untyped-def]
    """How many different positions are reached; FULL when the table of keys is, DEEP when the stack is too short.

    `table` is an open-addressing set of keys, of a power-of-two size; 0 marks an empty place. With `levels` longer than
    one the set is kept apart for every ply (the ply is mixed into the key), so levels[d] counts positions at ply d.
    """
    mask = np.uint64(len(table) - 1)
    by_ply = len(levels) > 1
    found, ply, entering = 0, 0, True
    while True:
        f = frames[ply]
        if entering:
            # 1. A new node: its place in the set.
            s = states[ply]
            f.count, f.tried = 0, 0
            k = key(s)
            if by_ply:
                k = (k ^ np.uint64(ply + 1)) * np.uint64(0x9E3779B97F4A7C15)
            k |= np.uint64(1)
            place = (k >> np.uint64(17)) & mask
            while table[place] != np.uint64(0) and table[place] != k:
                place = (place + np.uint64(1)) & mask
            # 2. Seen for the first time: count it, and list what follows.
            if table[place] == np.uint64(0):
                table[place] = k
                found += 1
                if 2 * found > len(table):
                    return FULL
                levels[ply if by_ply else 0] += 1
                if ply < depth:
                    _, f.count = expand(s, row(moves, ply), row(chance, ply))
                    if f.count > 0 and ply + 1 == len(states):
                        return DEEP
        # 3. Down to the next child, or up.
        if f.tried < f.count:
            states[ply + 1] = states[ply]
            apply(states[ply + 1], row(moves, ply)[f.tried])
            f.tried += 1
            ply += 1
            entering = True
        elif ply == 0:
            return found
        else:
            ply -= 1
            entering = False


def positions(game: RecordGame, state: State | None = None, depth: int | None = None) -> int:
    """How many different positions can be reached: all of them, or those within `depth` plies, chance included.

    With a depth, a position first met late and again early is followed no further than the first time.
    """
    return int(_count(game, state, depth, 1)[0])


def positions_by_ply(game: RecordGame, depth: int, state: State | None = None) -> list[int]:
    """How many different positions there are after 0, 1, … `depth` plies, chance included."""
    return [int(n) for n in _count(game, state, depth, depth + 1)]


def _count(game: RecordGame, state: State | None, depth: int | None, levels: int) -> np.ndarray:  # type: ignore[type-arg]
    if depth is not None:
        whole("the depth", depth, 0)
    size = 1 << 16
    for stack in growing_stacks(game, state, depth):
        found = FULL
        while found == FULL:
            if size > 1 << 30:
                raise GameError(f"{game.name}: more positions than fit in memory; give a smaller depth")
            counted, limit = np.zeros(levels, np.int64), NO_LIMIT if depth is None else depth
            found = game.run(count_positions, *stack, limit, np.zeros(size, np.uint64), counted)
            size *= 8 if found == FULL else 1
        if found != DEEP:
            break
    return counted
