"""What every search looks like from outside, and the position it is given: a state, or a game in progress.

A state alone knows nothing of what came before it; a `History` does, and repetition counts with it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import OVER, Game, GameError
from zermelo.core.history import History
from zermelo.search.limits import Limits
from zermelo.search.report import Report

Position = Any  # a state, or a History


class Searcher(Protocol):
    """A search set up for one game. It may keep what it learned (table, tree) from one position to the next."""

    game: RecordGame

    def reports(self, position: Position, limits: Limits) -> Generator[Report, None, None]:
        """Search `position`: one report after another, the last is the answer. There is always at least one."""
        ...

    def clear(self) -> None:
        """Drop what was learned from earlier positions."""
        ...


def answer(searcher: Searcher, position: Position, limits: Limits) -> Report:
    """Search to the end; the last report."""
    for report in searcher.reports(position, limits):
        last = report
    return last


def history_of(game: Game[Any, Any], position: Position | None) -> History[Any, Any]:
    """The game in progress that `position` stands for, with somebody (or nature) to move."""
    history = position if isinstance(position, History) else History(game, position)
    if history.player() == OVER:
        raise GameError(f"{game.name}: the game is over, there is nothing to search")
    return history


def need_rules(game: Game[Any, Any]) -> RecordGame:
    """The game, if it has rules over a record that a kernel can run."""
    if not isinstance(game, RecordGame):
        raise GameError(
            f"{game.name} is a plain Python game: the compiled searches need rules over a record (see @rules); "
            "zermelo.textbook searches any game"
        )
    return game
