"""Every position that can be reached from one, numbered, and which leads to which; as arrays.

    number     0          1           2         …        the root is 0; nearer positions have smaller numbers
    mover      MAX        CHANCE      OVER               or MIN
    begin      0          2           8         8        the successors of i stand at begin[i] … begin[i + 1]
    after      1 5        2 3 4 5 6 7                    numbers of positions
    weight     1 1        ⅙ ⅙ ⅙ ⅙ ⅙ ⅙                    probabilities
    payoff     0          0           −1                 player 0's, at the end of a game

Positions are the same where their records are: byte for byte, looked up in a table of numbers by a hash of their words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import apply, expand, row, side, utility
from zermelo.compile.kernel import kernel
from zermelo.compile.random import scramble
from zermelo.compile.record import roomy
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE, OVER
from zermelo.search.stack import make_stack

POSITIONS = 4_000_000  # what is not explored with so many is not explored
EDGES = 16_000_000
AT_ONCE = 1 << 16  # successors made by one call of a kernel: in between somebody may stop it


@dataclass
class Graph:
    """The positions and what they lead to."""

    mover: NDArray[np.int8]  # (positions,)
    payoff: NDArray[np.float64]  # (positions,)
    begin: NDArray[np.int64]  # (positions + 1,)
    after: NDArray[np.int32]  # (edges,)
    weight: NDArray[np.float64]  # (edges,)
    action: NDArray[np.int64]  # (edges,) by which it is reached

    @property
    def positions(self) -> int:
        return len(self.mover)


@kernel
def make_successors(  # type: ignore[no-untyped-def]
    states, first, last, width, mover, payoff, begin, after, weight, action, moves, chance, paid
):
    """Write the successors of states[first], states[first + 1], … as long as `after` has room for one more position's.

    How many positions that were.
    """
    listed, probability = row(moves, 0), row(chance, 0)
    made = 0
    for i in range(first, last):
        if made + width > len(after):
            return i - first
        p, n = expand(states[i], listed, probability)
        mover[i] = p if p < 0 else side(states[i], p)
        if p == OVER:
            utility(states[i], paid)
            payoff[i] = paid[0]
        for k in range(n):
            after[made] = states[i]
            apply(after[made], listed[k])
            weight[begin[i] + k] = probability[k] if p == CHANCE else 1.0
            action[begin[i] + k] = listed[k]
            made += 1
        begin[i + 1] = begin[i] + n
    return last - first


@kernel
def number_positions(words, known, count, slots, numbers):  # type: ignore[no-untyped-def]
    """numbers[i]: that of the equal of words[i] in known[:count], or the next, and then it is known too.

    How many are known now; -1 if there is no room left. `slots` has a power of two entries, 0 where one is free.
    """
    mask = np.uint64(len(slots) - 1)
    for i in range(len(words)):
        h = np.uint64(0)
        for k in range(words.shape[1]):
            h = scramble(h + words[i, k] + np.uint64(k))
        at = h & mask
        while True:
            found = np.int64(slots[at]) - 1
            if found < 0:
                if count == len(known):
                    return -1
                known[count] = words[i]
                slots[at] = count + 1
                numbers[i] = count
                count += 1
                break
            same = True
            for k in range(words.shape[1]):
                if known[found, k] != words[i, k]:
                    same = False
                    break
            if same:
                numbers[i] = found
                break
            at = (at + np.uint64(1)) & mask
    return count


def explore(
    game: RecordGame, root: State, go_on: Callable[[int], None] = lambda positions: None, most: int = POSITIONS
) -> Graph | None:
    """Everything that can be reached from `root`; None if that is too much. `go_on(positions)` may raise."""
    width, size = game.variant.width, game.variant.dtype.itemsize // 8
    _, moves, chance, _, paid = make_stack(game, root, 1)
    states = roomy(most, game.variant.dtype)  # pages that are never written take no memory
    known = states.view(np.uint64).reshape(most, size)
    slots = np.zeros(1 << (2 * most - 1).bit_length(), np.int32)
    room = roomy(max(AT_ONCE, width), game.variant.dtype)
    mover, payoff, begin = np.zeros(most, np.int8), np.zeros(most), np.zeros(most + 1, np.int64)
    after, weight, action = np.zeros(EDGES, np.int32), np.zeros(EDGES), np.zeros(EDGES, np.int64)
    room[:1] = root.record
    one = room[:1].view(np.uint64).reshape(1, size)
    count = int(game.run(number_positions, one, known, 0, slots, after[:1]))
    done = 0
    while done < count:
        go_on(count)
        last, used = min(count, done + AT_ONCE), int(begin[done])
        if EDGES - used < len(room):
            return None
        lists = (mover, payoff, begin, room, weight, action)
        expanded = int(game.run(make_successors, states, done, last, width, *lists, moves, chance, paid))
        made = int(begin[done + expanded]) - used
        words = room[:made].view(np.uint64).reshape(made, size)
        count = int(game.run(number_positions, words, known, count, slots, after[used : used + made]))
        if count < 0:
            return None
        done += expanded
    e = int(begin[count])
    return Graph(mover[:count], payoff[:count], begin[: count + 1], after[:e], weight[:e], action[:e])
