"""Plain alpha-beta, compiled: no table, no ordering, no deepening; the yardstick the real search is measured with.

The contract, for a window α < β, all from player 0's view:

    value ≤ α   the truth is ≤ value     (fail low)
    α < value < β   the truth is value
    value ≥ β   the truth is ≥ value     (fail high)

MAX raises α, MIN lowers β, whoever moves next: extra turns and teams need no sign. A chance node searches its
outcomes with an open window, because their average, not one of them, meets the window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, assign, at, expand, has_chance, row, side, utility
from zermelo.compile.evaluator import HANDCRAFTED, leaf_value
from zermelo.compile.kernel import kernel
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.core.spec import whole
from zermelo.search.limits import STOP, Control, new_control
from zermelo.search.stack import MAX, MIN, growing_stacks

NODES, LEAVES = range(2)  # counters
POLLED = 4  # the stop flag is looked at by nodes with as many plies below them: a look must not cost anything


@dataclass(frozen=True)
class Found:
    """`value` is from player 0's view; `leaves` counts ends and cutoffs."""

    value: float
    best: int | None
    nodes: int
    leaves: int


@kernel
def alphabeta(states, moves, chance, frames, payoff, depth, window, evaluator, counters, control):  # type: ignore[no-untyped-def]
    """The value of states[0] to `depth` moves within `window`; frames[0].choice keeps the root's choice.

    NaN when the stack is too short: `luck` counts the chance nodes from the root to here, which cost no depth. NaN also
    when somebody has asked to stop; the choice is then the best of the root's moves that were finished.

    The node being worked on lives in local variables (registers); its frame is written on the way down to a child and
    read on the way back up. Leaves get no frame: most nodes are leaves.
    """
    alpha, beta = window
    ply, value, nodes, inner, choice = 0, 0.0, 1, 1, -1
    tried, mover, best, luck = 0, CHANCE, 0.0, 0
    polled = depth if has_chance(at(states, 0)) else max(0, depth - POLLED)  # plies
    here, below, out = at(states, 0), at(states, 1), row(moves, 0)
    # 1. The root.
    p, count = (OVER, 0) if depth == 0 else expand(here, out, row(chance, 0))
    if depth == 0 or p == OVER:
        counters[NODES], counters[LEAVES] = 1, 1
        at(frames, 0).choice = -1
        return leaf_value(here, out, payoff, evaluator)
    if has_chance(here) and p == CHANCE:
        luck = 1
    else:
        mover = MAX if side(here, p) == 0 else MIN
        best = -np.inf if mover == MAX else np.inf
    while True:
        if ply + 1 - luck == depth and not (has_chance(here) and mover == CHANCE):
            # 2. All children are leaves: no frames, one tight loop. Most nodes are seen here.
            while tried < count:
                assign(below, here)
                apply(below, at(out, tried))
                value = leaf_value(below, row(moves, ply + 1), payoff, evaluator)
                if (value > best) if mover == MAX else (value < best):
                    best = value
                    alpha, beta = (max(alpha, value), beta) if mover == MAX else (alpha, min(beta, value))
                    choice = tried if ply == 0 else choice
                    if alpha >= beta:
                        tried += 1
                        break
                tried += 1
            count = 0
        if tried < count:
            # 3. Down to the next child: a frame for this node, fresh variables for the child.
            assign(below, here)
            apply(below, at(out, tried))
            tried += 1
            p, n = expand(below, row(moves, ply + 1), row(chance, ply + 1))
            if p == OVER:
                utility(below, payoff)
                value = payoff[0]
            else:
                inner += 1
                f = at(frames, ply)
                f.alpha, f.beta, f.best = alpha, beta, best
                f.count, f.tried, f.mover = count, tried, mover
                if has_chance(here) and mover == CHANCE:
                    alpha, beta = -np.inf, np.inf
                if has_chance(here) and ply + 3 > len(states):
                    return np.nan
                ply += 1
                here, below, out = below, at(states, ply + 1), row(moves, ply)
                count, tried = n, 0
                if has_chance(here) and p == CHANCE:
                    mover, best, luck = CHANCE, 0.0, luck + 1
                else:
                    mover = MAX if side(here, p) == 0 else MIN
                    best = -np.inf if mover == MAX else np.inf
                continue
        else:
            # 4. Up with the value.
            nodes += tried
            if ply <= polled and (ply == 0 or control[STOP] != 0):
                counters[NODES], counters[LEAVES] = nodes, nodes - inner
                at(frames, 0).choice = choice
                return best if ply == 0 else np.nan
            value = best
            luck -= 1 if has_chance(here) and mover == CHANCE else 0
            ply -= 1
            here, below, out = at(states, ply), here, row(moves, ply)
            f = at(frames, ply)
            alpha, beta, best = f.alpha, f.beta, f.best
            count, tried, mover = f.count, f.tried, f.mover
        # 5. A child's value: narrow the window; no further child when it has closed.
        if has_chance(here) and mover == CHANCE:
            best += row(chance, ply)[tried - 1] * value
        elif (value > best) if mover == MAX else (value < best):
            best = value
            alpha, beta = (max(alpha, value), beta) if mover == MAX else (alpha, min(beta, value))
            choice = tried - 1 if ply == 0 else choice
            if alpha >= beta:
                count = 0


def plain_alphabeta(
    game: RecordGame,
    state: State | None = None,
    depth: int = 4,
    window: tuple[float, float] = (-np.inf, np.inf),
    evaluator: Any = HANDCRAFTED,
    control: Control | None = None,
) -> Found:
    """Search `depth` moves below `state` (chance costs no depth), children in the order the rules list them.

    `control` is what somebody stops it by (limits.py); the value is NaN then.
    """
    whole("the depth", depth, 0)
    if not window[0] < window[1]:
        raise GameError(f"the window ({window[0]:g}, {window[1]:g}) is empty")
    counters, control = np.zeros(2, np.int64), new_control() if control is None else control
    for stack in growing_stacks(game, state, depth + 1):
        value = game.run(alphabeta, *stack, depth, (float(window[0]), float(window[1])), evaluator, counters, control)
        if not np.isnan(value) or control[STOP]:
            break
    choice = int(stack.frames[0]["choice"])
    best = int(stack.moves[0]["at"][choice]) if choice >= 0 else None
    return Found(float(value), best, int(counters[NODES]), int(counters[LEAVES]))
