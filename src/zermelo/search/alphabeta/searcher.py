"""`AlphaBeta`: the search as people use it. Deeper and deeper, a report after every depth, until a limit is reached.

The search itself is `Run` (deepening.py). What is kept here outlives it: the table, shared by the threads, so that the
search of the position after the next move begins with what this one found.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import numpy as np

from zermelo.compile.evaluator import HANDCRAFTED
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.core.spec import number, whole
from zermelo.evaluate.tabled import HeldTables, KnownRoot
from zermelo.search.alphabeta.abdada import BUSY_SLOTS
from zermelo.search.alphabeta.deepening import Answer, Run
from zermelo.search.alphabeta.table import GENERATIONS, make_table
from zermelo.search.alphabeta.workspace import ROOT, Options, make_workspace
from zermelo.search.endings import Endings
from zermelo.search.limits import STOP, Limits, compile_first, new_control, stream, timed, timed_reports
from zermelo.search.report import Report
from zermelo.search.searcher import Position, Stoppable, history_of, need_rules
from zermelo.tables.tables import Tables


class AlphaBeta(Stoppable):
    """Iterative deepening alpha-beta for two sides. Keep one for a game: its table is worth more the older it is."""

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        threads: int = 1,
        table_mb: float = 64,
        evaluator: Any = HANDCRAFTED,
        options: Options | None = None,
        multi_pv: bool = False,
        endings: Endings | None = None,
    ):
        self.game: RecordGame = need_rules(game)
        sides = {self.game.side(p) for p in range(self.game.players)}
        if not sides <= {0, 1}:
            raise GameError(f"{game.name} has {len(sides)} sides; alpha-beta is for two (try max^n, paranoid, MCTS)")
        self.threads = whole("threads of a search", threads, 1, 256)
        number("a table's megabytes", table_mb, most=1 << 20, above=0)
        self.evaluator = evaluator
        private = getattr(evaluator, "private", lambda: evaluator)
        self.evaluators = [private() for _ in range(threads)]  # one with scratch space gets its own in every thread
        self.endings = endings  # that are known for certain
        self.known_root: KnownRoot | None = None  # what they say of the position searched last
        self.options = options or Options()
        self.multi_pv = multi_pv  # a value for every root move, not only a bound
        self.table = make_table(table_mb)
        self._generation = 0
        self._spaces = [make_workspace(self.game, self._thread_options()) for _ in range(threads)]
        self._ready: set[bool] = set()  # without tables, with them
        self._lock = threading.Lock()

    def _thread_options(self) -> Options:
        return self.options if self.threads > 1 else replace(self.options, abdada=False)

    def clear(self) -> None:
        self.table[:] = 0
        for space in self._spaces:
            space.work[0]["history"][:] = 0
            for name in ("killer", "killer_before"):
                space.frames[name][:] = -1

    def reports(self, position: Position, limits: Limits) -> Generator[Report, None, None]:
        """Begin to search `position`, deeper and deeper."""
        history = history_of(self.game, position)
        control = self.begin(BUSY_SLOTS)
        self.make_ready(history)
        return timed_reports(lambda emit: Run(self, history, limits, control).run(emit), control, limits, history)

    def make_ready(self, history: History[Any, Any]) -> None:
        """Compile before the clock starts."""
        if (self.held_for(history.state) is not None) not in self._ready:
            compile_first(lambda: self._compile(history), history)

    def _compile(self, history: History[Any, Any]) -> None:
        with self._lock:  # what somebody interrupted may still be at it
            control = new_control(BUSY_SLOTS)
            control[STOP] = 1
            run = Run(self, history, Limits(depth=1), control)
            run.run(lambda report: None)
            run._guess()
            if self.game.variant.max_chance_outcomes:  # both kinds of root
                run._chance(1)
                run.roots = np.zeros(0, ROOT).view(np.recarray)
                run._iterate(1, -math.inf, math.inf)
            self._ready.add(run.held is not None)

    @property
    def tables(self) -> Tables | None:
        """Those it knows."""
        return None if self.endings is None else self.endings.tables

    def held_for(self, root: State) -> HeldTables | None:
        """The tables that a search of `root` knows."""
        return None if self.endings is None else self.endings.held_for(root)

    def probe(
        self,
        position: Position,
        depth: int,
        window: tuple[float, float],
        limits: Limits,
        order: tuple[int, ...] = (),
    ) -> Answer:
        """The value to one depth within one window (from player 0's view), for callers with a question of their own."""
        (found,) = self.begin_probe(position, depth, window, limits, order)
        return found

    def begin_probe(
        self,
        position: Position,
        depth: int,
        window: tuple[float, float],
        limits: Limits,
        order: tuple[int, ...] = (),
    ) -> Generator[Answer, None, None]:
        """A probe that can be stopped from here on, as `reports` can; one answer comes."""
        history = history_of(self.game, position)
        control = self.begin(BUSY_SLOTS)
        self.make_ready(history)

        def ask(emit: Callable[[Answer], None]) -> None:
            with timed(control, limits.hard):
                emit(Run(self, history, limits, control).ask(depth, window, order))

        return stream(ask, control, history)

    def next_generation(self) -> int:
        self._generation = (self._generation + 1) % GENERATIONS
        return self._generation
