"""The exact value of a position and all its best moves, by alpha-beta to the end of the game.

    solution = zermelo.solve(game, state)      # .value, .best (all best moves), .pv
    solver = Solver(game); solver.solve(state)   # … the same, and solver.stop() ends it from another thread

First a search that deepens, for as many nodes as an easy position needs. What is left is searched to the end at once:
with the whole window, or, where the game can only be won, drawn or lost, with windows that ask "better than this?".
Then every other move is asked whether it is as good. How soon a win comes is not asked: `zermelo.search` prefers the
fast win, and that costs more.

Where dice can bring a position back (chance, and no `max_plies`), no tree has an end. Then all positions that can be
reached are bounded from both sides until the bounds meet (intervals.py), unless there are too many: `.error` says how
wrong the value can be at most.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.core.registry import as_game
from zermelo.core.stopwatch import Stopwatch
from zermelo.core.words import count
from zermelo.search.alphabeta.deepening import Answer
from zermelo.search.alphabeta.nodes import PROVEN_LOWER, PROVEN_UPPER
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.alphabeta.workspace import Options, plies_for
from zermelo.search.limits import Limits
from zermelo.search.registry import make_searcher
from zermelo.search.report import PROVEN, Report, format_pv
from zermelo.search.searcher import Position, history_of, need_rules
from zermelo.solve import intervals
from zermelo.solve.graph import explore
from zermelo.tables.verdict import judge

EASY = 20_000  # nodes after which a position is not called easy
TINY = 1e-9  # values closer than this are the same
NO_LIMITS = Limits()
T = TypeVar("T")
SOLVING = replace(Options.plain(), known_result=True, deeper_entries=True)


@dataclass(frozen=True)
class Solution:
    """The game's own value, whoever plays how. From player 0's view."""

    game: Game[Any, Any]
    state: Any
    value: float
    best: tuple[Any, ...]  # every move that keeps the value, in the rules' order; none at a chance node
    pv: tuple[Any, ...]
    nodes: int
    seconds: float
    error: float = 0.0  # proven: the true value differs by no more

    def __str__(self) -> str:
        moves = ", ".join(self.game.format_action(self.state, a) for a in self.best)
        pv = " ".join(format_pv(self.game, self.state, self.pv))
        value = f"{self.value:+g}" + (f" ± {self.error:.0e}" if self.error else "")
        return f"{value} for player 0 by {moves or 'chance'}  ({count(self.nodes, 'node')}, {self.seconds:.2f} s)  {pv}"


def solve(
    game: str | Game[Any, Any],
    position: Position | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
    table_mb: float = 256,
    all_best: bool = True,
    tables: Any = None,
) -> Solution:
    """The exact value and all best moves; a GameError says so if it cannot be had within the limits.

    `tables`: "on", or a folder of endgame tables, which are then believed; they count no plies and no repetitions.
    """
    solver = Solver(game, threads=threads, table_mb=table_mb, tables=tables)
    return solver.solve(position, Limits(seconds, None, nodes), all_best=all_best)


class Unsolved(GameError):  # noqa: N818
    """The limits did not suffice, or somebody called `stop()`: there is no exact value to tell."""


class Solver:
    """Solves positions of one game, one at a time. `stop()` ends that from any thread: `solve` raises `Unsolved`."""

    def __init__(self, game: str | Game[Any, Any], *, threads: int = 1, table_mb: float = 256, tables: Any = None):
        rules = need_rules(as_game(game))
        proves_by_table = rules.variant.repetition != "forbidden"  # else no entry is proven, and hits end no search
        engine = make_searcher(
            rules,
            "alphabeta",
            threads=threads,
            table_mb=table_mb,
            options=replace(SOLVING, table=proves_by_table),
            evaluator="handcrafted",  # estimates decide nothing here but the order: the cheapest will do
            tables=tables,
        )
        assert isinstance(engine, AlphaBeta)
        self.engine = engine
        self.game = self.engine.game
        room = plies_for(self.game) - 4
        self.plies = min(self.game.variant.max_plies or room, room)
        self._running: _Solving | None = None

    def solve(self, position: Position | None = None, limits: Limits = NO_LIMITS, *, all_best: bool = True) -> Solution:
        self._running = solving = _Solving(self, limits)  # first of all: what follows may compile for seconds
        history = history_of(self.game, position)
        self.engine.make_ready(history)
        if solving.may_return:
            intervals.make_ready(self.game, history.state)
        return solving.run(history, all_best)

    def stop(self) -> None:
        """Give up the position begun last; without one, nothing."""
        if self._running is not None:
            self._running.is_stopped = True
            self.engine.stop()


class _Solving:
    """One position."""

    def __init__(self, solver: Solver, limits: Limits):
        self.engine, self.game, self.plies = solver.engine, solver.game, solver.plies
        self.limits = limits
        self.nodes, self.is_stopped = 0, False

    def run(self, history: History[Any, Any], all_best: bool) -> Solution:
        self.history = history
        self.watch = Stopwatch()
        tabled = self._look_up()
        if tabled is not None:
            return tabled
        # 1. Easy?
        easy = self._deepen()
        value, pv, moves = easy.value, easy.pv, [move.action for move in easy.moves]
        # 2. If not: where there is no end, from both sides; else to the end at once.
        if easy.proof != PROVEN and self.may_return:
            enclosed = self._enclose()
            if enclosed is not None:
                return enclosed
        if easy.proof != PROVEN:
            found = self._settle(self.history, tuple(moves))
            value, pv = found.value, found.pv
        # 3. Which other moves are as good?
        best = pv[:1]
        if all_best and len(moves) > 1:
            best = tuple(a for a in self.game.actions(self.history.state) if a in best or self._is_as_good(a, value))
        return Solution(self.game, self.history.state, value, best, pv, self.nodes, self.watch.seconds)

    def _look_up(self) -> Solution | None:
        """What tables say, if they know the position and all it leads to. Among wins the fastest is played first, if
        they know that too."""
        state = self.history.state
        verdict = None if self.engine.endings is None else judge(self.engine.endings.tables, state)
        if verdict is None or any(after is None for after in verdict.actions.values()):
            return None
        value = verdict.worth.value if self.game.side(verdict.view) == 0 else -verdict.worth.value
        chooses = self.game.player(state) != CHANCE
        best = tuple(a for a in verdict.actions if verdict.is_as_good(a)) if chooses else ()
        first = verdict.perfect[:1] if chooses else ()
        return Solution(self.game, state, value, best, first, 0, self.watch.seconds)

    def _left(self) -> Limits:
        """The limits, less what is spent."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        time_left = None if seconds is None else seconds - self.watch.seconds
        nodes_left = None if nodes is None else nodes - self.nodes
        if (time_left is not None and time_left <= 0) or (nodes_left is not None and nodes_left <= 0):
            raise self._refusal()
        return Limits(time_left, None, nodes_left)

    def _refusal(self) -> Unsolved:
        limited = self.limits.seconds is not None or self.limits.nodes is not None
        why = " when it was stopped" if self.is_stopped else " within the limits" if limited else ""
        return Unsolved(
            f"{self.game.name}: this position was not solved{why} "
            f"({count(self.nodes, 'node')}, {self.watch.seconds:.1f} s)"
        )

    def _go_on(self, begun: Generator[T, None, None]) -> T:
        """The last that a search of the engine says; a stop() that came before it began is for it too."""
        if self.is_stopped:
            self.engine.stop()
        for found in begun:
            last = found
        if self.is_stopped:
            raise self._refusal()
        return last

    def _deepen(self) -> Report:
        limits = self._left()
        limits = replace(limits, depth=self.plies, nodes=min(EASY, limits.nodes or EASY))
        easy = self._go_on(self.engine.reports(self.history, limits))
        self.nodes += easy.nodes
        return easy

    def _ask(self, history: History[Any, Any], window: tuple[float, float], order: tuple[int, ...] = ()) -> Answer:
        found = self._go_on(self.engine.begin_probe(history, self.plies, window, self._left(), order))
        self.nodes += found.nodes
        needed = (PROVEN_LOWER if found.value > window[0] else 0) | (PROVEN_UPPER if found.value < window[1] else 0)
        if not found.finished or found.proven & needed != needed:
            raise self._refusal()
        return found

    @property
    def may_return(self) -> bool:
        """Can a position come again, by chance and without a rule against it?"""
        variant = self.game.variant
        return bool(variant.max_chance_outcomes) and variant.max_plies is None and not variant.repetition

    def _enclose(self) -> Solution | None:
        """The value between bounds that meet; None if too many positions can be reached."""

        def go_on(positions: int = 0) -> None:
            self.nodes = before + max(positions, self.nodes - before)
            if self.is_stopped:
                raise self._refusal()
            self._left()

        before, state = self.nodes, self.history.state
        graph = explore(self.game, state, go_on)
        if graph is None:
            return None
        low, high = intervals.bounds(graph, go_on)
        value, error = float(low[0] + high[0]) / 2, float(high[0] - low[0]) / 2
        if error > intervals.CLOSE * max(1.0, abs(value)):
            raise Unsolved(
                f"{self.game.name}: this position has no value to tell: players can go on for ever, and it is worth "
                f"from {low[0]:g} to {high[0]:g} to player 0, depending on what that counts"
            )
        first = [int(n) for n in graph.after[: graph.begin[1]]] if self.game.player(state) >= 0 else []
        as_good = [n for n in first if high[n] >= low[0] and low[n] <= high[0]]
        best = tuple(int(a) for a, n in zip(graph.action, first, strict=False) if n in as_good)
        return Solution(self.game, state, value, best, best[:1], self.nodes, self.watch.seconds, error)

    def _settle(self, history: History[Any, Any], order: tuple[int, ...]) -> Answer:
        """The exact value: first within a window in the middle, which decides a game that is won, drawn or lost."""
        least, most = self.game.variant.utility_range or (-math.inf, math.inf)
        if not math.isfinite(most - least):
            return self._ask(history, (-math.inf, math.inf), order)
        middle, quarter = (least + most) / 2, (most - least) / 4
        found = self._ask(history, (middle - quarter, middle + quarter), order)
        if middle + quarter <= found.value < most:
            return self._ask(history, (found.value - TINY, math.inf), order)
        if least < found.value <= middle - quarter:
            return self._ask(history, (-math.inf, found.value + TINY), order)
        return found

    def _is_as_good(self, a: Any, value: float) -> bool:
        """Does this move keep the value?"""
        first = self.game.side(self.game.player(self.history.state)) == 0
        if not self.history.is_legal(a):
            return False
        after = self.history.copy()
        after.play(a)
        if after.is_over:
            there = after.utility(0)
        else:
            window = (value - TINY, value) if first else (value, value + TINY)
            there = self._ask(after, window).value
        return there >= value - TINY / 2 if first else there <= value + TINY / 2
