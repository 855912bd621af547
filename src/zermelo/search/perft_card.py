"""Lines of play counted on a graphics card: a thread a position. Imported only where one is asked for."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import config, cuda, from_dtype

from zermelo.compile.dispatch import assign, at
from zermelo.compile.record import RecordArray, roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.variant import Variant
from zermelo.core.game import GameError
from zermelo.search.perft import count_below
from zermelo.search.perft_split import Counts, count_on_cores
from zermelo.search.stack import FRAME

if not config.ENABLE_CUDASIM:  # in CUDA's simulator kernels are plain Python
    import zermelo.compile.targets.cuda as target  # rules are then compiled for it too

THREADS = 64  # in a block: few, since their counts end at different times
SLACK = 8  # numbers behind what rules write to
LEAST = 4  # plies that a thread has room for, so that a count needs no kernel of its own for every depth


def need_card_for(rules: Variant) -> None:
    """A GameError where there is no card, or the rules cannot run there."""
    if not config.ENABLE_CUDASIM:
        target.need_card()
        target.refuse_by_looks(rules)


def make_counter(rules: Variant, depth: int) -> Any:
    """What a thread of the card does: count below its position, in a stack of its own."""
    record, plies, frame = from_dtype(rules.dtype), depth + 1, from_dtype(FRAME)
    listed = from_dtype(rows(0, rules.width + SLACK).dtype)
    weighed = from_dtype(rows(0, (rules.width if rules.max_chance_outcomes else 1) + SLACK, "f8").dtype)

    def count_one(positions, depth, count_ended, lines, nodes):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < lines.shape[0]:
            states, frames = cuda.local.array(plies, record), cuda.local.array(plies, frame)
            moves, chance = cuda.local.array(plies, listed), cuda.local.array(plies, weighed)
            assign(at(states, 0), at(positions, i))
            lines[i], nodes[i] = count_below(states, moves, chance, frames, depth, count_ended)

    return count_one


@cache
def kernel_of(rules: Variant, depth: int) -> Any:
    return cuda.jit(make_counter(rules, depth))


def count_on_card(
    game: RecordGame, positions: RecordArray, depth: int, count_ended: bool, threads: int
) -> tuple[Counts, Counts]:
    """Lines and nodes below each position."""
    n = len(positions)
    lines, nodes = cuda.to_device(np.full(n, -1, np.int64)), cuda.to_device(np.zeros(n, np.int64))
    there = cuda.to_device(np.ascontiguousarray(positions).view(np.ndarray))
    try:
        if n:
            kernel = kernel_of(game.variant, max(depth, LEAST))
            kernel[-(-n // THREADS), THREADS](there, depth, count_ended, lines, nodes)
    except Exception as error:
        raise error if config.ENABLE_CUDASIM else target.explain_refusal(game.variant, error) from error
    below, made = lines.copy_to_host(), nodes.copy_to_host()
    wrong = np.flatnonzero(below < 0)  # a thread whose rules overrun what they declare ends where it is
    if len(wrong):
        one = roomy(1, positions.dtype)
        one[:] = positions[wrong[:1]]
        count_on_cores(game, one, depth, count_ended, 1)  # says why
        raise GameError(f"{game.name}: a count went wrong on the card, and not on a core")
    return below, made
