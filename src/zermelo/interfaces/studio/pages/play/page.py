"""The Play page at work: what a visitor does, and how the game goes on. The game is table.py, the look play_view.py."""

from __future__ import annotations

import asyncio
import time
from collections.abc import MutableMapping
from typing import Any

from nicegui import app, background_tasks, run, ui

from zermelo.core.game import CHANCE, GameError
from zermelo.interfaces.studio.pages.play.table import JUDGING, Table
from zermelo.interfaces.studio.pages.play.view import PlayView
from zermelo.interfaces.studio.pool import Cancelled, News, delay
from zermelo.interfaces.studio.shell import PATIENCE, Studio, Visit, complain, frame, is_connected
from zermelo.players.registry import split_texts

DICE = 0.7  # seconds a roll is in view before a program plays it
HINT = "level=10"


@ui.page("/", response_timeout=PATIENCE)
async def play(game: str = "", seats: str = "", position: str = "") -> None:
    with frame("play") as visit:
        page = PlayPage(visit)
        page.view.build()
    if await is_connected():
        page.sit_down(game, seats, position)


class PlayPage:
    """One visitor's page."""

    def __init__(self, visit: Visit):
        self.visit = visit
        self.view = PlayView(self)
        self.table = Table(Studio.catalogue, Studio.bounds)
        self.table.begin(Studio.first)
        self.turn = 0  # counts whatever makes an answer stale: a move, a new game, somebody else in a seat
        self.paused = False
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
            if self.view.choice.value != self.table.entry.title:
                self.view.choice.value = self.table.entry.title
        self.kept["play"] = self.table.kept()
        self.view.refresh()
        background_tasks.create(self.go_on(self.turn), name="go on")

    async def go_on(self, turn: int) -> None:
        """Nature and programs move until a person has to, or something else has happened."""
        with self.visit.client:
            try:
                while turn == self.turn and not self.visit.gone and not self.table.session.is_over:
                    seat = self.table.history.player()
                    if seat == CHANCE:
                        await asyncio.sleep(DICE)
                        action = self.table.session.roll()
                    elif self.table.is_human(seat) or self.paused:
                        break
                    else:
                        action = await self.think(seat, turn)
                    if turn != self.turn or self.visit.gone:
                        return
                    self.table.play(action)
                    self.report, self.note = None, ""
                    self.kept["play"] = self.table.kept()
                    self.view.refresh()
                    if self.is_watched:
                        await self.judge(turn)
                await self.judge(turn)
            except Cancelled:
                return
            except GameError as problem:
                if turn == self.turn:
                    self.paused = True
                    complain(problem)
                    self.view.refresh()

    async def think(self, seat: int, turn: int) -> Any:
        """The move of the program in `seat`."""
        table, began = self.table, time.monotonic()
        text = table.session.players[seat]

        def hear(news: News) -> None:
            if turn == self.turn:
                self.hear(news)

        question = {**table.question(), "player": text}
        answer = await self.visit.ask("move", question, seconds=Studio.bounds.seconds, hear=hear)
        if turn == self.turn and answer["report"] is not None:
            table.values[-1] = answer["report"]["value"]
        if self.is_watched:
            pause = self.view.speed.value if isinstance(self.view.speed.value, int | float) else 0.0
            await asyncio.sleep(min(max(0.0, pause - (time.monotonic() - began)), 5.0))
        return table.game.parse_action(table.history.state, answer["move"])

    @property
    def is_watched(self) -> bool:
        """Do programs sit in all seats?"""
        return not any(map(self.table.is_human, range(self.table.game.players)))

    def hear(self, news: News) -> None:
        """How far a search is."""
        if "report" in news:
            self.report = news["report"]
        else:
            self.note = "thinking" if "began" in news else delay(news) or self.note
        self.view.show_thought()

    async def judge(self, turn: int) -> None:
        """What the position is worth, for the bar and the curve."""
        table = self.table
        if not self.view.judging.value or turn != self.turn or self.visit.gone:
            return
        if table.session.is_over:
            table.values[-1] = table.session.payoffs()[0]
        elif table.values[-1] is None and table.history.player() >= 0:
            question = {**table.question(), "seconds": JUDGING}
            try:
                answer = await self.visit.submit("value", question, seconds=JUDGING, urgent=False).result()
            except GameError:  # cancelled, or turned away: the game goes on without a judgement
                return
            if turn != self.turn:
                return
            table.values[-1] = answer["value"]
        self.view.show_value()

    # -- what a visitor does -------------------------------------------------------------------------------------------

    def sit_down(self, game: str, seats: str, position: str) -> None:
        """The page has opened: the game asked for in its address, or the one this tab was playing, or a new one."""
        self.kept = app.storage.tab
        try:
            if game:
                self.table.begin(game, None, _split(seats), position or None)
                ui.navigate.history.replace("/")  # reloading goes on with the game, and does not begin it anew
            else:
                self.table.restore(self.kept.get("play"))
        except GameError as problem:
            if game:
                complain(problem)
        self.changed(seats=True)

    def on_cells(self, event: Any) -> None:
        cells = event.args
        if not isinstance(cells, list) or not 1 <= len(cells) <= 2:
            return
        if len(cells) == 2:  # dragged
            if self.table.touch.cells[-1:] != (cells[0],):
                self.on_cell(cells[0])
            if self.table.touch.cells[-1:] != (cells[0],):
                return
        self.on_cell(cells[-1])

    def on_cell(self, cell: object) -> None:
        action = self.table.click(cell)
        if action is not None:
            self.on_action(action)
        else:
            self.view.refresh()

    def on_action(self, action: Any) -> None:
        try:
            self.table.play(action)
        except GameError as problem:
            complain(problem)
        self.changed()

    def on_typed(self) -> None:
        try:
            action = self.table.read(self.view.typed.value)
        except GameError as problem:
            complain(problem)
            return
        self.view.typed.value = ""
        self.on_action(action)

    async def on_game(self, event: Any) -> None:
        if event.value != self.table.entry.title:
            await self.begin(event.value)

    async def begin(self, title: object, options: object = None, seats: object = None, position: object = None) -> bool:
        """A new game; if it cannot be, the old one stays."""
        try:
            await run.io_bound(self.table.begin, title, options, seats, position)
        except GameError as problem:
            complain(problem)
            return False
        self.paused = False
        self.changed(seats=True)
        return True

    async def on_new(self) -> None:
        session = self.table.session
        await self.begin(self.table.entry.title, session.options, list(session.players))

    def on_seat(self, number: int, text: object) -> None:
        if text == self.table.session.players[number]:
            return
        try:
            self.table.seat(number, text)
        except GameError as problem:
            complain(problem)
        self.changed(seats=True)

    def on_take_back(self) -> None:
        try:
            self.table.take_back()
        except GameError as problem:
            complain(problem)
            return
        self.changed()

    def on_branch(self) -> None:
        self.table.go_back(self.table.here)
        self.changed()

    def on_ply(self, event: Any) -> None:
        if isinstance(event.args, int):
            self.look(event.args)

    def look(self, ply: int | None) -> None:
        self.table.look(len(self.table.history.moves) if ply is None else ply)
        self.view.refresh()

    def on_flip(self) -> None:
        self.table.flip = not self.table.flip
        self.view.refresh()

    def on_pause(self) -> None:
        self.paused = not self.paused
        self.changed()

    def on_stop(self) -> None:
        for ticket in self.visit.tickets:
            ticket.hurry()

    async def on_hint(self) -> None:
        table, turn = self.table, self.turn
        if not (table.is_present and table.is_visitors_turn):
            complain("a hint is for your own move")
            return
        self.note, self.report = "thinking about a hint", None
        self.view.show_thought()
        try:
            answer = await self.visit.ask(
                "move", {**table.question(), "player": HINT}, seconds=Studio.bounds.seconds, hear=self.hear
            )
        except GameError as problem:
            if not isinstance(problem, Cancelled):
                complain(problem)
            return
        if turn == self.turn:
            action = table.game.parse_action(table.history.state, answer["move"])
            table.hint = table.game.clicks(table.history.state, action)
            self.report, self.note, self.hinted = answer["report"], "", answer["move"]
            self.view.refresh()


def _split(seats: str) -> list[str] | None:
    return split_texts(seats[:1000]) if seats else None
