"""A snapshot in pieces of a few megabytes, so that a training can be carried from one machine to another.

    snapshot.json       which pieces make it up, what they weigh and hash to, the log; written last, in one rename
    snapshot-G.K.part   piece K of generation G: a safetensors file, compressed and cut up

The pieces of a new generation have new names. Until snapshot.json names them the old generation is the snapshot, and
after that it is not: whenever a process is killed there is exactly one, whole. What is named by nobody is removed.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from zermelo.core.files import read_plain, write_atomically
from zermelo.core.game import GameError
from zermelo.core.memory import available_memory

SYSTEM = "zero"  # as run.json calls such a training
NAME = "snapshot.json"
PIECE = 15 << 20  # bytes
LARGEST = 1 << 32  # bytes, not compressed, where the index does not say


class Index(NamedTuple):
    """What snapshot.json says."""

    pieces: list[tuple[str, int, str]]  # name, size and hash
    texts: dict[str, str]
    generation: int
    size: int  # bytes, not compressed


def write_pieces(folder: Path, tensors: Mapping[str, NDArray[Any]], texts: Mapping[str, str]) -> None:
    """Everything of a training, as it stands."""
    path = folder / NAME
    generation = 1 + (read_index(folder).generation if path.exists() else 0)
    while any(folder.glob(f"snapshot-{generation}.*.part")):  # somebody else's: nothing is overwritten
        generation += 1
    whole = save({name: np.ascontiguousarray(one) for name, one in tensors.items()})
    content = zlib.compress(whole, 1)
    pieces = []
    for k, start in enumerate(range(0, len(content), PIECE)):
        piece, name = content[start : start + PIECE], f"snapshot-{generation}.{k}.part"
        write_atomically(folder / name, piece)
        pieces.append([name, len(piece), hashlib.sha256(piece).hexdigest()])
    told = {"generation": generation, "pieces": pieces, "size": len(whole), "texts": dict(texts)}
    write_atomically(path, json.dumps(told).encode())
    remove_others(folder)


def read_index(folder: Path) -> Index:
    path = folder / NAME
    content = read_plain(path)
    try:
        told = json.loads(content)
        pieces = [(str(name), int(size), str(digest)) for name, size, digest in told["pieces"]]
        size = int(told.get("size", LARGEST))
        if size < 0:
            raise ValueError
        return Index(pieces, dict(told["texts"]), int(told["generation"]), size)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
        raise GameError(f"{path} is not a snapshot of a training") from None


def read_pieces(folder: Path) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """(tensors, texts), if they are whole."""
    path = folder / NAME
    pieces, texts, _, size = read_index(folder)
    if not pieces or any(Path(name).name != name for name, _, _ in pieces):
        raise GameError(f"{path} is not a snapshot of a training")
    free = available_memory()
    if size > free:
        raise GameError(f"{path} tells of {size / 2**30:.1f} GiB, and {free / 2**30:.1f} GiB of memory are free")
    content = b""
    for name, length, digest in pieces:
        piece = read_plain(folder / name)
        if len(piece) != length or hashlib.sha256(piece).hexdigest() != digest:
            raise GameError(f"{folder / name} is damaged: its content is not what was written")
        content += piece
    try:
        engine = zlib.decompressobj()
        tensors: dict[str, NDArray[Any]] = load(engine.decompress(content, max(1, size)))
    except (zlib.error, SafetensorError):
        raise GameError(f"the snapshot in '{folder}' is damaged") from None
    return tensors, texts


def remove_others(folder: Path) -> None:
    """Remove pieces that the snapshot does not name, and what a killed process has left half-written. Only a snapshot
    that has been read, or written, tells what is of no use: where there is none, everything stays."""
    named = {name for name, _, _ in read_index(folder).pieces} if (folder / NAME).exists() else set()
    if not named:
        return
    for pattern in ("snapshot-*.part", ".snapshot*.tmp"):
        for found in folder.glob(pattern):
            if found.name not in named and not found.is_dir():
                with suppress(OSError):  # what cannot be removed does no harm
                    found.unlink()
