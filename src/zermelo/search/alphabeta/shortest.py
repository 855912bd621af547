"""How soon is a proven win won? Within 1 ply, within 2, within 3, … until the answer is yes.

Deepening stops at the first win it can prove. Extensions, reductions and null moves make that any win, so "in at most n
plies" is all it knows. Then one iteration a level asks whether the winner wins within k plies, k = 1 … n - 1:

    a(j), the payoff j plies from the end, as the winner sees it      …  a(k+2)  a(k+1)     a(k)  a(k-1)  …
                                                                          no: ≤ lo            yes: ≥ hi

Where the game goes on at ply k it ends at ply k + 1 or later: a proven bound (kernel.enter), and no estimate, null move
or reduction has a part in the answer. So what a level finds in a position is true at any depth, and is kept in a table
for the next. The first yes is the shortest win. The side that loses is asked the same: a no is given by a move that is
not lost within k plies, and the last of these is the longest defence.

A level costs much where there are many moves. In turn with them, deepening goes on as before, in a window that only a
win shorter than n can exceed: it proves nothing about the others, but is quick to find one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from zermelo.search.alphabeta.nodes import proof_against, proof_for
from zermelo.search.alphabeta.scores import DISTANCE_STEP, without_distance
from zermelo.search.limits import NO_LIMIT, STOP, Limits, timed
from zermelo.search.report import EXACT, PROVEN, Report, RootMove

if TYPE_CHECKING:
    from zermelo.search.alphabeta.deepening import Iteration, Run
    from zermelo.search.alphabeta.table import Table

FEW_NODES = 10_000  # what may always be spent where only a part of the limits may, and no time is given
SWITCHED_OFF = ("reductions", "null_move", "quiescence", "extensions")  # a level is as deep as it says, in every line

# windows of a level, in plies beyond k: between no and yes; and with a(k) inside, so that there is a whole variation
LEVEL, LINE = (0.75, 0.25), (0.5, -0.5)


def shortest(run: Run, report: Report, emit: Callable[[Report], None]) -> tuple[Report, str]:
    """A proven report with the exact distance, or as near to it as the limits allow; and why it ended."""
    if report.distance is None or report.distance_exact or run.limits.shortening <= 0:
        return report, "proven"
    emit(report)  # for those who wait
    with timed(run.control, run.limits.shortening_seconds):
        return _Shortening(run, report, emit).run()


class _Shortening:
    def __init__(self, run: Run, report: Report, emit: Callable[[Report], None]):
        assert report.distance is not None
        self.search, self.report, self.emit = run, report, emit
        self.distance = report.distance  # at most
        self.sign = 1.0 if report.value > 0 else -1.0  # the winner's
        self.we_win = (run.game.side(run.game.player(run.state)) == 0) == (self.sign > 0)
        self.table = np.zeros(len(run.engine.table), np.uint64)  # of the levels; the other one keeps its estimates
        self.most_nodes = run._nodes() + _allowance(run.limits, run._nodes())

    def run(self) -> tuple[Report, str]:
        """Levels and depths, whichever had fewer nodes so far."""
        most = self.search.limits.depth or NO_LIMIT
        level, depth, level_nodes, depth_nodes = 1, self.report.depth + 1, 0, 0
        while level < self.distance:
            before, may_deepen = self.search._nodes(), depth < self.distance and depth <= most
            if level > most and not may_deepen:
                return self.report, "depth"
            if may_deepen and (level > most or depth_nodes <= level_nodes):
                why = self._deepen(depth)
                depth, depth_nodes = depth + 1, depth_nodes + self.search._nodes() - before
            else:
                why = self._ask(level)
                level, level_nodes = level + 1, level_nodes + self.search._nodes() - before
            if why:
                return self.report, why
        if len(self.report.pv) < self.distance and self._is_won_within(self.distance, LINE)[0]:
            self._choose()
        return replace(self.report, distance_exact=True), "proven"

    def _deepen(self, depth: int) -> str:
        """Look for a shorter win, by any means. "", or why there is no answer."""
        edge = self._payoff(self.distance - 0.5)
        window = (edge, math.inf) if self.sign > 0 else (-math.inf, edge)
        found, why = self._iterate(depth, window, None)
        if found is not None and self.sign * (found.value - edge) > 0 and self._proves(found, proof_for(self.sign)):
            plies = without_distance(found.value)[1]
            if plies is not None:
                self._choose()
                self._set_distance(plies)
        return why

    def _ask(self, level: int) -> str:
        """Is it won within so many plies? "", or why there is no answer."""
        is_won, why = self._is_won_within(level, LEVEL)
        if is_won is not None and is_won == self.we_win:
            self._choose()
        if is_won:
            self._set_distance(level)
        return why

    def _is_won_within(self, plies: int, window: tuple[float, float]) -> tuple[bool | None, str]:
        no, yes = (self._payoff(plies + more) for more in window)
        self._set_goal(self.report.value)
        try:
            found, why = self._iterate(plies, (min(no, yes), max(no, yes)), self.table)
        finally:
            self._set_goal(0.0)
        if found is None:
            return None, why
        is_won = self.sign * (found.value - no) > 0
        is_proven = self._proves(found, proof_for(self.sign) if is_won else proof_against(self.sign))
        return (is_won, "") if is_proven else (None, "proven")  # there are rules that leave no proof of it

    def _iterate(self, depth: int, window: tuple[float, float], table: Table | None) -> tuple[Iteration | None, str]:
        left = self.most_nodes - self.search._nodes()
        if left <= 0 or self.search.control[STOP]:
            return None, self.search._why()
        found = self.search._iterate(depth, *window, left, table)
        return (found, "") if found.finished else (None, self.search._why())

    def _set_goal(self, goal: float) -> None:
        for space in self.search.engine._spaces:
            space.work[0]["goal"] = goal
            for name in SWITCHED_OFF:
                space.work[0][f"use_{name}"] = int(goal == 0.0 and getattr(self.search.engine.options, name))

    def _payoff(self, plies: float) -> float:
        """a(plies), from player 0's view."""
        return self.report.value - self.sign * plies * DISTANCE_STEP

    def _proves(self, found: Iteration, needed: int) -> bool:
        return bool(self.search._searched_proof(found) & needed)

    def _choose(self) -> None:
        """Put first what the last iteration found best. Its variation is new where we win; a loser's may be none."""
        found = self.search._root_move(self.search.roots[0])
        known = {move.action: move for move in self.report.moves}[found.action]
        pv = found.pv if self.we_win or len(found.pv) >= len(known.pv) else known.pv
        chosen = RootMove(found.action, self.report.value, EXACT, PROVEN, pv, known.nodes + found.nodes)
        others = tuple(move for move in self.report.moves if move is not known)
        self.report = replace(self.report, best=chosen.action, pv=pv, moves=(chosen, *others))

    def _set_distance(self, plies: int) -> None:
        """Won within so many plies."""
        search, self.distance = self.search, plies
        self.report = replace(self.report, distance=plies, nodes=search._nodes(), seconds=search.watch.seconds)
        self.emit(self.report)


def _allowance(limits: Limits, spent: int) -> int:
    """Nodes, besides what the limits say: a part of them, or where neither nodes nor time count, of what was spent."""
    if limits.shortening >= 1 or limits.is_timed:
        return NO_LIMIT
    return max(FEW_NODES, int(limits.shortening * limits.nodes) if limits.nodes is not None else spent)
