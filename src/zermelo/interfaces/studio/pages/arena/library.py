"""What visitors of the arena page have opened: read once for all of them, and kept while there is room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.arena.folder import Item
from zermelo.interfaces.studio.pages.arena.games import Brief, GameFile
from zermelo.interfaces.studio.pages.arena.replay import Replay, sides_of
from zermelo.interfaces.studio.pages.arena.tables import Contests, contest_html
from zermelo.interfaces.studio.pages.arena.training_run import WatchedRun
from zermelo.interfaces.studio.site import Site

KEPT = 6  # opened things


class OpenGames:
    """A file of games with its tables."""

    def __init__(self, item: Item, catalogue: Catalogue):
        self.item, self.catalogue = item, catalogue
        self.file = GameFile(item)
        self.html = ""
        self._lock = threading.Lock()
        self._contests = Contests(self._sides)
        self._drawn = -1

    def _sides(self, brief: Brief) -> tuple[int, ...] | None:
        return sides_of(self.catalogue, brief)

    def refresh(self) -> int:
        """Read on and sum up; the version there is now."""
        self.file.refresh()
        with self._lock:
            if self._drawn != self.file.version:
                version, games = self.file.version, self.file.games
                if self._contests.added > len(games):  # another file under the same name
                    self._contests = Contests(self._sides)
                self._contests.add(games)
                self.html = "".join(contest_html(contest) for contest in self._contests.found.values())
                self._drawn = version
            return self._drawn

    def replay(self, index: object) -> Replay:
        return Replay(self.catalogue, self.file.record(index))


class Library:
    """Opened runs and files of games, by their paths; the last few are kept."""

    def __init__(self, site: Site) -> None:
        self._catalogue = site.catalogue
        self._lock = threading.Lock()
        self._open: OrderedDict[Path, WatchedRun | OpenGames] = OrderedDict()

    def open(self, item: Item) -> WatchedRun | OpenGames:
        with self._lock:
            found = self._open.pop(item.path, None)
            if found is None:
                found = WatchedRun(item) if item.kind == "run" else OpenGames(item, self._catalogue)
            self._open[item.path] = found
            while len(self._open) > KEPT:
                self._open.popitem(last=False)
            return found
