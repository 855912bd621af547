"""How rules number their endings, looked at by `check`: ending, rank, unrank, endings.

Of every class that is small, all numbers, and of larger ones some at random: the position set up has its class and its
number (so `rank` is one to one, and `unrank` its inverse), is a position of the game, and every action leads to the
same group of classes, to one before it, or to the end. Of endings that random games come to: the position that has
their number offers the same, as far as classes, numbers and payoffs tell.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.check.presentation import position_text
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
from zermelo.compile.endings import Groups, read_endings
from zermelo.compile.kernel import kernel
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame, State
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.tables.sampling import set_up_number

FARTHEST, FURTHER = 64, 3  # limits in which the first classes are looked for, and how many more are looked at
SMALL, SOME = 50_000, 2_000  # a class of so many is looked at whole; of a larger one so many are
SLOWLY = 100  # … where rules are interpreted
PIECE = {True: 2_000, False: 2}  # numbers looked at in one call, compiled or not: far less than anybody's patience
COMPARED = 4  # numbers of a class that are looked at interpreted and compiled
GAMES, LONGEST = 20, 1_000

ALONE = -2  # said instead of a class's number, where it is one-sided
FINE, OTHER_CLASS, OTHER_RANK, UNNUMBERED, LATER, BEYOND, NO_RACE = range(7)


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
def number_position(states):  # type: ignore[no-untyped-def]
    """(class, number, who moves); (-1, 0, …) outside of all classes."""
    number = ending(states[0])
    return number, rank(states[0]) if number >= 0 else 0, side_to_move(states[0])


@kernel
def number_alone(states):  # type: ignore[no-untyped-def]
    """The same for a one-sided class."""
    return ALONE, race_rank(states[0], 0), side_to_move(states[0])


@kernel
def list_after(states, moves, chance, payoff, after):  # type: ignore[no-untyped-def]
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


def check_endings(walk: Any, seconds: float) -> None:
    """Note in `walk` what is wrong with the numbers of endings, if the rules have any."""
    rules = getattr(walk.examiner, "rules", None)
    if rules is None or "ending" not in rules.functions or walk.examiner.does_not_compile is not None:
        return
    try:
        looking = _Looking(walk)
        until = time.monotonic() + seconds
        looking.at_numbers(time.monotonic() + 0.7 * seconds)
        looking.at_games(until)
    except Broken as fault:
        walk.note(fault.problem, [])


class _Looking:
    def __init__(self, walk: Any):
        self.walk, self.examiner, self.rules = walk, walk.examiner, walk.examiner.rules
        self.game: RecordGame = walk.examiner.fast_game
        self.random = np.random.default_rng(walk.random.randrange(1 << 30))
        self.groups = self._read()
        self.place = np.full(1 + max(one.number for group in self.groups for one in group), -1)
        self.sizes = np.zeros(len(self.place), np.int64)
        for i, group in enumerate(self.groups):
            for one in group:
                self.place[one.number], self.sizes[one.number] = i, one.size

    def _read(self) -> Groups:
        """The classes of the first limits that have any; those of a smaller limit are the same."""
        with blame("endings", "endings"):
            least = next((limit for limit in range(FARTHEST) if read_endings(self.game, limit)), None)
            if least is None:
                raise _wrong("endings", f"endings(limit) lists nothing for any limit below {FARTHEST}")
            groups = read_endings(self.game, most := least + FURTHER)
            for limit in range(least, most):
                fewer = [group for group in groups if all(one.limit <= limit for one in group)]
                if read_endings(self.game, limit) != fewer:
                    raise _wrong("endings", f"endings({limit}) is not the part of endings({most}) up to {limit}")
        return groups

    # -- numbers -------------------------------------------------------------------------------------------------------

    def at_numbers(self, until: float) -> None:
        for one in (one for group in self.groups for one in group):
            number, size = one.number, one.size
            few = self.random.integers(0, size, COMPARED)
            for r in few.tolist():
                self._compare(number, r, number_alone if one.one_sided else number_position)
            most = SMALL if self.examiner.compiled else SLOWLY
            some = SOME if self.examiner.compiled else SLOWLY
            ranks = np.arange(size) if size <= most else self.random.integers(0, size, some)
            self._examine(number, ranks, examine_alone if one.one_sided else examine_numbers, until)
            if time.monotonic() > until:
                return

    def _examine(self, number: int, ranks: NDArray[np.int64], examine: Any, until: float) -> None:
        rules = self.rules
        states, blank = roomy(3, rules.dtype), np.zeros(1, rules.dtype)
        moves, chance = rows(2, rules.width), rows(2, rules.width if rules.max_chance_outcomes else 1, "f8")
        found = np.zeros(3, np.int64)
        room = (self.place, self.sizes, moves, chance, found)
        try:
            self.game.run(examine, states, blank, number, ranks[:0], *room)  # compiled here, where it may take its time
        except GameError as mistake:
            raise Broken("compile", "", str(mistake).removeprefix(f"{self.game.name}: ")) from None
        size = PIECE[bool(self.examiner.compiled)]
        for at in range(0, len(ranks), size):
            with blame("unrank"):
                wrong = self.game.run(examine, states, blank, number, ranks[at : at + size], *room)
            if wrong != FINE:
                break
            if time.monotonic() > until:
                return
        else:
            return
        r, said, action = found.tolist()
        where = f"number {r} of class {number} ({self._show(states)})"
        after = f"from {where} action {action} leads to"
        raise {
            OTHER_CLASS: _wrong("ending", f"the position set up as {where} is of class {said}"),
            OTHER_RANK: _wrong("rank", f"the position set up as {where} has the number {said}"),
            UNNUMBERED: _wrong("ending", f"{after} a position without a class, and the game is not over there"),
            LATER: _wrong("endings", f"{after} class {said}, which is not in a group before it or in its own"),
            BEYOND: _wrong("rank", f"{after} number {said} of a class that has no so many"),
            NO_RACE: _wrong("race_rank", f"at {where} chance does not come first, and then a choice of player 0"),
        }[wrong]

    def _compare(self, number: int, r: int, numbering: Any) -> None:
        """One number, interpreted and compiled; and a position of the game, as far as the rules can tell."""
        plain, records = self.walk.game, np.zeros(1, self.rules.dtype)
        with blame("unrank"):
            there = bool(plain.run(set_up_number, records, number, r))
        s = State(plain, records)
        if there:
            with blame("rank"):
                said = tuple(map(int, plain.run(numbering, s.record)))
            if said[:2] not in ((number, r), (ALONE, r)):
                is_of = number if said[0] == ALONE else said[0]
                raise _wrong("rank", f"number {r} of class {number} ({self._show(records)}) is {said[1]} of {is_of}")
            validate = plain.hook("validate")
            with blame("validate"):
                problem = validate(s) if validate else None
            if problem:
                raise _wrong("unrank", f"number {r} of class {number} is no position: {problem}")
        if not self.examiner.compiled:
            return
        fast, again = self.game, np.zeros(1, self.rules.dtype)
        self.examiner._same("unrank", there, bool(fast.run(set_up_number, again, number, r)))
        if there:
            self.examiner._same_record("unrank", records, again)
            self.examiner._same("rank", said, tuple(map(int, fast.run(numbering, s.record))))

    # -- games ---------------------------------------------------------------------------------------------------------

    def at_games(self, until: float) -> None:
        """Endings that random games come to."""
        for _ in range(GAMES):
            s = self.game.start()
            for _ in range(LONGEST):
                with blame("ending"):
                    if self.game.player(s) == OVER or time.monotonic() > until:
                        break
                    number, r, _ = self.game.run(number_position, s.record)
                    if 0 <= number < len(self.place) and self.place[number] >= 0:
                        self._same_offer(s, number, r)
                    s = self.game.succ(s, self.walk.random.choice(list(self.game.actions(s))))

    def _same_offer(self, s: State, number: int, r: int) -> None:
        where = f"position {position_text(self.game, s)} of class {number}"
        if not 0 <= r < self.sizes[number]:
            raise _wrong("rank", f"{where} has number {r}, but the class's size is {self.sizes[number]}")
        records = np.zeros(1, self.rules.dtype)
        if not self.game.run(set_up_number, records, number, r):
            raise _wrong("unrank", f"{where} has number {r}, and unrank says that no position has")
        here, there = self._after(s.record), self._after(records)
        if here != there:
            raise _wrong("rank", f"{where} has the number of {self._show(records)}, from which one comes elsewhere")

    def _after(self, records: Any) -> set[tuple[int, int]] | None:
        rules = self.rules
        states = roomy(2, rules.dtype)
        states[0] = records[0]
        moves, chance = rows(2, rules.width), rows(2, rules.width if rules.max_chance_outcomes else 1, "f8")
        after = np.zeros((rules.width, 2), np.int64)
        n = self.game.run(list_after, states, moves, chance, roomy(rules.players, np.float64), after)
        return None if n < 0 else {(int(number), int(r)) for number, r in after[:n]}

    def _show(self, records: Any) -> str:
        return self.game._show(np.array(records[:1]))


def _wrong(where: str, sentence: str) -> Broken:
    return Broken("endings", where, sentence)
