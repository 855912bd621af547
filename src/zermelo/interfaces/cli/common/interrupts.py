"""Ctrl-C. Nothing but the command line knows of it: here it becomes a stop(), where an answer is wanted all the same.

    stopping(searcher.stop)      Ctrl-C ends the search, and the program goes on with what it found
    patiently(work, stop)        Ctrl-C ends the work, and the program with it

Elsewhere it is the KeyboardInterrupt that Python makes of it, which `main` turns into an exit code.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.common.console import stop_spinning

T = TypeVar("T")
GRACE = 0.3  # seconds in which what was stopped may end


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C calls `stop`; whoever presses it again means it."""
    if threading.current_thread() is not threading.main_thread():  # signals come to the main thread alone
        yield
        return
    before: Any = signal.getsignal(signal.SIGINT)

    def hear(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, before)
        stop()

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def patiently(work: Callable[[], T], stop: Callable[[], None] = lambda: None) -> T:
    """Run something that may be deep in compiled code, where Ctrl-C is not heard: this thread waits and listens."""
    result: list[T] = []
    mistake: list[BaseException] = []
    done = threading.Event()  # not Thread.join: interrupted, it takes the thread for finished

    def run() -> None:
        try:
            result.append(work())
        except BaseException as caught:
            mistake.append(caught)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    try:
        while not done.wait(0.05):
            pass
    except KeyboardInterrupt:
        stop()
        if not done.wait(GRACE):  # machine code cannot be pulled from under itself
            sys.stdout.flush()
            stop_spinning()
            print("interrupted", file=sys.stderr, flush=True)
            os._exit(INTERRUPTED)
        raise
    if mistake:
        raise mistake[0]
    return result[0]
