"""An evaluator that also knows endings: what an alpha-beta search asks at every node where it has tables.

`Tabled` wraps another evaluator, which still makes the estimates. `consult(evaluator, s)` says what is proven of a
position, or UNKNOWN; of any other evaluator's type it is the constant UNKNOWN, and compiled code does not ask.

    held   one record    classes   address of (classes, 2) i8: where its values begin (-1: none), how many there are
                         values    address of two bits a position       plies      address of two bytes each, or 0
                         highest   no class has a greater number        is_told    0: nothing is told

Where plies to the end are known, whoever wins comes nearer with every move. Where only wins are known, any of them
looks as good as any other, and a search that took the first would win less often than one without tables. So below a
root that the tables know without plies nothing is told: they say which of its actions keep its worth, and the search
finds the way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.addresses import byte_at, long_at, short_at
from zermelo.compile.dispatch import ending, rank
from zermelo.compile.evaluator import FAR, UNKNOWN, estimate
from zermelo.compile.record_game import State
from zermelo.core.game import GameError
from zermelo.evaluate.held import Held
from zermelo.tables.known import DRAW, NOTHING
from zermelo.tables.tables import PLIES, Tables

MEMORY = np.dtype([(name, "i8") for name in ("classes", "values", "plies", "highest", "is_told")])


class Tabled(NamedTuple):
    """`inner`, and tables."""

    inner: Any
    held: Any

    def estimate(evaluator, s: Any) -> Any:
        return float(estimate(evaluator.inner, s))

    def consult(evaluator, s: Any) -> Any:
        held = evaluator.held[0]
        number = np.int64(ending(s))
        if number < 0 or number > held.highest or held.is_told == 0:
            return np.int64(UNKNOWN)
        first = long_at(held.classes, 2 * number)
        if first < 0:
            return np.int64(UNKNOWN)
        i = np.int64(rank(s))
        if i < 0 or i >= long_at(held.classes, 2 * number + 1):
            return np.int64(UNKNOWN)
        i += first
        value = (byte_at(held.values, i >> 2) >> ((i & 3) << 1)) & 3
        if value == NOTHING:
            return np.int64(UNKNOWN)
        if value == DRAW:
            return np.int64(DRAW)
        plies = short_at(held.plies, i) if held.plies != 0 else np.int64(FAR)
        return value + (plies << 2)

    def private(self) -> Tabled:
        """The same tables for another thread."""
        return Tabled(self.inner.private() if hasattr(self.inner, "private") else self.inner, self.held)

    def begin(self) -> None:
        getattr(self.inner, "begin", lambda: None)()


class KnownRoot(NamedTuple):
    """What a position that is to be searched, and its actions, are worth: payoffs of player 0."""

    value: float
    worth: dict[int, float]  # of the actions that the tables know

    def keeps(self, action: int) -> bool:
        """Does it give nothing away?"""
        return self.worth.get(action) == self.value


class HeldTables:
    """The tables of a game in memory, for evaluators that are to know them."""

    def __init__(self, tables: Tables):
        need_plain_results(tables)
        headers = tables.headers()
        if not headers:
            name = tables.game.origin or tables.game.name
            raise GameError(
                f"there are no tables of {tables.game.name} in '{tables.folder}'; "
                f"`zermelo tables build {name} --limit N` makes them"
            )
        self.tables = tables
        self.has_plies = {h.number for h in tables.headers(PLIES)} >= {h.number for h in headers}
        known = tables.known(self.has_plies)
        columns = np.ascontiguousarray(np.stack([known.classes["first"], known.classes["count"]], axis=1))
        self._arrays = columns, known.values["v"], known.plies["v"]  # held as long as somebody reads them
        self.record: Any = np.zeros(1, MEMORY).view(Held)
        self.record[0]["classes"], self.record[0]["values"] = (array.ctypes.data for array in self._arrays[:2])
        self.record[0]["plies"] = self._arrays[2].ctypes.data if self.has_plies else 0
        self.record[0]["highest"] = known.highest
        self.record[0]["is_told"] = 1

    def of(self, evaluator: Any) -> Tabled:
        """`evaluator`, with the tables."""
        return Tabled(evaluator, self.record)

    def begin(self, root: State) -> KnownRoot | None:
        """Before a search of `root`: what the tables say of it; None where they do not know it and all its actions."""
        found = self.tables.probe(root)
        self.record[0]["is_told"] = int(found is None or self.has_plies)
        if found is None:
            return None
        game = self.tables.game
        least, most = game.variant.utility_range or (-1.0, 1.0)
        sign = 1 if game.side(max(0, game.player(root))) == 0 else -1
        pays = {1: most, 0: 0.0, -1: least}
        worth = {a: after.value for a, after in self.tables.judge_actions(root).items() if after is not None}
        return KnownRoot(pays[sign * found.value], {a: pays[sign * value] for a, value in worth.items()})


def need_plain_results(tables: Tables) -> None:
    """A win must be the most one can get, a loss the least, and a draw nothing: or a table does not say the payoff."""
    rules = tables.game.variant
    values, bounds = rules.utility_values, rules.utility_range
    if values is None or bounds is None or values not in ((bounds[0], bounds[1]), (bounds[0], 0.0, bounds[1])):
        raise GameError(
            f"{tables.game.name}: tables say won, drawn or lost; its payoffs (utility_values, utility_range) say more"
        )
