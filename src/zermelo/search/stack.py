"""The explicit stack of a search: one state, one row of actions and one frame for every ply below the root.

ply      states   moves      chance        frames
0        root     7 actions  –             α β best, 2 of 7 tried
1        child    6 actions  –             α β best, 0 of 6 tried
…        (rows of zermelo.compile.record.rows: bare pointers, no reference counts)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.record import RecordArray, roomy, rows
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import GameError
from zermelo.search.searcher import need_rules

FRAME = np.dtype(
    [
        ("alpha", "f8"),  # the window, from player 0's view
        ("beta", "f8"),
        ("best", "f8"),  # the value so far: a bound on the truth until every child has been seen
        ("first_below", "i8"),  # counters as they stood when this node was entered
        ("count", "i4"),  # children
        ("tried", "i4"),  # of which entered
        ("mover", "i4"),  # MAX, MIN or CHANCE
        ("choice", "i4"),  # the child that gave `best`
    ],
    align=True,
)
MAX, MIN = 0, 1  # who moves at a node of two sides; or CHANCE (core.game)
MOST_BYTES = 1 << 28  # of a stack: no game tree that can be searched is so deep


class Stack(NamedTuple):
    """What a kernel works in. Allocated once by the thin Python function that calls it."""

    states: RecordArray  # (plies + 1,)
    moves: RecordArray  # (plies + 1,) rows of `width` actions
    chance: RecordArray  # (plies + 1,) rows of `width` probabilities
    frames: RecordArray  # (plies + 1,) FRAME
    payoff: NDArray[np.float64]  # (players,)


def make_stack(game: RecordGame, root: State | None, plies: int) -> Stack:
    """Room for a search `plies` deep below `root`, or below the start."""
    need_rules(game)
    if plies * _bytes_a_ply(game) > MOST_BYTES:
        raise GameError(f"{game.name}: nothing can look {plies:,} plies ahead; give a smaller depth")
    states = roomy(plies + 1, game.variant.dtype)
    states[:1] = game.record(root)
    width = game.variant.width
    return Stack(
        states,
        rows(plies + 1, width),
        rows(plies + 1, width if game.variant.max_chance_outcomes else 1, "f8"),
        np.zeros(plies + 1, FRAME).view(np.recarray),  # frames[ply].alpha, interpreted too
        roomy(game.players, np.float64),
    )


def growing_stacks(game: RecordGame, root: State | None, depth: int | None) -> Iterator[Stack]:
    """Stacks of growing size, for a search that says when one was too short: chance, and no limit, may need more."""
    need_rules(game)
    plies = (
        game.variant.max_plies or 64 if depth is None else 2 * depth + 2 if game.variant.max_chance_outcomes else depth
    )
    while depth is not None or plies * _bytes_a_ply(game) <= MOST_BYTES:
        yield make_stack(game, root, plies)
        plies = 4 * plies + 16
    raise GameError(f"{game.name}: lines of play longer than {plies // 4:,} plies; give a depth")


def _bytes_a_ply(game: RecordGame) -> int:
    numbers = game.variant.width * (2 if game.variant.max_chance_outcomes else 1)
    return game.variant.dtype.itemsize + FRAME.itemsize + 8 * numbers
