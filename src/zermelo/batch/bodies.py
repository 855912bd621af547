"""What happens to game i of a batch. One body for both devices: cores.py loops over it, card.py gives it a thread.

A body gets the number of the game, the arrays of all games, room to work in, and what the call is about; then what is
watched of the game is shown, which the work still holds:

    n = body(i, games, work, order, out)   order: numbers the call is about; out: rows to write to
    show(i, games, work, n, out)           n: legal actions listed in the work's room, if `lists(out)`
    show_planes(i, work, out)              rows of zeros, in which little is written
    show_legal(i, work, n, out)

The state is copied to the work's record, played with there and copied back: on a card that record is close by.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from zermelo.batch.arrays import is_watched
from zermelo.batch.random_game import random_game
from zermelo.compile.dispatch import (
    FORBIDDEN,
    NEVER,
    actions,
    apply,
    assign,
    chances,
    has_chance,
    owners,
    planes,
    player,
    policy_index,
    repetition,
    repetition_key,
    reversible_plies,
    stuck_ends,
    utility,
)
from zermelo.compile.pointers import item
from zermelo.compile.random import below, draw, pick, scramble
from zermelo.compile.repetition import ends_by_repetition, is_forbidden, repetition_payoff
from zermelo.compile.rules import helper as plain_helper
from zermelo.core.game import CHANCE, OVER

# Games, Work and Out are some sixty words, which each call of a function would write to memory: there is none.
helper = partial(plain_helper, inline=True)

# How a caller says which move is meant: by itself, by its policy_index, by its place in the list.
BY_ACTION, BY_POLICY, BY_PLACE = 0, 1, 2


# -- one game ----------------------------------------------------------------------------------------------------------


@helper
def take(i: Any, games: Any, work: Any) -> None:
    """Game i into the work's room."""
    assign(work.state, item(games.states, i))
    work.random[0] = item(games.slots, i).random
    work.plies[0] = 0


@helper
def give_back(i: Any, games: Any, work: Any, p: Any) -> None:
    """The game in the work's room is game i; it is `p`'s turn."""
    assign(item(games.states, i), work.state)
    slot = item(games.slots, i)
    slot.random = work.random[0]
    slot.plies += work.plies[0]
    slot.player = p
    slot.drawn = 0


@helper
def set_up(i: Any, games: Any, work: Any) -> None:
    """A new game, in the work's room."""
    assign(work.state, item(games.begin, 0))
    note = item(games.notes, i)
    if tracks(games, work.state):
        note.top, note.mover = 0, CHANCE
        item(games.keys, i).at[0] = repetition_key(work.state)
    for q in range(len(note.utilities)):
        note.utilities[q] = 0.0


@helper
def tracks(games: Any, s: Any) -> Any:
    """Does repetition mean anything in this game, and is it looked at? (Constants, both: see `make_games`.)"""
    return repetition(s) != NEVER and len(item(games.keys, 0).at) > 1


@helper
def forbids(games: Any, s: Any) -> Any:
    """Is it forbidden to repeat a position, and looked at?"""
    return repetition(s) == FORBIDDEN and len(item(games.keys, 0).at) > 1


@helper
def lists(out: Any) -> Any:
    """Is the list of legal actions wanted after a move? (A constant.)"""
    return is_watched(item(out.legal, 0)) or is_watched(item(out.actions, 0)) or is_watched(item(out.count, 0))


@helper
def advance(i: Any, games: Any, work: Any, order: Any, steps: Any, given: Any, first: Any, out: Any) -> Any:
    """Play until `steps` moves are made and it is a player's turn, or the game is over: whose turn it is, and how many
    actions there are, if they are to be listed. Chance has its turns beside; the first move is `first`, if it is
    `given`, all others are drawn. Where games restart, what is over begins anew as long as moves are to be made. Where
    all that could be played is forbidden, a game is over.

    The rules are called in as few places as can be: machine code that is there twice is fetched twice by a card's
    threads. Chance's turn is no turn of the loop: threads of a card go through a loop together, and some would wait for
    the dice while others move.
    """
    s, slot, note, made = work.state, item(games.slots, i), item(games.notes, i), np.int64(0)
    while True:
        p, n = np.int64(player(s)), np.int64(0)
        while has_chance(s) and p == CHANCE and not is_over_by_repetition(i, games, s):
            n = np.int64(chances(s, work.outcomes, work.probability))
            apply(s, work.outcomes[pick(work.random, work.probability, n)])
            work.plies[0] += 1
            if tracks(games, s):
                remember(s, note, item(games.keys, i).at)
            p = np.int64(player(s))
        if is_over_by_repetition(i, games, s):
            p = np.int64(OVER)
            for q in range(len(note.utilities)):
                note.utilities[q] = repetition_payoff(s, q, note.mover)
        else:
            drawing, k = made < steps and not given, np.int64(0)
            if p != OVER and not given and (drawing or stuck_ends(s) or lists(out) or forbids(games, s)):
                n = np.int64(actions(s, work.actions))
                if n == 0 and (drawing or stuck_ends(s)):
                    k = np.int64(-1)
                elif drawing:
                    k = draw_legal(i, games, work, n)
                elif n > 0 and forbids(games, s):
                    n = leave_repeated(i, games, work, n)
                    k = np.int64(-1 if n == 0 else 0)
            if p == OVER or k < 0:
                p = np.int64(OVER)
                utility(s, work.payoff)
                for q in range(len(note.utilities)):
                    note.utilities[q] = work.payoff[q]
        if p == OVER:
            slot.finished += 1
            if order.restart == 0 or made >= steps:
                return p, np.int64(0)
            set_up(i, games, work)
            continue
        if made >= steps:
            return p, n
        a: Any = np.int64(first) if given else np.int64(work.actions[k])
        given = False
        made += 1
        if order.digests != 0:
            note.digest = scramble(note.digest ^ np.uint64(a)) + np.uint64(1)
        apply(s, a)
        work.plies[0] += 1
        if tracks(games, s):
            remember(s, note, item(games.keys, i).at)
            note.mover = p


@helper
def move(i: Any, games: Any, work: Any, order: Any, steps: Any, given: Any, first: Any, out: Any) -> Any:
    """Advance game i, which the work holds: how many legal actions are listed, if that is wanted. The next random move
    is then drawn from the list at once: so it need not be made a second time for it."""
    p, n = advance(i, games, work, order, steps, given, first, out)
    give_back(i, games, work, p)
    if n > 0 and lists(out) and not forbids(games, work.state):
        slot = item(games.slots, i)
        slot.next, slot.drawn = work.actions[below(work.random, n)], 1  # the slot's generator knows nothing of it
    return n


@helper
def is_over_by_repetition(i: Any, games: Any, s: Any) -> Any:
    """Does the position stand for the deciding time?"""
    return tracks(games, s) and ends_by_repetition(s, item(games.keys, i).at, item(games.notes, i).top)


@helper
def remember(s: Any, note: Any, keys: Any) -> None:
    """Keep the key of `s`. What stood before a move that cannot be undone is forgotten; where there is no more room, so
    is the older half. The last place stays free."""
    top = note.top + 1
    if reversible_plies(s) == 0:
        top = 0
    elif top == len(keys) - 1:
        half = top // 2
        for k in range(half):
            keys[k] = keys[top - half + k]
        top = half
    keys[top] = repetition_key(s)
    note.top = top


@helper
def is_repeated(i: Any, games: Any, work: Any, action: Any) -> Any:
    """Does `action` lead to a position that it is forbidden to repeat? The work's record is left changed."""
    keys, top = item(games.keys, i).at, item(games.notes, i).top + 1
    apply(work.state, action)
    if reversible_plies(work.state) == 0:
        return False
    keys[top] = repetition_key(work.state)
    return is_forbidden(work.state, keys, top, np.int64(0))


@helper
def list_legal(i: Any, games: Any, work: Any) -> Any:
    """List the legal actions of game i, which the work holds, in the work's room: how many."""
    if item(games.slots, i).player == OVER:
        return np.int64(0)
    n = np.int64(actions(work.state, work.actions))
    return leave_repeated(i, games, work, n) if forbids(games, work.state) else n


@helper
def leave_repeated(i: Any, games: Any, work: Any, n: Any) -> Any:
    """Leave out of the n actions listed those that it is forbidden to play: how many are left."""
    assign(work.before, work.state)
    kept = np.int64(0)
    for k in range(n):
        a: Any = np.int64(work.actions[k])
        if not is_repeated(i, games, work, a):
            work.actions[kept] = a
            kept += 1
        assign(work.state, work.before)
    return kept


@helper
def draw_legal(i: Any, games: Any, work: Any, n: Any) -> Any:
    """The place of one of the n actions listed, at random; of one that may be played, where a repetition is forbidden
    (-1: none may)."""
    k = below(work.random, n)
    if forbids(games, work.state):
        assign(work.before, work.state)
        while is_repeated(i, games, work, np.int64(work.actions[k])):
            assign(work.state, work.before)
            n -= 1
            if n == 0:
                return np.int64(-1)
            work.actions[k] = work.actions[n]
            k = below(work.random, n)
        assign(work.state, work.before)
    return k


@helper
def show(i: Any, games: Any, work: Any, n: Any, out: Any) -> None:
    """Write what is watched of game i, which the work holds, and n legal actions of it. What nobody watches costs
    nothing."""
    slot = item(games.slots, i)
    if is_watched(item(out.player, 0)):
        item(out.player, i).at[0] = slot.player
    if is_watched(item(out.utilities, 0)):
        note = item(games.notes, i)
        for q in range(len(note.utilities)):
            item(out.utilities, i).at[q] = note.utilities[q] if slot.player == OVER else 0.0  # the note stays unread
    if is_watched(item(out.count, 0)):
        item(out.count, i).at[0] = n
    if is_watched(item(out.actions, 0)):
        listed = item(out.actions, i).at
        for k in range(n):
            listed[k] = work.actions[k]


@helper
def show_planes(row: Any, work: Any, out: Any) -> None:
    """The planes, into a row of zeros."""
    if is_watched(item(out.planes, 0)):
        planes(work.state, item(out.planes, row).at)


@helper
def show_owners(i: Any, games: Any, work: Any, out: Any) -> None:
    """Whose the cells are, where the game is over; into a row of zeros."""
    if is_watched(item(out.owners, 0)) and item(games.slots, i).player == OVER:
        owners(work.state, item(out.owners, i).at)


@helper
def show_legal(row: Any, work: Any, n: Any, out: Any) -> None:
    """The mask of the n legal actions, into a row of zeros."""
    if is_watched(item(out.legal, 0)):
        mask = item(out.legal, row).at
        for k in range(n):
            a: Any = np.int64(work.actions[k])
            mask[policy_index(work.state, a)] = 1


# -- bodies ------------------------------------------------------------------------------------------------------------


@helper
def reset(i: Any, games: Any, work: Any, order: Any, out: Any) -> Any:
    """Begin anew."""
    slot = item(games.slots, i)
    take(i, games, work)
    if slot.waits == 0:
        set_up(i, games, work)
    elif slot.player == OVER:
        return np.int64(0)
    return move(i, games, work, order, np.int64(0), False, np.int64(0), out)


@helper
def locate(i: Any, games: Any, work: Any, order: Any, out: Any) -> Any:
    """The legal action that the one noted means, in its place; if it is none, `fault` is set. A game that is over takes
    anything."""
    slot, note = item(games.slots, i), item(games.notes, i)
    note.fault = 0
    if slot.player == OVER or slot.waits != 0:
        return np.int64(0)
    take(i, games, work)
    for k in range(list_legal(i, games, work)):
        a: Any = np.int64(work.actions[k])
        number = np.int64(k)
        if order.how == BY_ACTION:
            number = a
        elif order.how == BY_POLICY:
            number = np.int64(policy_index(work.state, a))
        if number == note.action:
            note.action = a
            return np.int64(0)
    note.fault = 1
    return np.int64(0)


@helper
def step(i: Any, games: Any, work: Any, order: Any, out: Any) -> Any:
    """Play the action noted. A game that is over begins anew, if games restart, and else stays as it is."""
    slot = item(games.slots, i)
    over, waits = slot.player == OVER, slot.waits != 0
    take(i, games, work)
    if over and (waits or order.restart == 0):
        return np.int64(0)
    if over:
        set_up(i, games, work)
    plays = not over and not waits
    return move(i, games, work, order, np.int64(plays), plays, np.int64(item(games.notes, i).action), out)


@helper
def random_steps(i: Any, games: Any, work: Any, order: Any, out: Any) -> Any:
    """`steps` moves at random."""
    slot = item(games.slots, i)
    over, waits = slot.player == OVER, slot.waits != 0
    take(i, games, work)
    if over and (waits or order.restart == 0 or order.steps == 0):
        return np.int64(0)
    if over:
        set_up(i, games, work)
    steps = np.int64(0) if waits else np.int64(order.steps)
    drawn = steps > 0 and slot.drawn != 0
    if drawn:
        draw(work.random)  # what it was drawn with
    return move(i, games, work, order, steps, drawn, np.int64(slot.next), out)


@helper
def look(i: Any, games: Any, work: Any, order: Any, out: Any) -> Any:
    """Change nothing, for what is shown then."""
    take(i, games, work)
    return list_legal(i, games, work) if lists(out) else np.int64(0)


@helper
def play_out(i: Any, games: Any, work: Any, order: Any, out: Any) -> Any:
    """`steps` games at random from where game i stands, which is left as it is; the sums of their payoffs. One that is
    longer than `limit` counts as 0 for everybody."""
    slot, note, total = item(games.slots, i), item(games.notes, i), item(out.sums, i).at
    for q in range(len(note.utilities)):
        total[q] = note.utilities[q] * order.steps
    if slot.player == OVER:
        return np.int64(0)
    take(i, games, work)
    assign(work.before, work.state)
    for _ in range(order.steps):
        assign(work.state, work.before)
        _, finished = random_game(
            work.state, work.actions, work.probability, None, work.random, order.limit, work.payoff, None
        )
        if finished:
            for q in range(len(note.utilities)):
                total[q] += work.payoff[q]
    slot.random = work.random[0]
    slot.drawn = 0
    return np.int64(0)
