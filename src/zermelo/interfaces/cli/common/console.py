"""Output: tables and drawings for people on stdout, JSON for programs, progress on stderr and only to a terminal."""

from __future__ import annotations

import functools
import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_spinning: list[Any] = []  # what `working` shows at the moment
WIDE = 240  # columns of a table that goes into a file or a pipe


@functools.cache
def stdout() -> Console:
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)


@functools.cache
def stderr() -> Console:
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def say(text: str = "", style: str = "") -> None:
    """Text as it is: no markup in it, no wrapping by us."""
    stdout().print(text, style=style, markup=False, soft_wrap=True)


def complain(text: str) -> None:
    """One sentence about what went wrong."""
    stderr().print(f"zermelo: {text}", style="red", markup=False, soft_wrap=True)


def print_json(content: Any) -> None:
    """Plain JSON and nothing else; ∞ and "not a number", which JSON does not have, become null."""
    print(json.dumps(_finite(content), ensure_ascii=False, indent=2))


def _finite(content: Any) -> Any:
    if isinstance(content, dict):
        return {str(k): _finite(v) for k, v in content.items()}
    if isinstance(content, (list, tuple)):
        return [_finite(v) for v in content]
    if isinstance(content, float) and not math.isfinite(content):
        return None
    return content


def format_time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def format_long(seconds: float) -> str:
    """A time that may be days: 40 s, 12 min, 3.5 h, 2.1 days."""
    for unit, digits, name in ((86400, 1, "days"), (3600, 1, "h"), (60, 0, "min")):
        if seconds >= 1.5 * unit:
            return f"{seconds / unit:.{digits}f} {name}"
    return f"{seconds:.0f} s"


@contextmanager
def working(text: str) -> Iterator[Callable[[str], None]]:
    """Say on a terminal's stderr what is going on, compiling included; gives a function that changes the words."""
    from zermelo.compile import kernel

    if not sys.stderr.isatty():
        yield lambda words: None
        return
    before = kernel.on_compile, kernel.on_compiled
    with stderr().status(text) as status:
        _spinning[:] = [status]
        words = [text]

        def update(words_now: str) -> None:
            words[0] = words_now
            status.update(words_now)

        kernel.set_on_compile(
            lambda name, game: status.update(f"{words[0]} (compiling {game}: {name})"), lambda: status.update(words[0])
        )
        try:
            yield update
        finally:
            kernel.set_on_compile(*before)
            _spinning.clear()


def stop_spinning() -> None:
    """Before a process ends in the middle of `working`: it would be drawn once more, and the cursor stay hidden."""
    for status in _spinning:
        status.stop()
