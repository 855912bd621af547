"""What is done with position i of a group of endings. One body for both devices: cores.py loops, card.py has threads.

A group is worked out backwards from its ends, by counting: a position is won as soon as one action is known to win, and
lost when the last of its actions is known to lose. That needs to know which positions lead to a position, and rules
only say where a position leads; so the edges are written down, turned round. What remains is drawn.

    count     looks at every action: one that leaves the group is judged at once, one that stays is counted
    link      writes the edges: edges[ends[j - 1] … ends[j]] are the positions from which j is reached
    settle    level by level: the positions that are decided with this many plies tell those that lead to them
    collect   two bits a position
    verify    all of it once more from the rules and the values alone

Actions lead anywhere in memory, which takes its time to answer. So count, link and verify come after `survey`, which
lists where actions lead and has the processor fetch what is there (`soon`); a core surveys some positions ahead of the
one it judges. If there is memory, it keeps what it found for count (`keep`), and link need not ask the rules again
(`recall`).

Of every position there are two numbers, side by side. Together they say what is known of it:

    left      actions not yet known to lose; NEVER more, if one that leaves the group is known to win or draw
    level     plies until it is decided; WAITS + k while it is open: k, the longest of the lost ways out of the group

              level < WAITS: lost if left = 0, else won         WAITS: drawn, in the end         HOLE: no position
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import apply, assign, expand, unrank, utility
from zermelo.compile.guards import OverrunError
from zermelo.compile.pointers import add_to, item, soon
from zermelo.compile.rules import helper
from zermelo.core.game import OVER
from zermelo.tables.known import DRAW, LOSS, NOTHING, WIN, class_number, mover_of, rank_within, turned, value_at

WAITS, HOLE = 0x8000, 0x7FFF
NEVER = 1 << 30
SAME = 1 << 31  # of an edge: whoever moves there moves here too
LEVEL_ONE = 1
STATUS = np.dtype([("left", "i4"), ("level", "u2"), ("", "u2")])


class Group(NamedTuple):
    """n positions, the classes of the group one after the other."""

    members: Any  # MEMBER, a row a class
    status: Any  # (n,) STATUS
    ends: Any  # (n,) u4; before `link` how many edges there are, then where they begin, then where they end
    edges: Any  # u4
    touched: Any  # u2, two of every block: an odd level and an even one at which some of its positions are decided
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
    survey: Any  # SURVEY
    leads: Any  # where its actions lead: from the front on inside the group, from the back on outside
    tally: Any  # what is counted on the way
    kept: Any  # u4; leads, position by position


class Order(NamedTuple):
    """What a call is about."""

    members: int  # classes in the group
    with_plies: int  # levels are plies to the end of the game; else to the end of the group
    positions: int = 0  # in the group
    block: int = 1  # of `settle`: as many positions are looked at together,
    everywhere: int = 1  # … in all blocks, or only in those that are touched,
    level: int = 0  # … for those that are decided on this level
    task: int = 0  # of `survey`: COUNT, LINK, or what to prove: VALUES, LEVELS or WAYS


MEMBER = np.dtype([("first", "i8"), ("count", "i8"), ("number", "i8"), ("bytes", "i8")])
TALLY = 5  # numbers of 4 bytes
SETTLED, WRONG, WRONG_AT, FINISHED_THREADS, KEPT = 0, 1, 2, 3, 4
SURVEYED = ("count", "link", "verify")  # the bodies that come after `survey`
COUNT, LINK = 0, 1
VALUES, LEVELS, WAYS = 2, 3, 4  # what is verified: values alone, with the group's levels, with the known plies
SURVEY = np.dtype([("kind", "i8"), ("n", "i8"), ("stay", "i8"), ("leave", "i8"), ("ended", "i8")])
MOVES, FINISHED, NOBODY, SKIPPED = 0, 1, 2, 3  # kinds: positions with actions, without, none at all, not looked at


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


@helper(inline=True)
def survey(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """Where the actions of position i lead, into work.leads, and how many, into work.survey. From the front on
    positions of the group, + SAME if the same side moves there; from the back on others, 2 · where their values are
    + 1 if the same side moves there. Values of actions that end the game are bits of `ended`."""
    found = work.survey
    if order.task == LINK and not is_linked(i, group):
        found.kind = SKIPPED
        return
    if not set_up(i, group, work, order):
        found.kind = NOBODY
        return
    mover = mover_of(work.state)
    p, n = expand(work.state, work.actions, work.probability)
    if p == OVER:
        found.kind, found.ended = FINISHED, payoff_value(work.state, mover, work)
        return
    stay, leave, ended = np.int64(0), np.int64(0), np.int64(0)
    for k in range(n):
        assign(work.after, work.state)
        apply(work.after, work.actions[k])
        number, r, j = locate(work.after, known)
        if j >= 0:
            work.leads[stay] = j + SAME if mover_of(work.after) == mover else j
            fetch(j, group, order)
            stay += 1
        elif number >= 0:
            at = item(known.classes, number).first + r
            leave += 1
            work.leads[n - leave] = 2 * at + 1 if mover_of(work.after) == mover else 2 * at
            soon(known.values, at >> 2)
            if order.with_plies:
                soon(known.plies, at)
        else:
            p, _ = expand(work.after, work.scratch, work.probability)
            if p != OVER:
                raise OverrunError("ending")
            ended |= 1 << payoff_value(work.after, mover, work)
    found.kind, found.n, found.stay, found.leave, found.ended = MOVES, n, stay, leave, ended


@helper
def fetch(j: Any, group: Any, order: Any) -> None:
    """What is asked of a position of the group."""
    if order.task == LEVELS:
        soon(group.status, j)
    else:
        soon(group.ends, j)


@helper
def is_linked(i: Any, group: Any) -> Any:
    """May something that is found out inside the group still change what is known of position i?"""
    status = item(group.status, i)
    level = np.int64(status.level)
    return level > LEVEL_ONE and level != HOLE and np.int64(status.left) & (NEVER - 1) != 0


@helper(inline=True)
def judge(known: Any, work: Any, order: Any) -> Any:
    """What the actions that leave the group are worth to whoever takes them: (the soonest win, WAITS if there is none;
    the latest loss, 0 if there is none; is one a draw; does one lead to no position), in plies from here."""
    n, ended = work.survey.n, work.survey.ended
    won = np.int64(1) if ended >> WIN & 1 else np.int64(WAITS)
    lost, is_safe, is_hole = ended >> LOSS & 1, ended >> DRAW & 1 != 0, False
    for k in range(work.survey.leave):
        lead = work.leads[n - 1 - k]
        value = turned(value_at(known, lead >> 1), lead & 1 != 0)
        plies = np.int64(item(known.plies, lead >> 1).v) + 1 if order.with_plies else np.int64(LEVEL_ONE)
        if value == WIN:
            won = min(won, plies)
        elif value == LOSS:
            lost = max(lost, plies)
        elif value == DRAW:
            is_safe = True
        else:
            is_hole = True
    return won, lost, is_safe, is_hole


# -- bodies ------------------------------------------------------------------------------------------------------------


@helper(inline=True)
def count(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """What position i is worth as far as one sees without looking into the group."""
    status, found = item(group.status, i), work.survey
    if found.kind == NOBODY:
        status.level, status.left = HOLE, 0
        return
    if found.kind == FINISHED:
        status.level = WAITS if found.ended == DRAW else 0
        status.left = 0 if found.ended == LOSS else NEVER
        return
    # 1. What leaves the group is judged, what stays is still to be seen.
    stay = found.stay
    won, lost, is_safe, is_hole = judge(known, work, order)
    is_safe |= is_hole
    status.left = stay + NEVER if is_safe or won < WAITS else stay
    if won < WAITS:
        level = won
    elif stay == 0 and not is_safe:
        level = lost
    else:
        level = WAITS + lost
    status.level = level
    # 2. Edges are counted where they lead to.
    if level > LEVEL_ONE:
        for k in range(stay):
            add_to(group.ends, work.leads[k] & (SAME - 1), 1)


@helper(inline=True)
def keep(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """Write down what was found of position i for `recall`, if it will be linked. Positions come in order."""
    if work.survey.kind == MOVES and is_linked(i, group):
        used = np.int64(item(work.tally, KEPT).v)
        for k in range(work.survey.stay):
            item(work.kept, used + k).v = work.leads[k]
        item(work.tally, KEPT).v = used + work.survey.stay


@helper(inline=True)
def recall(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """`survey` for `link`, from what was kept."""
    found = work.survey
    if not is_linked(i, group):
        found.kind = SKIPPED
        return
    used, stay = np.int64(item(work.tally, KEPT).v), np.int64(item(group.status, i).left) & (NEVER - 1)
    for k in range(stay):
        lead = np.int64(item(work.kept, used + k).v)
        work.leads[k] = lead
        soon(group.ends, lead & (SAME - 1))
    item(work.tally, KEPT).v = used + stay
    found.kind, found.stay = MOVES, stay


@helper(inline=True)
def link(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """Write the edges from position i. All places first: what counts in turn waits for what is still being written."""
    if work.survey.kind != MOVES:
        return
    for k in range(work.survey.stay):
        lead = work.leads[k]
        work.leads[k] = add_to(group.ends, lead & (SAME - 1), 1) << 1 | (1 if lead >= SAME else 0)
    for k in range(work.survey.stay):
        item(group.edges, work.leads[k] >> 1).v = i + SAME if work.leads[k] & 1 else i


@helper(inline=True)
def settle(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """Block i: those that lead to what is decided on this level are told."""
    if not order.everywhere and item(group.touched, 2 * i + (order.level & 1)).v != order.level:
        return
    settled = np.int64(0)
    for j in range(i * order.block, min(order.positions, (i + 1) * order.block)):
        if item(group.status, j).level == order.level:
            tell(j, group, order)
            settled += 1
    add_to(work.tally, SETTLED, settled)


@helper(inline=True)
def tell(i: Any, group: Any, order: Any) -> None:
    """Position i is decided on this level: what that means for those that lead to it."""
    is_lost = item(group.status, i).left == 0
    first, end = np.int64(item(group.ends, i - 1).v) if i > 0 else np.int64(0), np.int64(item(group.ends, i).v)
    for at in range(first, end):
        soon(group.status, np.int64(item(group.edges, at).v) & (SAME - 1))
    for at in range(first, end):
        edge = np.int64(item(group.edges, at).v)
        j = edge & (SAME - 1)
        told = item(group.status, j)
        if is_lost != (edge >= SAME):
            # 1. It is good for whoever moves there: won, a ply later.
            if np.int64(told.level) <= order.level + 1:
                continue
            told.level = order.level + 1
        elif add_to(group.status, j, -1) == 1:
            # 2. It was the last one that could have saved them.
            told.level = max(np.int64(told.level) & (WAITS - 1), order.level + 1)
        else:
            continue
        if order.block > 1:
            item(group.touched, 2 * (j // order.block) + (order.level + 1 & 1)).v = order.level + 1


@helper
def result_of(i: Any, group: Any) -> Any:
    """The value of position i, when all levels are settled."""
    status = item(group.status, i)
    if status.level == HOLE:
        return NOTHING
    if status.level >= WAITS:
        return DRAW
    return LOSS if status.left == 0 else WIN


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


@helper(inline=True)
def verify(i: Any, group: Any, known: Any, work: Any, order: Any) -> None:
    """Is position i worth what its successors say? And, as far as levels or plies are known, decided a ply after the
    one that decides it: only that proves that nobody's win rests on itself. Its class is known by now, like all it
    leads to."""
    member = member_of(i, group, order)
    at = item(known.classes, member.number).first + i - member.first
    value, level = value_at(known, at), np.int64(0)
    if order.task == LEVELS:
        level = np.int64(item(group.status, i).level)
        fail(i, work, value != result_of(i, group))
    elif order.task == WAYS:
        level = np.int64(item(known.plies, at).v)
    found = work.survey
    if found.kind == NOBODY:
        fail(i, work, value != NOTHING)
        return
    if found.kind == FINISHED:
        fail(i, work, found.ended != value or (value != DRAW and level != 0))
        return
    won, lost, is_safe, is_hole = judge(known, work, order)
    for k in range(found.stay):  # only while levels are there; that they agree with the values is seen at each position
        j = work.leads[k] & (SAME - 1)
        after, plies = turned(result_of(j, group), work.leads[k] >= SAME), np.int64(item(group.status, j).level) + 1
        if after == WIN:
            won = min(won, plies)
        elif after == LOSS:
            lost = max(lost, plies)
        elif after == DRAW:
            is_safe = True
        else:
            is_hole = True
    best = WIN if won < WAITS else DRAW if is_safe else LOSS
    is_late = (best == WIN and won != level) or (best == LOSS and lost != level)
    fail(i, work, is_hole or best != value or (order.task != VALUES and is_late))


@helper
def fail(i: Any, work: Any, is_wrong: Any) -> None:
    if is_wrong:
        add_to(work.tally, WRONG, 1)
        item(work.tally, WRONG_AT).v = i & 0x7FFFFFFF
