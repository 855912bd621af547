"""What is done with position i of a group of endings. One body for both devices: cores.py loops, card.py has threads.

A group is worked out backwards from its ends, by counting: a position is won as soon as one action is known to win, and
lost when the last of its actions is known to lose. That needs to know which positions lead to a position, and rules
only say where a position leads; so the edges are written down, turned round. What remains is drawn.

    count     looks at every action: one that leaves the group is judged at once, one that stays is counted
    link      writes the edges: edges[ends[j - 1] … ends[j]] are the positions from which j is reached
    settle    level by level: the positions that are decided with this many plies tell those that lead to them
    collect   two bits a position
    verify    all of it once more from the rules and the values alone

Of every position there are two numbers. Together they say what is known of it:

    left      actions not yet known to lose; NEVER more, if one that leaves the group is known to win or draw
    level     plies until it is decided; WAITS + k while it is open: k, the longest of the lost ways out of the group

              level < WAITS: lost if left = 0, else won         WAITS: drawn, in the end         HOLE: no position
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import apply, assign, expand, unrank, utility
from zermelo.compile.guards import OverrunError
from zermelo.compile.pointers import add_to, item
from zermelo.compile.rules import helper
from zermelo.core.game import OVER
from zermelo.tables.known import DRAW, LOSS, NOTHING, WIN, class_number, mover_of, rank_within, turned, value_at

WAITS, HOLE = 0x8000, 0x7FFF
NEVER = 1 << 30
SAME = 1 << 31  # of an edge: whoever moves there moves here too
LEVEL_ONE = 1


class Group(NamedTuple):
    """n positions, the classes of the group one after the other."""

    members: Any  # MEMBER, a row a class
    left: Any  # (n,) i4
    level: Any  # (n,) u2
    ends: Any  # (n,) u4; before `link` how many edges there are, then where they begin, then where they end
    edges: Any  # u4
    packed: Any  # u1, a class begins with a byte: what `collect` writes


class Work(NamedTuple):
    """Room for one position."""

    state: Any
    after: Any
    blank: Any  # a record of zeros
    actions: Any
    scratch: Any  # for actions that nobody looks at
    probability: Any
    payoff: Any
    inside: Any  # where actions that stay in the group lead, as edges
    tally: Any  # what is counted on the way


class Order(NamedTuple):
    """What a call is about."""

    members: int  # classes in the group
    with_plies: int  # levels are plies to the end of the game; else to the end of the group
    level: int = 0  # of `settle`
    proof: int = 0  # of `verify`: VALUES, LEVELS or WAYS


MEMBER = np.dtype([("first", "i8"), ("count", "i8"), ("number", "i8"), ("bytes", "i8")])
TALLY = 4  # numbers of 4 bytes
SETTLED, WRONG, WRONG_AT = 0, 1, 2
VALUES, LEVELS, WAYS = 0, 1, 2  # what is verified: values alone, with the group's levels, with the known plies


# -- one position ------------------------------------------------------------------------------------------------------


@helper
def member_of(i: Any, group: Any, order: Any) -> Any:
    """The row of the class that position i belongs to."""
    k = np.int64(0)
    while k + 1 < order.members and i >= item(group.members, k + 1).first:
        k += 1
    return item(group.members, k)


@helper
def set_up(i: Any, group: Any, work: Any, order: Any) -> Any:
    """Position i into the work's room; False if there is none."""
    member = member_of(i, group, order)
    assign(work.state, work.blank)
    return unrank(work.state, member.number, i - member.first)


@helper
def judge(t: Any, number: Any, r: Any, mover: Any, known: Any, work: Any, order: Any) -> Any:
    """(value, plies) of a position of which everything is known, to the side `mover`, one ply before it: number `r` of
    a class, or the end of the game where `number` is -1."""
    if number >= 0:
        at = item(known.classes, number).first + r
        value = turned(value_at(known, at), mover_of(t) == mover)
        return value, np.int64(item(known.plies, at).v) + 1 if order.with_plies else np.int64(LEVEL_ONE)
    p, _ = expand(t, work.scratch, work.probability)
    if p != OVER:
        raise OverrunError("ending")
    return payoff_value(t, mover, work), np.int64(1)


@helper
def payoff_value(t: Any, mover: Any, work: Any) -> Any:
    """What a game that is over pays `mover`: a value."""
    utility(t, work.payoff)
    paid = work.payoff[mover]
    if paid > 0:
        return WIN
    return LOSS if paid < 0 else DRAW


@helper
def locate(t: Any, known: Any) -> Any:
    """(class, number in it, where it is in the group); (-1, …) if it is in no class that anybody knows or works out,
    (…, -1) if it is not in the group."""
    number = class_number(t, known)
    if number >= 0:
        entry = item(known.classes, number)
        if entry.here >= 0 or entry.first >= 0:
            r = rank_within(t, entry.count)
            return number, r, entry.here + r if entry.here >= 0 else np.int64(-1)
    return np.int64(-1), np.int64(0), np.int64(-1)


@helper
def is_open(level: Any) -> Any:
    """May something that is found out inside the group still change this?"""
    return level > LEVEL_ONE and level != HOLE


# -- bodies ------------------------------------------------------------------------------------------------------------


@helper
def count(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """What position i is worth as far as one sees without looking into the group."""
    level, left = item(group.level, i), item(group.left, i)
    if not set_up(i, group, work, order):
        level.v, left.v = HOLE, 0
        return
    mover = mover_of(work.state)
    p, n = expand(work.state, work.actions, work.probability)
    if p == OVER:
        value = payoff_value(work.state, mover, work)
        level.v = WAITS if value == DRAW else 0
        left.v = 0 if value == LOSS else NEVER
        return
    # 1. Actions: those that leave the group are judged, those that stay are listed.
    stay, is_safe, won, lost = np.int64(0), False, np.int64(WAITS), np.int64(0)
    for k in range(n):
        assign(work.after, work.state)
        apply(work.after, work.actions[k])
        number, r, j = locate(work.after, known)
        if j >= 0:
            work.inside[stay] = j
            stay += 1
            continue
        value, plies = judge(work.after, number, r, mover, known, work, order)
        if value == WIN:
            won = min(won, plies)
        elif value == LOSS:
            lost = max(lost, plies)
        else:
            is_safe = True
    # 2. What follows.
    left.v = stay + NEVER if is_safe or won < WAITS else stay
    if won < WAITS:
        level.v = won
    elif stay == 0 and not is_safe:
        level.v = lost
    else:
        level.v = WAITS + lost
    # 3. Edges are counted where they lead to.
    if is_open(np.int64(level.v)):
        for k in range(stay):
            add_to(group.ends, work.inside[k], 1)


@helper
def link(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """Write the edges from position i."""
    if not is_open(np.int64(item(group.level, i).v)) or np.int64(item(group.left, i).v) & (NEVER - 1) == 0:
        return
    set_up(i, group, work, order)
    mover = mover_of(work.state)
    _, n = expand(work.state, work.actions, work.probability)
    for k in range(n):
        assign(work.after, work.state)
        apply(work.after, work.actions[k])
        _, _, j = locate(work.after, known)
        if j >= 0:
            at = add_to(group.ends, j, 1)
            item(group.edges, at).v = i + SAME if mover_of(work.after) == mover else i


@helper
def settle(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """If position i is decided on this level, those that lead to it are told."""
    if np.int64(item(group.level, i).v) != order.level:
        return
    add_to(work.tally, SETTLED, 1)
    is_lost = item(group.left, i).v == 0
    first = np.int64(item(group.ends, i - 1).v) if i > 0 else np.int64(0)
    for at in range(first, np.int64(item(group.ends, i).v)):
        edge = np.int64(item(group.edges, at).v)
        j = edge & (SAME - 1)
        told = item(group.level, j)
        if is_lost != (edge >= SAME):
            # 1. It is good for whoever moves there: won, a ply later.
            if np.int64(told.v) > order.level + 1:
                told.v = order.level + 1
        elif add_to(group.left, j, -1) == 1:
            # 2. It was the last one that could have saved them.
            told.v = max(np.int64(told.v) & (WAITS - 1), order.level + 1)


@helper
def result_of(i: Any, group: Any) -> Any:
    """The value of position i, when all levels are settled."""
    level = np.int64(item(group.level, i).v)
    if level == HOLE:
        return NOTHING
    if level >= WAITS:
        return DRAW
    return LOSS if item(group.left, i).v == 0 else WIN


@helper
def collect(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """Byte i of the values: up to four positions of one class."""
    k = np.int64(0)
    while k + 1 < order.members and i >= item(group.members, k + 1).bytes:
        k += 1
    member = item(group.members, k)
    first = 4 * (i - member.bytes)
    byte = np.int64(0)
    for n in range(min(4, member.count - first)):
        byte |= result_of(member.first + first + n, group) << (2 * n)
    item(group.packed, i).v = byte


@helper
def verify(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """Is position i worth what its successors say? And, as far as levels or plies are known, decided a ply after the
    one that decides it: only that proves that nobody's win rests on itself. Its class is known by now, like all it
    leads to."""
    member = member_of(i, group, order)
    at = item(known.classes, member.number).first + i - member.first
    value, level = value_at(known, at), np.int64(0)
    if order.proof == LEVELS:
        level = np.int64(item(group.level, i).v)
        fail(i, work, value != result_of(i, group))
    elif order.proof == WAYS:
        level = np.int64(item(known.plies, at).v)
    if not set_up(i, group, work, order):
        fail(i, work, value != NOTHING)
        return
    mover = mover_of(work.state)
    p, n = expand(work.state, work.actions, work.probability)
    if p == OVER:
        fail(i, work, payoff_value(work.state, mover, work) != value or (value != DRAW and level != 0))
        return
    best, won, lost = np.int64(LOSS), np.int64(WAITS), np.int64(0)
    for k in range(n):
        assign(work.after, work.state)
        apply(work.after, work.actions[k])
        number, r, j = locate(work.after, known)
        after, plies = judge(work.after, number, r, mover, known, work, order)
        if order.proof == LEVELS and j >= 0:
            plies = np.int64(item(group.level, j).v) + 1
        if after == WIN:
            best, won = np.int64(WIN), min(won, plies)
        elif after == DRAW:
            best = np.int64(DRAW) if best == LOSS else best
        elif after == LOSS:
            lost = max(lost, plies)
        else:
            fail(i, work, True)
    is_late = (best == WIN and won != level) or (best == LOSS and lost != level)
    fail(i, work, best != value or (order.proof != VALUES and is_late))


@helper
def fail(i: Any, work: Any, is_wrong: Any) -> None:
    if is_wrong:
        add_to(work.tally, WRONG, 1)
        item(work.tally, WRONG_AT).v = i & 0x7FFFFFFF
