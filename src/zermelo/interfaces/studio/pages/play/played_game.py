"""The game a visitor plays, without the page: its session, who sits where, what is looked at, what is known of it.

Whatever a visitor typed or sent comes through here and is checked here: a GameError in one sentence says what is
wrong, and then nothing has changed.
"""

from __future__ import annotations

import json
from typing import Any

from zermelo.arena.records import NEEDED, replay
from zermelo.arena.session import GameSession
from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.drawing.svg import escape
from zermelo.interfaces.studio.bounds import HUMAN, Bounds
from zermelo.interfaces.studio.catalogue import Catalogue, Entry, checked_options
from zermelo.interfaces.studio.pages.play.clicks import OPPOSITE, Cells, ClickSequence
from zermelo.interfaces.studio.pages.play.judgement import Judgements
from zermelo.interfaces.studio.pages.play.marks import marks_of, ways_of
from zermelo.players.human import read_move

LONGEST_TEXT = 200_000  # characters of a pasted position or record
MOST_MOVES = 5_000
OPPONENT = "level=3"


class PlayedGame:
    """One visitor's game. `cursor` is the ply that is looked at; None: the present."""

    def __init__(self, catalogue: Catalogue, bounds: Bounds):
        self.catalogue, self.bounds = catalogue, bounds
        self.flip = False
        self.cursor: int | None = None
        self.hints: tuple[Cells, ...] = ()  # the clicks of moves that are pointed out until the next click
        self.shows_perfect = False  # are those pointed out that endgame tables know to be perfect?
        self.judgements = Judgements(0)
        self.refusal = ""  # why the last click did nothing
        self.entry: Entry
        self.session: GameSession
        self.clicks: ClickSequence

    # -- sitting down --------------------------------------------------------------------------------------------------

    def begin(
        self,
        title: object,
        options: object = None,
        seats: object = None,
        position: object = None,
        seed: int | None = None,
    ) -> None:
        """A new game. What is not said is as it usually is; what cannot be is told."""
        entry = self.catalogue[title]
        game = entry.load(**checked_options(entry, options))
        seated = self.check_seats(game, seats)
        if position is not None and (not isinstance(position, str) or len(position) > LONGEST_TEXT):
            raise GameError("a position is a short text")
        self._begin(entry, GameSession(game, seated, position=position or None, seed=seed, origin=entry.origin))

    def check_seats(self, game: Game[Any, Any], seats: object = None) -> list[str]:
        """A player spec for every seat; by default a person and programs."""
        if seats is None:
            return [HUMAN] + [OPPONENT if _can_search(game) else "random"] * (game.players - 1)
        if not isinstance(seats, list) or len(seats) != game.players:
            raise GameError(f"{game.name} has {game.players} seats")
        return [self.bounds.player(spec) for spec in seats]

    def seat(self, number: int, spec: object) -> None:
        """Somebody else sits down in a seat; the game goes on."""
        if not 0 <= number < len(self.session.players):
            raise GameError("there is no such seat")
        self.session.players[number] = self.bounds.player(spec)

    def _begin(self, entry: Entry, session: GameSession) -> None:
        self.entry, self.session = entry, session
        self.judgements = Judgements(len(session.history.moves))
        self.cursor = None
        self._moved()

    # -- what is seen --------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game[Any, Any]:
        return self.session.game

    @property
    def history(self) -> History[Any, Any]:
        return self.session.history

    @property
    def here(self) -> int:
        """The ply that is looked at."""
        return len(self.history.moves) if self.cursor is None else self.cursor

    @property
    def is_present(self) -> bool:
        return self.here == len(self.history.moves)

    def is_human(self, seat: int) -> bool:
        return seat >= 0 and self.session.players[seat] == HUMAN

    @property
    def is_watched(self) -> bool:
        """Do programs sit in all seats?"""
        return not any(map(self.is_human, range(self.game.players)))

    @property
    def is_visitors_turn(self) -> bool:
        return not self.session.is_over and self.is_human(self.history.player())

    def point_out(self, moves: list[str]) -> None:
        """Point moves out on the board, until something is clicked."""
        self.hints = ways_of(self.game, self.history.state, moves)

    def board(self) -> str:
        """The position that is looked at, as HTML: its drawing, or its text where the game has none."""
        s, marks = self.history.states[self.here], marks_of(self)
        halfway = self.game.hook("halfway")
        if halfway is not None and self.is_present and len(self.clicks.cells) > 1:
            return str(halfway(s, self.clicks.cells, marks))
        return self.game.svg(s, marks) or f"<pre>{escape(self.game.text(s))}</pre>"

    def buttons(self, board: str) -> list[str]:
        """Cells that lead on and are not on the board: passing, a piece to promote to."""
        return [cell for cell in self.clicks.next if f'data-at="{escape(cell)}"' not in board]

    # -- playing -------------------------------------------------------------------------------------------------------

    def click(self, cell: object) -> Any | None:
        """A visitor clicks a cell; the action, if that makes a move."""
        if not isinstance(cell, str) or len(cell) > 40 or not self.is_present or not self.is_visitors_turn:
            return None
        self.hints, held = (), self.clicks.held
        action = self.clicks.click(cell)
        self.refusal = self.clicks.why_not(cell, held) if self.clicks.is_refused else ""
        return action

    def drag(self, here: object, there: object) -> Any | None:
        """A visitor drags a piece; the action, if that makes a move. Where it cannot go it is put down again."""
        if not isinstance(here, str) or not isinstance(there, str) or not self.lift(here):
            return None
        if there in self.clicks.next:
            return self.click(there)
        self.clicks.put_down()
        self.refusal = self.clicks.why_not(there[:40], here)
        return None

    def lift(self, cell: object) -> bool:
        """A piece is taken up to be dragged; can it be? Its targets are shown then."""
        if not isinstance(cell, str) or len(cell) > 40 or not self.is_present or not self.is_visitors_turn:
            return False
        if self.clicks.held != cell and cell in self.clicks.starts:
            self.click(cell)
        elif self.clicks.held != cell and self.clicks.is_dragged:
            self.refusal = self.clicks.why_not(cell, None)
        return self.clicks.held == cell

    def push(self, direction: object) -> Any | None:
        """A visitor pushes the board in a direction of the screen; the action, if that is a move."""
        if not self.is_present or not self.is_visitors_turn or not isinstance(direction, str):
            return None
        return self.clicks.pushes.get(OPPOSITE.get(direction, "") if self.flip else direction)

    def read(self, text: object) -> Any:
        """The move somebody typed."""
        if not isinstance(text, str) or not text.strip() or len(text) > 200:
            raise GameError("type a move, as in the list of moves")
        if not self.is_visitors_turn:
            raise GameError("it is not your turn")
        return read_move(self.history, text)

    def play(self, action: Any) -> None:
        self.history.play(action)
        self.judgements.played(self.session.moves()[-1], self.history.player() >= 0)
        self.cursor = None
        self._moved()

    def go_back(self, plies: int) -> None:
        """The game goes on from after so many plies."""
        self.session.go_back(max(0, plies))
        self.cursor = None
        self._moved()

    def take_back(self) -> None:
        """The last step of a move in the making; if there is none, the last move."""
        if self.clicks.cells:
            self.clicks.step_back()
            self.refusal = ""
            return
        self.session.take_back(self.is_human)
        self.cursor = None
        self._moved()

    def look(self, ply: object) -> None:
        """Look at the position after so many plies."""
        if not isinstance(ply, int) or isinstance(ply, bool):
            return
        ply = min(max(ply, 0), len(self.history.moves))
        self.cursor = None if ply == len(self.history.moves) else ply

    def _moved(self) -> None:
        self.judgements.cut(len(self.history.moves))
        self.hints, self.refusal = (), ""
        self.clicks = ClickSequence(self.history)

    # -- in and out ----------------------------------------------------------------------------------------------------

    def question(self) -> dict[str, Any]:
        """The game so far, for a search process."""
        session = self.session
        return {
            "game": self.entry.origin,
            "options": session.options,
            "start": session.position,
            "moves": session.moves(),
            "seed": session.seed + len(self.history.moves),
        }

    def kept(self) -> dict[str, Any]:
        """What is kept for this tab: enough to sit down to it again."""
        session = self.session
        return {
            "game": self.entry.title,
            "options": json.loads(json.dumps(session.options)),
            "start": session.position,
            "moves": session.moves(),
            "seats": list(session.players),
            "seed": session.seed,
        }

    def restore(self, kept: object) -> None:
        """Sit down to what `kept` gave; a stranger may have changed it."""
        if not isinstance(kept, dict):
            raise GameError("there is no game to go on with")
        self.take_record({**kept, "players": kept.get("seats"), "payoffs": [], "reason": "unfinished"})

    def read_record(self, text: object) -> dict[str, Any]:
        """A pasted record: one line of JSON, as `zermelo play --save` writes."""
        if not isinstance(text, str) or len(text) > LONGEST_TEXT:
            raise GameError("this record is too long")
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            raise GameError("a game record is one line of JSON; this is not") from None
        if not isinstance(record, dict):
            raise GameError("a game record is one line of JSON with names; this is not")
        for name, kind in NEEDED.items():
            if not isinstance(record.get(name), kind):
                raise GameError(f"this is no game record: it lacks '{name}'")
        return record

    def take_record(self, record: dict[str, Any]) -> None:
        """Go on with a recorded game, every move checked."""
        moves, start = record.get("moves"), record.get("start")
        if not isinstance(moves, list) or len(moves) > MOST_MOVES:
            raise GameError(f"a record lists at most {MOST_MOVES} moves")
        if start is not None and (not isinstance(start, str) or len(start) > LONGEST_TEXT):
            raise GameError("the record's start is not a position")
        entry = self._entry_of(record.get("game"))
        game = entry.load(**checked_options(entry, record.get("options")))
        try:
            seats = self.check_seats(game, record.get("players"))
        except GameError:  # programs that do not play here
            seats = self.check_seats(game)
        seed = record.get("seed")
        session = GameSession(game, seats, seed=seed if isinstance(seed, int) else None, origin=entry.origin)
        session.adopt(replay({**record, "reason": "unfinished"}, game), record)
        self._begin(entry, session)

    def _entry_of(self, name: object) -> Entry:
        for entry in self.catalogue.entries.values():
            if name in (entry.origin, entry.title):
                return entry
        raise GameError(f"there is no game '{str(name)[:40]}' here")


def _can_search(game: Game[Any, Any]) -> bool:
    return game.players > 1
