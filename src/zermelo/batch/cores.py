"""A batch on the cores of this machine: a loop over the games, a piece of them for every core.

The result does not depend on how many threads there are: a game has its own generator, and nobody else's arrays.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from zermelo.batch import bodies
from zermelo.batch.arrays import Games, Out, Work, bytes_of_a_game, is_watched
from zermelo.batch.bodies import show, show_legal, show_owners, show_planes
from zermelo.compile.dispatch import at, row
from zermelo.compile.kernel import JIT, kernel
from zermelo.compile.pointers import base, item
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.words import erase
from zermelo.core.memory import available_memory

WAKING = 30e-6  # seconds that it takes to wake a thread and to hear from it


def over_games(body: Any) -> Any:
    """A kernel that does `body` to the games from `first` to `last`."""

    def loop(first, last, games, rooms, order, outs):  # type: ignore[no-untyped-def]
        all_games = Games(base(games.states), base(games.slots), base(games.notes), base(games.keys), base(games.begin))
        work = Work(
            at(rooms.state, 0),
            at(rooms.state, 1),
            row(rooms.actions, 0),
            row(rooms.outcomes, 0),
            row(rooms.probability, 0),
            row(rooms.payoff, 0),
            row(rooms.random, 0),
            row(rooms.plies, 0),
        )
        out = Out(
            base(outs.player),
            base(outs.utilities),
            base(outs.count),
            base(outs.actions),
            base(outs.legal),
            base(outs.planes),
            base(outs.owners),
            base(outs.sums),
        )
        for i in range(first, last):
            n = body(i, all_games, work, order, out)
            show(i, all_games, work, n, out)
            if is_watched(item(out.planes, 0)):
                erase(item(out.planes, i))
                show_planes(i, work, out)
            if is_watched(item(out.legal, 0)):
                erase(item(out.legal, i))
                show_legal(i, work, n, out)
            if is_watched(item(out.owners, 0)):
                erase(item(out.owners, i))
                show_owners(i, all_games, work, out)

    loop.__name__ = loop.__qualname__ = body.__name__
    loop.__module__ = __name__
    return kernel(loop)


@cache
def kernel_of(name: str) -> Any:
    return over_games(getattr(bodies, name))


class Cores:
    """Runs bodies over arrays of NumPy."""

    name = "cpu"

    def __init__(self, game: RecordGame, threads: int | None = None):
        self.game = game
        self.threads = threads or os.cpu_count() or 1
        self._rooms = [make_room(game) for _ in range(self.threads)]
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._pace: dict[Any, float] = {}  # seconds a game, by what is done to it

    def available_memory(self) -> int:
        """Bytes of the machine's."""
        return available_memory()

    def bytes_of_a_game(self, tracks: bool, watched: Sequence[str]) -> int:
        """Of the machine's memory."""
        return bytes_of_a_game(self.game.variant, tracks, watched)

    def array(self, like: Any) -> Any:
        """`like` in this device's memory."""
        return np.asarray(like)

    def table(self, records: Any) -> Any:
        """Records for bodies to work on, in this device's memory."""
        return records.view(np.recarray)  # records[i].at, interpreted too

    def rows(self, n: int, width: Any, kind: str) -> Any:
        """n rows of zeros."""
        return self.table(rows(n, width, kind))

    def flat(self, table: Any, kind: str, shape: tuple[int, ...]) -> Any:
        """Rows as an array."""
        return np.asarray(table["at"]).view(kind).reshape(shape)

    def field(self, records: Any, name: str, room: Any) -> Any:
        """One field of all records as an array of its own: in `room`, if there is one."""
        if room is None:
            return np.array(records[name])
        room[...] = records[name]
        return room

    def put(self, records: Any, field: str, said: Any) -> None:
        """Tell every game something: a number, or one for each."""
        records[field] = said

    def read(self, array: Any) -> Any:
        """`array` as one of NumPy's."""
        return array

    def copy(self, array: Any) -> Any:
        return array.copy()

    def another(self) -> Cores:
        """What runs bodies over other games of the same kind."""
        return self

    def run(self, name: str, games: Games, order: Any, out: Any) -> None:
        """Do the body called `name` to every game, and write what is watched."""
        op, run = kernel_of(name), self.game.run
        what = name, *map(is_watched, out)
        job = lambda first, last, room: run(op, first, last, games, room, order, out)  # noqa: E731
        self.share(what, len(games.slots), job, max(order.steps, 1))

    def share(self, what: Any, n: int, job: Callable[[int, int, Work], None], times: int = 1) -> None:
        """Have job(first, last, room) done for n games, a piece of them and a room for every core. How long it took, a
        game and one of `times`, is remembered by `what` it is: so nobody is woken for what is done sooner."""
        if self._pool is None or not (JIT and self.game.compiled):
            job(0, n, self._rooms[0])
            return
        if what not in self._pace:
            job(0, 0, self._rooms[0])  # compiled once, before the threads ask for it
        parts = worthwhile(self._pace.get(what, 1.0) * n * times, min(self.threads, n))
        edges = [n * k // parts for k in range(parts + 1)]
        began = time.perf_counter()
        if parts == 1:
            job(0, n, self._rooms[0])
        else:
            list(self._pool.map(lambda k: job(edges[k], edges[k + 1], self._rooms[k]), range(parts)))
        took = (time.perf_counter() - began) * parts / (n * times)
        self._pace[what] = (self._pace.get(what, took) + took) / 2


def worthwhile(seconds: float, most: int) -> int:
    """How many threads, up to `most`, to share so much work among: the k for which seconds / k + k · WAKING is least,
    so that two have twice that time to do each."""
    return max(1, min(most, int(math.sqrt(seconds / WAKING))))


def make_room(game: RecordGame) -> Work:
    """A Work's arrays. Actions and payoffs are rows, which rules are compiled for in every other kernel too."""
    rules = game.variant
    return Work(
        state=roomy(2, rules.dtype),
        before=np.zeros(0, rules.dtype),
        actions=rows(1, rules.width),
        outcomes=rows(1, rules.width),
        probability=rows(1, rules.width if rules.max_chance_outcomes else 1, "f8"),
        payoff=rows(1, rules.players, "f8"),
        random=rows(1, 1, "u8"),
        plies=rows(1, 1),
    )
