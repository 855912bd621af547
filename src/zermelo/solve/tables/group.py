"""One group of classes, worked out: the order in which the bodies are run, and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.endings import Ending
from zermelo.compile.rules import RulesError
from zermelo.core.game import GameError
from zermelo.solve.tables.bodies import (
    HOLE,
    LEVELS,
    LINK,
    MEMBER,
    SETTLED,
    STATUS,
    WAITS,
    WRONG,
    WRONG_AT,
    Group,
    Order,
)
from zermelo.tables.known import Known, packed_size

MOST_POSITIONS, MOST_EDGES = 1 << 31, 1 << 32  # what their numbers have room for
A_POSITION = STATUS.itemsize + 4  # bytes: of it, and of where its edges end
AN_EDGE = 4

Tell = Callable[[str, int, int], None]  # what is being done, and how many of how many positions since the last time


@dataclass
class Solved:
    """A group, worked out and verified: its values, packed, and the plies to the end where they were wanted."""

    packed: list[NDArray[np.uint8]]  # of each class
    plies: list[NDArray[np.uint16]]  # of each class; empty where nobody wants them
    levels: int  # the longest way to a decision
    edges: int


def solve_group(
    device: Any, known: Known, group: Sequence[Ending], with_plies: bool, reach: int, most_edges: int, tell: Tell
) -> Solved:
    """Work out `group`. `known`, of the device, has the groups before it, and gets this one; `reach` is the longest way
    to the end that is known so far. A GameError if there are more than `most_edges`: memory is kept to."""
    n = sum(one.size for one in group)
    if n >= MOST_POSITIONS:
        raise GameError(
            f"'{group[0].name}' has {n:,} positions with its group; {MOST_POSITIONS - 1:,} can be worked out"
        )
    members = np.zeros(len(group), MEMBER)
    first = first_byte = 0
    for member, one in zip(members, group, strict=True):
        member["first"], member["count"], member["number"], member["bytes"] = first, one.size, one.number, first_byte
        first, first_byte = first + one.size, first_byte + packed_size(one.size)
    blocks = -(-n // device.block)
    size = {"settle": blocks, "collect": first_byte}  # of the others: positions
    arrays = Group(
        device.table(members),
        device.room_for(n, STATUS),
        device.zeros(n, "u4"),
        device.room_for(1, "u4"),
        device.zeros(2 * blocks, "u2"),
        device.room_for(first_byte, "u1"),
    )
    order = Order(len(group), int(with_plies), n, device.block)
    device.place(known, members)

    def run(name: str, words: str, **more: int) -> Any:
        told = (lambda done: tell(words, done, n)) if words else (lambda done: None)
        return device.run(name, size.get(name, n), arrays, known, order._replace(**more), told)

    # 1. Forwards: what every action comes to, and the edges turned round. They may be in memory twice meanwhile.
    device.most_kept = most_edges // 2
    run("count", "looking")
    edges = device.add_up(arrays.ends)
    if edges >= min(MOST_EDGES, most_edges):
        raise GameError(
            f"'{group[0].name}' has {edges:,} moves between its positions, which take "
            f"{(n * A_POSITION + edges * AN_EDGE) / 2**30:.1f} GiB: allow more memory"
        )
    arrays = arrays._replace(edges=device.room_for(max(1, edges), "u4"))
    run("link", "linking", task=LINK)
    # 2. Backwards, level by level, until no level brings anything.
    level = 0
    everywhere = (
        True  # a way out of the group takes up to reach + 1 plies; beyond that, only what was told is looked at
    )
    while run("settle", "", level=level, everywhere=int(everywhere))[SETTLED] or level <= reach:
        level += 1
        everywhere = level <= reach + 1 or device.block == 1
        if level >= HOLE:
            raise GameError(f"'{group[0].name}': there are ways longer than {HOLE - 1:,} plies")
    # 3. Two bits a position; all of them against the rules once more.
    run("collect", "")
    packed = device.read(arrays.packed)
    plies: list[NDArray[np.uint16]] = []
    if with_plies:
        levels = device.read(arrays.status)["level"]
        levels = np.where(levels >= HOLE, 0, levels)
        plies = [levels[m["first"] : m["first"] + m["count"]] for m in members]
    ends = [*members["bytes"].tolist(), first_byte]
    values = [packed[a:b].copy() for a, b in pairwise(ends)]
    device.learn(known, members, values, plies)
    wrong = run("verify", "verifying", task=LEVELS)
    if wrong[WRONG]:
        raise RulesError(
            f"'{group[0].name}': {wrong[WRONG]:,} values do not agree with their successors, of position "
            f"{wrong[WRONG_AT]:,} among others: the rules, or how they number endings, are not the same twice"
        )
    device.leave(known, members)
    return Solved(values, plies, level, edges)


assert WAITS > HOLE
