"""A batch on a graphics card: a thread a game. Imported only where one is asked for.

A warp takes the records and slots of its thirty-two games to shared memory (warp.py), the threads do the body, and the
warp brings them back; then, a few games at a time, the rows that are mostly zeros:

    shared memory of a warp     32 records │ 32 slots │ planes of some games │ masks of the same games

What a thread works in are its own variables: the record, generator, payoffs and, unless there are very many of them,
the actions; those then have a row of the card's memory. A launch is told of one array, the desk, since each takes
Python microseconds:

    desk     0 n   1 … 5 Games   6 lists   7 stamps   8 … 15 Out         (addresses)
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import cuda, float64, from_dtype, int32, int64, uint64

import zermelo.compile.targets.cuda as target  # rules are then compiled for it too
from zermelo.batch import bodies
from zermelo.batch.arrays import (
    NOTE,
    SPARSE,
    Games,
    Order,
    Out,
    Work,
    is_watched,
    remembered,
    row_kinds,
    shapes,
    slot_dtype,
)
from zermelo.batch.bodies import show, show_legal, show_owners, show_planes
from zermelo.batch.cores import Cores
from zermelo.batch.warp import WARP, copier, eraser, record_at, record_in
from zermelo.compile.dispatch import at
from zermelo.compile.pointers import item
from zermelo.compile.record import rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import RulesError
from zermelo.compile.variant import Variant

FEW = 512  # actions: kept in a local array, of which a warp's threads share cache lines
SLACK = 8  # numbers behind what rules write to: an overrun is noticed when they say how much they wrote
MOST_WARPS = 4  # in a block
LONG = 1024  # bytes of a row, which is then written where it lies
NEAR = 24 << 10  # bytes of shared memory that a warp has for rows that are shorter
SHARED = 48 << 10  # bytes that a block may have
MOST_PREPARED = 16  # kernels with their desks


class Plan(NamedTuple):
    """How a kernel uses shared memory; the numbers are bytes of a warp, 0 for what stays in the card's own."""

    states: int = 0
    slots: int = 0
    planes: int = 0  # of so many games:
    legal: int = 0
    together: int = WARP

    @property
    def size(self) -> int:
        return sum(map(whole_lines, self[:4]))

    @property
    def warps(self) -> int:
        """In a block."""
        return max(1, min(MOST_WARPS, SHARED // max(1, self.size)))


def make_plan(rules: Variant, watched: tuple[str, ...]) -> Plan:
    """Games come to shared memory where planes or masks are watched, so that little else happens. Where they make many
    moves at a time that memory is better left to the cache."""
    if not set(watched) & set(SPARSE):
        return Plan()
    sizes = {name: row_size(rules, name) for name in ("planes", "legal") if name in watched}
    short = {name: size for name, size in sizes.items() if size < LONG}
    together = WARP
    while together * sum(short.values()) > NEAR:
        together //= 2
    return Plan(
        WARP * rules.dtype.itemsize,
        WARP * slot_dtype(rules.players).itemsize,
        together * short.get("planes", 0),
        together * short.get("legal", 0),
        together,
    )


def row_size(rules: Variant, name: str) -> int:
    return int(np.prod(shapes(rules)[name][1]))


def whole_lines(size: int) -> int:
    return -(-size // 16) * 16


def action_kind(rules: Variant) -> Any:
    """Half the room for actions that are places in a policy."""
    return int32 if rules.policy_size and not {"policy_index", "chances"} & set(rules.functions) else int64


@cache
def kernel_of(name: str, rules: Variant, tracks: bool, watched: tuple[str, ...]) -> Any:
    """The kernel that does a body to a thread's game, and how many threads are in a block."""
    return cuda.jit(make_loop(getattr(bodies, name), rules, tracks, watched)), WARP * make_plan(rules, watched).warps


def make_loop(body: Any, rules: Variant, tracks: bool, watched: tuple[str, ...]) -> Any:
    few, plan = rules.width <= FEW, make_plan(rules, watched)
    direct = not few and "actions" in watched and rules.max_actions == rules.width  # listed where they are wanted
    width, outcomes, players = rules.width + SLACK, max(1, rules.max_chance_outcomes) + SLACK, rules.players + SLACK
    kinds = row_kinds(rules, [name for name in watched if not (direct and name == "actions")])
    record, slot_kind, note_kind = map(from_dtype, (rules.dtype, slot_dtype(rules.players), NOTE))
    key_kind = from_dtype(rows(0, remembered(rules) + 1 if tracks else 1, "u8").dtype)
    listed_kind, number = from_dtype(rows(0, rules.max_actions if direct else width).dtype), action_kind(rules)
    player_kind, utilities_kind, count_kind, actions_kind, legal_kind, planes_kind, owners_kind, sums_kind = map(
        from_dtype, kinds
    )

    near, near_planes, near_legal, together = plan.size > 0, plan.planes > 0, plan.legal > 0, plan.together
    far_planes, far_legal = "planes" in watched and not near_planes, "legal" in watched and not near_legal
    copy_states, copy_slots, copy_planes, copy_legal = map(copier, plan[:4])
    erase_planes = eraser(WARP * row_size(rules, "planes") if far_planes else plan.planes)
    erase_legal = eraser(WARP * row_size(rules, "legal") if far_legal else plan.legal)
    with_owners = "owners" in watched
    erase_owners = eraser(WARP * row_size(rules, "owners") if with_owners else 0)
    words, slots_at = plan.size // 8, whole_lines(plan.states) // 8
    planes_at = slots_at + whole_lines(plan.slots) // 8
    legal_at = planes_at + whole_lines(plan.planes) // 8
    all_words, passes = words * plan.warps, WARP // together if near_planes or near_legal else 0

    def loop(desk, stamp, steps, limit, how, restart, digests):  # type: ignore[no-untyped-def]
        lane, warp = np.int64(cuda.threadIdx.x & 31), np.int64(cuda.threadIdx.x >> 5)
        first = np.int64(cuda.blockIdx.x) * cuda.blockDim.x + warp * WARP  # game of the warp
        if first >= desk[0]:
            return
        plays = first + lane < desk[0]
        all_states, all_slots = item(record_at(desk[1], record), first), item(record_at(desk[2], slot_kind), first)
        all_planes, all_legal = record_at(desk[13], planes_kind), record_at(desk[12], legal_kind)
        states, slots, planes, legal = all_states, all_slots, item(all_planes, first), item(all_legal, first)
        # 1. Records and slots come.
        if near:
            room = cuda.shared.array(all_words, uint64, alignment=16)
            states, slots = record_in(room, warp * words, record), record_in(room, warp * words + slots_at, slot_kind)
            if near_planes:
                planes = record_in(room, warp * words + planes_at, planes_kind)
            if near_legal:
                legal = record_in(room, warp * words + legal_at, legal_kind)
            copy_states(states, all_states, lane)
            copy_slots(slots, all_slots, lane)
            cuda.syncwarp()
        # 2. Every thread does the body.
        games = Games(
            states,
            slots,
            item(record_at(desk[3], note_kind), first),
            item(record_at(desk[4], key_kind), first),
            record_at(desk[5], record),
        )
        out = Out(
            item(record_at(desk[8], player_kind), first),
            item(record_at(desk[9], utilities_kind), first),
            item(record_at(desk[10], count_kind), first),
            item(record_at(desk[11], actions_kind), first),
            legal,
            planes,
            item(record_at(desk[14], owners_kind), first),
            item(record_at(desk[15], sums_kind), first),
        )
        own = cuda.local.array(2, record)
        chosen, probability = cuda.local.array(outcomes, int64), cuda.local.array(outcomes, float64)
        payoff = cuda.local.array(players, float64)
        random, plies = cuda.local.array(1, uint64), cuda.local.array(1, int64)
        if few:
            listed = cuda.local.array(width, number)
        else:
            listed = item(record_at(desk[6], listed_kind), first + lane).at
        work = Work(at(own, 0), at(own, 1), listed, chosen, probability, payoff, random, plies)
        n = np.int64(0)
        if plays:
            n = body(lane, games, work, Order(steps, limit, how, restart, digests), out)
            show(lane, games, work, n, out)
        # 3. Records and slots go.
        if near:
            cuda.syncwarp()
            copy_states(all_states, states, lane)
            copy_slots(all_slots, slots, lane)
        # 4. Long rows, and those that are seldom asked for, are written where they lie.
        if far_planes:
            erase_planes(planes, lane)
        if far_legal:
            erase_legal(legal, lane)
        if with_owners:
            erase_owners(out.owners, lane)
        cuda.syncwarp()
        if far_planes and plays:
            show_planes(lane, work, out)
        if far_legal and plays:
            show_legal(lane, work, n, out)
        if plays:
            show_owners(lane, games, work, out)
        # 5. Short ones are made in shared memory, of some games at a time, and go.
        for turn in range(passes):
            if near_planes:
                erase_planes(planes, lane)
            if near_legal:
                erase_legal(legal, lane)
            cuda.syncwarp()
            if plays and lane // together == turn:
                if near_planes:
                    show_planes(lane % together, work, out)
                if near_legal:
                    show_legal(lane % together, work, n, out)
            cuda.syncwarp()
            if near_planes:
                copy_planes(item(all_planes, first + turn * together), planes, lane)
            if near_legal:
                copy_legal(item(all_legal, first + turn * together), legal, lane)
            cuda.syncwarp()
        if plays:  # a thread whose rules overrun what they declare ends where it is (compile/guards.py)
            item(record_at(desk[7], STAMP), first + lane).at[0] = stamp

    return loop


STAMP = from_dtype(rows(0, 1, "i4").dtype)


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
            self._listed = self._records(n if rules.width > FEW else 1, rows(0, rules.width + SLACK).dtype)
        direct = rules.width > FEW and "actions" in watched and rules.max_actions == rules.width
        kernel, threads = kernel_of(name, rules, games.keys.shape[0] == n and games.keys.dtype.itemsize > 8, watched)
        lie = [*games, out.actions if direct else self._listed, self._stamps, *out]
        desk = np.array([n, *(array.__cuda_array_interface__["data"][0] for array in lie)], np.int64)
        return kernel[-(-n // threads), threads], cuda.to_device(desk)

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
