"""Why this move: what the others are worth and what refutes them, how the choice came about, what was not looked at.

    told = zermelo.explain(game, state, seconds=1)
    print(told.text())        told.as_dict()        told.tree()        a notebook shows the drawing
    Explainer(searcher).explain(state, limits)      the same, and its stop() ends it from another thread

Two searches share one table and the time. The first is an ordinary one and makes the choice; of the other moves it
knows no more than that they are not better, and the top of its tree is kept before anything else is searched. The
second asks every move for its own value and pv, less deep at first and, if time allows, as deep as the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any, TypeVar

from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.core.spec import whole
from zermelo.core.stopwatch import Stopwatch
from zermelo.search.alphabeta.nodes import PROVEN_EXACT
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.explain.explanation import Alternative, Explanation, Stage
from zermelo.search.explain.tree import Known, known_pv, look_up, settle, top_of_tree
from zermelo.search.limits import Limits
from zermelo.search.registry import open_search
from zermelo.search.report import AT_LEAST, AT_MOST, ESTIMATE, EXACT, PROVEN, Report, RootMove, format_pv
from zermelo.search.searcher import Position, Searcher, history_of

SHALLOWER = (8, 6, 4, 2, 0)  # plies less than the first search: the second goes as deep as time allows
BEYOND = 8  # plies deeper than the first search, where that ended early with a proof
TINY_TABLE = 0.001  # megabytes
LOOK_AHEAD = 16  # plies, for a node of another kind to compile with
T = TypeVar("T")
OPEN = (-math.inf, math.inf)
OPPOSITE = {EXACT: EXACT, AT_MOST: AT_LEAST, AT_LEAST: AT_MOST}


def explain(
    game: str | Game[Any, Any],
    position: Position | None = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    breadth: int = 6,
    plies: int = 2,
    on_report: Callable[[Report], None] = lambda report: None,
    **settings: Any,
) -> Explanation:
    """Search `position` (a state, a History, or the start) and tell why; one second unless told otherwise.

    Half of the seconds go into the choice; depth and nodes limit both searches alike. The tree is `plies` deep and
    shows `breadth` moves a node. `settings` are those of alphabeta (search/registry.py): threads, table, evaluator,
    options.
    """
    searcher, limits = open_search(game, "alphabeta", seconds=seconds, depth=depth, nodes=nodes, **settings)
    return Explainer(searcher).explain(position, limits, breadth=breadth, plies=plies, on_report=on_report)


class Explainer:
    """Explains positions by a search, one at a time. `stop()` ends that, with what is known so far, from any thread."""

    def __init__(self, searcher: Searcher):
        if not isinstance(searcher, AlphaBeta):
            raise GameError("only an alpha-beta search can be explained")
        self.engine = searcher
        self._running: _Explaining | None = None

    def explain(
        self,
        position: Position | None,
        limits: Limits,
        *,
        breadth: int = 6,
        plies: int = 2,
        on_report: Callable[[Report], None] = lambda report: None,
    ) -> Explanation:
        whole("the breadth of an explanation", breadth, 1, 100)
        whole("the plies of an explanation", plies, 0, 6)
        history = history_of(self.engine.game, position)
        self._running = explaining = _Explaining(self.engine, history, limits)
        _compile(self.engine, history)  # before the clock starts
        return explaining.run(breadth, plies, on_report)

    def stop(self) -> None:
        """End the explanation begun last with what is known so far; without one, nothing."""
        if self._running is not None:
            self._running.stop()


def _compile(engine: AlphaBeta, history: History[Any, Any]) -> None:
    """Have everything compiled that is needed: a search from a player's node is one kernel, from nature's another."""
    engine.make_ready(history)
    game, after = engine.game, history.copy()
    root_is_chance = game.player(history.state) == CHANCE
    for _ in range(LOOK_AHEAD if game.variant.max_chance_outcomes else 0):
        after.play(after.actions()[-1])
        if after.is_over:
            return
        if (game.player(after.state) == CHANCE) != root_is_chance:
            engine.probe(after, 1, OPEN, Limits(nodes=1))
            return


class _Explaining:
    def __init__(self, engine: AlphaBeta, history: History[Any, Any], limits: Limits):
        self.engine, self.game, self.history, self.limits = engine, engine.game, history, limits
        self.state = history.state
        mover = self.game.player(self.state)
        self.is_chance, self.view = mover == CHANCE, max(mover, 0)
        self.sign = 1.0 if self.game.side(self.view) == 0 else -1.0
        self.asker = AlphaBeta(  # what was found at another depth would not compare
            engine.game,
            threads=engine.threads,
            table_mb=TINY_TABLE,
            evaluator=engine.evaluator,
            options=replace(engine.options, deeper_entries=False),
        )
        self.asker.table = engine.table
        self.is_stopped = False

    def stop(self) -> None:
        self.is_stopped = True
        self.engine.stop()
        self.asker.stop()

    def _go_on(self, engine: AlphaBeta, begun: Generator[T, None, None]) -> Generator[T, None, None]:
        """A search of `engine` that has begun; a stop() that came before that is for it too."""
        if self.is_stopped:
            engine.stop()
        return begun

    def run(self, breadth: int, plies: int, on_report: Callable[[Report], None]) -> Explanation:
        self.watch = Stopwatch()
        # 1. The choice.
        reports = self._choose(on_report)
        last = _last_finished(reports)
        # 2. What the table says of the top of the tree, before the next search writes over it.
        pv = known_pv(self.engine, self.state, last.pv)
        root = top_of_tree(self.engine, self.history, last, pv, breadth, plies)
        # 3. The other moves.
        sweeps: list[dict[Any, Known]] = []
        if not self.is_stopped:
            self._ask_all(last, sweeps)
        if self.is_stopped:
            last = replace(last, stopped="stop")
        return Explanation(
            game=self.game,
            state=self.state,
            view=self.view,
            report=last,
            value=self.sign * last.value,
            pv=tuple(format_pv(self.game, self.state, pv)),
            alternatives=self._ranked(last, sweeps),
            stages=self._stages(reports),
            root=root,
            breadth=breadth,
        )

    def _choose(self, on_report: Callable[[Report], None]) -> list[Report]:
        seconds, reports = self.limits.seconds, []
        limits = Limits(None if seconds is None else seconds / 2, self.limits.depth, self.limits.nodes)
        for report in self._go_on(self.engine, self.engine.reports(self.history, limits)):
            reports.append(report)
            on_report(report)
        return reports

    def _stages(self, reports: list[Report]) -> tuple[Stage, ...]:
        stages: list[Stage] = []
        for report in reports:
            move = None if report.best is None else self.game.format_action(self.state, report.best)
            stage = Stage(report.depth, move, self.sign * report.value, report.nodes, report.seconds)
            if stages and stages[-1].depth == report.depth:  # the last report: the same again, or half a depth more
                if (stages[-1].move, stages[-1].value) == (stage.move, stage.value):
                    continue
                stage = Stage(report.depth + 1, move, stage.value, stage.nodes, stage.seconds, finished=False)
            stages.append(stage)
        return tuple(stages)

    # -- the other moves -------------------------------------------------------------------------------------------

    def _ask_all(self, last: Report, sweeps: list[dict[Any, Known]]) -> None:
        """Add {move: what it is worth, from player 0's view}, from shallow to deep; the last may not know all moves."""
        order = sorted(self.history.actions(), key=lambda a: a != last.best)  # all are compared with the choice
        top = max(1, last.depth)
        if last.proof == PROVEN:  # perhaps soon: what is wrong with the others may be seen later
            top = max(top, min(self.limits.depth or top + BEYOND, top + BEYOND))
        for depth in sorted({max(1, top - less) for less in SHALLOWER}):
            known = sweeps[-1] if sweeps else {}
            sweeps.append(self._one_by_one(order, depth, known))
            if len(sweeps[-1]) < len(order) or all(known.proven == PROVEN_EXACT for known in sweeps[-1].values()):
                break
            order = sorted(order, key=lambda a: (a != last.best, -self.sign * sweeps[-1][a].value))

    def _one_by_one(self, order: list[Any], depth: int, known: dict[Any, Known]) -> dict[Any, Known]:
        """As many moves to a depth as the limits allow; what is proven already is taken as it is."""
        if depth == 1 and not self.is_chance:
            return self._to_depth_one()
        found: dict[Any, Known] = {}
        for a in order:
            after = self.history.copy()
            after.play(a)
            if a in known and known[a].proven == PROVEN_EXACT:
                found[a] = known[a]
            elif after.is_over:
                found[a] = Known(after.utility(0), -1, depth, "exact", PROVEN_EXACT, 0, (a,))
            elif (limits := self._left()) is None:
                break
            else:
                plies = depth if self.is_chance else depth - 1
                (answer,) = self._go_on(self.asker, self.asker.begin_probe(after, plies, OPEN, limits))
                if not answer.finished:
                    break
                value, proven, steps = settle(self.engine, answer.value, answer.proven)
                found[a] = Known(value, -1, depth, "exact", proven, steps, (a, *answer.pv))
        return found

    def _to_depth_one(self) -> dict[Any, Known]:
        """All moves at once: a child searched to depth 0 is no position to search from."""
        limits = self._left()
        if limits is None:
            return {}
        self.asker.multi_pv = True
        try:
            reports = self.asker.reports(self.history, Limits(limits.seconds, 1, limits.nodes))
            *_, report = self._go_on(self.asker, reports)
        finally:
            self.asker.multi_pv = False
        if report.depth < 1:
            return {}
        proofs = {PROVEN: PROVEN_EXACT, ESTIMATE: 0}
        return {m.action: Known(m.value, -1, 1, "exact", proofs[m.proof], None, m.pv) for m in report.moves}

    def _left(self) -> Limits | None:
        """What is left of the time for one more question, or None."""
        left = None if self.limits.seconds is None else self.limits.seconds - self.watch.seconds
        if self.is_stopped or (left is not None and left <= 0):
            return None
        return Limits(left, None, self.limits.nodes)

    def _ranked(self, last: Report, sweeps: list[dict[Any, Known]]) -> tuple[Alternative, ...]:
        deepest: dict[Any, tuple[Known, dict[Any, Known]]] = {
            a: (k, sweep) for sweep in sweeps for a, k in sweep.items()
        }
        if self.is_chance:
            chances = sorted(self.game.chances(self.state), key=lambda one: -one[1])
            return tuple(self._alternative(a, *deepest[a], last, p) for a, p in chances if a in deepest)
        told = [self._alternative(m.action, *deepest.get(m.action, (_bound(m), {})), last) for m in last.moves]
        return tuple(sorted(told, key=lambda one: (one.action != last.best, -one.value, _patience(one))))

    def _alternative(
        self, a: Any, known: Known, sweep: dict[Any, Known], last: Report, probability: float | None = None
    ) -> Alternative:
        after = self.game.succ(self.state, a)
        pv = known_pv(self.engine, self.state, known.pv)
        bound = {"exact": EXACT, "lower": AT_LEAST, "upper": AT_MOST}[known.bound]
        worse = None
        if not self.is_chance and a != last.best:
            choice = sweep[last.best].value if last.best in sweep else last.value
            worse = self.sign * (choice - known.value)
            if worse < 0 and known.bound != "exact":  # a bound from the middle of a depth: it says no more than this
                worse = 0.0
        distance = None if known.steps is None else known.steps + 1
        if known.steps is None and known.proven == PROVEN_EXACT:
            entry = look_up(self.engine, after)
            distance = entry.steps + 1 if entry is not None and entry.steps is not None else None
        return Alternative(
            action=a,
            name=self.game.format_action(self.state, a),
            value=self.sign * known.value,
            bound=bound if self.sign > 0 else OPPOSITE[bound],
            proof=PROVEN if known.proven == PROVEN_EXACT else ESTIMATE,
            distance=distance if known.value and not self.game.variant.max_chance_outcomes else None,
            depth=known.depth,
            worse=worse,
            pv=pv,
            words=tuple(format_pv(self.game, self.state, pv)),
            answered=self.game.side(self.game.player(after)) == 1 - self.game.side(self.view),
            probability=probability,
        )


def _last_finished(reports: list[Report]) -> Report:
    """The last report; where it comes from the middle of a depth, the one before, unless the choice has changed."""
    last, before = reports[-1], reports[-2] if len(reports) > 1 else reports[-1]
    if before.depth != last.depth or before.best != last.best:
        return last
    kept = {name: getattr(last, name) for name in ("nodes", "seconds", "stopped", "counters", "deepest")}
    return replace(before, **kept)


def _patience(one: Alternative) -> float:
    """Among equal values: the sooner won, the later lost, the better."""
    return 0 if one.distance is None else math.copysign(one.distance, one.value)


def _bound(move: RootMove) -> Known:
    """What the search for the choice knew of a move."""
    bound = {EXACT: "exact", AT_LEAST: "lower", AT_MOST: "upper"}[move.bound]
    return Known(move.value, -1, 0, bound, PROVEN_EXACT if move.proof == PROVEN else 0, None, move.pv)
