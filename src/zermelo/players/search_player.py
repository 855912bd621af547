"""Any compiled search as a player: a searcher, and limits for one move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.players.player import Player, as_history, first_choice
from zermelo.search.endings import AUTO
from zermelo.search.limits import Limits
from zermelo.search.registry import SEARCHES, open_search
from zermelo.search.report import Report
from zermelo.search.searcher import Searcher, answer

SHORTENING = 0.1  # of a move's time: a win is a win, and the clock runs


class SearchPlayer(Player):
    """Plays what a search finds best. It keeps its table or tree from move to move, and forgets it between games."""

    def __init__(self, game: Game[Any, Any], name: str, searcher: Searcher, limits: Limits, seed: int = 0):
        super().__init__(game, name, seed)
        self.searcher = searcher
        self.limits = replace(limits, shortening=min(limits.shortening, SHORTENING))
        self.seconds = limits.seconds

    def choose(self, position: Any) -> Any:
        with self.choosing():
            return self._choose(as_history(self.game, position))

    def _choose(self, history: History[Any, Any]) -> Any:
        actions, self.report = history.actions(), None
        if len(actions) == 1 and self.limits.is_timed:  # nothing to think about
            return actions[0]
        report = self._search(history)
        if report.best is None and report.stopped != "stop":  # what it kept tells a value, but not how
            self.searcher.clear()
            report = self._search(history)
        if report.best is not None:
            return report.best
        if report.stopped in ("seconds", "nodes", "stop"):  # there was no time for anything: any move is legal
            return self.random.choice(list(actions))
        raise GameError(f"{self.name} found no move")

    def _search(self, history: History[Any, Any]) -> Report:
        reports = self.searcher.reports(history, self.limits)
        if self.is_stopped:  # before the search had begun
            self.searcher.stop()
        for report in reports:
            self.report = report
            self.on_report(report)
        return report

    def pass_stop(self) -> None:
        self.searcher.stop()

    def reset(self, seed: int | None = None) -> None:
        super().reset(seed)
        if hasattr(self.searcher, "seed"):
            self.searcher.seed = self.random.getrandbits(31)
        self.searcher.clear()  # and begin with the seed

    def prepare(self) -> None:
        """Compile, by a search that is over at once."""
        history = first_choice(self.game)
        if history is not None:
            answer(self.searcher, history, Limits(nodes=1))
            self.searcher.clear()

    def make_ready(self, position: Any) -> None:
        self.searcher.make_ready(as_history(self.game, position))


def search_player(game: Game[Any, Any], name: str, spec: str, **settings: Any) -> SearchPlayer:
    """The player that plays what the search of a spec finds (search/registry.py). It knows the endgame tables that are
    there, unless told otherwise."""
    if settings.get("tables") is None and "tables" in SEARCHES[spec].settings:
        settings["tables"] = AUTO
    searcher, limits = open_search(game, spec, **settings)
    return SearchPlayer(game, name, searcher, limits, int(settings.get("seed") or 0))
