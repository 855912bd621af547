"""A forest on a graphics card: a thread a tree. Imported only where one is asked for.

Trees are few for a card, and no two walks are alike: threads of a warp would wait for each other at every turn. So a
warp has no more trees (`lanes`) than it must, and its other threads have none.

Kernels are put into the queue of the card one after the other, and nobody waits for them until a judge, which has a
queue of its own, is to see what they wrote. That wait is for this queue alone: the judge may still be busy elsewhere.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda, float64, from_dtype, int64, uint64
from numba.cuda import libdevice

import zermelo.compile.targets.cuda as target  # rules are then compiled for it too
from zermelo.batch.arrays import Games, Work
from zermelo.batch.card import Card
from zermelo.batch.card_kernels import FEW, SLACK
from zermelo.batch.handover import from_anywhere
from zermelo.batch.warp import WARP
from zermelo.compile.dispatch import at
from zermelo.compile.overloads import overload
from zermelo.compile.pointers import base, item
from zermelo.compile.record import rows
from zermelo.compile.variant import Variant
from zermelo.search.forest import bodies
from zermelo.search.forest.arithmetic import times
from zermelo.search.forest.cores import BODIES
from zermelo.search.forest.trees import Sight, Trees, cells

WARPS = 1024  # that a card runs beside each other without crowding its caches, more or less


@overload(times, target="cuda")
def _times(x: Any, y: Any) -> Any:
    return lambda x, y: libdevice.dmul_rn(x, y)  # noqa: PLW0108 - a function is compiled; never fused with a sum


def make_loop(rules: Variant) -> Any:
    """The kernel that grows a thread's tree and walks down it again: to start two costs more than they do."""
    record, players = from_dtype(rules.dtype), rules.players + SLACK
    width, outcomes = rules.width + SLACK, max(1, rules.max_chance_outcomes) + SLACK
    few, grow, descend = rules.width <= FEW, bodies.grow, bodies.descend

    def loop(  # type: ignore[no-untyped-def]
        states,
        game_slots,
        game_notes,
        game_keys,
        begin,
        listed,
        slots,
        nodes,
        edges,
        noise,
        told,
        logits,
        values,
        visits,
        policy,
        value,
        raw_policy,
        raw_value,
        paid,
        options,
        keys,
        seen,
        each,
        lanes,
    ):
        lane = cuda.grid(1) % WARP
        i = cuda.grid(1) // WARP * lanes + lane
        if lane < lanes and i < slots.shape[0]:
            slots[i].busy = 1  # a thread whose rules overrun what they declare ends where it is (compile/guards.py)
            games = Games(base(states), base(game_slots), base(game_notes), base(game_keys), base(begin))
            trees = Trees(
                base(slots),
                base(nodes),
                base(edges),
                base(noise),
                base(told),
                base(logits),
                base(values),
                base(visits),
                base(policy),
                base(value),
                base(raw_policy),
                base(raw_value),
                base(paid),
                base(options),
            )
            sight = Sight(base(keys), base(seen))
            grow(i, trees, each)
            state = cuda.local.array(2, record)
            chosen, probability = cuda.local.array(outcomes, int64), cuda.local.array(outcomes, float64)
            payoff = cuda.local.array(players, float64)
            random, plies = cuda.local.array(1, uint64), cuda.local.array(1, int64)
            if few:
                room = cuda.local.array(width, int64)
                work = Work(at(state, 0), at(state, 1), room, chosen, probability, payoff, random, plies)
                descend(i, games, trees, sight, work)
            else:
                row = item(base(listed), i).at
                far = Work(at(state, 0), at(state, 1), row, chosen, probability, payoff, random, plies)
                descend(i, games, trees, sight, far)
            slots[i].busy = 0

    return loop


def make_plain_loop(name: str) -> Any:
    """The kernel of a body that needs no rules."""
    body = BODIES[name]

    def loop(  # type: ignore[no-untyped-def]
        slots,
        nodes,
        edges,
        noise,
        told,
        logits,
        values,
        visits,
        policy,
        value,
        raw_policy,
        raw_value,
        paid,
        options,
        each,
        lanes,
    ):
        lane = cuda.grid(1) % WARP
        i = cuda.grid(1) // WARP * lanes + lane
        if lane < lanes and i < slots.shape[0]:
            trees = Trees(
                base(slots),
                base(nodes),
                base(edges),
                base(noise),
                base(told),
                base(logits),
                base(values),
                base(visits),
                base(policy),
                base(value),
                base(raw_policy),
                base(raw_value),
                base(paid),
                base(options),
            )
            body(i, trees, each)

    return loop


@cache
def advance_of(rules: Variant) -> Any:
    return cuda.jit(make_loop(rules))


@cache
def kernel_of(name: str) -> Any:
    return cuda.jit(make_plain_loop(name))


class OnCard:
    """Runs bodies over arrays on the card."""

    def __init__(self, device: Card):
        self.device = device
        self._listed: Any = None
        self._kernels: dict[str, Any] = {}
        self._parts: dict[int, Any] = {}  # of what a judge sees

    def room(self, n: int, dtype: Any) -> Any:
        made = cuda.device_array(n, dtype)
        target.clear(made)
        return made

    def bring(self, records: Any) -> Any:
        return cuda.to_device(records.view(np.ndarray))

    def fill(self, table: Any, numbers: Any) -> None:
        table.copy_to_device(np.ascontiguousarray(numbers, table.dtype["at"]).reshape(-1).view(table.dtype))

    def answers(self, array: Any) -> Any:
        """What a judge said, as a table: waited for, and not copied if it is float32 already."""
        said = from_anywhere(array)
        said = cuda.to_device(said.astype(np.float32)) if isinstance(said, np.ndarray) else cuda.as_cuda_array(said)
        if said.dtype != np.float32 or not said.is_c_contiguous():
            said = cuda.to_device(np.ascontiguousarray(said.copy_to_host(), np.float32))
        return target.seen_as(said, (said.size,), cells("f4"))

    def shape(self, array: Any) -> tuple[int, ...]:
        return tuple(array.shape)

    def clear(self, records: Any) -> None:
        target.clear(records)

    def seen(self, records: Any, m: int) -> Any:
        """The first m rows of what a judge sees; records as bytes."""
        if m not in self._parts:
            is_plane = "at" in records.dtype.names
            kind = records.dtype["at"].base if is_plane else np.uint8
            shape = records.dtype["at"].shape if is_plane else (records.dtype.itemsize,)
            self._parts[m] = target.seen_as(records[:m], (m, *shape), kind)
        return self._parts[m]

    def wait(self) -> None:
        cuda.default_stream().synchronize()

    def advance(self, games: Games, trees: Trees, sight: Sight, each: int) -> None:
        rules, n = self.device.game.variant, trees.slots.shape[0]
        if self._listed is None:
            self._listed = cuda.device_array(n if rules.width > FEW else 1, rows(0, rules.width + SLACK).dtype)
        self._start("advance", n, *games, self._listed, *trees, *sight, each)

    def run(self, name: str, trees: Trees, each: int = 1) -> None:
        self._start(name, trees.slots.shape[0], *trees, each)

    def _start(self, name: str, n: int, *arguments: Any) -> None:
        """Put a kernel into the queue. Which of its compiled forms is meant is asked once: the types stay the same."""
        lanes = min(-(-n // WARPS), WARP)
        if name not in self._kernels:
            kernel = advance_of(self.device.game.variant) if name == "advance" else kernel_of(name)
            self._kernels[name] = kernel.specialize(*arguments, lanes)[-(-n // lanes), WARP]
        self._kernels[name](*arguments, lanes)
