"""Ctrl-C. Nothing but the command line knows of it: here it becomes a stop(), where an answer is wanted all the same.

    stopping(searcher.stop)      Ctrl-C ends the search, and the program goes on with what it found
    patiently(work, stop)        Ctrl-C ends the work, and the program with it
    listening()                  around a whole command: what does not hear Ctrl-C is ended, and the program with it

Elsewhere it is the KeyboardInterrupt that Python makes of it, which `main` turns into an exit code.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from zermelo.core.interruptible import interruptibly, is_left_behind
from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.common.console import stop_spinning

T = TypeVar("T")
GRACE = 0.3  # seconds in which what was stopped may end

_heard = threading.Event()  # Python has come to call one of our handlers


@contextmanager
def handling(react: Callable[[int, Any], None], *numbers: int) -> Iterator[None]:
    """`react` to these signals, for as long as this lasts. They come to the main thread alone: elsewhere, nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def hear(number: int, frame: Any) -> None:
        _heard.set()
        react(number, frame)

    hear.is_ours = True  # type: ignore[attr-defined]
    before = {number: signal.signal(number, hear) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C calls `stop`; whoever presses it again means it."""
    pressed: list[int] = []

    def react(number: int, frame: Any) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)
        stop()

    with handling(react, signal.SIGINT):
        yield


def patiently(work: Callable[[], T], stop: Callable[[], None] = lambda: None) -> T:
    """Run something that may be deep in compiled code, where Ctrl-C is not heard: this thread waits and listens."""
    try:
        return interruptibly(work)
    except KeyboardInterrupt:
        stop()
        leave_if_busy()
        raise


def leave_if_busy() -> None:
    """After Ctrl-C: end the process here and now, unless what was interrupted ends by itself."""
    if is_left_behind(GRACE):  # machine code cannot be pulled from under itself
        _leave()


def _leave() -> None:
    sys.stdout.flush()
    stop_spinning()
    print("interrupted", file=sys.stderr, flush=True)
    os._exit(INTERRUPTED)


def interrupt(number: int, frame: FrameType | None) -> None:
    """Ctrl-C where nothing else becomes of it. In the middle of an import the process ends at once: a library there may
    turn the exception into another one or swallow it, and Python's own lock on imports may never be given back."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            _leave()
        frame = frame.f_back
    raise KeyboardInterrupt


@contextmanager
def listening() -> Iterator[None]:
    """Ctrl-C while the main thread is in machine code, where Python cannot tell it: another thread hears it, and ends
    the process if nobody has reacted after a moment."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ear, bell = socket.socketpair()
    bell.setblocking(False)
    before = signal.set_wakeup_fd(bell.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(ear,), daemon=True).start()
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            with handling(interrupt, signal.SIGINT):
                yield
        else:  # somebody else's business
            yield
    finally:
        signal.set_wakeup_fd(before)
        bell.close()  # ends the thread


def _listen(ear: socket.socket) -> None:
    with ear:
        while numbers := ear.recv(1):
            is_ours = getattr(signal.getsignal(signal.SIGINT), "is_ours", False)  # a server has its own ways
            if numbers[0] == signal.SIGINT and is_ours and not _heard.wait(GRACE):
                _leave()
            _heard.clear()
