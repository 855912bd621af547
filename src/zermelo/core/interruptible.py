"""Work that Ctrl-C does not have to wait for.

Python hears an interrupt between two of its own instructions, in the main thread: not in the middle of a compiler, nor
of machine code. So the main thread has another one do the work, and waits where it can be interrupted:

    main     interruptibly(work) ──── waits ──── Ctrl-C: raised here, at once
    other                 └── work ──────────────────┴──── goes on by itself; nobody waits for its answer

What was left behind is not lost: what it compiles is kept, and whoever needs the same finds it, or waits for its turn.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_LOOK = 0.05  # seconds; on some systems a wait without end cannot be interrupted
_left_behind: list[threading.Event] = []


def interruptibly(work: Callable[[], T]) -> T:
    """What `work()` returns or raises, with an interrupt heard at once. Other threads than the main one hear none."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    answer: list[T] = []
    mistake: list[BaseException] = []
    done = threading.Event()  # not Thread.join: interrupted, it takes the thread for finished

    def run() -> None:
        try:
            answer.append(work())
        except BaseException as caught:
            mistake.append(caught)
        finally:
            done.set()

    try:
        threading.Thread(target=run, daemon=True).start()
        while not done.wait(_LOOK):
            pass
    except BaseException:
        _left_behind.append(done)
        raise
    if mistake:
        raise mistake[0]
    return answer[0]


def is_left_behind(seconds: float = 0.0) -> bool:
    """Does interrupted work still go on, after waiting so long for it?"""
    _left_behind[:] = [done for done in _left_behind if not done.wait(seconds)]
    return bool(_left_behind)
