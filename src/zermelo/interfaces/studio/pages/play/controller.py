"""What a visitor does on the page to play on, and how the game goes on. The game itself is played_game.py."""

from __future__ import annotations

import asyncio
import time
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.core.game import CHANCE, GameError
from zermelo.interfaces.studio.pages.play.played_game import JUDGING, PlayedGame
from zermelo.interfaces.studio.ticket import Cancelled, News, delay
from zermelo.players.registry import split_specs

if TYPE_CHECKING:
    from zermelo.interfaces.studio.visit import Visit

DICE = 0.7  # seconds a roll is in view before a program plays it
PACE = 0.5  # seconds a program takes at least, where nobody else plays
SLOWEST = 5.0
HINT = "level=10"


class Shown(Protocol):
    """The view."""

    def refresh(self) -> None:
        """Show everything as it is; but who plays is shown by `show_seats`, when that has changed."""

    def show_seats(self) -> None: ...
    def show_thought(self) -> None: ...
    def show_value(self) -> None: ...
    def clear_address(self) -> None:
        """Reloading the page goes on with the game that its address began, and does not begin it anew."""


class Controller:
    """One visitor's page."""

    view: Shown

    def __init__(self, visit: Visit):
        self.visit, self.site = visit, visit.site
        self.played = PlayedGame(self.site.catalogue, self.site.bounds)
        self.played.begin(self.site.first)
        self.turn = 0  # counts whatever makes an answer stale: a move, a new game, somebody else in a seat
        self.paused = False
        self.pace = PACE
        self.judging = True
        self.note = ""  # what the program says: thinking, waiting, a hint
        self.report: News | None = None
        self.hinted = ""
        self.kept: MutableMapping[str, Any] = {}  # what this browser tab was playing, once it is connected

    # -- the game goes on ----------------------------------------------------------------------------------------------

    def changed(self, *, seats: bool = False) -> None:
        """Something has happened: show it, keep it, and let whoever is to move go on."""
        self.turn += 1
        self.visit.cancel()
        self.report, self.note = None, ""
        if seats:
            self.view.show_seats()
        self.kept["play"] = self.played.kept()
        self.view.refresh()
        self.visit.start(self.go_on(self.turn))

    async def go_on(self, turn: int) -> None:
        """Nature and programs move until a person has to, or something else has happened."""
        played = self.played
        try:
            while self.is_still(turn) and not played.session.is_over:
                seat = played.history.player()
                if seat == CHANCE:
                    await asyncio.sleep(DICE)
                    action = played.session.roll()
                elif played.is_human(seat) or self.paused:
                    break
                else:
                    action = await self.think(seat, turn)
                if not self.is_still(turn):
                    return
                played.play(action)
                self.report, self.note = None, ""
                self.kept["play"] = played.kept()
                self.view.refresh()
                if self.is_watched:
                    await self.judge(turn)
            await self.judge(turn)
        except Cancelled:
            return
        except GameError as problem:
            if self.is_still(turn):
                self.paused = True
                self.visit.complain(problem)
                self.view.refresh()

    def is_still(self, turn: int) -> bool:
        """Has nothing happened since, and is anybody there?"""
        return turn == self.turn and not self.visit.gone

    async def think(self, seat: int, turn: int) -> Any:
        """The move of the program in `seat`."""
        played, began = self.played, time.monotonic()

        def hear(news: News) -> None:
            if turn == self.turn:
                self.hear(news)

        question = {**played.question(), "player": played.session.players[seat]}
        answer = await self.visit.ask("move", question, seconds=self.site.bounds.seconds, hear=hear)
        if turn == self.turn and answer["report"] is not None:
            played.values[-1] = answer["report"]["value"]
        if self.is_watched:
            await asyncio.sleep(max(0.0, self.pace - (time.monotonic() - began)))
        return played.game.parse_action(played.history.state, answer["move"])

    @property
    def is_watched(self) -> bool:
        """Do programs sit in all seats?"""
        return not any(map(self.played.is_human, range(self.played.game.players)))

    def hear(self, news: News) -> None:
        """How far a search is."""
        if "report" in news:
            self.report = news["report"]
        else:
            self.note = "thinking" if "began" in news else delay(news) or self.note
        self.view.show_thought()

    async def judge(self, turn: int) -> None:
        """What the position is worth, for the bar and the curve."""
        played = self.played
        if not self.judging or not self.is_still(turn):
            return
        if played.session.is_over:
            played.values[-1] = played.session.payoffs()[0]
        elif played.values[-1] is None and played.history.player() >= 0:
            question = {**played.question(), "seconds": JUDGING}
            try:
                answer = await self.visit.submit("value", question, seconds=JUDGING, urgent=False).result()
            except GameError:  # cancelled, or turned away: the game goes on without a judgement
                return
            if not self.is_still(turn):
                return
            played.values[-1] = answer["value"]
        self.view.show_value()

    # -- what a visitor does -------------------------------------------------------------------------------------------

    def open(self, game: str, seats: str, position: str) -> None:
        """The page has opened: the game asked for in its address, or the one this tab was playing, or a new one."""
        self.kept = self.visit.tab
        try:
            if game:
                self.played.begin(game, None, split_specs(seats[:1000]) if seats else None, position or None)
                self.view.clear_address()
            else:
                self.played.restore(self.kept.get("play"))
        except GameError as problem:
            if game:
                self.visit.complain(problem)
        self.changed(seats=True)

    def point(self, cells: object) -> None:
        """A cell of the board was clicked, or a piece dragged from one to another."""
        if not isinstance(cells, list) or not 1 <= len(cells) <= 2:
            return
        if len(cells) == 2:  # dragged
            if self.played.clicks.cells[-1:] != (cells[0],):
                self.click(cells[0])
            if self.played.clicks.cells[-1:] != (cells[0],):
                return
        self.click(cells[-1])

    def click(self, cell: object) -> None:
        action = self.played.click(cell)
        if action is not None:
            self.play(action)
        else:
            self.view.refresh()

    def play(self, action: Any) -> None:
        try:
            self.played.play(action)
        except GameError as problem:
            self.visit.complain(problem)
        self.changed()

    def play_text(self, text: object) -> bool:
        """A move was typed; can it be played?"""
        try:
            action = self.played.read(text)
        except GameError as problem:
            self.visit.complain(problem)
            return False
        self.play(action)
        return True

    async def choose_game(self, title: object) -> None:
        if title != self.played.entry.title:
            await self.begin(title)

    async def begin(self, title: object, options: object = None, seats: object = None, position: object = None) -> bool:
        """A new game; if it cannot be, the old one stays."""
        try:
            await self.visit.in_thread(self.played.begin, title, options, seats, position)
        except GameError as problem:
            self.visit.complain(problem)
            return False
        self.paused = False
        self.changed(seats=True)
        return True

    async def begin_again(self, position: object = None) -> bool:
        """The same variant and players, from its start or from another position."""
        session = self.played.session
        return await self.begin(self.played.entry.title, session.options, list(session.players), position)

    async def take_record(self, text: object) -> bool:
        """Go on with a game that was pasted."""
        try:
            record = self.played.read_record(text)
            await self.visit.in_thread(self.played.take_record, record)
        except GameError as problem:
            self.visit.complain(problem)
            return False
        self.changed(seats=True)
        return True

    def set_seat(self, number: int, spec: object) -> None:
        if spec == self.played.session.players[number]:
            return
        try:
            self.played.seat(number, spec)
        except GameError as problem:
            self.visit.complain(problem)
        self.changed(seats=True)

    def take_back(self) -> None:
        try:
            self.played.take_back()
        except GameError as problem:
            self.visit.complain(problem)
            return
        self.changed()

    def go_on_from_here(self) -> None:
        """The game goes on from the moment that is looked at."""
        self.played.go_back(self.played.here)
        self.changed()

    def look(self, ply: object) -> None:
        """Look at an earlier moment; None: the present."""
        self.played.look(len(self.played.history.moves) if ply is None else ply)
        self.view.refresh()

    def flip(self) -> None:
        self.played.flip = not self.played.flip
        self.view.refresh()

    def pause(self) -> None:
        self.paused = not self.paused
        self.changed()

    def set_pace(self, seconds: object) -> None:
        if isinstance(seconds, int | float):
            self.pace = min(seconds, SLOWEST)

    def set_judging(self, on: object) -> None:
        self.judging = bool(on)
        self.view.refresh()

    def move_now(self) -> None:
        self.visit.stop()

    async def hint(self) -> None:
        played, turn = self.played, self.turn
        if not (played.is_present and played.is_visitors_turn):
            self.visit.complain("a hint is for your own move")
            return
        self.note, self.report = "thinking about a hint", None
        self.view.show_thought()
        question = {**played.question(), "player": HINT}
        try:
            answer = await self.visit.ask("move", question, seconds=self.site.bounds.seconds, hear=self.hear)
        except GameError as problem:
            if not isinstance(problem, Cancelled):
                self.visit.complain(problem)
            return
        if turn == self.turn:
            action = played.game.parse_action(played.history.state, answer["move"])
            played.hint = played.game.clicks(played.history.state, action)
            self.report, self.note, self.hinted = answer["report"], "", answer["move"]
            self.view.refresh()
