"""Why this move: what the others are worth and what refutes them, how the choice came about, what was not looked at.

    told = zermelo.explain(game, state, seconds=1)
    print(told.text())        told.as_dict()        told.tree()        a notebook shows the drawing

Two searches share one table and the time. The first is an ordinary one and makes the choice; of the other moves it
knows no more than that they are not better, and the top of its tree is kept before anything else is searched. The
second asks every move for its own value and line, less deep at first and, if time allows, as deep as the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.core.trace import Node
from zermelo.search.engine import AlphaBeta
from zermelo.search.explain_tree import Known, known_lines, look_up, settle, top_of_tree
from zermelo.search.limits import Limits, Stopwatch
from zermelo.search.nodes import PROVEN as PROVEN_BOTH
from zermelo.search.report import AT_LEAST, AT_MOST, ESTIMATE, EXACT, PROVEN, Report, RootMove, format_line
from zermelo.search.searcher import Position, history_of

SHALLOWER = (8, 6, 4, 2, 0)  # plies less than the first search: the second goes as deep as time allows
OPEN = (-math.inf, math.inf)
OPPOSITE = {EXACT: EXACT, AT_MOST: AT_LEAST, AT_LEAST: AT_MOST}


@dataclass(frozen=True)
class Alternative:
    """One root move, or one outcome of a chance node at the root. Values are from the view of `Explanation.view`."""

    action: Any
    name: str
    value: float
    bound: str  # the truth (to this depth) is exact, at most or at least the value
    proof: str
    distance: int | None  # of a proven win or loss: plies to the end
    worse: float | None  # than the choice to the same depth, by at least this much where the value is a bound
    line: tuple[Any, ...]  # the move first
    words: tuple[str, ...]  # the same, as people write it
    answered: bool  # is the second move of the line the other side's: what refutes the first?
    probability: float | None = None

    @property
    def reply(self) -> str | None:
        """The move that refutes this one."""
        return self.words[1] if self.answered and len(self.words) > 1 else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "move": self.name,
            "value": self.value,
            "bound": self.bound,
            "proof": self.proof,
            "distance": self.distance,
            "worse": self.worse,
            "reply": self.reply,
            "line": list(self.words),
            "probability": self.probability,
        }


@dataclass(frozen=True)
class Stage:
    """What the search thought after one depth. The value is from the view of `Explanation.view`."""

    depth: int
    move: str | None
    value: float
    nodes: int
    seconds: float
    finished: bool = True  # False: the time ended in the middle of this depth

    def as_dict(self) -> dict[str, Any]:
        return {
            "depth": self.depth,
            "move": self.move,
            "value": self.value,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "finished": self.finished,
        }


@dataclass(frozen=True)
class Explanation:
    """Why the search chose as it did."""

    game: Game[Any, Any]
    state: Any
    view: int  # whose view all values take but those of the tree: the player to move, 0 where it is chance's turn
    report: Report  # of the search that made the choice; its own values are from player 0's view
    value: float
    line: tuple[str, ...]  # the principal line as people write it
    alternatives: tuple[Alternative, ...]  # the choice first, then from good to bad; outcomes from likely to unlikely
    depth: int  # to which the alternatives have their values; 0: they are bounds from the search for the choice
    stages: tuple[Stage, ...]
    root: Node  # the top of the tree of the search that made the choice, from player 0's view
    breadth: int

    @property
    def choice(self) -> str | None:
        """The move, as people write it; None at a chance node."""
        return None if self.report.best is None else self.game.format_action(self.state, self.report.best)

    def tree(self) -> Node:
        """The top of the tree, for zermelo.drawing.tree.draw; all its values are from player 0's view."""
        return self.root

    def text(self, most: int = 20) -> str:
        """All of it in words; no more than `most` moves are listed."""
        from zermelo.search.explain_text import text_of

        return text_of(self, most)

    def draw(self) -> Any:
        """The top of the tree as a drawing: `.text`, `.svg`, `.save(path)`."""
        from zermelo.search.explain_text import drawing_of

        return drawing_of(self)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        from zermelo.search.explain_text import content_of

        return content_of(self)

    def __str__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        svg: str = self.draw().svg
        return svg


def explain(
    game: Game[Any, Any],
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

    Half of the seconds go into the choice; depth and nodes limit both searches alike. The tree is `plies` deep and shows
    `breadth` moves a node. `settings` are those of `zermelo.search.engine.AlphaBeta`: threads, table_mb, evaluator,
    options.
    """
    if not 1 <= breadth <= 100:
        raise GameError(f"an explanation can show 1 to 100 moves a node, not {breadth}")
    if not 0 <= plies <= 6:
        raise GameError(f"an explanation can show 0 to 6 plies, not {plies}")
    if seconds is None and depth is None and nodes is None:
        seconds = 1.0
    limits = Limits(seconds, depth, nodes)
    engine = AlphaBeta(game, **settings)
    history = history_of(game, position)
    engine.make_ready(history)  # compiled before the clock starts
    return _Explaining(engine, history, limits).run(breadth, plies, on_report)


class _Explaining:
    def __init__(self, engine: AlphaBeta, history: History[Any, Any], limits: Limits):
        self.engine, self.game, self.history, self.limits = engine, engine.game, history, limits
        self.state = history.state
        mover = self.game.player(self.state)
        self.is_chance, self.view = mover == CHANCE, max(mover, 0)
        self.sign = 1.0 if self.game.side(self.view) == 0 else -1.0
        self.watch, self.interrupted = Stopwatch(), False

    def run(self, breadth: int, plies: int, on_report: Callable[[Report], None]) -> Explanation:
        # 1. The choice.
        reports = self._choose(on_report)
        last = _last_finished(reports)
        # 2. What the table says of the top of the tree, before the next search writes over it.
        line = known_lines(self.engine, self.state, last.line)
        root = top_of_tree(self.engine, self.history, last, line, breadth, plies)
        # 3. The other moves.
        found, depth = self._ask_all(last)
        return Explanation(
            game=self.game,
            state=self.state,
            view=self.view,
            report=last,
            value=self.sign * last.value,
            line=tuple(format_line(self.game, self.state, line)),
            alternatives=self._ranked(last, found),
            depth=depth,
            stages=self._stages(reports),
            root=root,
            breadth=breadth,
        )

    def _choose(self, on_report: Callable[[Report], None]) -> list[Report]:
        seconds, reports = self.limits.seconds, []
        limits = Limits(None if seconds is None else seconds / 2, self.limits.depth, self.limits.nodes)
        try:
            for report in self.engine.reports(self.history, limits):
                reports.append(report)
                on_report(report)
        except KeyboardInterrupt:  # while a report was being shown; during the search it is the last report's reason
            if not reports:
                raise
            self.interrupted = True
        self.interrupted |= reports[-1].stopped == "interrupted"
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

    def _ask_all(self, last: Report) -> tuple[dict[Any, Known], int]:
        """({move: what it is worth, from player 0's view}, to which depth): the deepest that all could be asked to."""
        kept: dict[Any, Known] = {}
        reached, top = 0, max(1, last.depth)
        for depth in sorted({max(1, top - less) for less in SHALLOWER}):
            found = self._one_by_one(depth)
            if found is None:
                break
            kept, reached = found, depth
        return kept, reached

    def _one_by_one(self, depth: int) -> dict[Any, Known] | None:
        """Every move to a depth; None if the limits do not allow it."""
        if depth == 1 and not self.is_chance:
            return self._to_depth_one()
        found: dict[Any, Known] = {}
        for a in self.history.actions():
            after = self.history.copy()
            after.play(a)
            if after.is_over:
                found[a] = Known(after.utility(0), -1, depth, "exact", PROVEN_BOTH, 0, (a,))
                continue
            limits = self._left()
            if limits is None:
                return None
            answer = self.engine.question(after, depth if self.is_chance else depth - 1, OPEN, limits)
            if not answer.finished:
                self.interrupted |= answer.stopped == "interrupted"
                return None
            value, proven, steps = settle(self.engine, answer.value, answer.proven)
            found[a] = Known(value, -1, depth, "exact", proven, steps, (a, *answer.line))
        return found

    def _to_depth_one(self) -> dict[Any, Known] | None:
        """All moves at once: a child searched to depth 0 is no position to search from."""
        limits = self._left()
        if limits is None:
            return None
        before, self.engine.every = self.engine.every, True
        try:
            *_, report = self.engine.reports(self.history, Limits(limits.seconds, 1, limits.nodes))
        finally:
            self.engine.every = before
        self.interrupted |= report.stopped == "interrupted"
        if report.depth < 1:
            return None
        proofs = {PROVEN: PROVEN_BOTH, ESTIMATE: 0}
        return {m.action: Known(m.value, -1, 1, "exact", proofs[m.proof], None, m.line) for m in report.moves}

    def _left(self) -> Limits | None:
        """What is left of the time for one more question, or None."""
        left = None if self.limits.seconds is None else self.limits.seconds - self.watch.seconds
        if self.interrupted or (left is not None and left <= 0):
            return None
        return Limits(left, None, self.limits.nodes)

    def _ranked(self, last: Report, found: dict[Any, Known]) -> tuple[Alternative, ...]:
        if self.is_chance:
            chances = self.game.chances(self.state)
            told = [self._alternative(a, found[a], last, found, p) for a, p in chances if a in found]
            return tuple(sorted(told, key=lambda one: -(one.probability or 0.0)))
        by_move = {move.action: move for move in last.moves}
        told = [self._alternative(a, found.get(a) or _bound(by_move[a]), last, found) for a in by_move]
        return tuple(sorted(told, key=lambda one: (one.action != last.best, -one.value, _patience(one))))

    def _alternative(
        self, a: Any, known: Known, last: Report, found: dict[Any, Known], probability: float | None = None
    ) -> Alternative:
        after = self.game.succ(self.state, a)
        line = known_lines(self.engine, self.state, known.line)
        bound = {"exact": EXACT, "lower": AT_LEAST, "upper": AT_MOST}[known.bound]
        worse = None
        if not self.is_chance and a != last.best:
            choice = found[last.best].value if last.best in found else last.value
            worse = self.sign * (choice - known.value)
            if worse < 0 and known.bound != "exact":  # a bound from the middle of a depth: it says no more than this
                worse = 0.0
        distance = None if known.steps is None else known.steps + 1
        if known.steps is None and known.proven == PROVEN_BOTH:
            entry = look_up(self.engine, after)
            distance = entry.steps + 1 if entry is not None and entry.steps is not None else None
        return Alternative(
            action=a,
            name=self.game.format_action(self.state, a),
            value=self.sign * known.value,
            bound=bound if self.sign > 0 else OPPOSITE[bound],
            proof=PROVEN if known.proven == PROVEN_BOTH else ESTIMATE,
            distance=distance if known.value and not self.game.variant.max_outcomes else None,
            worse=worse,
            line=line,
            words=tuple(format_line(self.game, self.state, line)),
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
    return Known(move.value, -1, -1, bound, PROVEN_BOTH if move.proof == PROVEN else 0, None, move.line)
