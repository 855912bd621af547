"""The kernels of a batch on a graphics card: how a thread's game, and what its warp does with the others', is arranged.

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

import zermelo.compile.targets.cuda  # noqa: F401 - rules are then compiled for it too
from zermelo.batch import bodies
from zermelo.batch.arrays import SLOT, SPARSE, Games, Order, Out, Work, note_dtype, remembered, row_kinds, shapes
from zermelo.batch.bodies import show, show_legal, show_owners, show_planes
from zermelo.batch.warp import WARP, copier, eraser, record_at, record_in
from zermelo.compile.dispatch import at
from zermelo.compile.pointers import item, tail
from zermelo.compile.record import rows
from zermelo.compile.variant import Variant

STAMP = from_dtype(rows(0, 1, "i4").dtype)
FEW = 512  # actions: kept in a local array, of which a warp's threads share cache lines
SLACK = 8  # numbers behind what rules write to: an overrun is noticed when they say how much they wrote
MOST_WARPS = 4  # in a block
LONG = 1024  # bytes of a row, which is then written where it lies
NEAR = 24 << 10  # bytes of shared memory that a warp has for rows that are shorter
SHARED = 48 << 10  # bytes that a block may have


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
    moves at a time that memory is better left to the cache; and where they are too large for it, nothing comes."""
    if not set(watched) & set(SPARSE):
        return Plan()
    sizes = {name: row_size(rules, name) for name in ("planes", "legal") if name in watched}
    short = {name: size for name, size in sizes.items() if size < LONG}
    together = WARP
    while together * sum(short.values()) > NEAR:
        together //= 2
    plan = Plan(
        WARP * rules.dtype.itemsize,
        WARP * SLOT.itemsize,
        together * short.get("planes", 0),
        together * short.get("legal", 0),
        together,
    )
    return plan if plan.size <= SHARED else Plan()


def row_size(rules: Variant, name: str) -> int:
    return int(np.prod(shapes(rules)[name][1]))


def whole_lines(size: int) -> int:
    return -(-size // 16) * 16


def is_direct(rules: Variant, watched: tuple[str, ...]) -> bool:
    """Are the actions, being many, listed where somebody wants them?"""
    return rules.width > FEW and "actions" in watched and rules.max_actions == rules.width


def list_kind(rules: Variant) -> Any:
    """A row of the card's memory to list actions in."""
    return rows(0, rules.width + SLACK).dtype


def action_kind(rules: Variant) -> Any:
    """Half the room for actions that are places in a policy."""
    return int32 if rules.policy_size and not {"policy_index", "chances"} & set(rules.functions) else int64


@cache
def kernel_of(name: str, rules: Variant, tracks: bool, watched: tuple[str, ...]) -> Any:
    """The kernel that does a body to a thread's game, and how many threads are in a block."""
    return cuda.jit(make_loop(getattr(bodies, name), rules, tracks, watched)), WARP * make_plan(rules, watched).warps


def make_loop(body: Any, rules: Variant, tracks: bool, watched: tuple[str, ...]) -> Any:
    few, direct, plan = rules.width <= FEW, is_direct(rules, watched), make_plan(rules, watched)
    width, outcomes, players = rules.width + SLACK, max(1, rules.max_chance_outcomes) + SLACK, rules.players + SLACK
    kinds = row_kinds(rules, [name for name in watched if not (direct and name == "actions")])
    record, slot_kind, note_kind = map(from_dtype, (rules.dtype, SLOT, note_dtype(rules.players)))
    key_kind = from_dtype(rows(0, remembered(rules) + 1 if tracks else 1, "u8").dtype)
    listed_kind, number = (
        from_dtype(row_kinds(rules, watched).actions if direct else list_kind(rules)),
        action_kind(rules),
    )
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
        all_states, all_slots = tail(record_at(desk[1], record), first), tail(record_at(desk[2], slot_kind), first)
        all_planes, all_legal = record_at(desk[13], planes_kind), record_at(desk[12], legal_kind)
        states, slots, planes, legal = all_states, all_slots, tail(all_planes, first), tail(all_legal, first)
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
            tail(record_at(desk[3], note_kind), first),
            tail(record_at(desk[4], key_kind), first),
            record_at(desk[5], record),
        )
        out = Out(
            tail(record_at(desk[8], player_kind), first),
            tail(record_at(desk[9], utilities_kind), first),
            tail(record_at(desk[10], count_kind), first),
            tail(record_at(desk[11], actions_kind), first),
            legal,
            planes,
            tail(record_at(desk[14], owners_kind), first),
            tail(record_at(desk[15], sums_kind), first),
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
                copy_planes(tail(all_planes, first + turn * together), planes, lane)
            if near_legal:
                copy_legal(tail(all_legal, first + turn * together), legal, lane)
            cuda.syncwarp()
        if plays:  # a thread whose rules overrun what they declare ends where it is (compile/guards.py)
            item(record_at(desk[7], STAMP), first + lane).at[0] = stamp

    return loop
