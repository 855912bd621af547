"""A batch on a graphics card: a thread a game. Imported only where one is asked for.

What a thread works in are its own variables: the record, generator, payoffs and, unless there are very many of them,
the actions; those then have a row of the card's memory.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda, float64, from_dtype, int64, uint64

import zermelo.compile.targets.cuda as target  # rules are then compiled for it too
from zermelo.batch import bodies
from zermelo.batch.arrays import Games, Order, Out, Work, shapes
from zermelo.batch.cores import Cores
from zermelo.compile.dispatch import at
from zermelo.compile.pointers import base, item
from zermelo.compile.record import rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import RulesError
from zermelo.compile.variant import Variant

FEW = 512  # actions: kept in a local array, of which a warp's threads share cache lines
THREADS = 128  # in a block
SLACK = 8  # numbers behind what rules write to: an overrun is noticed when they say how much they wrote


@cache
def kernel_of(name: str, rules: Variant) -> Any:
    """The kernel that does a body to a thread's game."""
    return cuda.jit(make_loop(getattr(bodies, name), rules))


def make_loop(body: Any, rules: Variant) -> Any:
    record, players = from_dtype(rules.dtype), rules.players + SLACK
    width, outcomes = rules.width + SLACK, max(1, rules.max_chance_outcomes) + SLACK
    few = rules.width <= FEW

    def loop(  # type: ignore[no-untyped-def]
        states,
        slots,
        keys,
        begin,
        listed,
        steps,
        limit,
        how,
        restart,
        digests,
        player,
        utilities,
        legal,
        planes,
        written,
    ):
        i = cuda.grid(1)
        if i < slots.shape[0]:
            slots[i].busy = 1  # a thread whose rules overrun what they declare ends where it is (compile/guards.py)
            games = Games(base(states), base(slots), base(keys), base(begin))
            state = cuda.local.array(2, record)
            probability, payoff = cuda.local.array(outcomes, float64), cuda.local.array(players, float64)
            random, plies = cuda.local.array(1, uint64), cuda.local.array(1, int64)
            order = Order(steps, limit, how, restart, digests)
            out = Out(base(player), base(utilities), base(legal), base(planes), base(written))
            if few:
                room = cuda.local.array(width, int64)
                body(i, games, Work(at(state, 0), at(state, 1), room, probability, payoff, random, plies), order, out)
            else:
                work = Work(at(state, 0), at(state, 1), item(base(listed), i).at, probability, payoff, random, plies)
                body(i, games, work, order, out)
            slots[i].busy = 0

    return loop


class Card:
    """Runs bodies over arrays on the card."""

    name = "cuda"

    def __init__(self, game: RecordGame, checked: bool):
        target.need_card()
        target.refuse_by_looks(game.variant)
        self.game, self.checked = game, checked
        self._first = cuda.device_array(1, np.int64)
        self._listed: Any = None

    def array(self, like: Any) -> Any:
        """`like` in this device's memory."""
        if hasattr(like, "__cuda_array_interface__"):
            return cuda.as_cuda_array(like)
        return cuda.to_device(np.ascontiguousarray(like).view(np.ndarray))

    def table(self, records: Any) -> Any:
        """Records, in this device's memory."""
        return cuda.to_device(records)

    def rows(self, n: int, width: Any, kind: str) -> Any:
        """n rows of zeros."""
        made = cuda.device_array(n, rows(0, width, kind).dtype)
        target.clear(made)
        return made

    def flat(self, table: Any, kind: str, shape: tuple[int, ...]) -> Any:
        """Rows as an array."""
        return target.seen_as(table, shape, kind)

    def clear(self, table: Any) -> None:
        """Zeros again."""
        target.clear(table)

    def field(self, records: Any, name: str, room: Any) -> Any:
        """One field of all records as an array of its own: in `room`, if there is one."""
        kind, shape = records.dtype[name].base, records.dtype[name].shape
        made = cuda.device_array((records.shape[0], *shape), kind) if room is None else room
        word = kind.itemsize
        copy_field[-(-records.shape[0] // THREADS), THREADS](
            target.seen_as(records, (records.shape[0], records.dtype.itemsize // word), f"u{word}"),
            records.dtype.fields[name][1] // word,
            target.seen_as(made, (records.shape[0], int(np.prod(shape, dtype=int))), f"u{word}"),
        )
        return made

    def put(self, slots: Any, field: str, said: Any) -> None:
        """Tell every game something: a number, or one for each."""
        put = put_actions if field == "action" else put_waits
        given = said if hasattr(said, "shape") and said.shape else self.array(np.full(slots.shape[0], said))
        put[-(-slots.shape[0] // THREADS), THREADS](slots, given)

    def read(self, array: Any) -> Any:
        """`array` as one of NumPy's."""
        return array.copy_to_host()

    def copy(self, array: Any) -> Any:
        made = cuda.device_array_like(array)
        made.copy_to_device(array)
        return made

    def run(self, name: str, games: Games, order: Any, out: Any) -> None:
        """Do the body called `name` to every game."""
        rules, n = self.game.variant, games.slots.shape[0]
        if self._listed is None or (rules.width > FEW and self._listed.shape[0] < n):
            self._listed = cuda.device_array(n if rules.width > FEW else 1, rows(0, rules.width + SLACK).dtype)
        try:
            kernel_of(name, rules)[-(-n // THREADS), THREADS](*games, self._listed, *order, *out)
        except Exception as error:
            raise target.explain_refusal(rules, error) from error
        if self.checked:
            self._check(name, games, order)

    def _check(self, name: str, games: Games, order: Any) -> None:
        """Has a thread ended before its time? The same on a core says why."""
        n = games.slots.shape[0]
        self._first.copy_to_device(np.array([n], np.int64))
        find_busy[-(-n // THREADS), THREADS](games.slots, self._first)
        i = int(self._first.copy_to_host()[0])
        if i == n:
            return
        one = Games(*(self.read(array[i : i + 1] if array.shape[0] == n else array[:1]) for array in games))
        one.slots["busy"] = 0
        cores = Cores(self.game, 1)
        out = {**shapes(self.game.variant), "rows": ("i8", self.game.variant.width)}
        cores.run(
            name,
            Games(*map(cores.table, one)),
            order,
            Out(*(cores.rows(1, out[k][1] or 1, out[k][0]) for k in Out._fields)),
        )
        raise RulesError(f"{self.game.name}: game {i} of the batch went wrong on the card, and not on a core")


@cuda.jit
def copy_field(words, first, made):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < made.shape[0]:
        for k in range(made.shape[1]):
            made[i, k] = words[i, first + k]


@cuda.jit
def find_busy(slots, first):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < slots.shape[0] and slots[i].busy != 0:
        cuda.atomic.min(first, 0, i)


@cuda.jit
def put_actions(slots, said):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < slots.shape[0]:
        slots[i].action = said[i]


@cuda.jit
def put_waits(slots, said):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < slots.shape[0]:
        slots[i].waits = said[i]
