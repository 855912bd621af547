"""Large tables unpacked, as one file that is mapped into memory: what several processes search with is there once, and
what no search comes to is never read.

A file is made when it is first wanted, in the user's cache folder, under a name that holds the checksum of what it was
made from; it may be deleted at any time.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from zermelo.compile.kernel import cache_directory

LARGE = 64 << 20  # bytes from which on a file is worth its place on the disk


def mapped(name: str, count: int, kind: Any, fill: Callable[[Any], None]) -> Any:
    """`count` numbers that `fill` writes into an array of zeros: mapped, if they are many and the disk has room."""
    kind = np.dtype(kind)
    size = count * kind.itemsize
    if size < LARGE:
        return _in_memory(count, kind, fill)
    path = cache_directory() / "tables" / f"{name}.{kind.name}"
    scratch = path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}.tmp")
    try:
        if not path.is_file() or path.stat().st_size != size:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            writing = np.memmap(scratch, kind, "w+", shape=(count,))
            fill(writing)
            writing.flush()
            del writing
            scratch.replace(path)
        return np.asarray(np.memmap(path, kind, "r"))
    except OSError:  # a full or read-only disk costs memory, not the answer
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
        return _in_memory(count, kind, fill)


def _in_memory(count: int, kind: Any, fill: Callable[[Any], None]) -> Any:
    made = np.zeros(count, kind)
    fill(made)
    return made
