"""Large tables unpacked, as one file that is mapped into memory: what several processes search with is there once, and
what no search comes to is never read.

A file is made when it is first wanted, in the user's cache folder, under a name that holds the checksum of what it was
made from; it may be deleted at any time.
"""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.compile.kernel import cache_directory

LARGE = 64 << 20  # bytes from which on a file is worth its place on the disk
PIECE = 1 << 20


def unpacked_folder() -> Path:
    return cache_directory() / "tables"


def mapped(name: str, count: int, kind: Any, fill: Callable[[Any], None]) -> Any:
    """`count` numbers that `fill` writes into an array of zeros: mapped, if they are many and the disk has room."""
    kind = np.dtype(kind)
    size = count * kind.itemsize
    if size < LARGE:
        return _in_memory(count, kind, fill)
    path = unpacked_folder() / f"{name}.{kind.name}"
    try:
        if not path.is_file() or path.stat().st_size != size:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(path, count, kind, fill)
        return np.asarray(np.memmap(path, kind, "r"))
    except OSError:  # a full or read-only disk costs memory, not the answer
        return _in_memory(count, kind, fill)


def _write(path: Path, count: int, kind: Any, fill: Callable[[Any], None]) -> None:
    scratch = path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}.tmp")
    try:
        _take_room(scratch, count * kind.itemsize)
        writing = np.memmap(scratch, kind, "r+", shape=(count,))
        fill(writing)
        writing.flush()
        del writing
        scratch.replace(path)
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)


def _take_room(path: Path, size: int) -> None:
    """A file of zeros that are on the disk: were it full of holes, a full disk would be told of by a signal, in the
    middle of `fill`, and not by an OSError here."""
    with path.open("xb") as file:
        if hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(file.fileno(), 0, size)
                return
            except OSError as problem:
                if problem.errno not in (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS):
                    raise
        for at in range(0, size, PIECE):  # a system, or a file system, that cannot promise room
            file.write(bytes(min(PIECE, size - at)))


def _in_memory(count: int, kind: Any, fill: Callable[[Any], None]) -> Any:
    made = np.zeros(count, kind)
    fill(made)
    return made
