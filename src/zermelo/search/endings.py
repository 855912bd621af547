"""The endgame tables that a search knows, and whether they can matter to it.

A search with tables is another kernel than one without: it has to be compiled, and asks at every node. Far away from
any ending that would be for nothing. So whoever did not ask for tables by name has them `only_near`: where the root is
known to them, or a few random continuations come into a class that is there. That is decided anew at every root, from
the position alone, without opening a file or compiling anything: the rules' own `ending` is asked, interpreted, at the
end of a walk. (Classes only ever lead down: what a walk came through it is still in.)

Nobody asked for those files either. One that is refused, being damaged or other rules', is told of in a line and counts
as not there: what comes with the package takes its place, if it knows the class.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from zermelo.compile.dispatch import ending
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import OVER, Game, GameError, shorten
from zermelo.evaluate.tabled import HeldTables, KnownRoot
from zermelo.search.report import EXACT, PROVEN, Report
from zermelo.tables.tables import VALUE, WDL, Tables, find_tables
from zermelo.tables.verdict import payoffs

KINDS = (WDL, VALUE)
WALKS, PLIES = 4, 20
LAST = 3  # positions of a walk that are looked at: the end has no class, nor have dice that are rolled before it
AUTO, ON, OFF = "auto", "on", "off"  # what is said for tables, or a folder
_told: set[Path] = set()  # folders in which something was refused


class Endings:
    """The tables of one search."""

    def __init__(self, tables: Tables, only_near: bool = False):
        self.tables, self.only_near = tables, only_near
        self._held: HeldTables | None = None if only_near else HeldTables(tables)
        self._numbers: set[int] | None = None
        self._last: tuple[State, bool] | None = None  # the last root that was asked about

    def held_for(self, root: State) -> HeldTables | None:
        """What a search of `root` is to know; None where that is nothing."""
        if self.only_near and not self._is_near(root):
            return None
        if self._held is None and self._are_some_left():
            held = HeldTables(self.tables)  # reads them, and may come upon what is refused
            self._held = held if self._are_some_left() else None
        return self._held

    def _are_some_left(self) -> bool:
        """Is there a file that is not refused? They are opened."""
        self._numbers = {header.number for kind in KINDS for header in self.tables.headers(kind)}
        return bool(self._numbers)

    def _is_near(self, root: State) -> bool:
        if self._last is None or self._last[0] is not root:
            if self._numbers is None:
                self._numbers = {number for kind in KINDS for number in self.tables.numbers(kind)}
            self._last = root, comes_near(self.tables.game, root, self._numbers)
        return self._last[1]


def comes_near(game: RecordGame, root: State, numbers: set[int]) -> bool:
    """Is `root` in one of these classes, or does one of a few random continuations lead there? The same root, the same
    answer."""
    if not numbers:
        return False
    if class_of(game, root) in numbers:
        return True
    random = Random(0)
    for _ in range(WALKS):
        walk = [root]
        while len(walk) <= PLIES and game.player(walk[-1]) != OVER:
            walk.append(game.succ(walk[-1], random.choice(game.actions(walk[-1]))))
        if any(class_of(game, s) in numbers for s in walk[-LAST:]):
            return True
    return False


def class_of(game: RecordGame, s: State) -> int:
    """What the rules' `ending` says, as plain Python."""
    return int(ending(game.record(s)[0]))


def with_tables(report: Report, known: KnownRoot | None) -> Report:
    """A report of a root that tables know: the values are theirs, and what is played gives nothing away. What was
    searched for is the way, where they do not know that too."""
    if known is None or report.best is None:
        return report
    perfect = known.verdict.perfect
    if report.proof == PROVEN and report.best in perfect:
        return report
    moves = [
        replace(move, value=known.worth[move.action], bound=EXACT, proof=PROVEN) if move.action in known.worth else move
        for move in report.moves
    ]
    moves.sort(key=lambda move: (move.action not in perfect, not known.keeps(move.action)))  # stable
    return replace(
        report,
        best=moves[0].action,
        value=known.value,
        values=(known.value, -known.value) if report.values else (),
        proof=PROVEN,
        distance=known.verdict.worth.plies,
        distance_exact=known.verdict.worth.plies is not None,
        pv=moves[0].pv,
        moves=tuple(moves),
    )


def find_endings(game: Game[Any, Any], wanted: str | Path | None) -> Endings | None:
    """What a search is to know: "on" or a folder, where something must be; "auto", what there is; "off", nothing."""
    if wanted is None or wanted == OFF:
        return None
    if not isinstance(wanted, str | Path):
        raise GameError(f"tables must be auto, on, off or the folder they are in, not {shorten(wanted)}")
    if wanted == AUTO:
        found = find_tables(game, on_refused=tell_once)
        if found is None or not (found.game.variant.max_chance_outcomes or payoffs(found.game)):
            return None
        return Endings(found, only_near=True)
    assert isinstance(game, RecordGame)
    folder = None if wanted == ON else wanted
    return Endings(Tables(game, folder, with_shipped=folder is None))


def tell_once(path: Path, problem: GameError) -> None:
    """A line on stderr for a folder in which a file is refused."""
    if path.parent not in _told:
        _told.add(path.parent)
        print(f"zermelo: {problem}; until then it counts as not there", file=sys.stderr, flush=True)
