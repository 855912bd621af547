"""The root of a search for any number of players: its moves compared, the first of the best chosen, depth by depth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE
from zermelo.core.history import History
from zermelo.core.stopwatch import Stopwatch
from zermelo.search.limits import ENOUGH, NO_LIMIT, Control, Limits, new_control, stop, stop_reason
from zermelo.search.multiplayer.bounds import Bounds, find_bounds
from zermelo.search.multiplayer.maxn import max_n
from zermelo.search.multiplayer.paranoid import Question, paranoid
from zermelo.search.multiplayer.stack import (
    BROKEN,
    COUNTERS,
    STOPPED,
    TOO_SHORT,
    Stack,
    make_stack,
)
from zermelo.search.report import AT_MOST, ESTIMATE, EXACT, PROVEN, Report, RootMove

DEEPEST_DEPTH = 1000  # a game still unfinished then would not be finished later
NO_PV = np.zeros(0, np.int64)


class Stopped(Exception):  # noqa: N818
    """Time, nodes or stop(): this depth will not be finished."""


class Misled(Exception):  # noqa: N818
    """A leaf lies outside the bounds that pruning relied on: without them, then."""


@dataclass(frozen=True)
class Child:
    """What the search below one root move found."""

    action: int
    place: int  # among the legal actions
    values: tuple[float, ...]  # of every player (max^n)
    value: float  # the view's
    goal: float  # what the choice goes by: the side's total (max^n), or the value
    exact: bool  # else the truth is at most that
    pv: tuple[int, ...]
    counters: dict[str, int]  # COUNTERS

    @property
    def is_sure(self) -> bool:
        """No leaf was estimated, and everybody was free to choose."""
        return self.counters["estimated"] == 0 and self.counters["held"] == 0

    def as_move(self) -> RootMove:
        proof = PROVEN if self.is_sure else ESTIMATE
        return RootMove(
            self.action, self.value, EXACT if self.exact else AT_MOST, proof, self.pv, self.counters["nodes"]
        )


class Root:
    """One search: a position, its moves, and the stack to search them with."""

    def __init__(self, game: RecordGame, kind: str, history: History[State, int], bounds: Bounds, pruning: bool):
        self.game, self.kind, self.bounds, self.pruning = game, kind, bounds, pruning
        self.state, self.actions = history.state, tuple(history.actions())
        self.mover = self.game.player(self.state)
        self.view = max(self.mover, 0)  # at a chance node: as player 0 sees it
        self.chances = [p for _, p in self.game.chances(self.state)] if self.mover == CHANCE else []
        self.children = [self.game.succ(self.state, a).record for a in self.actions]
        keys = [self.game.repetition_key(s) for s in history.states] if self.game.repetition else []
        self.past = np.array(keys, np.uint64)
        self.last_mover = self.mover if self.mover != CHANCE else history.last_mover  # seen from right below the root
        self.pvs: dict[int, tuple[int, ...]] = {}  # of the last complete depth, by root action
        self.order = list(range(len(self.actions)))
        self.team = sum(self.game.side(p) == self.game.side(self.view) for p in range(self.game.players))
        self.begin(new_control(), None)
        self.stack = make_stack(self.game, 8, self.past[:0])  # no past: the root repeats itself otherwise
        self.guess = self.look()
        self.stack = make_stack(self.game, 8, self.past)

    def look(self) -> Child:
        """What the root is estimated at, as it stands. This compiles the kernel."""
        try:
            return self.visit(0, self.state.record, -1, 0, -np.inf)
        except Misled:
            self.bounds = find_bounds(self.game, None, False)
            return self.visit(0, self.state.record, -1, 0, -np.inf)

    @property
    def most(self) -> float:
        """Of what the choice goes by; infinite where it is not known."""
        known = self.kind == "maxn" or self.team == 1
        return float(self.bounds.most[self.view]) if known else np.inf

    def begin(self, control: Control, nodes: int | None) -> None:
        self.control, self.budget, self.nodes, self.watch = control, nodes or NO_LIMIT, 0, Stopwatch()

    # -- one root move -----------------------------------------------------------------------------------------------

    def visit(self, action: int, record: Any, place: int, left: int, held: float) -> Child:
        """Search `left` plies below a root move, when another one gives `held` for sure."""
        while True:
            stack = self.stack
            stack.states[:1] = record
            stack.frames[0]["left"] = left
            status, refused = self._run(stack, held, action)
            found = {name: int(stack.work[0][name]) for name in COUNTERS}
            self.nodes += found["nodes"]
            if status != TOO_SHORT:
                break
            self.stack = make_stack(self.game, 4 * len(stack.states), self.past)
        if status == STOPPED:
            stop(self.control, ENOUGH)  # unless there is another reason already
            raise Stopped
        if status == BROKEN:
            raise Misled
        values = tuple(stack.frames[0]["values"].tolist())
        pv_length = int(stack.frames[0]["pv_length"])
        pv = (action, *stack.pvs[0, :pv_length].tolist())
        if self.kind != "maxn":
            value = float(stack.frames[0]["best"])
            return Child(action, place, (), value, value, value > held, pv, found)
        goal = sum(u for p, u in enumerate(values) if self.game.side(p) == self.game.side(self.view))
        if refused:
            return Child(action, place, values, held / self.team, -np.inf, False, pv, found)
        return Child(action, place, values, values[self.view], goal, goal > held or found["cuts"] == 0, pv, found)

    def _run(self, stack: Stack, held: float, action: int) -> tuple[int, bool]:
        w: Any = stack.work[0]
        for name in COUNTERS:
            w[name] = 0
        w.budget, w.past, w.last_mover = self.budget - self.nodes, len(stack.keys) - len(stack.states), self.last_mover
        if self.kind == "maxn":
            return self.game.run(max_n, *stack, self.mover, held, self.bounds, self.control)  # type: ignore[no-any-return]
        last_pv = np.array(self.pvs[action][1:], np.int64) if action in self.pvs else NO_PV
        window = (held, self.most) if self.pruning else (-np.inf, np.inf)
        replies = self.kind == "best-reply"
        question = Question(window, self.pruning, self.view, replies, last_pv, self.most)
        return self.game.run(paranoid, *stack, question, self.control)  # type: ignore[no-any-return]

    # -- one depth ---------------------------------------------------------------------------------------------------

    def search(self, depth: int, found: list[Child]) -> None:
        """Fill `found` with every root move, `depth` plies deep; the first of the best is chosen by `best_of`."""
        prunes, best = self.pruning and self.mover != CHANCE, -np.inf
        best_place = -1
        for place in self.order:
            held = best if prunes else -np.inf
            if self.kind != "maxn" and place < best_place:
                held = np.nextafter(held, -np.inf)  # as good is good enough for a move that comes first
            left = depth if self.mover == CHANCE else depth - 1
            child = self.visit(self.actions[place], self.children[place], place, left, float(held))
            found.append(child)
            if child.goal > best or (child.goal == best and place < best_place):
                best, best_place = child.goal, place

    def deepen(self, limits: Limits, emit: Callable[[Report], None]) -> None:
        """Depth after depth, until something says stop."""
        depth, last, before, reason = 1, None, 0, ""
        found: list[Child] = []
        while not reason:
            found, began = [], self.nodes
            try:
                self.search(depth, found)
            except Stopped:
                break
            except Misled:
                self.bounds = find_bounds(self.game, None, False)
                continue
            spent = self.nodes - began
            reason = self.reason_to_stop(found, depth, limits)
            last = self.report(found, depth, spent / before if before else None, reason or "running")
            emit(last)
            before = spent
            self.pvs = {child.action: child.pv for child in found}
            if self.kind != "maxn" and self.mover != CHANCE:  # max^n settles ties by the order, which stays
                self.order = [c.place for c in sorted(found, key=lambda c: (-c.goal, c.place))]
            depth += 1
        if not reason:
            stopped = stop_reason(self.control)
            last = last or self.report(found if self.mover != CHANCE else [], 0, None, stopped)
            emit(replace(last, stopped=stopped, nodes=self.nodes, seconds=self.watch.seconds))

    def reason_to_stop(self, found: list[Child], depth: int, limits: Limits) -> str:
        """Why a deeper search would be no use, or is not wanted; nothing where it should go on."""
        if all(child.counters["estimated"] == 0 for child in found):
            return "proven" if all(child.is_sure for child in found) else "finished"
        if self.is_won(found):
            return "proven"
        return "depth" if depth >= (limits.depth or DEEPEST_DEPTH) else ""

    def is_won(self, found: list[Child]) -> bool:
        """Is the most that can be had proven? Then what was only estimated cannot matter."""
        if self.mover == CHANCE:
            return False
        best = best_of(found)
        return best.is_sure and best.goal >= self.most

    def report(self, found: list[Child], depth: int, branching: float | None, stopped: str) -> Report:
        sure = bool(found) and depth > 0 and (all(child.is_sure for child in found) or self.is_won(found))
        chosen = self.choice(found)
        told = ("estimated", "held", "cuts")
        ranked = found if self.mover == CHANCE else sorted(found, key=lambda child: (-child.goal, child.place))
        return Report(
            game=self.game,
            state=self.state,
            algorithm=self.kind,
            best=None if self.mover == CHANCE else chosen.action,
            value=chosen.value,
            view=self.view,
            proof=PROVEN if sure else ESTIMATE,
            depth=depth,
            deepest=1 + max((child.counters["deepest"] for child in found), default=-1),
            nodes=self.nodes,
            seconds=self.watch.seconds,
            pv=chosen.pv,
            moves=tuple(child.as_move() for child in ranked),
            values=chosen.values if self.kind == "maxn" else (),
            branching=branching,
            stopped=stopped,
            counters={name: float(sum(child.counters[name] for child in found)) for name in told},
        )

    def choice(self, found: list[Child]) -> Child:
        """The best child; of chance, the mean; where there is none yet, the first move with the root's estimate."""
        if self.mover != CHANCE:
            return best_of(found) if found else replace(self.guess, action=self.actions[0], pv=self.actions[:1])
        if not found:
            return replace(self.guess, pv=())
        by_player = zip(*(child.values for child in found), strict=True)
        values = tuple(self.mean(column) for column in by_player)
        return replace(self.guess, pv=(), values=values, value=self.mean(child.value for child in found))

    def mean(self, numbers: Iterable[float]) -> float:
        return sum(p * u for p, u in zip(self.chances, numbers, strict=True))


def best_of(found: list[Child]) -> Child:
    """The first of the best."""
    return min(found, key=lambda child: (-child.goal, child.place))
