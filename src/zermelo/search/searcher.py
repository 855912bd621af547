"""What every search looks like from outside, and the position it is given: a state, or a game in progress.

A state alone knows nothing of what came before it; a `History` does, and repetition counts with it.

    reports = searcher.reports(position, Limits())     the search has begun: stop() counts from here on
    for report in reports: ...                         meanwhile, in any other thread: searcher.stop()

A stop() ends the search that was begun last, wherever it is: before its first report (there is always one), in the
middle of an iteration, between two. When no search is going on it does nothing: it is never kept for the next one.
Only compiling cannot be stopped; `reports` compiles before it returns. Whoever measures the time (a match, a page)
calls `make_ready` first: a position near endings that are known needs kernels that no other one does.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import OVER, Game, GameError, shorten
from zermelo.core.history import History
from zermelo.search.limits import ASKED, Control, Limits, new_control, stop
from zermelo.search.report import Report

Position = Any  # a state, or a History


class Searcher(Protocol):
    """A search set up for one game. It may keep what it learned (table, tree) from one position to the next."""

    game: RecordGame

    def reports(self, position: Position, limits: Limits) -> Generator[Report, None, None]:
        """Begin to search `position`: one report after another, the last is the answer. There is always one."""
        ...

    def make_ready(self, history: History[Any, Any]) -> None:
        """Compile and load what this position needs, before any clock runs; cheap where that is done."""
        ...

    def stop(self) -> None:
        """End the search that is going on with the best answer it has; from any thread."""
        ...

    def clear(self) -> None:
        """Drop what was learned from earlier positions."""
        ...


class Stoppable:
    """The part of a searcher that ends it: a search has a control array of its own, so a late stop hits nothing.

    And what `make_ready` is for searches that need the same for every position: the first one has compiled it.
    """

    _control: Control | None = None  # of the search begun last

    def begin(self, more: int = 0) -> Control:
        """A search begins: what its kernels will poll, with room for `more` words of their own."""
        self._control = new_control(more)
        return self._control

    def stop(self) -> None:
        if self._control is not None:
            stop(self._control, ASKED)

    def make_ready(self, history: History[Any, Any]) -> None:
        """Nothing is needed beyond what any other position has compiled."""


def answer(searcher: Searcher, position: Position, limits: Limits) -> Report:
    """Search to the end; the last report."""
    for report in searcher.reports(position, limits):
        last = report
    return last


def history_of(game: Game[Any, Any], position: Position | None) -> History[Any, Any]:
    """The game in progress that `position` stands for, with somebody (or nature) to move."""
    history: History[Any, Any] = History.of(game, position)
    if history.player() == OVER:
        raise GameError(f"{game.name}: the game is over, there is nothing to search")
    return history


def need_rules(game: Game[Any, Any]) -> RecordGame:
    """The game, if it has rules over a record that a kernel can run."""
    if not isinstance(game, Game):
        raise GameError(f"{shorten(game)} is not a game: give one that is loaded")
    if not isinstance(game, RecordGame):
        raise GameError(
            f"{game.name} is a plain Python game: the compiled searches need rules over a record (see @rules); "
            "zermelo.textbook searches any game"
        )
    return game
