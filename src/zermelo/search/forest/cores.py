"""A forest on the cores of this machine: a loop over the trees, a piece of them for every core (see batch/cores.py)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from zermelo.batch.arrays import Games, Work
from zermelo.batch.cores import Cores
from zermelo.compile.dispatch import at, row
from zermelo.compile.kernel import kernel
from zermelo.compile.overloads import overload
from zermelo.compile.pointers import base
from zermelo.compile.record import roomy
from zermelo.search.forest import bodies, conclusion
from zermelo.search.forest.trees import Sight, Trees, cells

BODIES = {"prepare": bodies.prepare, "grow": bodies.grow, "conclude": conclusion.conclude}


def trees_of(trees: Any) -> Any:
    """The forest for compiled code. (Records cannot be returned: this is written into its callers.)"""
    return Trees(
        base(trees.slots),
        base(trees.nodes),
        base(trees.edges),
        base(trees.noise),
        base(trees.told),
        base(trees.logits),
        base(trees.values),
        base(trees.visits),
        base(trees.policy),
        base(trees.value),
        base(trees.raw_policy),
        base(trees.raw_value),
        base(trees.paid),
        base(trees.options),
    )


@overload(trees_of, itself=True, inline="always")
def _trees_of(trees: Any) -> Any:
    return trees_of


@kernel
def descend(first, last, games, forest, sight, rooms):  # type: ignore[no-untyped-def]
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
    trees, seen = trees_of(forest), Sight(base(sight.keys), base(sight.seen))
    for i in range(first, last):
        bodies.descend(i, all_games, trees, seen, work)


@cache
def kernel_of(name: str) -> Any:
    """A kernel that does a body that needs no rules to the trees from `first` to `last`."""
    body = BODIES[name]

    def loop(first, last, forest, each):  # type: ignore[no-untyped-def]
        trees = trees_of(forest)
        for i in range(first, last):
            body(i, trees, each)

    loop.__name__ = loop.__qualname__ = name
    loop.__module__ = __name__
    return kernel(loop)


class OnCores:
    """Runs bodies over arrays of NumPy."""

    def __init__(self, device: Cores):
        self.device = device

    def room(self, n: int, dtype: Any) -> Any:
        """n records of zeros, which rules may be given to write to."""
        return roomy(n, dtype).view(np.recarray)

    def bring(self, records: Any) -> Any:
        return records.view(np.recarray)

    def answers(self, array: Any) -> Any:
        """What a judge said, as a table."""
        return np.ascontiguousarray(np.asarray(array), np.float32).reshape(-1).view(cells("f4")).view(np.recarray)

    def shape(self, array: Any) -> tuple[int, ...]:
        return tuple(np.shape(array))

    def fill(self, table: Any, numbers: Any) -> None:
        """Write an array of NumPy's into rows."""
        table["at"] = numbers.ravel()

    def clear(self, records: Any) -> None:
        records["at"] = 0

    def seen(self, records: Any, m: int) -> Any:
        """The first m rows of what a judge sees."""
        return np.asarray(records["at"][:m] if "at" in records.dtype.names else records[:m])

    def wait(self) -> None:
        """What was begun is done."""

    def advance(self, games: Games, trees: Trees, sight: Sight, each: int) -> None:
        """Every tree takes the answer it waits for, and walks to another leaf."""
        self.run("grow", trees, each)
        run = self.device.game.run
        job = lambda first, last, room: run(descend, first, last, games, trees, sight, room)  # noqa: E731
        self.device.share("descend", len(trees.slots), job)

    def run(self, name: str, trees: Trees, each: int = 1) -> None:
        """Do a body that needs no rules to every tree."""
        op, run = kernel_of(name), self.device.game.run
        self.device.share(name, len(trees.slots), lambda first, last, room: run(op, first, last, trees, each))
