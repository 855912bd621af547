"""Why this move: what the others are worth and what refutes them, how the choice came about, what was not looked at.

    told = zermelo.explain(game, state, seconds=1)
    print(told.text())        told.as_dict()        told.tree()        a notebook shows the drawing
    Explainer(searcher).explain(state, limits)      the same, and its stop() ends it from another thread

Two searches share one table and the time. The first is an ordinary one and makes the choice; of the other moves it
knows no more than that they are not better, and the top of its tree is kept before anything else is searched. The
second (questions.py) asks every move for its own value and pv, less deep at first and, if time allows, as deep as the
first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.core.spec import whole
from zermelo.core.stopwatch import Stopwatch
from zermelo.search.alphabeta.nodes import PROVEN_EXACT
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.explain.by_tables import ByTables
from zermelo.search.explain.explanation import TABLE, Alternative, Explanation, Stage
from zermelo.search.explain.questions import FIRST_LOOK, OPEN, Questions, Sweep, told_by
from zermelo.search.explain.tree import Known, known_pv, look_up, top_of_tree
from zermelo.search.limits import Limits
from zermelo.search.registry import open_search
from zermelo.search.report import AT_LEAST, AT_MOST, ESTIMATE, EXACT, PROVEN, Report, RootMove, format_pv
from zermelo.search.searcher import Position, Searcher, history_of

LOOK_AHEAD = 16  # plies, for a node of another kind to compile with
LEAST = 0.001  # seconds for the questions, where the choice took longer than it should have
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

    Half of the seconds go into the choice; depth and nodes limit both searches alike, but for a first look at every
    move, one ply deep. The tree is `plies` deep and shows `breadth` moves a node. `settings` are those of alphabeta
    (search/registry.py): threads, table, evaluator, options.
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
        self.questions = Questions(engine, history)
        self.by_tables = ByTables(engine.tables, self.state)
        self.is_chance, self.sign = self.questions.is_chance, self.questions.sign
        self.view = max(self.game.player(self.state), 0)
        self.is_stopped = False

    def stop(self) -> None:
        self.is_stopped = True
        self.engine.stop()
        self.questions.stop()

    def run(self, breadth: int, plies: int, on_report: Callable[[Report], None]) -> Explanation:
        watch = Stopwatch()
        # 1. The choice.
        reports = self._choose(on_report)
        last, is_whole = _last_finished(reports)
        last = self.by_tables.told(last)
        seconds = None if self.limits.seconds is None else max(self.limits.seconds - watch.seconds, LEAST)
        # 2. What the table says of the top of the tree, before the next search writes over it. This takes no time from
        # the questions: the rules run interpreted, and where there are many moves that is not quick.
        pv = known_pv(self.engine, self.state, self.by_tables.pv(last))
        root = top_of_tree(self.engine, self.history, last, pv, breadth, plies)
        # 3. The other moves.
        known = self.by_tables.known
        sweeps, is_complete = self.questions.ask(last, replace(self.limits, seconds=seconds), known)
        if self.is_stopped:
            last = replace(last, stopped="stop")
        return Explanation(
            game=self.game,
            state=self.state,
            view=self.view,
            report=last,
            value=self.sign * last.value,
            pv=tuple(format_pv(self.game, self.state, pv)),
            alternatives=self._ranked(last, [*sweeps, told_by(last, is_whole)]),
            is_complete=is_complete,
            stages=self._stages(reports),
            root=root,
            breadth=breadth,
            verdict=self.by_tables.verdict,
        )

    def _choose(self, on_report: Callable[[Report], None]) -> list[Report]:
        seconds, reports = self.limits.seconds, []
        limits = Limits(None if seconds is None else seconds / 2, self.limits.depth, self.limits.nodes)
        begun = self.engine.reports(self.history, limits)
        if self.is_stopped:  # before it had begun
            self.engine.stop()
        for report in begun:
            reports.append(report)
            on_report(report)
        last = reports[-1]
        if last.depth < 1 and last.proof != PROVEN and not self.is_stopped:  # one ply is always searched, as in 3.
            *_, choice = self.engine.reports(self.history, replace(FIRST_LOOK, depth=1))
            reports.append(replace(choice, stopped=last.stopped))
        return reports

    def _stages(self, reports: list[Report]) -> tuple[Stage, ...]:
        stages: list[Stage] = []
        for report in reports:
            move = None if report.best is None else self.game.format_action(self.state, report.best)
            stage = Stage(report.depth, move, self.sign * report.value, report.nodes, report.seconds)
            if stages and stages[-1].depth == report.depth:  # the same again, a shorter win, or half a depth more
                if (stages[-1].move, stages[-1].value) == (stage.move, stage.value):
                    continue
                if report.distance is None or stages[-1].value != stage.value:
                    stage = Stage(report.depth + 1, move, stage.value, stage.nodes, stage.seconds, finished=False)
            stages.append(stage)
        return tuple(stages)

    # -- the other moves -------------------------------------------------------------------------------------------

    def _ranked(self, last: Report, sweeps: list[Sweep]) -> tuple[Alternative, ...]:
        deepest: dict[Any, tuple[Known, Sweep]] = {}  # what is known best of each move, and of all to the same depth
        for sweep in sweeps:
            for a, known in sweep.items():
                if a not in deepest or _trust(known) >= _trust(deepest[a][0]):
                    deepest[a] = (known, sweep)
        for a, known in self.by_tables.known.items():  # nothing is better known than that; its line may be
            before = deepest[a][0].pv if a in deepest else ()
            deepest[a] = (known._replace(pv=max(known.pv, before, key=len)), self.by_tables.known)
        if self.is_chance:
            chances = sorted(self.game.chances(self.state), key=lambda one: -one[1])
            return tuple(self._alternative(a, *deepest[a], last, p) for a, p in chances if a in deepest)
        told = [self._alternative(m.action, *deepest.get(m.action, (_bound(m), {})), last) for m in last.moves]
        return tuple(sorted(told, key=lambda one: (one.action != last.best, -one.value, _patience(one))))

    def _alternative(
        self, a: Any, known: Known, sweep: Sweep, last: Report, probability: float | None = None
    ) -> Alternative:
        after, verdict = self.game.succ(self.state, a), self.by_tables.verdict
        is_tabled = a in self.by_tables.known
        pv = known_pv(self.engine, self.state, known.pv)
        bound = {"exact": EXACT, "lower": AT_LEAST, "upper": AT_MOST}[known.bound]
        worse = None
        if not self.is_chance and a != last.best:
            choice = sweep[last.best].value if last.best in sweep else last.value
            worse = self.sign * (choice - known.value)
            if worse < 0 and known.bound != "exact":  # a bound from the middle of a depth: it says no more than this
                worse = 0.0
        if known.steps is None and known.proven == PROVEN_EXACT and (entry := look_up(self.engine, after)) is not None:
            known = known._replace(steps=entry.steps, steps_exact=entry.steps_exact)
        has_distance = known.steps is not None and known.value and not self.game.variant.max_chance_outcomes
        return Alternative(
            action=a,
            name=self.game.format_action(self.state, a),
            value=self.sign * known.value,
            bound=bound if self.sign > 0 else OPPOSITE[bound],
            proof=TABLE if is_tabled else PROVEN if known.proven == PROVEN_EXACT else ESTIMATE,
            distance=known.steps + 1 if known.steps is not None and has_distance else None,
            distance_exact=bool(has_distance and (known.steps_exact or known.steps == 1)),  # no end is nearer than that
            depth=known.depth,
            worse=worse,
            pv=pv,
            words=tuple(format_pv(self.game, self.state, pv)),
            answered=self.game.side(self.game.player(after)) == 1 - self.game.side(self.view),
            probability=probability,
            is_perfect=verdict is not None and a in verdict.perfect,
        )


def _last_finished(reports: list[Report]) -> tuple[Report, bool]:
    """The last report, and whether it is of a whole depth.

    Where it comes from the middle of one, the report before is taken, unless the choice has changed.
    """
    last, before = reports[-1], reports[-2] if len(reports) > 1 else reports[-1]
    if before.depth != last.depth or before.proof == PROVEN:
        return last, True
    if before.best != last.best:
        return last, False
    kept = {name: getattr(last, name) for name in ("nodes", "seconds", "stopped", "counters", "deepest")}
    return replace(before, **kept), True


def _trust(known: Known) -> tuple[bool, bool, int]:
    return known.proven == PROVEN_EXACT, known.steps_exact, known.depth


def _patience(one: Alternative) -> float:
    """Among equal values: the sooner won, the later lost, the better."""
    return 0 if one.distance is None else math.copysign(one.distance, one.value)


def _bound(move: RootMove) -> Known:
    """What the search for the choice knew of a move."""
    bound = {EXACT: "exact", AT_LEAST: "lower", AT_MOST: "upper"}[move.bound]
    return Known(move.value, -1, 0, bound, PROVEN_EXACT if move.proof == PROVEN else 0, None, move.pv)
