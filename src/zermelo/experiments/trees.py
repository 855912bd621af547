"""Complete random trees as arrays: the leaves from the left, one axis of length b for each ply.

    leaves    (b, b, …, b)          n axes, b^n numbers, from player 0's view
    levels    ("max", "min", …)     who moves at each ply, the root's first
    values    [(), (b,), (b, b), …, leaves]: the value of every node of ply 0, 1, …, n

Any number of trees may stand side by side on further axes in front; they are worked on at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Mover: TypeAlias = Literal["max", "min", "chance"]
Values: TypeAlias = NDArray[np.float64]


def back_up(values: Values, mover: Mover) -> Values:
    """From the children, on the last axis, to their parents; the outcomes of chance are equally likely."""
    if mover == "chance":
        return np.asarray(values.mean(axis=-1))
    return np.asarray(values.max(axis=-1) if mover == "max" else values.min(axis=-1))


def grow(branching: int, plies: int, trees: int, rng: np.random.Generator) -> Values:
    """`trees` trees with independent leaves, uniform in [−1, 1): (trees, b, …, b)."""
    return rng.uniform(-1.0, 1.0, (trees, *[branching] * plies))


def node_values(leaves: Values, levels: Sequence[Mover]) -> list[Values]:
    """The value of every node, by ply: the recurrence of the textbook, a ply at a time."""
    values = [leaves]
    for mover in reversed(levels):
        values.insert(0, back_up(values[0], mover))
    return values


def sort_moves(leaves: Values, levels: Sequence[Mover], *, best: bool) -> Values:
    """The same tree (one, with no axis in front) with the moves of every node put best first, or worst first."""
    branching, shape = len(leaves), leaves.shape
    values = leaves
    for ply in reversed(range(len(levels))):
        values = values.reshape(-1, branching)
        order = np.argsort(-values if (levels[ply] == "max") == best else values, axis=-1, kind="stable")
        subtrees = leaves.reshape(len(values), branching, -1)
        leaves = subtrees[np.arange(len(values))[:, None], order]
        values = back_up(values, levels[ply])
    return leaves.reshape(shape)
