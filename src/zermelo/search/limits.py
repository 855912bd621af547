"""When a search ends: seconds, depth, nodes, Ctrl-C. One way to stop, for every kernel.

A kernel polls `control[STOP]`, an array shared by all threads of a search, every few thousand nodes. Compiled code
releases Python's lock, so a timer in another thread sets it when the seconds are over, and the thread that asked for
the search, which only waits, sets it when Ctrl-C is pressed.
"""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.core.game import GameError

STOP = 0  # control[STOP]: one of the reasons below; a kernel goes on while it is RUNNING
CONTROL_WORDS = 64  # more than a cache line: what a search puts behind these words does not share one with STOP
RUNNING, OUT_OF_TIME, INTERRUPTED, ENOUGH, LEFT = 0, 1, 2, 3, 4
REASONS = {RUNNING: "finished", OUT_OF_TIME: "seconds", INTERRUPTED: "interrupted", ENOUGH: "nodes", LEFT: "abandoned"}

T = TypeVar("T")
Control = NDArray[np.int64]


@dataclass(frozen=True)
class Limits:
    """Alone or together; the first that is reached ends the search. For tree searches by samples, nodes are samples."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not (self.seconds > 0 and math.isfinite(self.seconds)):
            raise GameError(f"a search needs more than {self.seconds:g} seconds")
        if self.depth is not None and self.depth < 1:
            raise GameError(f"a search needs a depth of at least 1, not {self.depth}")
        if self.nodes is not None and self.nodes < 1:
            raise GameError(f"a search needs at least 1 node, not {self.nodes}")

    @property
    def is_open(self) -> bool:
        """Is there no limit at all?"""
        return self.seconds is None and self.depth is None and self.nodes is None


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
    timer = threading.Timer(seconds, stop, (control, OUT_OF_TIME))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def stream(work: Callable[[Callable[[T], None]], Any], control: Control) -> Generator[T, None, None]:
    """Run work(emit) in a thread and yield what it emits; `work` ends soon after control[STOP] is set.

    Ctrl-C sets it, and what `work` still emits is yielded. Closing the generator sets it too, and waits for the end.
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
            try:
                kind, item = box.get()
            except KeyboardInterrupt:
                stop(control, INTERRUPTED)
                continue
            if kind == "item":
                yield item
                continue
            ended = True
            if kind == "mistake":
                raise item
            return
    finally:
        if not ended:
            stop(control, LEFT)
            thread.join()


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
