"""Fixed depth, no tricks: the yardsticks. Plain minimax (with cutoffs, which change nothing but the time) and the
whole tree with averaged chance nodes.

A game of rules is searched by the kernels of plain_alphabeta.py and exhaustive.py of search; a plain Python game by the
textbook. The root is expanded here, move by move, because only a History knows which moves repeat a position.
"""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.players.player import Player, as_history, first_choice
from zermelo.search.exhaustive import exhaustive
from zermelo.search.limits import ASKED, new_control, stop
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.search.report import AT_MOST, EXACT, Report, RootMove


class FixedDepth(Player):
    """Searches every move at the root to a fixed depth; the first of the best is played.

    A stop ends the kernels wherever they are, the textbook between two moves of the root; the best of the moves that
    were finished is played then, or the first there is.
    """

    algorithm = ""
    is_exact = True  # of every move at the root, not only of the best

    def __init__(self, game: Game[Any, Any], name: str, depth: int):
        super().__init__(game, name)
        sides = {game.side(p) for p in range(game.players)}
        if len(sides) > 2:
            raise GameError(
                f"{self.algorithm} is for two sides, and {game.name} has {len(sides)}; try maxn or paranoid"
            )
        self.depth = depth
        self.control = new_control()  # of the choice begun last

    @abstractmethod
    def below(self, s: Any, window: tuple[float, float]) -> tuple[float, int]:
        """(value from player 0's view, nodes) of a position one move below the root, which is not the end.

        The value is NaN if it was stopped.
        """

    def choose(self, position: Any) -> Any:
        with self.choosing():
            self.control = new_control()
            if self.is_stopped:  # before there was anything to stop
                self.pass_stop()
            return self._choose(as_history(self.game, position))

    def pass_stop(self) -> None:
        stop(self.control, ASKED)

    def _choose(self, history: History[Any, Any]) -> Any:
        view, s, began = history.player(), history.state, time.perf_counter()
        sign = 1 if self.game.side(view) == 0 else -1
        best, moves, total = -math.inf, [], 1
        for action in history.actions():
            window = (best, math.inf) if sign > 0 else (-math.inf, -best)
            value, nodes = self._after(history, action, window)
            total += nodes
            if math.isnan(value):
                break
            bound = EXACT if self.is_exact or sign * value > best else AT_MOST
            moves.append(RootMove(action, sign * value, bound, pv=(action,), nodes=nodes))
            best = max(best, sign * value)
            if self.is_stopped:
                break
        if not moves:
            return self._first(history, total, time.perf_counter() - began)
        moves.sort(key=lambda move: -move.value)  # stable: the first of the best stays first
        self.report = Report(
            self.game, s, self.algorithm, moves[0].action, moves[0].value, view,
            depth=self.depth, nodes=total, seconds=time.perf_counter() - began,
            pv=(moves[0].action,), moves=tuple(moves), stopped="stop" if self.is_stopped else "depth",
        )  # fmt: skip
        return moves[0].action

    def _first(self, history: History[Any, Any], nodes: int, seconds: float) -> Any:
        """Stopped before any move was finished: the first there is, and what the game thinks of the position."""
        view, action = history.player(), history.actions()[0]
        value = self.game.evaluate(history.state) * (1 if self.game.side(view) == 0 else -1)
        self.report = Report(
            self.game, history.state, self.algorithm, action, value, view,
            nodes=nodes, seconds=seconds, pv=(action,), stopped="stop",
        )  # fmt: skip
        return action

    def _after(self, history: History[Any, Any], action: Any, window: tuple[float, float]) -> tuple[float, int]:
        if not self.game.repetition:
            after = self.game.succ(history.state, action)
            return (self.game.utility(after), 1) if self.game.is_end(after) else self.below(after, window)
        history.play(action)
        try:
            return (history.utility(), 1) if history.is_over else self.below(history.state, window)
        finally:
            history.undo()

    def prepare(self) -> None:
        history = first_choice(self.game)
        if history is not None:
            depth, self.depth = self.depth, 1
            try:
                self.choose(history)
            finally:
                self.depth = depth
            self.report = None


class Minimax(FixedDepth):
    """Alpha-beta in the order the rules list moves: no table, no ordering, no deepening."""

    algorithm = "minimax"
    is_exact = False

    def _choose(self, history: History[Any, Any]) -> Any:
        if not isinstance(self.game, RecordGame) or self.game.repetition:
            return super()._choose(history)
        began = time.perf_counter()  # one call of the kernel does it all
        view, found = history.player(), plain_alphabeta(self.game, history.state, self.depth, control=self.control)
        seconds, is_whole = time.perf_counter() - began, not math.isnan(found.value)
        if found.best is None:
            return self._first(history, found.nodes, seconds)
        value = found.value if is_whole else self.game.evaluate(history.state)
        self.report = Report(
            self.game, history.state, self.algorithm, found.best, value if self.game.side(view) == 0 else -value, view,
            depth=self.depth if is_whole else 0, nodes=found.nodes, seconds=seconds,
            pv=(found.best,), stopped="depth" if is_whole else "stop",
        )  # fmt: skip
        return found.best

    def below(self, s: Any, window: tuple[float, float]) -> tuple[float, int]:
        if isinstance(self.game, RecordGame):
            found = plain_alphabeta(self.game, s, self.depth - 1, window, control=self.control)
            return found.value, found.nodes
        from zermelo.textbook import alphabeta

        return alphabeta(self.game, s, depth=self.depth - 1, alpha=window[0], beta=window[1]), 1


class Expectiminimax(FixedDepth):
    """Every node to the depth, chance averaged."""

    algorithm = "expectiminimax"

    def below(self, s: Any, window: tuple[float, float]) -> tuple[float, int]:
        if isinstance(self.game, RecordGame):
            found = exhaustive(self.game, s, self.depth - 1, control=self.control)
            return found.value, found.nodes
        from zermelo.textbook import limited_minimax

        return limited_minimax(self.game, s, self.depth - 1), 1
