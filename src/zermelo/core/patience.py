"""Plain Python that may loop for ever, interrupted after a while, in whatever thread it runs.

    with patience(4.0):          TooLong is raised in the middle of it when 4 seconds have passed
        actions(s, out)

        with unhurried():        what this takes does not count: compiling the function, say
            ...

Another thread looks on, and has Python raise the exception between two instructions. Inside machine code, or a long
call of a library, there are none: it comes when that returns.
"""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LOOK = 0.05  # seconds between two looks


class TooLong(Exception):  # noqa: N818
    """What was given a time has taken longer."""


class _Limit:
    """One thread that is being watched."""

    def __init__(self, seconds: float):
        self.thread, self.seconds = threading.get_ident(), seconds
        self.until = time.monotonic() + seconds
        self.is_over = self.is_sent = False


_limits: dict[int, _Limit] = {}  # by thread
_lock = threading.Lock()
_watcher: list[threading.Thread] = []


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """TooLong if this takes longer. Inside of another, that one counts."""
    me = threading.get_ident()
    if me in _limits and not _limits[me].is_over:
        yield
        return
    limit = _Limit(seconds)
    with _lock:
        _limits[me] = limit
        if not _watcher:
            _watcher.append(threading.Thread(target=_watch, daemon=True))
            _watcher[0].start()
    try:
        try:
            yield
        finally:
            limit.is_over = True
    finally:  # it may have come while that was noted
        limit.is_over = True
        with _lock:
            _limits.pop(me, None)
            if limit.is_sent:
                raise_in(me, None)  # on its way, it would hit somebody else


@contextmanager
def unhurried() -> Iterator[None]:
    """The time that this takes does not count: it is a compiler's, and not whoever is waited for."""
    limit, begun = _limits.get(threading.get_ident()), time.monotonic()
    if limit is None:
        yield
        return
    with _lock:
        until, limit.until = limit.until, math.inf
    try:
        yield
    finally:
        with _lock:
            limit.until = until + time.monotonic() - begun


def raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Have an exception of this class raised in a thread, soon; None: none of those that are on their way."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if kind is None else ctypes.py_object(kind))


def _watch() -> None:
    while True:
        time.sleep(_LOOK)
        with _lock:
            for thread in [n for n, limit in _limits.items() if limit.is_over]:
                del _limits[thread]
            if not _limits:  # the next one starts another
                _watcher.clear()
                return
            for limit in list(_limits.values()):
                if time.monotonic() > limit.until:
                    limit.is_sent, limit.until = True, time.monotonic() + limit.seconds  # once more, if it is swallowed
                    raise_in(limit.thread, TooLong)
