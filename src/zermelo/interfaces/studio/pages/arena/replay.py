"""A recorded game played again, to be walked through: its positions, and its moves as text."""

from __future__ import annotations

import time
from typing import Any

from zermelo.arena.records import Record
from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.core.registry import thaw
from zermelo.core.words import count
from zermelo.drawing.svg import escape
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.arena.games import Brief

MOST_PLIES = 5000
SECONDS = 10.0  # of replaying, in a thread beside the page


def game_for(catalogue: Catalogue, name: str, options: dict[str, Any]) -> Game[Any, Any]:
    """The game a record names, if it is one of this server's: a record is data, and no file it names is opened."""
    for entry in catalogue.entries.values():
        if name in (entry.origin, entry.title):
            try:
                return entry.load(**thaw(options))
            except GameError:
                raise
            except Exception as problem:  # options that somebody wrote by hand
                raise GameError(f"{entry.title} cannot be had with these options: {problem}") from None
    raise GameError("this page does not know the game of these records; start it with that game's file")


def sides_of(catalogue: Catalogue, brief: Brief) -> tuple[int, ...] | None:
    """Who plays for whom. Of a game that is not known here, two players are two sides, and more cannot be told."""
    try:
        game = game_for(catalogue, brief.game, brief.options)
    except GameError:
        return (0, 1) if len(brief.seats) == 2 else None
    return tuple(game.side(p) for p in range(game.players))


class Replay:
    """One game. `states` are as many as could be replayed; `problem` says why there are no more."""

    def __init__(self, catalogue: Catalogue, record: Record, seconds: float = SECONDS):
        self.record = record
        self.moves: list[str] = list(record["moves"])
        self.problem = ""
        self.states: list[Any] = []
        self.game: Game[Any, Any] | None = None
        try:
            self.game = game_for(catalogue, record["game"], record["options"])
            self._play(self.game, time.monotonic() + seconds)
        except GameError as problem:
            self.problem = str(problem)

    def _play(self, game: Game[Any, Any], ends: float) -> None:
        start = self.record.get("start")
        if start is not None and not isinstance(start, str):
            raise GameError("the record does not say where it began")
        history = History(game, None if start is None else game.parse(start))
        self.states = history.states
        for number, text in enumerate(self.moves, 1):
            if number > MOST_PLIES or time.monotonic() > ends:
                raise GameError(f"this game is too long to be shown here: it stops after {count(number - 1, 'move')}")
            try:
                history.play(game.parse_action(history.state, text))
            except GameError as problem:
                raise GameError(f"move {number} of the record, {text[:40]}: {problem}") from None

    @property
    def last(self) -> int:
        return max(0, len(self.states) - 1)

    def board(self, at: int) -> str:
        """The position after `at` moves, as SVG or as text in a <pre>."""
        if self.game is None or not self.states:
            return ""
        s = self.states[min(max(at, 0), self.last)]
        return self.game.svg(s) or f"<pre>{escape(self.game.text(s))}</pre>"

    def moves_html(self, at: int) -> str:
        """All moves, numbered; the one that led to the position shown is bold."""
        words = []
        for number, move in enumerate(self.moves, 1):
            shown = f"<b>{escape(move)}</b>" if number == at else escape(move)
            words.append(f"<span class='z-muted'>{number}.</span>&nbsp;{shown}")
        return " ".join(words)

    def heading(self) -> str:
        """Who played, and what came of it."""
        payoffs = " : ".join(f"{x:g}" for x in self.record["payoffs"]).replace("-", "\N{MINUS SIGN}")
        return f"{' – '.join(self.record['players'])}, {payoffs} ({self.record['reason']})"
