"""How rules number the endings of a class, looked at number by number: by `check`, and before tables are built.

The position set up has its class and its number (so `rank` is one to one, and `unrank` its inverse), every action leads
to the same group of classes, to one before it, or to the end, and the position that has the number of one that is led
to offers the same as that one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.check.states import Broken, blame
from zermelo.compile.dispatch import (
    apply,
    assign,
    ending,
    expand,
    has_chance,
    race_rank,
    rank,
    row,
    side_to_move,
    unrank,
    utility,
)
from zermelo.compile.endings import Ending
from zermelo.compile.kernel import kernel
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER, GameError

PIECE = {True: 2_000, False: 2}  # numbers looked at in one call, compiled or not: far less than anybody's patience
FEW = {True: 500, False: 8}  # … of which so many are asked what the positions that they lead to offer

FINE, OTHER_CLASS, OTHER_RANK, UNNUMBERED, LATER, BEYOND, NO_RACE, NO_POSITION, OTHER_OFFER = range(9)


@kernel
def examine_numbers(states, blank, number, ranks, place, sizes, moves, chance, found):  # type: ignore[no-untyped-def]
    """What is wrong with the first of these numbers of a class that something is wrong with: FINE, …; it, and what is
    wrong about it, go to `found`."""
    s, t = states[0], states[1]
    listed, probability = row(moves, 0), row(chance, 0)
    for r in ranks:
        found[0] = r
        assign(s, blank[0])
        if not unrank(s, number, r):
            continue
        found[1] = ending(s)
        if found[1] != number:
            return OTHER_CLASS
        found[1] = rank(s)
        if found[1] != r:
            return OTHER_RANK
        _, n = expand(s, listed, probability)
        for k in range(n):
            found[2] = listed[k]
            assign(t, s)
            apply(t, listed[k])
            found[1] = ending(t)
            if found[1] >= 0:
                wrong = examine_next(t, number, place, sizes, found)
                if wrong != FINE:
                    return wrong
                continue
            p, m = expand(t, row(moves, 1), row(chance, 1))
            if p == OVER:
                continue
            if not has_chance(s):
                return UNNUMBERED
            # What chance leads to need have no number; what is done about it leads on.
            for i in range(m):
                assign(states[2], t)
                apply(states[2], row(moves, 1)[i])
                found[1] = ending(states[2])
                wrong = examine_next(states[2], number, place, sizes, found) if found[1] >= 0 else FINE
                if wrong != FINE:
                    return wrong
    return FINE


@helper
def examine_next(t: Any, number: Any, place: Any, sizes: Any, found: Any) -> Any:
    """Is it right that a position of class found[1] comes after one of class `number`?"""
    after = found[1]
    if after >= len(place) or place[after] < 0 or place[after] > place[number]:
        return LATER
    found[1] = rank(t)
    return FINE if 0 <= found[1] < sizes[after] else BEYOND


@kernel
def examine_alone(states, blank, number, ranks, place, sizes, moves, chance, found):  # type: ignore[no-untyped-def]
    """The same for a one-sided class: chance, then a choice of player 0, who has as little to do as before, or less."""
    s, t, u = states[0], states[1], states[2]
    for r in ranks:
        found[0] = r
        assign(s, blank[0])
        if not unrank(s, number, r):
            continue
        found[1] = race_rank(s, 0)
        if found[1] != r:
            return OTHER_RANK
        p, n = expand(s, row(moves, 0), row(chance, 0))
        if p != OVER and p != CHANCE:
            return NO_RACE
        for k in range(n):
            assign(t, s)
            apply(t, row(moves, 0)[k])
            p, m = expand(t, row(moves, 1), row(chance, 1))
            if p != 0:
                return NO_RACE
            for i in range(m):
                found[2] = row(moves, 1)[i]
                assign(u, t)
                apply(u, row(moves, 1)[i])
                found[1] = race_rank(u, 0)
                if not 0 <= found[1] < sizes[number]:
                    return BEYOND
    return FINE


@kernel
def list_after(states, moves, chance, payoff, after):  # type: ignore[no-untyped-def]
    """What states[0] offers; see `write_after`."""
    return write_after(states, moves, chance, payoff, after)


@helper
def write_after(states: Any, moves: Any, chance: Any, payoff: Any, after: Any) -> Any:
    """(class, number) after each action into `after`: how many. Where the game ends and has no number: -1, and what
    that pays whoever moved first, in thousandths. -1: there is something else."""
    s, t = states[0], states[1]
    mover = side_to_move(s)
    p, n = expand(s, row(moves, 0), row(chance, 0))
    if p < 0 and p != OVER:
        return -1
    for k in range(n):
        assign(t, s)
        apply(t, row(moves, 0)[k])
        after[k, 0] = ending(t)
        if after[k, 0] >= 0:
            after[k, 1] = rank(t)
            continue
        q, _ = expand(t, row(moves, 1), row(chance, 1))
        if q != OVER:
            return -1
        utility(t, payoff)
        after[k, 1] = round(1000 * payoff[mover])
    return n


@kernel
def examine_offers(states, pair, blank, number, ranks, moves, chance, lists, payoff, offers, found):  # type: ignore[no-untyped-def]
    """What is wrong with the numbers of the positions that these lead to, in a game without chance. states[1] is then
    the one of such a number."""
    s = states[0]
    for r in ranks:
        found[0] = r
        assign(s, blank[0])
        if not unrank(s, number, r):
            continue
        _, n = expand(s, row(moves, 0), row(chance, 0))
        for k in range(n):
            assign(pair[0], s)
            apply(pair[0], row(moves, 0)[k])
            found[1] = ending(pair[0])
            if found[1] < 0:
                continue
            found[2], found[3] = row(moves, 0)[k], rank(pair[0])
            here = write_after(pair, lists, chance, payoff, offers[0])
            assign(pair[0], blank[0])
            if not unrank(pair[0], found[1], found[3]):
                return NO_POSITION
            assign(states[1], pair[0])
            there = write_after(pair, lists, chance, payoff, offers[1])
            if not (holds_all(offers[0], here, offers[1], there) and holds_all(offers[1], there, offers[0], here)):
                return OTHER_OFFER
    return FINE


@helper
def holds_all(some: Any, n: Any, others: Any, m: Any) -> Any:
    """Is each of n pairs one of m others? (-1: what cannot be told is nothing else.)"""
    for i in range(n):
        is_there = False
        for j in range(m):
            is_there = is_there or (some[i, 0] == others[j, 0] and some[i, 1] == others[j, 1])
        if not is_there:
            return False
    return n == m or (n >= 0 and m >= 0)


class Numbers:
    """The numbers of some groups of classes, all those that there are up to a limit."""

    def __init__(self, game: RecordGame, groups: Sequence[Sequence[Ending]]):
        self.game, self.rules = game, game.variant
        self.place = np.full(1 + max(one.number for group in groups for one in group), -1)  # of the group, by class
        self.sizes = np.zeros(len(self.place), np.int64)
        for i, group in enumerate(groups):
            for one in group:
                self.place[one.number], self.sizes[one.number] = i, one.size

    def look(self, one: Ending, ranks: NDArray[np.int64], until: float = math.inf) -> None:
        """Broken, if something is wrong with one of these numbers of a class. Those that are still left `until` then
        are not looked at, but always some."""
        rules, number = self.rules, one.number
        states, blank = roomy(3, rules.dtype), np.zeros(1, rules.dtype)
        moves, chance = rows(2, rules.width), rows(2, rules.width if rules.max_chance_outcomes else 1, "f8")
        found = np.zeros(4, np.int64)
        room: tuple[Any, ...] = (self.place, self.sizes, moves, chance, found)
        examine = examine_alone if one.one_sided else examine_numbers
        wrong = self._in_pieces(examine, (states, blank, number), ranks, room, until)
        if wrong == FINE and not rules.max_chance_outcomes:
            offers = np.zeros((2, rules.width, 2), np.int64)
            lists, payoff = rows(2, rules.width), roomy(rules.players, np.float64)
            first = (states, roomy(2, rules.dtype), blank, number)
            room = (moves, chance, lists, payoff, offers, found)
            few = ranks[:: -(-len(ranks) // FEW[bool(self.game.compiled)])]
            wrong = self._in_pieces(examine_offers, first, few, room, until)
        if wrong != FINE:
            raise Broken("endings", *self._sentence(wrong, number, states, found.tolist()))

    def _in_pieces(
        self, examine: Any, first: tuple[Any, ...], ranks: NDArray[np.int64], room: tuple[Any, ...], until: float
    ) -> int:
        try:
            self.game.run(examine, *first, ranks[:0], *room)  # compiled here, where it may take its time
        except GameError as mistake:
            raise Broken("compile", "", str(mistake).removeprefix(f"{self.game.name}: ")) from None
        size = PIECE[bool(self.game.compiled)]
        for at in range(0, len(ranks), size):
            with blame("unrank"):
                wrong = int(self.game.run(examine, *first, ranks[at : at + size], *room))
            if wrong != FINE or time.monotonic() > until:
                return wrong
        return FINE

    def _sentence(self, wrong: int, number: int, states: Any, found: list[int]) -> tuple[str, str]:
        """The function to blame, and what is wrong."""
        r, said, action, other = found
        where = f"number {r} of class {number} ({show(self.game, states)})"
        after = f"from {where} action {action} leads to"
        return {
            OTHER_CLASS: ("ending", f"the position set up as {where} is of class {said}"),
            OTHER_RANK: ("rank", f"the position set up as {where} has the number {said}"),
            UNNUMBERED: ("ending", f"{after} a position without a class, and the game is not over there"),
            LATER: ("endings", f"{after} class {said}, which is not in a group before it or in its own"),
            BEYOND: ("rank", f"{after} number {said} of a class that has no so many"),
            NO_RACE: ("race_rank", f"at {where} chance does not come first, and then a choice of player 0"),
            NO_POSITION: (
                "unrank",
                f"{after} a position with number {other} of class {said}, and unrank says that no position has",
            ),
            OTHER_OFFER: (
                "rank",
                f"{after} a position that has the number of {show(self.game, states[1:])}, from which one comes "
                "elsewhere",
            ),
        }[wrong]


def show(game: RecordGame, records: Any) -> str:
    """The first of these positions, which may be none that has a notation."""
    return game._show(np.array(records[:1]))
