"""A group of endings worked out on a graphics card: a thread a position. Imported only where one is asked for.

The numbers of a group and the values of all before it lie in the card's memory; what comes back are bytes for files.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import config, cuda, float64, from_dtype, int64

from zermelo.compile.dispatch import at
from zermelo.compile.pointers import add_to, base
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import RulesError
from zermelo.compile.targets import card_memory
from zermelo.compile.variant import Variant
from zermelo.solve.tables import bodies
from zermelo.solve.tables.bodies import FINISHED_THREADS, SURVEYED, TALLY, Group, Order, Work
from zermelo.solve.tables.cores import sum_before
from zermelo.tables.known import CLASS, Known

if not config.ENABLE_CUDASIM:  # in CUDA's simulator kernels are plain Python
    import zermelo.compile.targets.cuda as target  # rules are then compiled for it too

THREADS = 128  # in a block
SLACK = 8  # numbers behind what rules write to: an overrun is noticed when they say how much they wrote


@cache
def kernel_of(name: str, rules: Variant) -> Any:
    return cuda.jit(make_loop(name, rules))


def make_loop(name: str, rules: Variant) -> Any:
    """A thread for each position. Those that ask the rules may end before their time, and are counted."""
    body, asks_rules = getattr(bodies, name), name in SURVEYED
    record, players = from_dtype(rules.dtype), rules.players + SLACK
    surveyed = from_dtype(bodies.SURVEY)
    width, outcomes = rules.width + SLACK, max(1, rules.max_chance_outcomes) + SLACK

    def loop(  # type: ignore[no-untyped-def]
        n,
        members,
        status,
        ends,
        edges,
        touched,
        packed,
        classes,
        values,
        plies,
        highest,
        blank,
        tally,
        num_members,
        with_plies,
        positions,
        block,
        everywhere,
        level,
        task,
    ):
        i = cuda.grid(1)
        if i < n:
            group = Group(base(members), base(status), base(ends), base(edges), base(touched), base(packed))
            known = Known(base(classes), base(values), base(plies), highest)
            state = cuda.local.array(2, record)
            actions, scratch = cuda.local.array(width, int64), cuda.local.array(width, int64)
            leads = cuda.local.array(width, int64)
            survey = cuda.local.array(1, surveyed)
            probability, payoff = cuda.local.array(outcomes, float64), cuda.local.array(players, float64)
            work = Work(
                at(state, 0),
                at(state, 1),
                at(blank, 0),
                actions,
                scratch,
                probability,
                payoff,
                at(survey, 0),
                leads,
                base(tally),
                base(tally),  # nothing is kept
            )
            order = Order(num_members, with_plies, positions, block, everywhere, level, task)
            if asks_rules:
                bodies.survey(i, group, known, work, order)
            body(i, group, known, work, order)
            if asks_rules:
                add_to(base(tally), FINISHED_THREADS, 1)

    return loop


class Card:
    """Runs bodies over arrays on the card."""

    name = "cuda"
    block = 1  # a thread a position, and all of them look
    most_kept = 0

    def __init__(self, game: RecordGame):
        if not config.ENABLE_CUDASIM:
            target.need_card()
            target.refuse_by_looks(game.variant)
        self.game = game
        self._blank = cuda.to_device(np.zeros(1, game.variant.dtype))
        self._classes: Any = None  # as they are on the card

    def available_memory(self) -> int:
        """Of the card; what it knows lies in the machine's memory too, and is the smaller part."""
        return card_memory()

    def zeros(self, n: int, kind: Any) -> Any:
        if config.ENABLE_CUDASIM:
            return cuda.to_device(np.zeros(n, _record(kind)))
        made = self.room_for(n, kind)
        target.clear(made)
        return made

    def room_for(self, n: int, kind: Any) -> Any:
        return cuda.device_array(n, _record(kind))

    def table(self, records: Any) -> Any:
        return cuda.to_device(np.ascontiguousarray(records).view(np.ndarray))

    def read(self, table: Any) -> Any:
        read = table.copy_to_host()
        return read["v"] if "v" in read.dtype.names else read

    def known(self, classes: Any, values: Any, plies: Any) -> Known:
        self._classes = classes = np.ascontiguousarray(classes).view(np.ndarray).view(CLASS)
        held, ways = (self.table(array.view([("v", array.dtype)])) for array in (values, plies))
        return Known(self.table(classes), held, ways, len(classes) - 1)

    def place(self, known: Known, members: Any) -> None:
        self._classes["here"][members["number"]] = members["first"]
        known.classes.copy_to_device(self._classes)

    def learn(self, known: Known, members: Any, values: Any, plies: Any) -> None:
        for k, number in enumerate(members["number"].tolist()):
            first = int(self._classes["start"][number])
            self._classes["first"][number] = first
            _put(known.values, first // 4, values[k])
            if plies:
                _put(known.plies, first, plies[k])
        known.classes.copy_to_device(self._classes)

    def leave(self, known: Known, members: Any) -> None:
        self._classes["here"][members["number"]] = -1
        known.classes.copy_to_device(self._classes)

    def add_up(self, ends: Any) -> int:
        counts = ends.copy_to_host()
        total = sum_before(counts["v"])
        ends.copy_to_device(counts)
        return total

    def run(
        self,
        name: str,
        n: int,
        group: Group,
        known: Known,
        order: Order,
        tell: Callable[[int], None] = lambda done: None,
    ) -> Any:
        tally = self.zeros(TALLY, "u4")
        kernel_of(name, self.game.variant)[-(-n // THREADS), THREADS](
            n, *group, known.classes, known.values, known.plies, known.highest, self._blank, tally, *order
        )
        counted = self.read(tally)
        if name in SURVEYED and counted[FINISHED_THREADS] != n:
            raise RulesError(
                f"{self.game.name}: the rules overrun what they declare, or number endings wrongly, in "
                f"{n - int(counted[FINISHED_THREADS]):,} positions; "
                f"`zermelo check {self.game.origin or self.game.name}` looks into it"
            )
        tell(n)
        return counted


def _record(kind: Any) -> Any:
    """The record that holds such a number; records are what they are."""
    return np.dtype(kind) if np.dtype(kind).fields else np.dtype([("v", kind)])


def _put(table: Any, first: int, numbers: Any) -> None:
    part = np.ascontiguousarray(numbers)
    table[first : first + len(part)].copy_to_device(part.view([("v", part.dtype)]))
