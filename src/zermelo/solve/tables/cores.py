"""A group of endings worked out on the cores of this machine: pieces of its positions, a thread each."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import at, row
from zermelo.compile.kernel import JIT, kernel
from zermelo.compile.pointers import base
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.core.memory import available_memory
from zermelo.solve.tables import bodies
from zermelo.solve.tables.bodies import SURVEYED, TALLY, Group, Order, Work
from zermelo.tables.known import Known, cells

ADDED = 1 << 22  # numbers that are summed at a time
PIECE = 1 << 16  # positions; in between an interrupt is heard, and progress told
BLOCKS = 1 << 12  # … of `settle`, 64 positions each
AHEAD = 8  # positions, a power of two: while the memory answers, some 100 ns, one or two are surveyed


@cache
def kernel_of(name: str, keeping: bool = False) -> Any:
    """Of a body; `keeping`: count keeps what it finds, link recalls it."""
    body = getattr(bodies, name)
    if name not in SURVEYED:
        return over_positions(body)
    return over_positions(
        body,
        bodies.recall if keeping and name == "link" else bodies.survey,
        bodies.keep if keeping and name == "count" else None,
    )


def over_positions(body: Any, first_body: Any = None, last_body: Any = None) -> Any:
    """A kernel that does `body`, and then `last_body`, to the positions from `first` to `last`; `first_body` goes AHEAD
    of them."""
    ahead, keeping = AHEAD if first_body is not None else 0, last_body is not None

    def loop(first, last, group, known, room, order):  # type: ignore[no-untyped-def]
        positions = Group(
            base(group.members),
            base(group.status),
            base(group.ends),
            base(group.edges),
            base(group.touched),
            base(group.packed),
        )
        values = Known(base(known.classes), base(known.values), base(known.plies), known.highest)
        for i in range(first, last + ahead):
            slot = i & (AHEAD - 1)
            work = Work(
                at(room.state, 0),
                at(room.state, 1),
                at(room.state, 2),
                row(room.actions, 0),
                row(room.actions, 1),
                row(room.probability, 0),
                row(room.payoff, 0),
                at(room.survey, slot),
                row(room.leads, slot),
                base(room.tally),
                base(room.kept),
            )
            if i >= first + ahead:
                body(i - ahead, positions, values, work, order)
                if keeping:
                    last_body(i - ahead, positions, values, work, order)
            if ahead and i < last:
                first_body(i, positions, values, work, order)

    loop.__name__ = loop.__qualname__ = body.__name__
    loop.__module__ = __name__
    return kernel(loop)


class Cores:
    """Runs bodies over arrays of NumPy."""

    name = "cpu"
    block = 64  # positions that are settled together: few levels touch many of them
    most_kept = 0  # leads that may be kept from counting to linking

    def __init__(self, game: RecordGame, threads: int | None = None):
        self.game = game
        self.threads = threads or os.cpu_count() or 1
        if not (JIT and game.compiled):
            self.threads = 1
        self._pool = ThreadPoolExecutor(self.threads)
        self._rooms = [make_room(game) for _ in range(self.threads)]
        self._kept: dict[int, Any] | None = None  # leads, by the first position of the piece; None if not all are there
        self._kept_so_far = 0

    def available_memory(self) -> int:
        """Bytes that a build may take where nobody says how many."""
        return available_memory()

    def zeros(self, n: int, kind: Any) -> Any:
        return cells(np.zeros(n, kind))

    def room_for(self, n: int, kind: Any) -> Any:
        """n numbers that are written before they are read."""
        return cells(np.empty(n, kind))

    def table(self, records: Any) -> Any:
        return records.view(np.recarray)

    def read(self, table: Any) -> Any:
        """As an array of NumPy."""
        return table if "v" not in table.dtype.names else table["v"]

    def known(self, classes: Any, values: Any, plies: Any) -> Known:
        """What is known, from arrays of NumPy, which stay what they are."""
        return Known(self.table(classes), cells(values), cells(plies), len(classes) - 1)

    def place(self, known: Known, members: Any) -> None:
        """These classes are the group that is being worked out."""
        known.classes["here"][members["number"]] = members["first"]

    def learn(self, known: Known, members: Any, values: Any, plies: Any) -> None:
        """… and have these values."""
        for k, number in enumerate(members["number"].tolist()):
            first = int(known.classes["start"][number])
            known.classes["first"][number] = first
            known.values["v"][first // 4 : first // 4 + len(values[k])] = values[k]
            if plies:
                known.plies["v"][first : first + len(plies[k])] = plies[k]

    def leave(self, known: Known, members: Any) -> None:
        """… and are worked out."""
        known.classes["here"][members["number"]] = -1

    def add_up(self, ends: Any) -> int:
        """Each number becomes the sum of those before it; what all of them sum to."""
        return sum_before(ends["v"], self._pool.map)

    def run(
        self,
        name: str,
        n: int,
        group: Group,
        known: Known,
        order: Order,
        tell: Callable[[int], None] = lambda done: None,
    ) -> Any:
        """Do a body to all of n positions (bytes, for `collect`): the tally."""
        if name == "count":
            self._kept, self._kept_so_far = {} if self.most_kept else None, 0
        keeping = self._kept is not None and name in ("count", "link")
        op, free = kernel_of(name, keeping), list(self._rooms)
        if keeping and name == "count":
            most = PIECE * self.game.variant.width
            free = [room._replace(kept=cells(np.empty(most, np.uint32))) for room in free]
        for room in free:
            room.tally["v"] = 0
        self.game.run(op, 0, 0, group, known, free[0], order)  # compiled once, before the threads ask for it
        lock, size = threading.Lock(), BLOCKS if name == "settle" else PIECE

        def piece(first: int) -> int:
            with lock:
                room = free.pop()
            try:
                held = self._room_to_keep(room, name, first) if keeping else room
                self.game.run(op, first, min(n, first + size), group, known, held, order)
                if keeping and name == "count":
                    with lock:
                        self._keep(first, held)
            finally:
                with lock:
                    free.append(room)
            return min(size, n - first)

        self.share(piece, range(0, n, size), tell)
        return np.sum([room.tally["v"] for room in self._rooms], axis=0)

    def _room_to_keep(self, room: Work, name: str, first: int) -> Work:
        """For `count`, as much as a piece can need; for `link`, what was kept of the piece, and no longer than that."""
        room.tally["v"][bodies.KEPT] = 0
        return room if name == "count" else room._replace(kept=cells((self._kept or {}).pop(first)))

    def _keep(self, first: int, room: Work) -> None:
        used = int(room.tally["v"][bodies.KEPT])
        self._kept_so_far += used
        if self._kept_so_far > self.most_kept:
            self._kept = None
        elif self._kept is not None:
            self._kept[first] = room.kept["v"][:used].copy()

    def share(self, piece: Callable[[int], int], firsts: range, tell: Callable[[int], None]) -> None:
        """Hand pieces to threads, a few at a time: an interrupt waits for no more than those. `tell` hears what each
        of them returns."""
        if self.threads == 1:
            for first in firsts:
                tell(piece(first))
            return
        waiting: set[Future[int]] = set()
        stop = threading.Event()

        def unless_stopped(first: int) -> int:
            return 0 if stop.is_set() else piece(first)

        try:
            for first in firsts:
                if len(waiting) >= 2 * self.threads:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for each in done:
                        tell(each.result())
                waiting.add(self._pool.submit(unless_stopped, first))
            for each in waiting:
                tell(each.result())
        except BaseException:
            stop.set()
            wait(waiting)
            raise


def sum_before(counts: NDArray[np.uint32], do_all: Callable[..., Any] = map) -> int:
    """Each of some counts becomes the sum of those before it, in place; what all of them sum to. `do_all` may do the
    parts side by side."""
    parts = [counts[first : first + ADDED] for first in range(0, len(counts), ADDED)]
    totals = [0, *np.cumsum(list(do_all(lambda part: int(part.sum(dtype=np.uint64)), parts)), dtype=np.int64).tolist()]

    def add(part: NDArray[np.uint32], before: int) -> None:
        sums = np.cumsum(part[:-1], dtype=np.uint32)  # they may run over: what counts is the sum of all
        part[1:], part[0] = sums + np.uint32(before & 0xFFFFFFFF), before & 0xFFFFFFFF

    list(do_all(add, parts, totals[:-1]))
    return int(totals[-1])


def make_room(game: RecordGame) -> Work:
    """A Work's arrays."""
    rules = game.variant
    return Work(
        state=roomy(3, rules.dtype),
        after=np.zeros(0, rules.dtype),
        blank=np.zeros(0, rules.dtype),
        actions=rows(2, rules.width),
        scratch=rows(0, rules.width),
        probability=rows(1, rules.width if rules.max_chance_outcomes else 1, "f8"),
        payoff=rows(1, rules.players, "f8"),
        survey=np.zeros(AHEAD, bodies.SURVEY).view(np.recarray),
        leads=rows(AHEAD, rules.width),
        tally=cells(np.zeros(TALLY, np.uint32)),
        kept=cells(np.zeros(1, np.uint32)),
    )
