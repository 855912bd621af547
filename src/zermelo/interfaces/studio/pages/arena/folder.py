"""What lies in the folder the server was started with: training runs and files of games, at most two folders deep.

A visitor picks one of this list by its place in it; no path ever comes from a visitor. Whatever is read, is only read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zermelo.core.game import GameError
from zermelo.learn.runs.snapshots import RUN, SNAPSHOT

DEEP = 2  # folders
MOST = 200  # things on the list
LOOKED_AT = 5000  # names in all
GAMES = ".jsonl"


@dataclass(frozen=True)
class Item:
    """One thing on the list."""

    name: str  # relative to the folder
    kind: str  # "run" or "games"
    path: Path
    changed: float  # seconds since 1970

    @property
    def words(self) -> str:
        return "training run" if self.kind == "run" else "games"


def list_folder(root: str) -> list[Item]:
    """Everything there is to see, the newest first."""
    folder = Path(root)
    if not folder.is_dir():
        raise GameError("the folder with training runs that this page was started with is not there")
    found = sorted(_search(folder, folder.resolve().name), key=lambda item: (-item.changed, item.name))
    return found[:MOST]


def _search(root: Path, own_name: str) -> Iterator[Item]:
    """The newest are wanted, so that everything is looked at, up to a number of names."""
    looked = 0
    todo = [(root, "", 0)]
    while todo:
        folder, prefix, depth = todo.pop(0)
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:  # not ours to read
            continue
        if any(entry.name == RUN for entry in entries):
            yield Item(prefix.rstrip("/") or own_name, "run", folder, _changed(folder / SNAPSHOT, folder / RUN))
        for entry in entries:
            looked += 1
            if looked > LOOKED_AT:
                return
            if entry.name.startswith("."):
                continue
            path = folder / entry.name
            if entry.name.endswith(GAMES) and path.is_file():
                yield Item(prefix + entry.name, "games", path, _changed(path))
            elif depth < DEEP and entry.is_dir(follow_symlinks=False):
                todo.append((path, f"{prefix}{entry.name}/", depth + 1))


def _changed(*paths: Path) -> float:
    """When the first of these that exists was written."""
    for path in paths:
        try:
            return path.stat().st_mtime
        except OSError:
            continue
    return 0.0


def ago(seconds: float) -> str:
    """12 s ago, 3 min ago, 5 h ago, 2 days ago."""
    seconds = max(0.0, seconds)
    for unit, length in (("day", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            number = int(seconds // length)
            return f"{number} {unit}{'s' if unit == 'day' and number > 1 else ''} ago"
    return f"{int(seconds)} s ago"
