"""What endgame tables add to an explanation: exact values, for the position and for every move they know.

What they know need not be asked for (questions.py), and is told as theirs: a proof that was looked up. They also say
which other moves are as good as the choice, and what perfect play leads to after each of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zermelo.compile.record_game import State
from zermelo.search.alphabeta.nodes import PROVEN_EXACT
from zermelo.search.explain.tree import Known
from zermelo.search.report import EXACT, PROVEN, Report, RootMove
from zermelo.tables.tables import Tables
from zermelo.tables.verdict import Verdict, Worth, judge, judge_actions, perfect_line, viewer

LINE, LONG_LINE = 8, 24  # moves that are told after each move, and after the choice


class ByTables:
    """What tables say of one position: `verdict` where they know it, `known` of every move they know."""

    def __init__(self, tables: Tables | None, s: State):
        self.verdict: Verdict | None = None
        self.known: dict[Any, Known] = {}  # values from player 0's view
        if tables is None:
            return
        self.verdict, self._tables, self._state = judge(tables, s), tables, s
        self._sign = 1.0 if tables.game.side(viewer(tables, s)) == 0 else -1.0
        actions = judge_actions(tables, s) if self.verdict is None else self.verdict.actions
        for a, worth in actions.items():
            if worth is not None:
                steps = None if worth.plies is None else worth.plies - 1
                line = (a, *perfect_line(tables, tables.game.succ(s, a), LINE))
                self.known[a] = Known(self._value(worth), -1, 0, "exact", PROVEN_EXACT, steps, line, steps is not None)

    def _value(self, worth: Worth) -> float:
        return self._sign * worth.value + 0.0  # no minus before nothing

    def told(self, report: Report) -> Report:
        """The report, with what is known for certain: of moves, too, that a search which knew it did not look at."""
        if self.verdict is None:
            return report
        worth = self.verdict.worth if report.best is None else self.verdict.actions.get(report.best)
        if worth is None:  # another move is known to be better, or as good
            return report
        seen = {move.action: move for move in report.moves}
        moves = [replace(move, **self._exact(a)) if a in self.known else move for a, move in seen.items()]
        if report.best is not None:
            moves += [RootMove(a, pv=one.pv, **self._exact(a)) for a, one in self.known.items() if a not in seen]
        told = replace(report, value=self._value(worth), proof=PROVEN, moves=tuple(moves))
        return told if worth.plies is None else replace(told, distance=worth.plies, distance_exact=True)

    def pv(self, report: Report) -> tuple[Any, ...]:
        """What is expected: perfect play to the end, where tables know it; else what the search expects."""
        if report.best not in self.known or self.known[report.best].steps is None:
            return report.pv
        after = self._tables.game.succ(self._state, report.best)
        return (report.best, *perfect_line(self._tables, after, LONG_LINE - 1))

    def _exact(self, a: Any) -> dict[str, Any]:
        return {"value": self.known[a].value, "bound": EXACT, "proof": PROVEN}
