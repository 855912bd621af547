"""What a visitor does on the page to play on, and how the game goes on. The game itself is played_game.py."""

from __future__ import annotations

import asyncio
import time
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.core.game import CHANCE, GameError
from zermelo.interfaces.studio.pages.play.advice import Advice
from zermelo.interfaces.studio.pages.play.judge import Judge
from zermelo.interfaces.studio.pages.play.judgement import Judgement
from zermelo.interfaces.studio.pages.play.played_game import PlayedGame
from zermelo.interfaces.studio.pages.play.thought import ONLY_MOVE, Thought
from zermelo.interfaces.studio.ticket import Cancelled, News, delay
from zermelo.players.registry import split_specs

if TYPE_CHECKING:
    from zermelo.interfaces.studio.visit import Visit

DICE = 0.7  # seconds a roll is in view before a program plays it
PACE = 0.5  # seconds a program takes at least, where nobody else plays
SLOWEST = 5.0


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
        self.thought = Thought()  # the last search for a move or a hint
        self.judge = Judge(self)
        self.advice = Advice(self)
        self.kept: MutableMapping[str, Any] = {}  # what this browser tab was playing, once it is connected

    # -- the game goes on ----------------------------------------------------------------------------------------------

    def changed(self, *, seats: bool = False) -> None:
        """Something has happened: show it, keep it, and let whoever is to move go on."""
        self.turn += 1
        self.visit.cancel(but=self.judge.clear())
        if not self.thought.move and self.thought.report is None:  # it was not let think
            self.thought = Thought()
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
                    action = played.session.roll() if self.is_still(turn) else None
                elif played.is_human(seat) or self.paused:
                    break
                else:
                    action = await self.think(seat, turn)
                if not self.is_still(turn):
                    return
                played.play(action)
                self.kept["play"] = played.kept()
                self.view.refresh()
                self.judge.look(turn)
            self.judge.look(turn)
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
        spec = played.session.players[seat]
        answer = await self.search(f"player {seat} ({spec})", spec, turn)
        if answer["report"] is None and answer["note"] != ONLY_MOVE:
            self.judge.silent.add(spec)
        if played.is_watched:
            await asyncio.sleep(max(0.0, self.pace - (time.monotonic() - began)))
        return played.game.parse_action(played.history.state, answer["move"])

    async def search(self, who: str, spec: str, turn: int) -> News:
        """Have a player choose in the present position; what it thinks is shown, and believed by the bar."""
        played, ply = self.played, len(self.played.history.moves)
        thought = Thought(who, "thinking")

        def hear(news: News) -> None:
            if not self.is_still(turn):
                return
            if "report" in news:
                thought.report = news["report"]
                self.believe(ply, news["report"])
            else:
                thought.note = "thinking" if "began" in news else delay(news) or thought.note
            self.view.show_thought()

        self.thought = thought
        self.view.show_thought()
        question = {**played.question(), "player": spec}
        answer = await self.visit.ask("move", question, seconds=self.site.bounds.seconds, hear=hear)
        if self.is_still(turn):
            thought.note, thought.move = answer["note"], answer["move"]
            if answer["report"] is not None:
                thought.report = answer["report"]
            self.learn(ply, answer)
            self.view.show_thought()
        return answer

    def believe(self, ply: int, report: News) -> None:
        """What a search says of a position, for the bar and the curve."""
        self.played.judgements.note(ply, Judgement.of(report))
        self.view.show_value()

    def learn(self, ply: int, answer: News) -> None:
        """The same from a whole answer: what tables know counts before what was searched."""
        self.advice.learn(ply, answer)
        if answer.get("report") is not None:
            self.believe(ply, answer["report"])
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
        action = self.played.click(cells[0]) if len(cells) == 1 else self.played.drag(*cells)
        if action is not None:
            self.play(action)
        else:
            self.view.refresh()

    def push(self, direction: object) -> None:
        """An arrow key was pressed, or a finger swept over the board."""
        action = self.played.push(direction)
        if action is not None:
            self.play(action)

    def lift(self, cell: object) -> None:
        """A piece begins to be dragged: show where it may go."""
        self.played.lift(cell)
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
        self.paused, self.thought = False, Thought()
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
        self.thought = Thought()
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
        if self.played.clicks.cells:  # a move in the making: nobody else is concerned
            self.played.take_back()
            self.view.refresh()
            return
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
        self.judge.is_on = bool(on)
        self.view.refresh()
        self.judge.look(self.turn)

    def move_now(self) -> None:
        self.visit.stop()
