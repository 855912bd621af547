"""What happens to game i of a batch. One body for both devices: cores.py loops over it, card.py gives it a thread.

A body gets the number of the game, the arrays of all games, room to work in, and what the call is about:

    body(i, games, work, order, out)       order: numbers the call is about; out: rows to write to

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
from zermelo.compile.random import below, pick, scramble
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


@helper
def set_up(i: Any, games: Any, work: Any) -> None:
    """A new game, in the work's room."""
    assign(work.state, item(games.begin, 0))
    slot = item(games.slots, i)
    if tracks(games, work.state):
        slot.top, slot.mover = 0, CHANCE
        item(games.keys, i).at[0] = repetition_key(work.state)
    for q in range(len(slot.utilities)):
        slot.utilities[q] = 0.0


@helper
def tracks(games: Any, s: Any) -> Any:
    """Does repetition mean anything in this game, and is it looked at? (Constants, both: see `make_games`.)"""
    return repetition(s) != NEVER and len(item(games.keys, 0).at) > 1


@helper
def forbids(games: Any, s: Any) -> Any:
    """Is it forbidden to repeat a position, and looked at?"""
    return repetition(s) == FORBIDDEN and len(item(games.keys, 0).at) > 1


@helper
def advance(i: Any, games: Any, work: Any, order: Any, steps: Any, given: Any) -> Any:
    """Play until `steps` moves are made and it is a player's turn, or the game is over: whose turn it is. Chance has
    its turns beside; the first move is the slot's, if it is `given`, all others are drawn. Where games restart, what is
    over begins anew as long as moves are to be made.

    The rules are called in as few places as can be: machine code that is there twice is fetched twice by a card's
    threads. Chance's turn is no turn of the loop: threads of a card go through a loop together, and some would wait for
    the dice while others move.
    """
    s, slot, made = work.state, item(games.slots, i), np.int64(0)
    while True:
        p = np.int64(player(s))
        while has_chance(s) and p == CHANCE and not is_over_by_repetition(i, games, s):
            n = np.int64(chances(s, work.actions, work.probability))
            apply(s, work.actions[pick(work.random, work.probability, n)])
            work.plies[0] += 1
            if tracks(games, s):
                remember(s, slot, item(games.keys, i).at)
            p = np.int64(player(s))
        if is_over_by_repetition(i, games, s):
            p = np.int64(OVER)
            for q in range(len(slot.utilities)):
                slot.utilities[q] = repetition_payoff(s, q, slot.mover)
        else:
            if p == OVER:
                n = np.int64(0)
            elif stuck_ends(s) or (made < steps and not given):
                n = np.int64(actions(s, work.actions))
            else:
                n = np.int64(1)
            k = np.int64(-1)
            if n > 0:
                k = np.int64(0)
                if made < steps and not given:
                    k = draw_legal(i, games, work, n)
            if k < 0:
                p = np.int64(OVER)
                utility(s, work.payoff)
                for q in range(len(slot.utilities)):
                    slot.utilities[q] = work.payoff[q]
        if p == OVER:
            slot.finished += 1
            if order.restart == 0 or made >= steps:
                return p
            set_up(i, games, work)
            continue
        if made >= steps:
            return p
        a: Any = np.int64(slot.action) if given else np.int64(work.actions[k])
        given = False
        made += 1
        if order.digests != 0:
            slot.digest = scramble(slot.digest ^ np.uint64(a)) + np.uint64(1)
        apply(s, a)
        work.plies[0] += 1
        if tracks(games, s):
            remember(s, slot, item(games.keys, i).at)
            slot.mover = p


@helper
def is_over_by_repetition(i: Any, games: Any, s: Any) -> Any:
    """Does the position stand for the deciding time?"""
    return tracks(games, s) and ends_by_repetition(s, item(games.keys, i).at, item(games.slots, i).top)


@helper
def remember(s: Any, slot: Any, keys: Any) -> None:
    """Keep the key of `s`. What stood before a move that cannot be undone is forgotten; where there is no more room, so
    is the older half. The last place stays free."""
    top = slot.top + 1
    if reversible_plies(s) == 0:
        top = 0
    elif top == len(keys) - 1:
        half = top // 2
        for k in range(half):
            keys[k] = keys[top - half + k]
        top = half
    keys[top] = repetition_key(s)
    slot.top = top


@helper
def is_repeated(i: Any, games: Any, work: Any, action: Any) -> Any:
    """Does `action` lead to a position that it is forbidden to repeat? The work's record is left changed."""
    keys, top = item(games.keys, i).at, item(games.slots, i).top + 1
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
    if forbids(games, work.state):
        assign(work.before, work.state)
        kept = np.int64(0)
        for k in range(n):
            a = work.actions[k]
            if not is_repeated(i, games, work, a):
                work.actions[kept] = a
                kept += 1
            assign(work.state, work.before)
        n = kept
    return n


@helper
def draw_legal(i: Any, games: Any, work: Any, n: Any) -> Any:
    """The place of one of the n actions listed, at random; of one that may be played, where a repetition is forbidden
    (-1: none may)."""
    k = below(work.random, n)
    if forbids(games, work.state):
        assign(work.before, work.state)
        while is_repeated(i, games, work, work.actions[k]):
            assign(work.state, work.before)
            n -= 1
            if n == 0:
                return np.int64(-1)
            work.actions[k] = work.actions[n]
            k = below(work.random, n)
        assign(work.state, work.before)
    return k


@helper
def show(i: Any, games: Any, work: Any, out: Any) -> None:
    """Write what is watched of game i, which the work holds too. What nobody watches costs nothing."""
    slot = item(games.slots, i)
    if is_watched(item(out.player, 0)):
        item(out.player, i).at[0] = slot.player
    if is_watched(item(out.utilities, 0)):
        for q in range(len(slot.utilities)):
            item(out.utilities, i).at[q] = slot.utilities[q]
    if is_watched(item(out.planes, 0)):
        planes(work.state, item(out.planes, i).at)
    if is_watched(item(out.legal, 0)):
        mask = item(out.legal, i).at
        for k in range(list_legal(i, games, work)):
            mask[policy_index(work.state, work.actions[k])] = 1


# -- bodies ------------------------------------------------------------------------------------------------------------


@helper
def reset(i: Any, games: Any, work: Any, order: Any, out: Any) -> None:
    """Begin anew."""
    take(i, games, work)
    if item(games.slots, i).waits != 0:
        show(i, games, work, out)
        return
    set_up(i, games, work)
    p = advance(i, games, work, order, 0, False)
    give_back(i, games, work, p)
    show(i, games, work, out)


@helper
def locate(i: Any, games: Any, work: Any, order: Any, out: Any) -> None:
    """The legal action that the slot's means, in its place; if it is none, `fault` is set. A game that is over takes
    anything."""
    slot = item(games.slots, i)
    slot.fault = 0
    if slot.player == OVER or slot.waits != 0:
        return
    take(i, games, work)
    for k in range(list_legal(i, games, work)):
        a: Any = np.int64(work.actions[k])
        number = np.int64(k)
        if order.how == BY_ACTION:
            number = a
        elif order.how == BY_POLICY:
            number = np.int64(policy_index(work.state, a))
        if number == slot.action:
            slot.action = a
            return
    slot.fault = 1


@helper
def step(i: Any, games: Any, work: Any, order: Any, out: Any) -> None:
    """Play the slot's action. A game that is over begins anew, if games restart, and else stays as it is."""
    slot = item(games.slots, i)
    over = slot.player == OVER
    take(i, games, work)
    if slot.waits != 0 or (over and order.restart == 0):
        show(i, games, work, out)
        return
    if over:
        set_up(i, games, work)
    p = advance(i, games, work, order, 0 if over else 1, not over)
    give_back(i, games, work, p)
    show(i, games, work, out)


@helper
def random_steps(i: Any, games: Any, work: Any, order: Any, out: Any) -> None:
    """`steps` moves at random."""
    slot = item(games.slots, i)
    take(i, games, work)
    if slot.waits != 0 or (slot.player == OVER and order.restart == 0):
        show(i, games, work, out)
        return
    p = advance(i, games, work, order, order.steps, False)
    give_back(i, games, work, p)
    show(i, games, work, out)


@helper
def list_actions(i: Any, games: Any, work: Any, order: Any, out: Any) -> None:
    """The legal actions as a list: a row, of which the first `count` count."""
    take(i, games, work)
    n = list_legal(i, games, work)
    item(games.slots, i).count = n
    listed = item(out.rows, i).at
    for k in range(n):
        listed[k] = work.actions[k]


@helper
def look(i: Any, games: Any, work: Any, order: Any, out: Any) -> None:
    """Write what is watched, and change nothing."""
    take(i, games, work)
    show(i, games, work, out)


@helper
def list_owners(i: Any, games: Any, work: Any, order: Any, out: Any) -> None:
    """Whose the cells are, where the game is over."""
    if item(games.slots, i).player == OVER:
        take(i, games, work)
        owners(work.state, item(out.rows, i).at)


@helper
def play_out(i: Any, games: Any, work: Any, order: Any, out: Any) -> None:
    """`steps` games at random from where game i stands, which is left as it is; the sums of their payoffs. One that is
    longer than `limit` counts as 0 for everybody."""
    slot, total = item(games.slots, i), item(out.rows, i).at
    for q in range(len(slot.utilities)):
        total[q] = slot.utilities[q] * order.steps
    if slot.player == OVER:
        return
    take(i, games, work)
    assign(work.before, work.state)
    for _ in range(order.steps):
        assign(work.state, work.before)
        _, finished = random_game(
            work.state, work.actions, work.probability, None, work.random, order.limit, work.payoff, None
        )
        if finished:
            for q in range(len(slot.utilities)):
                total[q] += work.payoff[q]
    slot.random = work.random[0]
