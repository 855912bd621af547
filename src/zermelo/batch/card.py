"""A batch on a graphics card: a thread a game. Imported only where one is asked for. The kernels: card_kernels.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import cuda

import zermelo.compile.targets.cuda as target
from zermelo.batch.arrays import Games, Out, bytes_of_a_game, is_watched, shapes
from zermelo.batch.card_kernels import FEW, is_direct, kernel_of, list_kind
from zermelo.batch.cores import Cores
from zermelo.batch.warp import WARP
from zermelo.compile.record import rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import RulesError
from zermelo.compile.targets import card_memory

MOST_PREPARED = 16  # kernels with their desks


class Card:
    """Runs bodies over arrays on the card."""

    name = "cuda"

    def __init__(self, game: RecordGame, checked: bool):
        target.need_card()
        target.refuse_by_looks(game.variant)
        self.game, self.checked = game, checked
        self._first = cuda.device_array(1, np.int64)
        self._listed: Any = None
        self._stamps: Any = None  # (n,) the last run that a game's thread came to the end of
        self._runs = 0
        self._prepared: dict[Any, Any] = {}

    def available_memory(self) -> int:
        """Bytes of the card's."""
        return card_memory()

    def bytes_of_a_game(self, tracks: bool, watched: Sequence[str]) -> int:
        """Of the card's memory: what it takes anywhere, and a list of actions that no thread has room for."""
        rules = self.game.variant
        is_apart = rules.width > FEW and not is_direct(rules, tuple(watched))
        listed: int = list_kind(rules).itemsize if is_apart else 0
        return bytes_of_a_game(rules, tracks, watched) + listed

    def array(self, like: Any) -> Any:
        """`like` in this device's memory."""
        if hasattr(like, "__cuda_array_interface__"):
            return cuda.as_cuda_array(like)
        like = np.ascontiguousarray(like).view(np.ndarray)
        if like.dtype.names is None:
            return cuda.to_device(like)
        made = self._records(len(like), like.dtype)
        made.copy_to_device(like)
        return made

    def table(self, records: Any) -> Any:
        """Records for bodies to work on, in this device's memory."""
        return self.array(records)

    def rows(self, n: int, width: Any, kind: str) -> Any:
        """n rows of zeros."""
        made = self._records(n, rows(0, width, kind).dtype)
        target.clear(made)
        return made

    def _records(self, n: int, dtype: Any) -> Any:
        """Room for n of them, and behind it for as many more as a warp may touch, and one."""
        return cuda.device_array(-(-n // WARP) * WARP + 1, dtype)[:n]

    def flat(self, table: Any, kind: str, shape: tuple[int, ...]) -> Any:
        """Rows as an array."""
        return target.seen_as(table, shape, kind)

    def field(self, records: Any, name: str, room: Any) -> Any:
        """One field of all records as an array of its own: in `room`, if there is one."""
        kind, shape = records.dtype[name].base, records.dtype[name].shape
        made = cuda.device_array((records.shape[0], *shape), kind) if room is None else room
        word = kind.itemsize
        copy_field[blocks(records.shape[0])](
            target.seen_as(records, (records.shape[0], records.dtype.itemsize // word), f"u{word}"),
            records.dtype.fields[name][1] // word,
            target.seen_as(made, (records.shape[0], int(np.prod(shape, dtype=int))), f"u{word}"),
        )
        return made

    def put(self, records: Any, field: str, said: Any) -> None:
        """Tell every game something: a number, or one for each."""
        put = put_actions if field == "action" else put_waits
        given = said if hasattr(said, "shape") and said.shape else self.array(np.full(records.shape[0], said))
        put[blocks(records.shape[0])](records, given)

    def read(self, array: Any) -> Any:
        """`array` as one of NumPy's."""
        return array.copy_to_host()

    def copy(self, array: Any) -> Any:
        made = self._records(array.shape[0], array.dtype)
        made.copy_to_device(array)
        return made

    def another(self) -> Card:
        """What runs bodies over other games of the same kind."""
        return Card(self.game, self.checked)

    def run(self, name: str, games: Games, order: Any, out: Any) -> None:
        """Do the body called `name` to every game, and write what is watched."""
        key = name, id(games), id(out)
        if key not in self._prepared:
            if len(self._prepared) == MOST_PREPARED:
                del self._prepared[next(iter(self._prepared))]
            self._prepared[key] = (*self._prepare(name, games, out), games, out)  # which keeps the ids theirs
        launch, desk = self._prepared[key][:2]
        self._runs = (self._runs + 1) % (1 << 31)
        try:
            launch(desk, self._runs, *order)
        except Exception as error:
            raise target.explain_refusal(self.game.variant, error) from error
        if self.checked:
            self._check(name, games, order)

    def _prepare(self, name: str, games: Games, out: Any) -> tuple[Any, Any]:
        """The kernel with its number of threads, and the desk."""
        rules, n = self.game.variant, games.slots.shape[0]
        watched = tuple(field for field, rows in zip(Out._fields, out, strict=True) if is_watched(rows))
        if self._stamps is None:
            self._stamps = self.rows(n, 1, "i4")
        kernel, threads = kernel_of(name, rules, games.keys.shape[0] == n and games.keys.dtype.itemsize > 8, watched)
        lie = [*games, out.actions if is_direct(rules, watched) else self._lists(n), self._stamps, *out]
        desk = np.array([n, *(array.__cuda_array_interface__["data"][0] for array in lie)], np.int64)
        return kernel[-(-n // threads), threads], cuda.to_device(desk)

    def _lists(self, n: int) -> Any:
        """Where lists of actions are made that are not made where they are wanted."""
        if self._listed is None:
            self._listed = self._records(n if self.game.variant.width > FEW else 1, list_kind(self.game.variant))
        return self._listed

    def _check(self, name: str, games: Games, order: Any) -> None:
        """Has a thread ended before its time? The same on a core says why."""
        n = games.slots.shape[0]
        self._first.copy_to_device(np.array([n], np.int64))
        find_unfinished[blocks(n)](target.seen_as(self._stamps, (n,), np.int32), self._runs, self._first)
        i = int(self._first.copy_to_host()[0])
        if i == n:
            return
        one = Games(*(self.read(array[i : i + 1] if array.shape[0] == n else array[:1]) for array in games))
        cores = Cores(self.game, 1)
        known = {**shapes(self.game.variant), "sums": ("f8", self.game.players)}
        cores.run(
            name,
            Games(*map(cores.table, one)),
            order,
            Out(*(cores.rows(1, known[k][1] or 1, known[k][0]) for k in Out._fields)),
        )
        raise RulesError(f"{self.game.name}: game {i} of the batch went wrong on the card, and not on a core")


def blocks(n: int) -> tuple[int, int]:
    """Blocks, and threads of each, for n games."""
    return -(-n // 128), 128


@cuda.jit
def copy_field(words, first, made):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < made.shape[0]:
        for k in range(made.shape[1]):
            made[i, k] = words[i, first + k]


@cuda.jit
def find_unfinished(stamps, run, first):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < stamps.shape[0] and stamps[i] != run:
        cuda.atomic.min(first, 0, i)


@cuda.jit
def put_actions(notes, said):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < notes.shape[0]:
        notes[i].action = said[i]


@cuda.jit
def put_waits(slots, said):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < slots.shape[0]:
        slots[i].waits = said[i]
