"""What a kernel calls: the hooks, what follows from them, and records by ply. The type of the record says whose.

A kernel calls `actions(s, out)`. Called from Python (rules interpreted, or the JIT switched off), that looks the rules
up by the record's dtype and shows them the record through a View. In compiled code the rules' own function, picked by
the record's type, is compiled in: there is no call left to pay for. The hooks themselves stand in hooks.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compile.constants import DRAWN as DRAWN
from zermelo.compile.constants import FORBIDDEN as FORBIDDEN
from zermelo.compile.constants import LOST as LOST
from zermelo.compile.constants import NEVER as NEVER
from zermelo.compile.constants import ending_pays as ending_pays
from zermelo.compile.constants import has_chance as has_chance
from zermelo.compile.constants import offers as offers
from zermelo.compile.constants import repetition as repetition
from zermelo.compile.constants import repetitions as repetitions
from zermelo.compile.constants import side as side
from zermelo.compile.constants import stuck_ends as stuck_ends
from zermelo.compile.constants import utility_range as utility_range
from zermelo.compile.guards import OverrunError
from zermelo.compile.hooks import *  # noqa: F403 - every row of the table
from zermelo.compile.hooks import Actions, Reals, Record, actions, chances, player
from zermelo.compile.overloads import overload
from zermelo.compile.targets import by_rules
from zermelo.compile.variant import Variant
from zermelo.compile.words import assign as assign
from zermelo.core.game import CHANCE, OVER


@by_rules
def over(rules: Variant) -> Callable[[Record, Actions], bool]:
    """over(s, out): has the game ended here? (`out` is scratch space, for games that end when a player is stuck.)"""
    if not rules.stuck_ends:
        return lambda s, out: player(s) == OVER

    def over_or_stuck(s: Any, out: Any) -> Any:
        p = player(s)
        return p == OVER or (p >= 0 and actions(s, out) == 0)

    return over_or_stuck


@by_rules
def expand(rules: Variant) -> Callable[[Record, Actions, Reals], tuple[int, int]]:
    """expand(s, out, probability): (player, how many), with the actions, or the outcomes and their probabilities,
    written; (OVER, 0) at the end."""
    stuck_ends = rules.stuck_ends
    has_chance = "chances" in rules.functions

    def expand_by_type(s: Any, out: Any, probability: Any) -> Any:
        p = np.int64(player(s))
        if p == OVER:
            return np.int64(OVER), np.int64(0)
        if has_chance and p == CHANCE:
            return p, np.int64(chances(s, out, probability))
        n = np.int64(actions(s, out))
        if stuck_ends and n == 0:
            return np.int64(OVER), np.int64(0)
        return p, n

    return expand_by_type


@by_rules
def need_player(rules: Variant) -> Callable[[Record, int], int]:
    """need_player(s, p): `p`, if it can be whose turn it is; for who uses it as an index."""
    least, players, name = CHANCE if "chances" in rules.functions else 0, rules.players, "player"

    def need(s: Any, p: Any) -> Any:
        if not least <= p < players:
            raise OverrunError(name)
        return p

    return need


def at(states: Any, ply: int) -> Any:
    """states[ply], for a ply that is not negative: compiled code need not look whether it counts from the end."""
    return states[ply]


def row(table: Any, ply: int) -> Any:
    """One row of a table made by zermelo.compile.record.rows."""
    return table[ply]["at"]


@overload(row)
def _row(table: Any, ply: Any) -> Any:
    return lambda table, ply: table[np.uintp(ply)].at


@overload(at)
def _at(states: Any, ply: Any) -> Any:
    return lambda states, ply: states[np.uintp(ply)]
