"""What one thread of a Monte Carlo tree search works in, beside the tree that all of them share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.batch.random_game import PLAYED
from zermelo.compile.random import generator
from zermelo.compile.record import RecordArray, roomy, rows
from zermelo.compile.record_game import State
from zermelo.compile.repetition import PAST
from zermelo.search.mcts.descent import STEP, WORKER
from zermelo.search.mcts.kernel import MOST_DEPTH, ROW, Rollouts
from zermelo.search.mcts.rave import SLOT


class Workspace(NamedTuple):
    """What one thread works in; its names are the kernels'."""

    states: RecordArray  # (3,) the root, the walk, the state before a move
    moves: RecordArray  # (1,) row of `width`
    chance: RecordArray
    payoff: RecordArray  # (1,) row of `players`
    paths: RecordArray  # (batch * ROW,) STEP
    keys: RecordArray  # (1,) row of PAST + ROW words: of the game, then of the path
    worker: RecordArray  # (1,) WORKER
    random: RecordArray  # (1,) row of one word


def make_workspace(state: State, keys: tuple[int, ...], batch: int, random: RecordArray) -> Workspace:
    """For walks from `state`; `keys` are those of the game, the last the state's own, where repetition matters."""
    variant = state.game.variant
    states = roomy(3, variant.dtype)
    states[:1] = state.record
    known = keys[-PAST:]
    room = rows(1, PAST + ROW if keys else 1, "u8")
    room["at"][0, : len(known)] = known
    return Workspace(
        states,
        rows(1, variant.width),
        rows(1, variant.width if variant.max_chance_outcomes else 1, "f8"),
        rows(1, variant.players, "f8"),
        np.zeros(batch * ROW, STEP).view(np.recarray),
        room,
        np.zeros(1, WORKER).view(np.recarray),
        random,
    )


def random_row(seed: int) -> RecordArray:
    """A generator as a row, which is how kernels pass it on for nothing."""
    row = rows(1, 1, "u8")
    row["at"][0] = generator(seed)
    return row


def make_rollouts(epsilon: float | None, rave_plies: int | None) -> Rollouts:
    """Room for the moves of rollouts of so many plies, and for the table they are looked up in; None without RAVE."""
    if rave_plies is None:
        return Rollouts(epsilon, None, np.zeros(1, SLOT).view(np.recarray))  # a table nobody looks at
    size = 1 << (2 * (rave_plies + MOST_DEPTH)).bit_length()
    log = np.zeros(rave_plies + 1, PLAYED).view(np.recarray)
    return Rollouts(epsilon, log, np.zeros(size + 1, SLOT).view(np.recarray))
