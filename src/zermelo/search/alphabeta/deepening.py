"""One search of one position: deeper and deeper, a report after every depth, until a limit is reached.

An iteration is one call of a kernel in every thread. Whichever thread finishes the root first has its answer, and the
others leave off. Between the depths, where the rules help, a search to the end tries to prove the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compile.kernel import JIT
from zermelo.compile.record import RecordArray
from zermelo.compile.repetition import PAST
from zermelo.compile.rules import RulesError
from zermelo.core.game import CHANCE
from zermelo.core.history import History
from zermelo.core.stopwatch import Stopwatch
from zermelo.search.alphabeta import nodes
from zermelo.search.alphabeta.abdada import BUSY, FINISHED_BY
from zermelo.search.alphabeta.kernel import search
from zermelo.search.alphabeta.root import search_root
from zermelo.search.alphabeta.scores import without_distance
from zermelo.search.alphabeta.shortest import shortest
from zermelo.search.alphabeta.table import BOUND_EXACT, BOUND_LOWER, Table, filled
from zermelo.search.alphabeta.workspace import (
    COUNTERS,
    ROOT,
    Workspace,
    plies_for,
    set_root,
)
from zermelo.search.endings import with_tables
from zermelo.search.limits import NO_LIMIT, STOP, Control, Limits, in_threads, stop_reason
from zermelo.search.report import AT_LEAST, AT_MOST, ESTIMATE, EXACT, PROVEN, Report, RootMove

if TYPE_CHECKING:
    from zermelo.search.alphabeta.searcher import AlphaBeta

FIRST_WINDOW = 0.02  # aspiration, as a part of the range of payoffs
MAX_DEPTH = 200
PROOF_DEPTH = 0.35  # a proof is tried when so much of the longest game that is left has been searched


@dataclass(frozen=True)
class Answer:
    """To a probe: a value from player 0's view, and what is proven of it (see nodes.py)."""

    value: float
    proven: int
    distance_exact: bool  # are the plies to the end in it proven too, as a bound from both sides?
    pv: tuple[int, ...]
    finished: bool
    nodes: int
    stopped: str


@dataclass
class Iteration:
    """What one depth found."""

    depth: int
    value: float
    roots: RecordArray
    choice: int
    finished: bool


class Run:
    """One search of one position."""

    def __init__(self, engine: AlphaBeta, history: History[Any, Any], limits: Limits, control: Control):
        self.engine = engine
        self.game = engine.game
        self.history = history
        self.limits = limits
        self.control = control
        self.state = history.state
        self.watch = Stopwatch()
        self.generation = engine.next_generation()
        self.is_chance = self.game.player(self.state) == CHANCE
        variant, options = self.game.variant, engine.options
        quick = options.quick_repetition and variant.repetition == "loss" and variant.repetitions > 2  # lost too soon
        self.counts_plies = options.distance and not variant.max_chance_outcomes and not quick
        self.nodes_by_depth: list[int] = []
        self.deepest = min(MAX_DEPTH, plies_for(self.game) - 4)
        self.proof_nodes = 0  # spent on proofs
        self.moves: tuple[RootMove, ...] = ()
        self.held = engine.held_for(self.state)
        self.evaluators = [each if self.held is None else self.held.of(each) for each in engine.evaluators]
        for evaluator in self.evaluators:
            getattr(evaluator, "begin", lambda: None)()
        past: list[Any] = [*history.past_keys()[-PAST:]]
        for space in engine._spaces:
            set_root(space, self.state)
            w = space.work[0]
            w["past"], w["last_mover"] = len(past), history.last_mover
            w["keys"][: len(past)] = past
            w["generation"] = self.generation
            w["deepest"] = w["stopped"] = 0
            w["interval"] = 512 if self.game.compiled and JIT else 8
            for name in COUNTERS:
                w[name] = 0
            w["history"][:] >>= 2
            for name in ("killer", "killer_before"):
                space.frames[name][:] = -1
        self.known = engine.known_root = None if self.held is None else self.held.begin(self.state)
        actions = () if self.is_chance else history.actions()
        if self.known is not None and not engine.multi_pv:  # the others are known to give something away
            actions = [a for a in actions if self.known.keeps(a)] or actions
        self.roots = np.zeros(len(actions), ROOT).view(np.recarray)
        self.roots["move"] = actions
        self.roots["pv"][:, 0] = actions
        self.roots["pv_length"] = 1

    # -- deeper and deeper -----------------------------------------------------------------------------------------

    def run(self, tell: Callable[[Report], None]) -> None:
        def emit(report: Report) -> None:
            tell(with_tables(report, self.known))

        deepest = min(self.limits.depth or MAX_DEPTH, self.deepest)
        last: Report | None = None
        why = "depth"
        for depth in range(1, deepest + 1):
            if self.limits.nodes is not None and self._nodes() >= self.limits.nodes:
                why = "nodes"
                break
            before = self._nodes()
            found = self._chance(depth) if self.is_chance else self._to_depth(depth, last)
            if not found.finished and last is not None and (found.choice < 0 or found.roots[0]["bound"] != BOUND_EXACT):
                why = self._why()
                break
            if found.finished:
                self.nodes_by_depth.append(self._nodes() - before)
            report = self._report(found)
            if not found.finished:
                why = self._why()
                last = report
                break
            if report.proof == PROVEN:
                last, why = shortest(self, report, emit)
                break
            emit(report)
            last = report
            if self.control[STOP]:
                why = self._why()
                break
            if self._may_prove(depth):
                proof = self._prove(last)
                if proof is not None:
                    last, why = shortest(self, proof, emit)
                    break
        assert last is not None
        emit(replace(last, stopped=why, nodes=self._nodes(), seconds=self.watch.seconds))

    def ask(self, depth: int, window: tuple[float, float], order: tuple[int, ...]) -> Answer:
        """One iteration, and no more."""
        if order:
            places = {a: i for i, a in enumerate(order)}
            ranks = sorted(range(len(self.roots)), key=lambda i: places.get(int(self.roots[i]["move"]), len(places)))
            self.roots = self.roots[ranks].view(np.recarray)
        found = self._chance(depth, window) if self.is_chance else self._iterate(depth, *window)
        pv = () if self.is_chance or found.choice < 0 else self._root_move(found.roots[0]).pv
        proven = self._proof(found, self._unstepped(found.value, True)[0]) if found.choice >= 0 else nodes.UNPROVEN
        is_exact = found.choice >= 0 and self._searched_proof(found) == nodes.PROVEN_EXACT
        why = self._why() if not found.finished else ""
        return Answer(found.value, proven, is_exact, pv, found.finished, self._nodes(), why)

    def _why(self) -> str:
        return stop_reason(self.control) if self.control[STOP] else "nodes"

    def _nodes(self) -> int:
        return sum(int(space.work[0]["nodes"]) for space in self.engine._spaces)

    def _to_depth(self, depth: int, last: Report | None) -> Iteration:
        """One iteration, with a window around the last value that is widened while the value falls outside."""
        lo, hi, width = -math.inf, math.inf, 0.0
        if self.engine.options.aspiration and not self.engine.multi_pv and last is not None and depth >= 3:
            bounds = self.game.variant.utility_range
            width = FIRST_WINDOW * ((bounds[1] - bounds[0]) if bounds else max(1.0, abs(last.value)))
            lo, hi = last.value - width, last.value + width
        while True:
            found = self._iterate(depth, lo, hi)
            if not found.finished or lo < found.value < hi:
                return found
            if math.isnan(found.value) or (lo, hi) == (-math.inf, math.inf):  # no window would ever hold it
                title = self.game.origin or self.game.name
                raise RulesError(
                    f"{title}: a position is judged as NaN, not as a number; `zermelo check {title}` looks for it"
                )
            width *= 4
            if found.value <= lo:
                lo = -math.inf if width > 1 else found.value - width
            else:
                hi = math.inf if width > 1 else found.value + width

    # -- proofs ----------------------------------------------------------------------------------------------------

    def _may_prove(self, depth: int) -> bool:
        """Is the end near enough to be worth a try? Where rules help: known_result, utility_range, no cycles."""
        variant = self.game.variant
        if not self.engine.options.prove or self.is_chance or variant.repetition or variant.utility_range is None:
            return False
        if variant.max_plies is None or "known_result" not in variant.functions:
            return False
        return depth >= PROOF_DEPTH * (variant.max_plies - len(self.history.moves))

    def _prove(self, last: Report) -> Report | None:
        """Search to the end for twice the nodes deepening took so far, asking only: won, drawn or lost?

        To deepen is the way to a good move; but an estimate at every depth costs more than the one question whether the
        game is won, whose answers stay in the table and are true at any depth. So some effort goes into that.
        """
        assert self.game.variant.utility_range is not None
        least, most = self.game.variant.utility_range
        middle, quarter = (least + most) / 2, (most - least) / 4
        before, kept = self._nodes(), self.roots
        for space in self.engine._spaces:
            space.work[0]["use_reductions"] = space.work[0]["use_null_move"] = 0
        allowance = max(0, 2 * before - 3 * self.proof_nodes)
        found = self._iterate(self.deepest, middle - quarter, middle + quarter, allowance)
        self.proof_nodes += self._nodes() - before
        options = self.engine.options
        for space in self.engine._spaces:
            space.work[0]["use_reductions"], space.work[0]["use_null_move"] = options.reductions, options.null_move
        report = self._report(found) if found.finished else None
        if report is None or report.proof != PROVEN:
            self.roots = kept
            return None
        if report.value_for(self.game.player(self.state)) < 0:  # lost whatever we play: as deepening thinks best
            self.roots = kept
            report = replace(report, best=last.best, pv=last.pv, moves=last.moves)
        return replace(report, depth=last.depth)

    def _iterate(
        self, depth: int, lo: float, hi: float, allowance: int = NO_LIMIT, table: Table | None = None
    ) -> Iteration:
        """All root moves to a depth. With a table of its own, only the best of them gets a value."""
        self.control[FINISHED_BY] = 0
        self.control[BUSY:] = 0
        answers: list[Any] = [None] * self.engine.threads
        copies = [self.roots.copy().view(np.recarray) for _ in range(self.engine.threads)]

        def work_of(thread: int, space: Workspace) -> Callable[[], None]:
            w = space.work[0]
            w["stopped"] = 0
            left = min(allowance, NO_LIMIT if self.limits.nodes is None else self.limits.nodes - self._nodes())
            w["limit"] = NO_LIMIT if left == NO_LIMIT else int(w["nodes"]) + max(1, left // self.engine.threads)
            w["poll"] = 0

            def work() -> None:
                answers[thread] = self.game.run(
                    search_root,
                    *space,
                    self.engine.table if table is None else table,
                    self.control,
                    self.evaluators[thread],
                    thread,
                    depth,
                    lo,
                    hi,
                    copies[thread],
                    self.engine.multi_pv and table is None,
                )

            return work

        in_threads([work_of(thread, space) for thread, space in enumerate(self.engine._spaces)])
        winner = int(self.control[FINISHED_BY]) - 1
        finished = winner >= 0
        if not finished:  # stopped in the middle: take the thread that came furthest
            winner = max(range(self.engine.threads), key=lambda t: answers[t][2])
        value, choice, _ = answers[winner]
        if finished or choice >= 0:
            self._sort(copies[winner], int(choice))
        return Iteration(depth, float(value), self.roots, 0 if choice >= 0 else -1, finished)

    def _sort(self, roots: RecordArray, choice: int) -> None:
        """The best move first; the others by how hard they were to refute."""
        order = sorted(range(len(roots)), key=lambda i: (i != choice, -int(roots[i]["nodes"])))
        self.roots = roots[order].view(np.recarray)

    def _chance(self, depth: int, window: tuple[float, float] = (-math.inf, math.inf)) -> Iteration:
        """The root is nature's: only a value."""
        space = self.engine._spaces[0]
        w = space.work[0]
        w["stopped"], w["poll"], w["root_depth"] = 0, 0, depth
        w["limit"] = NO_LIMIT if self.limits.nodes is None else self.limits.nodes
        f = space.frames[0]
        f["lo"], f["hi"], f["depth"], f["mode"] = *window, depth, nodes.NORMAL
        self.game.run(search, *space, self.engine.table, self.control, self.evaluators[0], 0, 0)
        value, proven = float(f["value"]), int(f["proven"])
        roots = np.zeros(1, ROOT).view(np.recarray)
        roots["value"], roots["proven"], roots["searched"], roots["bound"] = value, proven, 1, BOUND_EXACT
        stopped = bool(w["stopped"])
        return Iteration(depth, float(value), roots, -1 if stopped else 0, not stopped)

    # -- what is told ----------------------------------------------------------------------------------------------

    def _report(self, found: Iteration) -> Report:
        spaces = self.engine._spaces
        by_depth = self.nodes_by_depth
        branching = by_depth[-1] / by_depth[-2] if len(by_depth) > 1 and by_depth[-2] else None
        top = found.roots[0]
        value, distance = (
            self._unstepped(float(top["value"]), top["proven"]) if found.choice >= 0 else (self._guess(), None)
        )
        sure = found.choice >= 0 and self._proof(found, value) == nodes.PROVEN_EXACT
        distance = distance if sure and self.counts_plies else None
        self.moves = () if self.is_chance else tuple(self._root_move(r) for r in found.roots)
        best = None if self.is_chance else int(top["move"])
        return Report(
            game=self.game,
            state=self.state,
            algorithm="alphabeta",
            best=best,
            value=value,
            proof=PROVEN if sure else ESTIMATE,
            distance=distance,
            distance_exact=distance == 1
            or (distance is not None and self._searched_proof(found) == nodes.PROVEN_EXACT),
            depth=found.depth if found.finished else max(0, found.depth - 1),
            deepest=max(int(space.work[0]["deepest"]) for space in spaces),
            nodes=self._nodes(),
            seconds=self.watch.seconds,
            pv=self.moves[0].pv if self.moves else (),
            moves=self.moves,
            table_use=filled(self.engine.table, self.generation),
            branching=branching,
            counters={name: float(sum(int(s.work[0][name]) for s in spaces)) for name in COUNTERS},
        )

    def _guess(self) -> float:
        return self.game.evaluate(self.state)

    def _proof(self, found: Iteration, value: float) -> int:
        """What is proven of the payoff. Nobody gets more than the most or less than the least that the rules declare:
        that needs no proof."""
        bounds = self.game.variant.utility_range or (-math.inf, math.inf)
        given = (nodes.PROVEN_UPPER if value >= bounds[1] else 0) | (nodes.PROVEN_LOWER if value <= bounds[0] else 0)
        return self._searched_proof(found) | given

    def _searched_proof(self, found: Iteration) -> int:
        """What is proven of the value, plies to the end included: by the best move that its side gets so much, by all
        moves together that it gets no more."""
        best = int(found.roots[0]["proven"])
        if self.is_chance:
            return best
        mine = nodes.PROVEN_LOWER if self.game.side(self.game.player(self.state)) == 0 else nodes.PROVEN_UPPER
        rest = int(np.bitwise_and.reduce(found.roots["proven"])) if found.finished else 0
        return (best & mine) | (rest & (nodes.PROVEN_EXACT - mine))

    def _unstepped(self, value: float, proven: Any) -> tuple[float, int | None]:
        return without_distance(value) if proven and self.engine.options.distance else (value, None)

    def _proves_its_bound(self, r: Any) -> bool:
        """Is what is told of the move (at least, at most) proven, though its exact value may not be?"""
        needed = {BOUND_EXACT: nodes.UNPROVEN, BOUND_LOWER: nodes.PROVEN_LOWER}.get(int(r["bound"]), nodes.PROVEN_UPPER)
        return bool(r["proven"] & needed)

    def _root_move(self, r: Any) -> RootMove:
        if r["nodes"] == 0:  # never looked at: no more is known than what the rules declare
            least, most = self.game.variant.utility_range or (-math.inf, math.inf)
            is_max = self.game.side(self.game.player(self.state)) == 0
            return RootMove(
                int(r["move"]), most if is_max else least, AT_MOST if is_max else AT_LEAST, pv=(int(r["move"]),)
            )
        bound = {BOUND_EXACT: EXACT, BOUND_LOWER: AT_LEAST}.get(int(r["bound"]), AT_MOST)
        return RootMove(
            action=int(r["move"]),
            value=self._unstepped(float(r["value"]), r["proven"])[0],
            bound=bound,
            proof=PROVEN if r["proven"] == nodes.PROVEN_EXACT or self._proves_its_bound(r) else ESTIMATE,
            pv=tuple(int(a) for a in r["pv"][: r["pv_length"]]),
            nodes=int(r["nodes"]),
        )
