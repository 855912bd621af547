"""How what was worked out is kept: a file a class, written by one process at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.endings import Ending
from zermelo.core.game import GameError
from zermelo.tables.files import Header, TableFile, checksum_of, write_table
from zermelo.tables.numbering import numbering_hash
from zermelo.tables.tables import Tables, file_name

try:
    import fcntl
except ImportError:  # Windows: nobody looks whether two build at once
    fcntl = None  # type: ignore[assignment]


def write_class(
    tables: Tables, one: Ending, kind: str, bits: int, content: NDArray[Any], counts: dict[str, int], longest: int
) -> None:
    """The values of a class as a file, which is read again before this returns."""
    header = Header(
        game=tables.game.name,
        options=dict(tables.game.variant.parameters),
        numbering=numbering_hash(tables.game, one),
        number=one.number,
        name=one.name,
        size=one.size,
        limit=one.limit,
        kind=kind,
        bits=bits,
        checksum=checksum_of(np.ascontiguousarray(content).view(np.uint8)),
        counts=counts,
        longest=longest,
    )
    path = tables.folder / file_name(one.number, kind)
    write_table(path, header, content)
    TableFile(path).content()  # as it can be read: what a disk loses is noticed now
    tables.forget(one.number, kind)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One build in a folder at a time; what a killed one left half written goes."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as problem:
        raise GameError(f"tables cannot be kept in '{folder}': {problem.strerror or problem}") from None
    try:
        if fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise GameError(f"another process builds tables in '{folder}' just now") from None
            except OSError:  # a file system without locks
                pass
            else:
                for scrap in folder.glob(".*.tmp"):
                    with suppress(OSError):
                        scrap.unlink()
        yield
    finally:
        os.close(lock)
