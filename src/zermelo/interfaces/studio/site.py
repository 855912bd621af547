"""What one server has, for all its visitors: games, bounds, search processes, and what pages keep for everybody."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pool import Pool
from zermelo.interfaces.studio.ticket import News

T = TypeVar("T")


class Site:
    """Made when the server starts."""

    def __init__(self, catalogue: Catalogue, bounds: Bounds, first: str | None = None, runs: str = "."):
        self.catalogue, self.bounds = catalogue, bounds
        self.pool = Pool(bounds)
        self.first = catalogue[first or catalogue.titles[0]].title  # the game a new visitor finds
        self.runs = runs  # folder whose training runs and match records the arena page shows
        self.checks: dict[str, News] = {}  # what was found out about games of the user's own, by title
        self._shared: dict[Callable[[Site], Any], Any] = {}
        self._lock = threading.RLock()

    def shared(self, make: Callable[[Site], T]) -> T:
        """What `make` gives for this site; made when first asked for, by whatever thread."""
        with self._lock:
            if make not in self._shared:
                self._shared[make] = make(self)
            found: T = self._shared[make]
            return found
