"""Endings of games with chance: what a position is worth on average, if everybody plays for as much as can be had.

Such endings run downhill inside a class too (pips, points): a value is known once those of all positions it can lead to
are. So the positions of a group are gone over in the order of their numbers, again and again, until all are known; one
that waits for another is left for the next time. Between a number and the next there may be positions without one (dice
that have been rolled): these are looked through.

    values    f4 a position, from the view of `perspective`: unknown NaN, a number that is no position's NOTHING;
              each is worked out as f8 from what is kept of its successors, so that verifying finds the very same

A class may also be one-sided: what a player alone has still to do, where nothing that the other does makes a difference
(a race). Then the distribution of the number of turns this takes, if it is played for the fewest on average, is kept:

    turns     TURNS f8 a position: how likely it is that it takes 0, 1, 2, … turns
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import (
    apply,
    assign,
    at,
    ending,
    expand,
    perspective,
    race_rank,
    row,
    unrank,
    utility,
)
from zermelo.compile.endings import Ending
from zermelo.compile.guards import OverrunError
from zermelo.compile.kernel import kernel
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.tables.known import rank_within

DEEPEST = 8  # plies without a number that are looked through
TURNS = 64
NOTHING = np.inf
PIECE = 1 << 12  # positions; in between an interrupt is heard, and progress told

Tell = Callable[[int], None]  # how many positions have become known since the last time


@dataclass
class Values:
    """What is known of all classes of a game."""

    start: NDArray[np.int64]  # where a class's values begin, by its number; -1: it has none
    sizes: NDArray[np.int64]
    values: NDArray[np.float32]

    @classmethod
    def of(cls, classes: Sequence[Ending]) -> Values:
        """Room for the classes that are not one-sided. Nothing is known yet."""
        two_sided = [one for one in classes if not one.one_sided]
        start = np.full(1 + max((one.number for one in two_sided), default=0), -1)
        sizes, first = np.zeros(len(start), np.int64), 0
        for one in two_sided:
            start[one.number], sizes[one.number] = first, one.size
            first += one.size
        return cls(start, sizes, np.full(first, np.nan, np.float32))

    def of_class(self, number: int) -> NDArray[np.float32]:
        first = int(self.start[number])
        return self.values[first : first + int(self.sizes[number])]


@kernel
def expect(number, first, last, is_check, states, moves, chance, payoff, counts, best, start, sizes, values):  # type: ignore[no-untyped-def]
    """Find the values of these numbers of a class, as far as those that they depend on are known: how many are not. If
    `is_check`, compare them with what is there: how many are different. states[DEEPEST + 1] is a record of zeros.

    By ply: counts[0], who decides; [1] how many actions or outcomes there are; [2] how many have been looked at.
    best: the value so far, from player 0's view.
    """
    left = 0
    for r in range(first, last):
        there = start[number] + r
        if values[there] == values[there] and not is_check:
            continue
        s = at(states, 0)
        assign(s, at(states, DEEPEST + 1))
        if not unrank(s, number, r):
            if is_check:
                left += values[there] != NOTHING
            else:
                values[there] = NOTHING
            continue
        ply, is_known = 0, True
        while True:
            # 1. A position without a number, or the one asked for: what can be done there?
            s = at(states, ply)
            counts[0, ply], counts[1, ply] = expand(s, row(moves, ply), row(chance, ply))
            counts[2, ply] = 0
            best[ply] = 0.0 if counts[0, ply] == CHANCE else -np.inf if counts[0, ply] == 0 else np.inf
            value = 0.0
            is_done = counts[0, ply] == OVER
            if is_done:
                utility(s, row(payoff, 0))
                value = row(payoff, 0)[0]
            # 2. Back, as long as a value is known; forward to the next action.
            while True:
                if is_done:
                    if ply == 0:
                        break
                    ply -= 1
                    i = counts[2, ply]
                    if counts[0, ply] == CHANCE:
                        best[ply] += row(chance, ply)[i] * value
                    elif counts[0, ply] == 0:
                        best[ply] = max(best[ply], value)
                    else:
                        best[ply] = min(best[ply], value)
                    counts[2, ply] += 1
                    is_done = False
                if counts[2, ply] == counts[1, ply]:
                    value, is_done = best[ply], True
                    continue
                t = at(states, ply + 1)
                assign(t, at(states, ply))
                apply(t, row(moves, ply)[counts[2, ply]])
                ply += 1
                after = ending(t)
                if after < 0 or after >= len(start) or start[after] < 0:
                    break
                value = np.float64(values[start[after] + rank_within(t, sizes[after])])
                if value != value:
                    is_known, is_done = False, True
                    break
                value = value if perspective(t) == 0 else -value
                is_done = True
            if is_done:
                break
            if ply == DEEPEST:
                raise OverrunError("ending")
        if not is_known:
            left += 1
            continue
        value = value if perspective(at(states, 0)) == 0 else -value
        if is_check:
            left += values[there] != np.float32(value)
        else:
            values[there] = np.float32(value)
    return left


@kernel
def count_turns(number, first, last, is_check, states, moves, chance, sum_of, turns, mean):  # type: ignore[no-untyped-def]
    """The same for a one-sided class: the distribution of turns into `turns`, their mean into `mean`."""
    left = 0
    s, t, u = at(states, 0), at(states, 1), at(states, 2)
    for r in range(first, last):
        if mean[r] == mean[r] and not is_check:
            continue
        assign(s, at(states, DEEPEST + 1))
        if not unrank(s, number, r):
            if is_check:
                left += mean[r] != NOTHING
            else:
                mean[r] = NOTHING
            continue
        # 1. Chance, then this player's choice, which is the one that leaves the fewest turns.
        sum_of[:] = 0.0
        total, is_known = 0.0, True
        who = perspective(s)
        p, n = expand(s, row(moves, 0), row(chance, 0))
        if p == OVER:
            sum_of[0] = 1.0
        elif p != CHANCE:
            raise OverrunError("race_rank")
        for k in range(n):
            assign(t, s)
            apply(t, row(moves, 0)[k])
            q, m = expand(t, row(moves, 1), row(chance, 1))
            if q != who:
                raise OverrunError("race_rank")
            best, least = -1, NOTHING
            for i in range(m):
                assign(u, t)
                apply(u, row(moves, 1)[i])
                j = race_rank(u, who)
                if not 0 <= j < len(mean):
                    raise OverrunError("race_rank")
                if mean[j] != mean[j]:
                    is_known = False
                    break
                if mean[j] < least:
                    best, least = j, mean[j]
            if not is_known:
                break
            if turns[best, TURNS - 1] != 0.0:
                raise OverrunError("turns")
            likely = row(chance, 0)[k]
            for i in range(1, TURNS):
                sum_of[i] += likely * turns[best, i - 1]
            total += likely * (1.0 + least)
        # 2. What came out.
        if not is_known:
            left += 1
            continue
        if is_check:
            for i in range(TURNS):
                left += turns[r, i] != sum_of[i]
            continue
        turns[r] = sum_of
        mean[r] = total
    return left


class Expectation:
    """Works out groups of one game, on the cores of this machine."""

    def __init__(self, game: RecordGame, cores: Any):
        self.game, self.cores = game, cores

    def solve_group(self, known: Values, group: Sequence[Ending], tell: Tell) -> None:
        """The values of a group. Those of the groups before it are known."""
        self._until_known(lambda one: self._over(expect, one, False, *_tables(known)), group, tell)

    def solve_alone(self, one: Ending, tell: Tell) -> NDArray[np.float64]:
        """The distributions of a one-sided class: (its size, TURNS)."""
        turns, mean = np.zeros((one.size, TURNS)), np.full(one.size, np.nan)
        self._until_known(lambda one: self._over(count_turns, one, False, turns, mean), [one], tell)
        return turns

    def count_wrong(self, known: Values, one: Ending) -> int:
        """How many values of a class are not what their successors say."""
        return self._over(expect, one, True, *_tables(known))

    def count_wrong_alone(self, one: Ending, turns: NDArray[np.float64]) -> int:
        """The same for a one-sided class."""
        wide = np.zeros((one.size, TURNS))
        wide[:, : turns.shape[1]] = turns
        return self._over(count_turns, one, True, wide, wide @ np.arange(TURNS))

    def _until_known(self, over: Callable[[Ending], int], group: Sequence[Ending], tell: Tell) -> None:
        left = {one.number: one.size for one in group}
        while any(left.values()):
            before = sum(left.values())
            for one in group:
                still = over(one) if left[one.number] else 0
                tell(left[one.number] - still)
                left[one.number] = still
            if sum(left.values()) == before:
                raise GameError(
                    f"'{group[0].name}': {before:,} positions lead to each other in a circle, and have no value of "
                    "this kind"
                )

    def _over(self, op: Any, one: Ending, is_check: bool, *tables: Any) -> int:
        """Run a kernel over all numbers of a class: what it counts."""
        counted: list[int] = []

        def piece(first: int) -> int:
            last = min(one.size, first + PIECE)
            room = _room_alone(self.game) if one.one_sided else _room(self.game)
            counted.append(int(self.game.run(op, one.number, first, last, is_check, *room, *tables)))
            return last - first

        if one.one_sided:  # in one thread: those behind would only wait for those before
            for first in range(0, one.size, PIECE):
                piece(first)
        else:
            self.cores.share(piece, range(0, one.size, PIECE), lambda done: None)
        return sum(counted)


def _tables(known: Values) -> tuple[Any, ...]:
    return known.start, known.sizes, known.values


def _lists(game: RecordGame) -> tuple[Any, ...]:
    """states, moves, chance of the kernels."""
    rules = game.variant
    width = rules.width if rules.max_chance_outcomes else 1
    return roomy(DEEPEST + 2, rules.dtype), rows(DEEPEST + 1, rules.width), rows(DEEPEST + 1, width, "f8")


def _room(game: RecordGame) -> tuple[Any, ...]:
    """… and payoff, counts, best."""
    deep = DEEPEST + 1
    return *_lists(game), rows(1, game.variant.players, "f8"), np.zeros((3, deep), np.int64), np.zeros(deep)


def _room_alone(game: RecordGame) -> tuple[Any, ...]:
    """… and sum_of."""
    return *_lists(game), np.zeros(TURNS)
