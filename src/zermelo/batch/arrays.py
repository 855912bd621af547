"""What a batch keeps of every game, and what a game is played with. Records throughout: to compiled code an array of
records is one pointer (compile/pointers.py).

    Games    of all games             states   n records of the rules: the positions
                                      slots    n × SLOT: whose turn, generator, …: what every move changes
                                      notes    n × notes: payoffs, the move that is meant, a hash, …
                                      keys     n × row of positions that can still come back, where repetition counts
                                      begin    where games start
    Work     of whoever plays one     state  before  actions  outcomes  probability  payoff  …

On the cores a thread has one Work for all its games; on a card every game's Work is its thread's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.overloads import overload
from zermelo.compile.random import generator, scramble
from zermelo.compile.record import RecordArray, rows
from zermelo.compile.variant import Variant
from zermelo.core.game import OVER

FORGETFUL = 128  # positions remembered where `reversible_plies` says which of them can still come back
MOST_REMEMBERED = 1024  # … and where nothing says so


class Order(NamedTuple):
    """What a call is about."""

    steps: int = 0  # moves to make, or games to play
    limit: int = 0  # plies of a game that is played out
    how: int = 0  # moves are told: BY_ACTION, …
    restart: int = 0  # games that are over begin anew
    digests: int = 0  # a hash of the moves is kept


SLOT = np.dtype(  # what every move of a game looks at: 32 bytes, which a card's memory hands out at a time
    [
        ("random", "u8"),  # the game's own generator
        ("next", "i8"),  # the random move that comes next, if it is `drawn` already
        ("plies", "u4"),  # moves and rolls made here
        ("finished", "u4"),  # games that came to their end here
        ("player", "i4"),  # whose turn, or OVER; never CHANCE
        ("drawn", "i2"),  # the list of actions was there, so the next random move was drawn from it
        ("waits", "i2"),  # no move is made in this game, for once
    ],
    align=True,
)


def note_dtype(players: int) -> np.dtype[np.void]:
    """What only the end of a game, or some calls, ask for."""
    return np.dtype(
        [
            ("utilities", "f8", (players,)),  # payoffs of a game that is over, else 0
            ("action", "i8"),  # to be played: as the caller says it, then as itself
            ("digest", "u8"),  # a hash of the moves made, where it is asked for
            ("top", "i4"),  # the present position's place among the keys
            ("mover", "i4"),  # who moved last, chance left out
            ("fault", "i4"),  # the action is not legal
        ],
        align=True,
    )


class Games(NamedTuple):
    """n games."""

    states: Any
    slots: Any
    notes: Any
    keys: Any
    begin: Any


class Work(NamedTuple):
    """Room to play one game in."""

    state: Any
    before: Any  # another record, for a position to come back to
    actions: Any
    outcomes: Any  # of chance
    probability: Any
    payoff: Any
    random: Any
    plies: Any


class Out(NamedTuple):
    """What is written of every game, a row each: what is watched, with every move; `sums` by `play_out` alone."""

    player: Any
    utilities: Any
    count: Any
    actions: Any  # the first `count` of a row
    legal: Any  # zeros before
    planes: Any  # zeros before
    owners: Any  # zeros before
    sums: Any


SPARSE = ("legal", "planes", "owners")  # of which only what is not zero is written


def shapes(rules: Variant) -> dict[str, tuple[str, Any]]:
    """What can be watched: the kind and the shape of a row; a shape of None where the rules have no such thing."""
    return {
        "player": ("i4", 1),
        "utilities": ("f8", rules.players),
        "count": ("i4", 1),
        "actions": ("i8", rules.max_actions),
        "legal": ("u1", rules.policy_size),
        "planes": ("i1", rules.plane_shape),
        "owners": ("i1", (1, *rules.plane_shape[1:]) if rules.plane_shape and "owners" in rules.functions else None),
    }


def row_kinds(rules: Variant, watched: Sequence[str]) -> Out:
    """What kinds of records the rows of an Out are where these are watched."""
    known = {**shapes(rules), "sums": ("f8", rules.players)}
    return Out(
        *(
            rows(0, known[name][1], known[name][0]).dtype if name in watched else unwatched(*known[name]).dtype
            for name in Out._fields
        )
    )


def unwatched(kind: str, shape: Any) -> RecordArray:
    """What stands for rows that nobody watches: a type of its own, which tells compiled code."""
    room = (1,) * (len(shape) if isinstance(shape, tuple) else 1)
    return np.zeros(1, np.dtype([("at", kind, room), ("unwatched", "i8")]))


def is_watched(row: Any) -> bool:
    """Are these rows that somebody watches? (A constant to the compiler.)"""
    return "unwatched" not in row.dtype.names


@overload(is_watched)
def _is_watched(row: Any) -> Any:
    return (lambda row: False) if "unwatched" in row.fields else (lambda row: True)


def remembered(rules: Variant) -> int:
    """How many positions of a game are kept, to see that one is repeated."""
    if rules.repetition is None:
        return 0
    if "reversible_plies" in rules.functions:
        return FORGETFUL
    return min(MOST_REMEMBERED, rules.max_plies + 1 if rules.max_plies else MOST_REMEMBERED)


def make_games(rules: Variant, start: RecordArray, n: int, seed: int, tracks: bool) -> Games:
    """The arrays, in the machine's own memory: every game is over, and has its generator. Where repetition is not
    looked at, a row of keys has room for one, which tells compiled code."""
    slots: Any = np.zeros(n, SLOT).view(np.recarray)
    notes: Any = np.zeros(n, note_dtype(rules.players)).view(np.recarray)
    slots["random"] = streams(n, seed)
    slots["player"] = OVER
    keys = rows(n, remembered(rules) + 1, "u8") if tracks else rows(1, 1, "u8")  # one more, to look where a move leads
    return Games(np.zeros(n, rules.dtype), slots, notes, keys.view(np.recarray), start)


def bytes_of_a_game(rules: Variant, tracks: bool, watched: Sequence[str]) -> int:
    """What a game of a batch takes, with what is written of it after every move."""
    kinds = shapes(rules)
    rows_of = sum(rows(0, kinds[name][1], kinds[name][0]).dtype.itemsize for name in watched if kinds[name][1])
    keys = 8 * (remembered(rules) + 1) if tracks else 0
    return rules.dtype.itemsize + SLOT.itemsize + note_dtype(rules.players).itemsize + keys + rows_of


def streams(n: int, seed: int) -> Any:
    """A generator for each of n games: game i's does not depend on n."""
    with np.errstate(over="ignore"):
        return scramble(generator(seed)[0] + np.arange(1, n + 1, dtype=np.uint64))
