"""Perft shared out: over the cores of this machine, or a thread a position on a graphics card.

    root     1 position                        breadth first, in plies, until there are enough positions;
    …        20, 400, 8,902 lines              those that are equal are kept once, with how often they came
    enough   5,362 positions × how often       depth first below each of them, everyone by themselves

The sum of (how often × lines below) is perft's number, exactly: equal positions have equal lines below. The count below
a position is `count_below` of perft.py on both devices.
"""

from __future__ import annotations

import itertools
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import apply, assign, at
from zermelo.compile.kernel import JIT, kernel
from zermelo.compile.random import scramble
from zermelo.compile.record import RecordArray, roomy
from zermelo.compile.record_game import RecordGame, State
from zermelo.compile.targets import need_cuda
from zermelo.core.game import OVER, GameError
from zermelo.core.spec import whole
from zermelo.search.limits import in_threads
from zermelo.search.perft import count_below, expand_moves, make_room
from zermelo.search.searcher import need_rules

ENOUGH = {"cpu": 1 << 14, "cuda": 1 << 16}  # positions
MOST_BYTES = 1 << 29  # of positions

Counts = NDArray[np.int64]


@kernel
def spread(positions, moves, chance, counts, children):  # type: ignore[no-untyped-def]
    """counts[i]: the moves at positions[i], or −1 where the game is over. Where they lead, one position after another,
    as far as there is room in `children`."""
    k = 0
    for i in range(len(positions)):
        p, n = expand_moves(at(positions, i), at(moves, 0).at, at(chance, 0).at)
        counts[i] = -1 if p == OVER else n
        for m in range(n):
            if k < len(children):
                assign(at(children, k), at(positions, i))
                apply(at(children, k), at(moves, 0).at[m])
            k += 1


@kernel
def count_each(first, last, positions, states, moves, chance, frames, depth, count_ended, lines, nodes):  # type: ignore[no-untyped-def]
    """Lines and nodes below each of the positions from `first` to `last`."""
    for i in range(first, last):
        assign(at(states, 0), at(positions, i))
        lines[i], nodes[i] = count_below(states, moves, chance, frames, depth, count_ended)


def split_perft(
    game: RecordGame,
    depth: int,
    state: State | None = None,
    count_ended: bool = False,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> tuple[int, int]:
    """The number of lines of play `depth` plies long, and of the nodes made to find it."""
    whole("the depth", depth, 0)
    if device not in ENOUGH:
        raise GameError(f"perft is counted on 'cpu' or 'cuda', not {device!r}")
    threads = (os.cpu_count() or 1) if threads is None else whole("threads", threads, 1, 256)
    counter: Any = count_on_cores
    if device == "cuda":
        need_cuda()
        from zermelo.search.perft_card import count_on_card, need_card_for

        need_card_for(need_rules(game).variant)
        counter = count_on_card
    if depth == 0:
        return 1, 1
    positions, often, left = game.record(state), np.ones(1, np.int64), depth
    lines, nodes = 0, 1
    while left > 1 and 0 < len(positions) < ENOUGH[device]:
        counts, children = _children(game, positions)
        if children is None:
            break
        lines += int(often[counts < 0].sum()) if count_ended else 0
        nodes, left = nodes + len(children), left - 1
        positions, often = _merge(children, np.repeat(often, np.maximum(counts, 0)))
    below, made = counter(game, positions, left, count_ended, threads)
    return lines + sum(a * b for a, b in zip(often.tolist(), below.tolist(), strict=True)), nodes + int(made.sum())


def _children(game: RecordGame, positions: RecordArray) -> tuple[Counts, RecordArray | None]:
    """How many moves there are at each position, and where they lead; None if that is too much to keep."""
    _, moves, chance, _ = make_room(game, None, 1)
    counts, none = np.zeros(len(positions), np.int64), roomy(0, game.variant.dtype)
    game.run(spread, positions, moves, chance, counts, none)
    total = int(np.maximum(counts, 0).sum())
    if total * game.variant.dtype.itemsize > MOST_BYTES:
        return counts, None
    children = roomy(total, game.variant.dtype)
    game.run(spread, positions, moves, chance, counts, children)
    return counts, children


def _merge(positions: RecordArray, often: Counts) -> tuple[RecordArray, Counts]:
    """Equal positions once. A hash finds them; two that share it and differ leave everything as it was."""
    words = np.frombuffer(positions.tobytes(), np.uint64).reshape(len(positions), positions.dtype.itemsize // 8)
    mixed = np.zeros(len(positions), np.uint64)
    with np.errstate(over="ignore"):
        for k in range(words.shape[1]):
            mixed = scramble(mixed ^ words[:, k])
    _, first, place = np.unique(mixed, return_index=True, return_inverse=True)
    if len(first) == len(positions) or not np.array_equal(words[first[place]], words):
        return positions, often
    merged = np.zeros(len(first), np.int64)
    np.add.at(merged, place, often)
    kept = roomy(len(first), positions.dtype)
    kept[:] = positions[first]
    return kept, merged


def count_on_cores(
    game: RecordGame, positions: RecordArray, depth: int, count_ended: bool, threads: int
) -> tuple[Counts, Counts]:
    n = len(positions)
    lines, nodes = np.zeros(n, np.int64), np.zeros(n, np.int64)
    threads = threads if JIT and game.compiled else 1
    piece = max(1, n // (16 * threads))
    pieces = itertools.count(0, piece)  # the next one that nobody has

    def work() -> None:
        stack = make_room(game, None, depth)
        while (first := next(pieces)) < n:
            last = min(first + piece, n)
            game.run(count_each, first, last, positions, *stack, depth, count_ended, lines, nodes)

    game.run(count_each, 0, 0, positions, *make_room(game, None, depth), depth, count_ended, lines, nodes)
    in_threads([work] * threads)
    return lines, nodes
