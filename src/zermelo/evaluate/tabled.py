"""An evaluator that also knows endings: what a search asks at every node where it has tables.

`Tabled` and, in games with chance, `Averaged` wrap another evaluator, which still makes the estimates. What is proven
of a position they say to `consult(evaluator, s)` and `expected(evaluator, s)`; of any other evaluator's type these are
constants, and compiled code does not ask.

    held   one record    classes   address of (classes, 3) i8: where its values begin (-1: none), how many there are,
                                   where its plies begin (-1: none)
                         values    address of two bits, or an f4, a position       plies      address of two bytes each
                         highest   no class has a greater number                   is_told    NOTHING_TOLD, …

Where plies to the end are known, whoever wins comes nearer with every move. Where only wins are known, any of them
looks as good as any other, and a search that took the first would win less often than one without tables. So below a
root that the tables know without plies only those are told that have some: the tables say which of the root's actions
keep its worth, and the search finds the way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.addresses import byte_at, float_at, long_at, short_at
from zermelo.compile.dispatch import ending, perspective, rank
from zermelo.compile.evaluator import FAR, UNKNOWN, estimate
from zermelo.compile.record_game import State
from zermelo.core.game import CHANCE, GameError
from zermelo.evaluate.held import Held
from zermelo.tables.known import DRAW, NOTHING
from zermelo.tables.tables import PLIES, VALUE, WDL, Tables
from zermelo.tables.verdict import Verdict, judge, need_payoffs

MEMORY = np.dtype([(name, "i8") for name in ("classes", "values", "plies", "highest", "is_told")])
NOTHING_TOLD, WITH_PLIES, ALL_TOLD = 0, 1, 2


class Tabled(NamedTuple):
    """`inner`, and tables of what is won, drawn and lost."""

    inner: Any
    held: Any

    def estimate(evaluator, s: Any) -> Any:
        return float(estimate(evaluator.inner, s))

    def consult(evaluator, s: Any) -> Any:
        held = evaluator.held[0]
        number = np.int64(ending(s))
        if number < 0 or number > held.highest or held.is_told == NOTHING_TOLD:
            return np.int64(UNKNOWN)
        first, ways = long_at(held.classes, 3 * number), long_at(held.classes, 3 * number + 2)
        if first < 0 or (ways < 0 and held.is_told != ALL_TOLD):
            return np.int64(UNKNOWN)
        i = np.int64(rank(s))
        if i < 0 or i >= long_at(held.classes, 3 * number + 1):
            return np.int64(UNKNOWN)
        value = (byte_at(held.values, (first + i) >> 2) >> ((i & 3) << 1)) & 3  # a class begins with a byte
        if value == NOTHING:
            return np.int64(UNKNOWN)
        if value == DRAW:
            return np.int64(DRAW)
        plies = short_at(held.plies, ways + i) if ways >= 0 else np.int64(FAR)
        return value + (plies << 2)

    def private(self) -> Tabled:
        """The same tables for another thread."""
        return Tabled(self.inner.private() if hasattr(self.inner, "private") else self.inner, self.held)

    def begin(self) -> None:
        getattr(self.inner, "begin", lambda: None)()


class Averaged(NamedTuple):
    """`inner`, and tables of what positions are worth on average."""

    inner: Any
    held: Any

    def estimate(evaluator, s: Any) -> Any:
        return float(estimate(evaluator.inner, s))

    def expected(evaluator, s: Any) -> Any:
        held = evaluator.held[0]
        number = np.int64(ending(s))
        if number < 0 or number > held.highest or held.is_told == NOTHING_TOLD:
            return np.nan
        first, i = long_at(held.classes, 3 * number), np.int64(rank(s))
        if first < 0 or i < 0 or i >= long_at(held.classes, 3 * number + 1):
            return np.nan
        value = float_at(held.values, first + i)
        if not abs(value) < np.inf:
            return np.nan
        return value if perspective(s) == 0 else -value

    def private(self) -> Averaged:
        """The same tables for another thread."""
        return Averaged(self.inner.private() if hasattr(self.inner, "private") else self.inner, self.held)

    def begin(self) -> None:
        getattr(self.inner, "begin", lambda: None)()


class KnownRoot(NamedTuple):
    """What a position that is to be searched, and its actions, are worth: payoffs of player 0."""

    verdict: Verdict
    value: float
    worth: dict[int, float]  # of the actions that the tables know

    def keeps(self, action: int) -> bool:
        """Does it give nothing away?"""
        return self.verdict.is_as_good(action)


class HeldTables:
    """The tables of a game in memory, for evaluators that are to know them."""

    def __init__(self, tables: Tables):
        game = tables.game
        self.has_chance = bool(game.variant.max_chance_outcomes)
        need_payoffs(game)
        if not tables.headers(VALUE if self.has_chance else WDL):
            raise GameError(
                f"there are no tables of {game.name} in '{tables.folder}'; "
                f"`zermelo tables build {game.origin or game.name} --limit N` makes them"
            )
        self.tables = tables
        classes, values = tables.in_one(VALUE if self.has_chance else WDL)
        ways, plies = tables.in_one(PLIES)
        columns = np.full((len(classes), 3), -1)
        columns[:, 0], columns[:, 1] = classes["start"], classes["count"]
        columns[: len(ways), 2] = ways["start"][: len(classes)]
        self._arrays = columns, values, plies  # held as long as somebody reads them
        self.record: Any = np.zeros(1, MEMORY).view(Held)
        for name, array in zip(("classes", "values", "plies"), self._arrays, strict=True):
            self.record[0][name] = array.ctypes.data
        self.record[0]["highest"] = len(classes) - 1
        self.record[0]["is_told"] = ALL_TOLD

    def of(self, evaluator: Any) -> Tabled | Averaged:
        """`evaluator`, with the tables."""
        return Averaged(evaluator, self.record) if self.has_chance else Tabled(evaluator, self.record)

    def begin(self, root: State) -> KnownRoot | None:
        """Before a search of `root`: what the tables say of it; None where they do not know."""
        verdict = judge(self.tables, root)
        self.record[0]["is_told"] = ALL_TOLD if verdict is None or verdict.has_plies else WITH_PLIES
        game = self.tables.game
        if verdict is None or game.player(root) == CHANCE:
            return None
        sign = 1 if game.side(verdict.view) == 0 else -1
        worth = {a: sign * after.value for a, after in verdict.actions.items() if after is not None}
        return KnownRoot(verdict, sign * verdict.worth.value, worth)
