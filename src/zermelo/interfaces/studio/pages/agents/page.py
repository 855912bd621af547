"""The page of agents: what an agent believes about the others, animated, with lessons that are ready to run.

Which games and which lessons there are, the games' own files say (agents_lessons.py); episodes are played in a search
process (agents_task.py) and come as frames, which are drawn when they are shown (agents_film.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import run, ui

from zermelo.core.game import Game, GameError
from zermelo.interfaces.studio.pages.agents.lessons import Book, Setting, find_books
from zermelo.interfaces.studio.pages.agents.playback import (
    SPEEDS,
    USUAL_SPEED,
    Film,
    compared,
    comparison_html,
    draw,
    result_sentence,
    thought_html,
)
from zermelo.interfaces.studio.pages.agents.view import COMPARED, STYLE, Choices, View
from zermelo.interfaces.studio.pool import Cancelled, News, delay
from zermelo.interfaces.studio.shell import PATIENCE, Studio, Visit, complain, frame

SECONDS = 25.0  # of work for an episode, where the server allows that much
MOST_ROWS = 8  # of the comparison
SCROLL = "document.querySelector('[data-testid=agents-board]').scrollIntoView({behavior: 'smooth', block: 'nearest'})"

_books: dict[str, Book] = {}


@ui.page("/agents", response_timeout=PATIENCE)
async def agents() -> None:
    if not _books:
        _books.update(await run.io_bound(find_books, Studio.catalogue) or {})
    with frame("agents") as visit:
        ui.add_css(STYLE)
        if not _books:
            ui.label("No game here comes with lessons about agents.")
            return
        place = ui.column().classes("w-full gap-3")

        def show(name: object) -> None:
            visit.cancel()
            place.clear()
            if isinstance(name, str) and name in _books:
                with place:
                    Stage(visit, _books[name])

        if len(_books) > 1:
            titles = {name: book.title for name, book in _books.items()}
            with ui.row().classes("items-center"):
                ui.select(titles, value=next(iter(_books)), label="Game", on_change=lambda e: show(e.value))
        show(next(iter(_books)))


class Stage(View):
    """One game on the page: what its widgets do."""

    def __init__(self, visit: Visit, book: Book):
        self.visit = visit
        self.film = Film()
        self.setting = book.setting({})
        self.busy = False
        self.ticket: object = None  # the comparison that is waited for
        self.compared: list[dict[str, Any]] = []
        super().__init__(book)
        self.game: Game[Any, Any] = self._load(self.setting)
        self.timer = ui.timer(1 / USUAL_SPEED, self._tick, active=False)
        self.preview()

    def _load(self, setting: Setting) -> Game[Any, Any]:
        """For drawing; the search process has its own."""
        return Studio.catalogue[self.book.name].load(**self.book.options(setting))

    def _chosen(self, choices: Choices) -> Setting:
        return self.book.setting({name: f.value for name, f in self.fields.items()} if choices is None else choices)

    def preview(self) -> None:
        """The start of what is chosen, while nothing runs."""
        if self.busy:
            return
        try:
            setting = self._chosen(None)
            game = self._load(setting)
        except GameError as problem:
            complain(problem)
            return
        self.setting, self.game, self.film = setting, game, Film()
        self._draw(game.format(game.start()))
        self.says.text, self.state.text = "Ready", self.book.sentence(setting)
        self.thought.content, self.count.text = thought_html(None), ""
        self.slider.value = 0
        self._pause()

    # -- the film --------------------------------------------------------------------------------------------------

    def _draw(self, position: str) -> None:
        self.board.content = draw(self.game, position)

    def _show(self) -> None:
        film, now = self.film, self.film.frame
        if now is None:
            return
        self._draw(now["position"])
        self.says.text = film.caption(self.book.agent, self.book.others)
        self.thought.content = thought_html(film.thought())
        self.count.text = f"{film.positions():,} positions looked at so far. Values are scores it expects."
        if self.slider.value != film.at:
            self.slider.value = film.at

    def _tick(self) -> None:
        if self.film.tick():
            self._show()
        if not self.film.playing:
            self._pause()

    def _pause(self) -> None:
        self.film.playing = False
        self.timer.active = False
        self.play.props("icon=play_arrow")

    def _play(self) -> None:
        self.film.playing = True
        self.timer.active = True
        self.play.props("icon=pause")

    async def toggle(self) -> None:
        if self.film.playing:
            self._pause()
        elif self.film.frames:
            if self.film.is_at_end:
                self._go(0)
            self._play()
        elif not self.busy:
            await self.run(None)

    def control(self, name: str) -> None:
        film = self.film
        self._go({"first": 0, "back": film.at - 1, "on": film.at + 1, "last": film.last}[name])

    def slide(self, to: object) -> None:
        if to != self.film.at:  # moved by the visitor, not by the film
            self._go(to)

    def _go(self, to: object) -> None:
        self._pause()
        if self.film.go(to):
            self._show()

    def set_speed(self, speed: object) -> None:
        if isinstance(speed, int) and speed in SPEEDS:
            self.timer.interval = 1 / speed

    # -- episodes --------------------------------------------------------------------------------------------------

    async def run(self, choices: Choices) -> None:
        self.stop()
        try:
            setting = self._chosen(choices)
            game = self._load(setting)
        except GameError as problem:
            complain(problem)
            return
        self._set_busy(True)
        for name, value in setting.as_dict().items():  # the fields say what runs
            self.fields[name].value = value
        film = Film()
        self.setting, self.game, self.film = setting, game, film
        self._draw(game.format(game.start()))
        self.says.text = "Getting ready …"
        ui.run_javascript(SCROLL)  # on a phone the lessons stand below the board

        def hear(news: News) -> None:
            if film is self.film:
                self.state.text = delay(news) or self.book.sentence(setting)
                self._add(news.get("frames", []))

        answer = await self._ask(setting, 1, hear)
        film.complete = True
        if film is self.film and not self.visit.gone:
            self._set_busy(False)
            if answer is not None:
                film.result = result_sentence(answer)
            self.state.text = self.book.sentence(setting)
            self._show()

    def _add(self, frames: list[dict[str, Any]]) -> None:
        if frames:
            is_first = not self.film.frames
            self.film.add(frames)
            self.slider.props(f"max={max(1, self.film.last)}")
            if is_first:
                self._show()
                self._play()

    async def compare(self, choices: Choices) -> None:
        self.stop()
        try:
            setting = self._chosen(choices)
        except GameError as problem:
            complain(problem)
            return
        self._set_busy(True)
        ticket = object()
        self.ticket = ticket

        def hear(news: News) -> None:
            self.state.text = delay(news) or f"{len(news.get('scores', []))} of {COMPARED} games played"

        answer = await self._ask(setting, COMPARED, hear)
        if self.visit.gone or self.ticket is not ticket:
            return
        self._set_busy(False)
        self.state.text = self.book.sentence(self.setting)
        if answer is not None and answer["scores"]:
            self.compared = [*self.compared, compared(self.book.sentence(setting), answer)][-MOST_ROWS:]
            self.comparison.content = comparison_html(self.compared)
            self.comparison_card.set_visibility(True)

    async def _ask(self, setting: Setting, games: int, hear: Callable[[News], None]) -> News | None:
        """The answer; None where there is none, which the visitor then knows."""
        seconds = min(SECONDS, Studio.bounds.seconds)
        message = {
            "game": self.book.origin,
            "options": self.book.options(setting),
            "world": self.book.world(setting),
            "agent": setting.agent,
            "depth": setting.depth,
            "seed": setting.seed,
            "games": games,
            "seconds": seconds,
        }
        try:
            return await self.visit.ask("episode", message, seconds=seconds, hear=hear)
        except Cancelled:
            return None
        except GameError as problem:
            if not self.visit.gone:
                complain(problem)
            return None

    def _set_busy(self, busy: bool) -> None:
        self.busy = busy
        self.stop_button.set_visibility(busy)

    def stop(self) -> None:
        self.visit.cancel()
        self.ticket = None
        self._set_busy(False)
        self._pause()
