"""The tree of a Monte Carlo tree search in memory: one arena of nodes, children side by side.

    nodes    0 root │ 1 2 3 children of 0 │ 4 5 children of 2 │ … free
    bounds   what is proven of the node of the same number, once its MARK_BOUNDED is set
    weight   a chance outcome's probability, or a move's prior; one dummy where neither is needed
    amaf     all-moves-as-first statistics; one dummy without RAVE

No state is stored: a simulation replays the moves from the root, which costs less than fetching states from memory.
A node's children are made all at once, so that a choice among them reads one stretch of memory: 32 bytes a child in a
game of two.

Values are payoffs as the game gives them. A game of one, or of two whose payoffs cancel, keeps player 0's alone
(`values` = 1); any other keeps every player's. `worth` turns them into what a mover wants to be large.

Several threads work on one tree without locks (Enzenberger and Müller 2009). Each allocates in a range of its own;
a node's children are written before the number of the first is; counts that two threads change at once may lose one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import lower_builtin, type_callable

from zermelo.compile.kernel import kernel
from zermelo.compile.overloads import overload, remember
from zermelo.compile.pointers import base, item
from zermelo.compile.record import RecordArray
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import GameError

MARK_BOUNDED, MARK_PROVEN, MARK_ILLEGAL = 1, 2, 4  # something is proven; the value is; forbidden by repetition
NO_CHILDREN = -1  # `first`, before a node is expanded
MEGABYTE = 1 << 20

WEIGHT = np.dtype([("part", "f8")])  # a probability, or a prior
AMAF = np.dtype([("total", "f4"), ("visits", "f4")])  # the worth to whoever chooses this move, added up
PLAYER = np.dtype([("side", "i8"), ("least", "f8"), ("most", "f8")])  # his team, and what he may get as declared
SPAN = np.dtype([("least", "f8"), ("most", "f8")])  # payoffs: as declared, or seen so far


def node_dtype(values: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("total", "f8", (values,)),  # of the payoffs backed up
            ("action", "i8"),  # that leads here
            ("visits", "i4"),
            ("first", "i4"),  # child, or NO_CHILDREN
            ("count", "i4"),  # of children
            ("plies", "i2"),  # of a proven node: to the end
            ("mover", "i1"),  # known once there are children
            ("marks", "u1"),
        ],
        align=True,
    )


def bounds_dtype(values: int) -> np.dtype[np.void]:
    """The truth lies between: low ≤ payoff ≤ high, for every value."""
    return np.dtype([("low", "f8", (values,)), ("high", "f8", (values,))], align=True)


class Tree(NamedTuple):
    """What all threads share. N nodes."""

    nodes: RecordArray  # (N,)
    bounds: RecordArray  # (N,)
    weight: RecordArray  # (N,) or (1,)
    amaf: RecordArray  # (N,) or (1,)
    span: RecordArray  # (1,)
    players: RecordArray  # (players,)


def count_values(game: RecordGame) -> int:
    """How many payoffs a node keeps."""
    return 1 if game.players == 1 or (game.players == 2 and game.zero_sum) else game.players


def make_tree(game: RecordGame, memory_mb: float, priors: bool, rave: bool, threads: int) -> Tree:
    """An empty tree within the budget. Untouched pages cost nothing: the system hands memory out when it is written."""
    values = count_values(game)
    node, bound = node_dtype(values), bounds_dtype(values)
    weighted = priors or bool(game.variant.max_chance_outcomes)
    one = node.itemsize + bound.itemsize + 8 * weighted + AMAF.itemsize * rave
    room = min(int(memory_mb * MEGABYTE) // one, 2**31 - 1)
    # half of it stays free, with room in it for any thread to give the root its children
    least = 2 * threads * (game.variant.width + 1)
    if room < least:
        needed = max(one * least / MEGABYTE, 0.01)
        raise GameError(f"{game.name}: a tree needs at least {needed:.2f} megabytes, not {memory_mb:g}")
    try:
        return Tree(
            np.zeros(room, node).view(np.recarray),  # nodes[i].visits, interpreted too
            np.zeros(room, bound).view(np.recarray),
            np.zeros(room if weighted else 1, WEIGHT).view(np.recarray),
            np.zeros(room if rave else 1, AMAF).view(np.recarray),
            np.zeros(1, SPAN).view(np.recarray),
            np.array([(game.side(p), *_declared(game)) for p in range(game.players)], PLAYER).view(np.recarray),
        )
    except MemoryError:
        raise GameError(f"there is no memory for a tree of {memory_mb:,g} megabytes; take a smaller one") from None


def _declared(game: RecordGame) -> tuple[float, float]:
    """Bounds on every value a node keeps; what rules declare is about player 0."""
    return (game.variant.utility_range if count_values(game) == 1 else None) or (-np.inf, np.inf)


def clear(tree: Tree, game: RecordGame) -> None:
    """Only a root, of which nothing is known."""
    root = tree.nodes[0]
    root.total[:] = 0.0
    root.action, root.visits, root.first, root.count = -1, 0, NO_CHILDREN, 0
    root.plies, root.mover, root.marks = 0, 0, 0
    tree.weight[0].part = 1.0
    least, most = _declared(game)
    tree.span[0].least, tree.span[0].most = (least, most) if np.isfinite(most - least) else (np.inf, -np.inf)


def share_out(tree: Tree, used: int, threads: int) -> list[tuple[int, int]]:
    """Split what is free behind the first `used` nodes into one range for each thread."""
    cuts = np.linspace(used, len(tree.nodes), threads + 1).astype(np.int64)
    return [(int(cuts[t]), int(cuts[t + 1])) for t in range(threads)]


class Arena(NamedTuple):
    """The tree as compiled code hands it on: bare records, each standing for those after it (see `base`)."""

    nodes: Any
    bounds: Any
    weight: Any
    amaf: Any
    span: Any
    players: Any


def arena_of(tree: Any) -> Any:
    """The tree for compiled code. (Records cannot be returned: this is written into its callers before types are.)"""
    return Arena(
        base(tree.nodes),
        base(tree.bounds),
        base(tree.weight),
        base(tree.amaf),
        item(base(tree.span), 0),
        base(tree.players),
    )


@overload(arena_of, itself=True, inline="always")
def _arena_of(tree: Any) -> Any:
    return arena_of


# -- what a node is worth to whoever moves -----------------------------------------------------------------------------


@helper
def worth(players: Any, p: Any, values: Any) -> Any:
    """What `values` (payoffs, or sums of them) mean to player `p`: more is better. A team counts all its members."""
    if len(values) == 1:
        return values[0] if item(players, p).side == 0 else -values[0]
    total = 0.0
    for q in range(len(values)):
        if item(players, q).side == item(players, p).side:
            total += values[q]
    return total


@helper
def least_worth(players: Any, p: Any, bound: Any) -> Any:
    """No less than this is certain for player `p`."""
    if len(bound.low) == 1:
        return bound.low[0] if item(players, p).side == 0 else -bound.high[0]
    return worth(players, p, bound.low)


@helper
def most_worth(players: Any, p: Any, bound: Any) -> Any:
    """No more than this is possible for player `p`."""
    if len(bound.low) == 1:
        return bound.high[0] if item(players, p).side == 0 else -bound.low[0]
    return worth(players, p, bound.high)


@helper
def worst_worth(players: Any, p: Any, bound: Any) -> Any:
    """The game declares no payoff that is worse for player `p`."""
    if len(bound.low) == 1:
        return item(players, p).least if item(players, p).side == 0 else -item(players, p).most
    return -np.inf


def unit(function: Any) -> Any:
    """A part of a kernel that is the same for every game: compiled once and kept, like a kernel, and not with each."""
    compiled = kernel(function)
    overload(function, itself=True)(lambda *given: lambda *given: compiled(*given))  # noqa: PLW0108
    return function


# -- the order in which threads see each other's writes ----------------------------------------------------------------


def fence() -> None:
    """What was written before is seen by other threads no later than what is written after."""


@type_callable(fence)
def _type_fence(context: Any) -> Any:
    return lambda: types.none


@lower_builtin(fence)
def _lower_fence(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    builder.fence("acq_rel")  # on x86 no instruction, only a word to the compiler
    return context.get_dummy_value()


remember(fence, _type_fence, _lower_fence)
