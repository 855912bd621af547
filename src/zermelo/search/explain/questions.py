"""The second search of an explanation: every move is asked for its own value and pv.

First all of them one ply deep, which is always done: so every move has a value of its own, even where the time was up.
Then deeper and deeper, the better ones first, as long as the limits allow, at most as deep as the choice was searched.
Whoever reads a value also reads its depth. All values are from player 0's view.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from typing import Any, TypeVar

from zermelo.core.game import CHANCE
from zermelo.core.history import History
from zermelo.core.stopwatch import Stopwatch
from zermelo.search.alphabeta.nodes import PROVEN_EXACT, UNPROVEN
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.explain.tree import Known, settle
from zermelo.search.limits import Limits
from zermelo.search.report import ESTIMATE, EXACT, PROVEN, Report

SHALLOWER = (8, 6, 4, 2, 0)  # plies less than the first search: the second goes as deep as the limits allow
BEYOND = 8  # plies deeper than the first search, where that ended early with a proof
FIRST_LOOK = Limits(seconds=1.0)  # for one ply of all moves: hardly ever needed, but an end there must be
TINY_TABLE = 0.001  # megabytes
OPEN = (-math.inf, math.inf)
PROOFS = {PROVEN: PROVEN_EXACT, ESTIMATE: UNPROVEN}
T = TypeVar("T")

Sweep = dict[Any, Known]  # what moves are worth to one depth


class Questions:
    """Asks every move of one position, sharing the table of the search that made the choice."""

    def __init__(self, engine: AlphaBeta, history: History[Any, Any]):
        self.engine, self.game, self.history = engine, engine.game, history
        mover = self.game.player(history.state)
        self.is_chance = mover == CHANCE
        self.sign = 1.0 if self.game.side(max(mover, 0)) == 0 else -1.0
        self.asker = AlphaBeta(  # what was found at another depth would not compare
            engine.game,
            threads=engine.threads,
            table_mb=TINY_TABLE,
            evaluator=engine.evaluator,
            endings=engine.endings,
            options=replace(engine.options, deeper_entries=False),
        )
        self.asker.table = engine.table
        self.is_stopped = False

    def stop(self) -> None:
        self.is_stopped = True
        self.asker.stop()

    def ask(self, last: Report, limits: Limits, sure: Sweep) -> tuple[list[Sweep], bool]:
        """What the moves are worth, from shallow to deep (the last may not know all of them); and are all asked for?

        `last` made the choice. `limits` are what is left: seconds for everything, nodes for each question. Nothing is
        asked about what is known for `sure`.
        """
        self.limits, self.watch = limits, Stopwatch()
        order = sorted(self.history.actions(), key=lambda a: a != last.best)  # all are compared with the choice
        top = max(1, last.depth)
        if last.proof == PROVEN:  # perhaps soon: what is wrong with the others may be seen later
            top = max(top, min(limits.depth or top + BEYOND, top + BEYOND))
        sweeps: list[Sweep] = []
        if all(a in sure for a in order):
            return [sure], True
        for depth in sorted({1, *(max(1, top - less) for less in SHALLOWER)}):
            found = self._one_by_one(order, depth, sweeps[-1] if sweeps else sure) | sure
            sweeps.append(found)
            if len(found) < len(order):
                return sweeps, False
            if all(known.proven == PROVEN_EXACT for known in found.values()):
                break
            order = sorted(order, key=lambda a: (a != last.best, -self.sign * found[a].value))
        return sweeps, True

    def _one_by_one(self, order: list[Any], depth: int, known: Sweep) -> Sweep:
        """As many moves to a depth as the limits allow; what is proven already is taken as it is."""
        if depth == 1 and not self.is_chance:
            return self._to_depth_one()
        found: Sweep = {}
        for a in order:
            after = self.history.copy()
            after.play(a)
            if a in known and known[a].proven == PROVEN_EXACT:
                found[a] = known[a]
            elif after.is_over:
                found[a] = Known(after.utility(0), -1, depth, "exact", PROVEN_EXACT, 0, (a,), True)
            elif (limits := self._left(depth)) is None:
                break
            else:
                plies = depth if self.is_chance else depth - 1
                (answer,) = self._go_on(self.asker.begin_probe(after, plies, OPEN, limits))
                if not answer.finished:
                    break
                value, proven, steps = settle(self.engine, answer.value, answer.proven)
                found[a] = Known(value, -1, depth, "exact", proven, steps, (a, *answer.pv), answer.distance_exact)
        return found

    def _to_depth_one(self) -> Sweep:
        """All moves at once: a child searched to depth 0 is no position to search from."""
        if self.is_stopped:
            return {}
        self.asker.multi_pv = True
        try:
            *_, report = self._go_on(self.asker.reports(self.history, replace(FIRST_LOOK, depth=1)))
        finally:
            self.asker.multi_pv = False
        if report.depth < 1:
            return {}
        return {m.action: Known(m.value, -1, 1, "exact", PROOFS[m.proof], None, m.pv) for m in report.moves}

    def _left(self, depth: int) -> Limits | None:
        """What is left for one more question, or None."""
        if self.is_stopped:
            return None
        if depth == 1:
            return FIRST_LOOK
        left = None if self.limits.seconds is None else self.limits.seconds - self.watch.seconds
        return None if left is not None and left <= 0 else Limits(left, None, self.limits.nodes)

    def _go_on(self, begun: Generator[T, None, None]) -> Generator[T, None, None]:
        """A search that has begun; a stop() that came before that is for it too."""
        if self.is_stopped:
            self.asker.stop()
        return begun


def told_by(last: Report, is_whole: bool) -> Sweep:
    """What the search that made the choice knows of the moves' own values: of the best, and of those that were it
    before at the same depth. `is_whole`: it does not end in the middle of a depth."""
    if last.best is None:
        return {}
    exact = {m.action: m for m in last.moves if m.bound == EXACT and is_whole}
    found = {a: Known(m.value, -1, last.depth, "exact", PROOFS[m.proof], None, m.pv) for a, m in exact.items()}
    steps = None if last.distance is None else last.distance - 1
    proof = PROOFS[last.proof]
    found[last.best] = Known(last.value, -1, last.depth, "exact", proof, steps, last.pv, last.distance_exact)
    return found
