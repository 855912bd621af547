"""Rote learning: positions that were searched before, and what the searches said of them.

`Rote` wraps another evaluator. Where a search ends in a position that stands in the memory, it gets the value that was
backed up to it by an earlier search, and so sees as much further as that one did; elsewhere the inner one judges.

    memory   one record of columns        key     of the position; its upper bits say where it may stand: four places
                                          value   backed up, from player 0's view
                                          depth   of the search that gave it; 0: the place is empty
                                          age     halved whenever the entry is used, one more at every `grow_older`

Reference, also for the words: A. L. Samuel, Some studies in machine learning using the game of checkers (1959). New
positions have an age; to use one is to refresh it; those that reach OLDEST are forgotten; where there is no room, the
position with the least depth makes way. His "sense of direction" is kept too: a value is remembered a little nearer
zero than it was, so that of two ways to a good position the shorter one, by fewer memories, looks better.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import at, key
from zermelo.compile.evaluator import estimate
from zermelo.compile.kernel import kernel
from zermelo.compile.rules import helper
from zermelo.core.game import GameError

COLUMNS = {"key": "u8", "value": "f8", "depth": "i4", "age": "i4"}
WAYS = 4  # places where a position may stand
NEW, OLDEST = 16, 48  # the age of a new position, and that at which it is forgotten
FADING = 0.998  # of a value, every time it is remembered
_HALF = np.uint64(32)


class Rote(NamedTuple):
    """An evaluator that remembers. Threads share the memory; `private` gives each scratch space of its own."""

    inner: Any
    memory: Any  # (1,): the columns, and `asked` and `found`, how often the memory was asked and knew

    def estimate(rote, s: Any) -> Any:
        memory = at(rote.memory, 0)
        place = find(memory, key(s))
        memory.asked += 1
        if place >= 0:
            memory.found += 1
            memory.age[place] >>= 1
            return memory.value[place]
        return float(estimate(rote.inner, s))

    def private(self) -> Rote:
        """The same memory for another thread."""
        return Rote(self.inner.private() if hasattr(self.inner, "private") else self.inner, self.memory)

    @property
    def places(self) -> int:
        """How many positions there is room for."""
        return int(self.memory[0]["key"].size)

    @property
    def size(self) -> int:
        """How many positions are remembered."""
        return int(np.count_nonzero(self.memory[0]["depth"]))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What is remembered, to be saved."""
        used = np.flatnonzero(self.memory[0]["depth"])
        return {"rote_place": used, **{f"rote_{name}": self.memory[0][name][used] for name in COLUMNS}}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Remember what `arrays` gave, and nothing else."""
        try:
            columns = {name: arrays[f"rote_{name}"] for name in COLUMNS}
            places = arrays["rote_place"]
            for name, column in columns.items():
                self.memory[0][name][:] = 0
                self.memory[0][name][places] = column
        except (KeyError, IndexError, ValueError) as problem:
            raise GameError(f"this is not a memory with room for {self.places} positions: {problem}") from None


def make_rote(inner: Any, places: int = 1 << 18) -> Rote:
    """An empty memory before `inner`, with room for so many positions; rounded up to a power of two."""
    if not WAYS <= places <= 1 << 28:
        raise GameError(f"a memory has room for {WAYS} to {1 << 28} positions, not {places}")
    size = 1 << (places - 1).bit_length()
    columns = [(name, kind, (size,)) for name, kind in COLUMNS.items()]
    return Rote(
        inner, np.zeros(1, np.dtype([*columns, ("asked", "i8"), ("found", "i8")], align=True)).view(np.recarray)
    )


@helper
def first_place(memory: Any, k: Any) -> Any:
    """Where the places of a key begin."""
    return np.int64(((k >> _HALF) * np.uint64(len(memory.key) // WAYS)) >> _HALF) * WAYS


@helper
def find(memory: Any, k: Any) -> Any:
    """The place of the position with key `k`, or -1."""
    first = first_place(memory, k)
    for place in range(first, first + WAYS):
        if memory.key[place] == k and memory.depth[place] > 0:
            return place
    return -1


@helper
def remember(memory: Any, k: Any, value: Any, depth: Any) -> None:
    """Keep the value (from player 0's view) that a search to `depth` backed up to the position with key `k`."""
    place = find(memory, k)
    if place >= 0:
        memory.age[place] >>= 1
        if depth < memory.depth[place]:
            return
    else:
        place = first_place(memory, k)
        for other in range(place, place + WAYS):
            less = memory.depth[other] - memory.depth[place]
            if less < 0 or (less == 0 and memory.age[other] > memory.age[place]):
                place = other
        memory.key[place], memory.age[place] = k, NEW
    memory.value[place], memory.depth[place] = FADING * value, depth


@kernel
def grow_older(columns):  # type: ignore[no-untyped-def]
    """Everything is a unit older; what has not been used for long is forgotten. How many positions are left."""
    memory, left = at(columns, 0), 0
    for place in range(len(memory.key)):
        if memory.depth[place] > 0:
            memory.age[place] += 1
            if memory.age[place] >= OLDEST:
                memory.depth[place] = 0
            else:
                left += 1
    return left
