"""When a search ends: seconds, a clock, depth, nodes, somebody's stop(). One way to stop, for every kernel.

A kernel polls `control[STOP]`, an array shared by all threads of a search, every few hundred nodes. Compiled code
releases Python's lock, so any other thread can set it: a timer when the seconds are over, or whoever calls the
searcher's `stop()` (search/searcher.py). A search without any limit goes on until then.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.emission import is_compiling
from zermelo.core.game import GameError, shorten
from zermelo.core.interruptible import interruptibly
from zermelo.core.spec import number, whole
from zermelo.search.clock import Clock, TimeManager

if TYPE_CHECKING:
    from zermelo.core.history import History
    from zermelo.search.report import Report

STOP = 0  # control[STOP]: one of the reasons below; a kernel goes on while it is RUNNING
CONTROL_WORDS = 64  # more than a cache line: what a search puts behind these words does not share one with STOP
RUNNING, OUT_OF_TIME, ASKED, ENOUGH, LEFT = 0, 1, 2, 3, 4
REASONS = {RUNNING: "finished", OUT_OF_TIME: "seconds", ASKED: "stop", ENOUGH: "nodes", LEFT: "abandoned"}

NO_LIMIT = 1 << 62  # nodes, or plies
HANGS = 8  # seconds after a stop, a search is given up
PAUSE = 0.2  # seconds between reports of a search by samples, in the long run

T = TypeVar("T")
Control = NDArray[np.int64]


@dataclass(frozen=True)
class Limits:
    """Alone or together; the first that is reached ends the search. For tree searches by samples, nodes are samples."""

    seconds: float | None = None  # a hard limit: the search ends there, wherever it is
    depth: int | None = None
    nodes: int | None = None
    soft_seconds: float | None = None  # ends it between two iterations, about there: see clock.py
    clock: Clock | None = None  # of a whole game; sets a soft and a hard limit for this move
    shortening: float = 1.0  # the part of all this that may go into a shorter win once one is proven; 0: take the first

    def __post_init__(self) -> None:
        for name in ("seconds", "soft_seconds"):
            if (seconds := getattr(self, name)) is not None:
                number(f"{name} of a search", seconds, above=0)
        for name in ("depth", "nodes"):
            if (count := getattr(self, name)) is not None:
                whole(f"{name} of a search", count, 1)
        if self.clock is not None and not isinstance(self.clock, Clock):
            raise GameError(f"the clock of a search is a zermelo.Clock, not {shorten(self.clock)}")
        number("shortening of a search", self.shortening, least=0, most=1)

    @property
    def hard(self) -> float | None:
        """Seconds after which a timer ends the search, the clock's included."""
        return _least(self.seconds, None if self.clock is None else self.clock.hard)

    @property
    def soft(self) -> float | None:
        """Seconds after which it ends between two iterations, the clock's included."""
        return _least(self.soft_seconds, None if self.clock is None else self.clock.soft)

    @property
    def shortening_seconds(self) -> float | None:
        """What may go into a shorter win, from when one is proven; the hard limit holds all the same."""
        seconds = _least(self.soft, self.hard)
        return None if seconds is None else self.shortening * seconds

    @property
    def is_timed(self) -> bool:
        """Does time count?"""
        return self.hard is not None or self.soft is not None

    @property
    def is_open(self) -> bool:
        """Is there no limit at all? Then only `stop()`, or a proof of the shortest win, ends the search."""
        return not self.is_timed and self.depth is None and self.nodes is None


def _least(*seconds: float | None) -> float | None:
    return min((one for one in seconds if one is not None), default=None)


def new_control(more: int = 0) -> Control:
    """A fresh control array, with room for `more` words of the search's own behind it."""
    return np.zeros(CONTROL_WORDS + more, np.int64)


def stop(control: Control, reason: int) -> None:
    """Ask the search to end; the first reason given is the one that is told."""
    if control[STOP] == RUNNING:
        control[STOP] = reason


def stop_reason(control: Control) -> str:
    return REASONS[int(control[STOP])]


@contextmanager
def timed(control: Control, seconds: float | None) -> Generator[None, None, None]:
    """Stop whatever polls `control` when `seconds` have passed."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), stop, (control, OUT_OF_TIME))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Stuck(GameError):  # noqa: N818
    """A search that does not end though it was told to: a function of the rules never comes back."""

    def __init__(self, position: History[Any, Any]):
        self.game, self.state = position.game, position.state
        super().__init__(
            f"{self.game.name}: the search does not end, though it was told to {HANGS} s ago: "
            "some function of the rules never comes back; zermelo check names it"
        )


def timed_reports(
    work: Callable[[Callable[[Report], None]], Any], control: Control, limits: Limits, position: History[Any, Any]
) -> Generator[Report, None, None]:
    """Run work(emit) in a thread, within the time that `limits` give, and yield the reports it emits."""
    manager = TimeManager(limits.soft)

    def search(emit: Callable[[Report], None]) -> None:
        def emit_and_look(report: Report) -> None:
            emit(report)
            if manager.is_enough(report.best, report.seconds):
                stop(control, OUT_OF_TIME)

        work(emit_and_look)

    with timed(control, limits.hard):
        yield from stream(search, control, position)


def stream(
    work: Callable[[Callable[[T], None]], Any], control: Control, position: History[Any, Any]
) -> Generator[T, None, None]:
    """Run work(emit) in a thread and yield what it emits; `work` ends soon after control[STOP] is set.

    Closing the generator, or an exception while it waits, sets it, and waits for the end. If that does not come, the
    thread is left behind and `Stuck` raised.
    """
    box: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def run() -> None:
        try:
            work(lambda item: box.put(("item", item)))
            box.put(("done", None))
        except BaseException as mistake:
            box.put(("mistake", mistake))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ended = False
    try:
        while True:
            kind, item = _wait(box, control, position)
            if kind == "item":
                yield item
                continue
            ended = True
            if kind == "mistake":
                raise item
            return
    except Stuck:
        ended = True
        raise
    finally:
        if not ended:
            stop(control, LEFT)
            thread.join(HANGS)


def _wait(box: queue.SimpleQueue[T], control: Control, position: History[Any, Any]) -> T:
    """What comes next; Stuck if nothing comes for too long after a stop. What compiles cannot stop, and will end."""
    looks = 0
    while True:
        try:
            return box.get(timeout=1.0)
        except queue.Empty:
            looks = looks + 1 if control[STOP] and not is_compiling() else 0
            if looks >= HANGS:
                raise Stuck(position) from None


def compile_first(work: Callable[[], T], position: History[Any, Any]) -> T:
    """Before a clock starts: what `work()` returns, which compiles and then ends at once; Stuck if it does not."""
    stopped = new_control()
    stop(stopped, ASKED)
    made: list[T] = []
    interruptibly(lambda: made.extend(stream(lambda emit: emit(work()), stopped, position)))
    return made[0]


def in_threads(tasks: list[Callable[[], Any]]) -> None:
    """Run all tasks, the first in this thread, and wait for all; the first mistake is raised."""
    mistakes: list[BaseException] = []

    def guarded(task: Callable[[], Any]) -> None:
        try:
            task()
        except BaseException as mistake:
            mistakes.append(mistake)

    others = [threading.Thread(target=guarded, args=(task,), daemon=True) for task in tasks[1:]]
    for thread in others:
        thread.start()
    guarded(tasks[0])
    for thread in others:
        thread.join()
    if mistakes:
        raise mistakes[0]
