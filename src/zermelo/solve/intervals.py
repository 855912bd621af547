"""Interval iteration: the value of a position of a game in which positions may come again through chance.

Of such a game no tree has an end, but every position has a value, which is what its successors make of theirs. All
positions begin with two bounds, the least and the most that any game can end with, and each pass over them makes the
bounds what the successors' bounds say, so that they close in on the value from both sides:

    low  ≤  value  ≤  high        true at the start, and after every pass

Sums of floating-point numbers are rounded: a pass moves each bound outwards by the most that one sum can be wrong, so
that what is said here is proven, rounding included. Where players could go on for ever, and one of them would rather,
the bounds stay apart; then there is no value to tell.

Reference: S. Haddad and B. Monmege, "Interval iteration algorithm for MDPs and IMDPs", Theoretical Computer Science 735
(2018); value iteration for stochastic games is L. S. Shapley's (1953).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.kernel import kernel
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE, OVER
from zermelo.search.stack import MAX
from zermelo.solve.graph import Graph, explore

CLOSE = 2e-10  # a value is told when its bounds are so near to each other, in ranges of payoffs
STILL = 1e-15  # passes that move no bound by more lead nowhere
_EPSILON = float(np.finfo(np.float64).eps)


@kernel
def improve(begin, after, weight, mover, low, high, error):  # type: ignore[no-untyped-def]
    """One pass, the last position first, with what is new used at once; the most that a bound has moved.

    `error` is how wrong one product or sum of payoffs can be.
    """
    most = 0.0
    for i in range(len(mover) - 1, -1, -1):
        if mover[i] == OVER:
            continue
        first, last = begin[i], begin[i + 1]
        if mover[i] == CHANCE:
            below, above = 0.0, 0.0
            for k in range(first, last):
                below += weight[k] * low[after[k]]
                above += weight[k] * high[after[k]]
            slack = 2 * (last - first) * error
            below, above = below - slack, above + slack
        else:
            below, above = low[after[first]], high[after[first]]
            for k in range(first + 1, last):
                if mover[i] == MAX:
                    below, above = max(below, low[after[k]]), max(above, high[after[k]])
                else:
                    below, above = min(below, low[after[k]]), min(above, high[after[k]])
        if below > low[i]:
            most = max(most, below - low[i])
            low[i] = below
        if above < high[i]:
            most = max(most, high[i] - above)
            high[i] = above
    return most


def make_ready(game: RecordGame, root: State) -> None:
    """Compile all that is needed, before a clock starts."""
    explore(game, root, most=1)
    none = np.zeros(0)
    improve(np.zeros(1, np.int64), np.zeros(0, np.int32), none, np.zeros(0, np.int8), none, none, 0.0)


def bounds(graph: Graph, go_on: Callable[[], None]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What the value of every position is at least and at most, from player 0's view; near to each other at the root
    and its successors, if they can be. `go_on()` may raise."""
    ends = graph.payoff[graph.mover == OVER]
    least, most = (float(ends.min()), float(ends.max())) if len(ends) else (-np.inf, np.inf)
    low, high = np.full(graph.positions, least), np.full(graph.positions, most)
    low[graph.mover == OVER] = high[graph.mover == OVER] = ends
    error = _EPSILON * max(abs(least), abs(most))
    near = [0, *graph.after[: graph.begin[1]].tolist()]
    lists = graph.begin, graph.after, graph.weight, graph.mover, low, high, error
    while len(ends) and (high[near] - low[near]).max() > CLOSE * max(most - least, 1e-300):
        go_on()
        if improve(*lists) <= STILL * (most - least):
            break
    return low, high
