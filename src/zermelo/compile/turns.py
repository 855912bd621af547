"""Processes that need the same machine code take turns: the first compiles it, the others wait and read what it kept.

The workers of a match, or of the tests, would otherwise all compile the same kernel at the same time. A turn is a lock
on a file beside the machine code's, which the system takes back when a process ends, however it ends.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: everybody compiles
    fcntl = None  # type: ignore[assignment]

PATIENCE = 120.0  # seconds; whoever takes longer has been stopped, perhaps
_LOOK_AGAIN = 0.02  # seconds


_turns = threading.local()  # .held: the locks of this thread, by file; a kernel may be compiled inside another


def take_turn(file: Path) -> bool:
    """Wait until nobody else compiles what `file` is going to hold. Did somebody? Then it may be there now."""
    if fcntl is None:
        return False
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(_lock_file(file), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # a full or read-only disk loses time, not the answer
        return False
    _held()[file] = lock
    waited, begun = False, time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            waited = True
            time.sleep(_LOOK_AGAIN)
        except OSError:  # a file system without locks
            break
    return waited


def leave_turn(file: Path) -> None:
    """It is kept now, or cannot be: let the next one look."""
    lock = _held().pop(file, None)
    if lock is not None:
        with suppress(OSError):
            _lock_file(file).unlink(missing_ok=True)
        os.close(lock)


def leave_turns() -> None:
    for file in list(_held()):
        leave_turn(file)


def _held() -> dict[Path, int]:
    if not hasattr(_turns, "held"):
        _turns.held = {}
    return _turns.held  # type: ignore[no-any-return]


def _lock_file(file: Path) -> Path:
    return file.with_suffix(".lock")
