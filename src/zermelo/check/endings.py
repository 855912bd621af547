"""How rules number their endings, looked at by `check`: ending, rank, unrank, endings.

Of every class that is small, all numbers, and of larger ones some at random: what numbers.py looks at; and some of
them are positions of the game, interpreted and compiled. Of endings that random games come to: the position that has
their number offers the same, as far as classes, numbers and payoffs tell.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from zermelo.check.numbers import Numbers, list_after, show
from zermelo.check.presentation import position_text
from zermelo.check.states import Broken, blame
from zermelo.compile.dispatch import (
    ending,
    race_rank,
    rank,
    side_to_move,
)
from zermelo.compile.endings import Groups, read_endings
from zermelo.compile.kernel import kernel
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import OVER
from zermelo.tables.sampling import set_up_number

FARTHEST, FURTHER = 64, 3  # limits in which the first classes are looked for, and how many more are looked at
SMALL, SOME = 50_000, 2_000  # a class of so many is looked at whole; of a larger one so many are
SLOWLY = 100  # … where rules are interpreted
COMPARED = 4  # numbers of a class that are looked at interpreted and compiled
GAMES, LONGEST = 20, 1_000

ALONE = -2  # said instead of a class's number, where it is one-sided


@kernel
def number_position(states):  # type: ignore[no-untyped-def]
    """(class, number, who moves); (-1, 0, …) outside of all classes."""
    number = ending(states[0])
    return number, rank(states[0]) if number >= 0 else 0, side_to_move(states[0])


@kernel
def number_alone(states):  # type: ignore[no-untyped-def]
    """The same for a one-sided class."""
    return ALONE, race_rank(states[0], 0), side_to_move(states[0])


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
        self.numbers = Numbers(self.game, self.groups)
        self.place, self.sizes = self.numbers.place, self.numbers.sizes

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
            self.numbers.look(one, ranks, until)
            if time.monotonic() > until:
                return

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
                raise _wrong(
                    "rank", f"number {r} of class {number} ({show(self.game, records)}) is {said[1]} of {is_of}"
                )
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
            raise _wrong(
                "rank", f"{where} has the number of {show(self.game, records)}, from which one comes elsewhere"
            )

    def _after(self, records: Any) -> set[tuple[int, int]] | None:
        rules = self.rules
        states = roomy(2, rules.dtype)
        states[0] = records[0]
        moves, chance = rows(2, rules.width), rows(2, rules.width if rules.max_chance_outcomes else 1, "f8")
        after = np.zeros((rules.width, 2), np.int64)
        n = self.game.run(list_after, states, moves, chance, roomy(rules.players, np.float64), after)
        return None if n < 0 else {(int(number), int(r)) for number, r in after[:n]}


def _wrong(where: str, sentence: str) -> Broken:
    return Broken("endings", where, sentence)
