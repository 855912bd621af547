"""Rules that write far beyond their fields end the process; here with a sentence instead of the system's own word.

Compiled rules are not watched at every index (docs/performance.md says what that would cost). Slack takes what goes a
little too far and it is then told of (compile/guards.py); what goes further meets memory that is nobody's, and the
system sends a signal. The handler is C's, not Python's, which would only be heard when the machine code has come back.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from typing import Any

_SIGNALS = ("SIGSEGV", "SIGBUS")
_kept: list[Any] = []  # what C calls must stay


def crashes_are_told(arguments: list[str]) -> None:
    """From here on, a wild write ends this process with exit code 2 and a sentence that names the game."""
    if _kept or not hasattr(os, "fork"):  # Windows sends no such signals
        return
    game = next((word for word in arguments[1:] if not word.startswith("-")), "GAME")
    sentence = (
        f"zermelo: {game}: compiled rules reached beyond their memory, far outside an array: "
        f"`zermelo check {game} -o compiled=false` says where\n"
    ).encode()

    def end(number: int) -> None:
        with contextlib.suppress(OSError):
            os.write(2, sentence)
        os._exit(2)

    try:
        handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(end)
        library = ctypes.CDLL(None)
        library.signal.restype = ctypes.c_void_p
        _kept.append(handler)
        for name in _SIGNALS:
            library.signal(getattr(signal, name), handler)
    except (OSError, AttributeError) as problem:  # no such library here: the system's own word must do
        print(f"zermelo: crashes are not told of: {problem}", file=sys.stderr)
