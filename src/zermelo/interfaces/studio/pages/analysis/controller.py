"""The left side of the page that looks inside, at work: which position is looked at, and having it searched."""

from __future__ import annotations

from typing import Any

from nicegui import app, events, run

from zermelo.core.game import GameError
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.analysis.layout import MOST_DEPTH, MOST_SIMULATIONS, TELLING, Layout, most_seconds
from zermelo.interfaces.studio.pages.analysis.position import (
    ABOUT,
    LONGEST_POSITION,
    Place,
    board_html,
    make_place,
    played_place,
)
from zermelo.interfaces.studio.pages.analysis.rows import news_text
from zermelo.interfaces.studio.pool import Cancelled, News, delay
from zermelo.interfaces.studio.shell import Studio, Visit, complain


class Desk(Layout):
    """One visitor's position and search."""

    def __init__(self, visit: Visit):
        super().__init__()
        self.visit = visit
        self.place: Place | None = None
        self.trail: list[Place] = []  # where to go back to
        self.asked = 0  # searches so far: the answer to an old one is not wanted
        self.looked = 0  # boards so far: likewise
        self.is_searching = False  # and not only looking below a node
        self.title.on_value_change(self.choose_game)
        self.search.on_value_change(self.show_limits)
        self.position.on("keydown.enter", self.set_position)
        self.set.on_click(self.set_position)
        self.reset.on_click(self.set_start)
        self.mine.on_click(self.take_played)
        self.back.on_click(self.go_back)
        self.stop.on_click(self.cancel)

    # -- the position --------------------------------------------------------------------------------------------------

    async def begin(self, game: str | None, position: str | None) -> None:
        """The first position: from the address, from the page to play on, or any."""
        played = app.storage.tab.get("play")
        self.mine.visible = played is not None
        if game is not None and await self.look_at(make_place, game, None, position):
            return
        if game is not None and position is not None and await self.look_at(make_place, game):
            return
        if game is None and played is not None and await self.look_at(played_place, played):
            return
        await self.look_at(make_place, Studio.first)

    async def look_at(self, how: Any, *given: Any) -> bool:
        """Make a place and show it; complain, and keep what is shown, where that is not possible."""
        try:
            found = await run.io_bound(_look, how, Studio.catalogue, *given)
        except GameError as problem:
            self.complain(problem)
            return False
        if found is not None and not self.visit.gone:
            self.trail = []
            self.show_place(*found)
        return True

    def show_place(self, place: Place, board: str) -> None:
        self.cancel()
        self.looked += 1
        self.place = place
        self.title.value, self.position.value = place.title, place.text
        self.turn.text, self.board.content = place.turn, board
        self.found.visible, self.hint.visible, self.here.visible = False, True, False
        self.back.visible = bool(self.trail)
        searches = place.searches
        kept = self.search.value if self.search.value in searches else next(iter(searches))
        self.search.set_options(searches, value=kept)
        self.show_limits()
        self.status.text = ""

    async def choose_game(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if self.place is None or event.value == self.place.title:
            return
        if not await self.look_at(make_place, event.value):
            self.title.value = self.place.title

    async def set_position(self) -> None:
        text = self.position.value
        if not isinstance(text, str) or len(text) > LONGEST_POSITION:
            complain(f"a position has at most {LONGEST_POSITION:,} characters")
        elif self.place is not None:
            await self.look_at(make_place, self.place.title, self.place.options, text)

    async def set_start(self) -> None:
        if self.place is not None:
            await self.look_at(make_place, self.place.title, self.place.options)

    async def take_played(self) -> None:
        if self.visit.client.has_socket_connection:
            await self.look_at(played_place, app.storage.tab.get("play"))

    async def go_back(self) -> None:
        """From a position that was come to by looking further, back to where that began."""
        if self.trail:
            *trail, place = self.trail
            await self.look_at(lambda catalogue: place)
            self.trail = trail
            self.back.visible = bool(trail)

    # -- the search ----------------------------------------------------------------------------------------------------

    def show_limits(self) -> None:
        sampled = self.search.value == "mcts"
        self.simulations.visible, self.depth.visible = sampled, not sampled
        self.about.text = ABOUT.get(str(self.search.value), "")
        self.learned.visible = self.place is not None and self.search.value == "alphabeta" and self.place.has_weights

    def read_limits(self, place: Place) -> News:
        """What the fields say, checked."""
        search = self.search.value
        if search not in place.searches:
            raise GameError("choose a search that this game has")
        seconds = _number(self.seconds.value, 0.05, most_seconds(), "the seconds")
        if seconds is None:
            raise GameError("say how many seconds the search may take")
        limits: News = {"search": search, "seconds": seconds}
        if search == "mcts":
            limits["simulations"] = _whole(self.simulations.value, MOST_SIMULATIONS, "the simulations")
        else:
            limits["depth"] = _whole(self.depth.value, MOST_DEPTH, "the depth")
        if search == "alphabeta":
            limits["evaluator"] = None if self.learned.value else "handcrafted"
        return limits

    async def ask(self, message: News, is_searching: bool) -> News | None:
        """Have a position searched, instead of what was asked before; None if the answer is not wanted any more."""
        self.cancel()
        number, self.is_searching = self.asked, is_searching
        self.go.set_enabled(not is_searching)
        self.stop.visible, self.status.text = True, "preparing …"
        try:
            most = min(message["seconds"] + TELLING, Studio.bounds.seconds)
            answer = await self.visit.ask("inside", message, seconds=most, hear=self.hear)
        except Cancelled:
            return None
        finally:
            if number == self.asked and not self.visit.gone:
                self.rest("")
        return answer if number == self.asked and not self.visit.gone else None

    def hear(self, news: News) -> None:
        """What a search tells while it runs."""
        if "report" in news:
            self.status.text = news_text(news["report"])
        else:
            self.status.text = delay(news) or self.status.text

    def cancel(self) -> None:
        """Stop what is going on; what is shown stays."""
        was_busy = self.stop.visible
        self.asked += 1
        self.visit.cancel()
        self.rest("cancelled" if was_busy else "")

    def rest(self, words: str) -> None:
        self.is_searching = False
        self.go.enable()
        self.stop.visible, self.status.text = False, words

    def complain(self, problem: GameError) -> None:
        if not self.visit.gone:
            complain(problem)


def _look(how: Any, catalogue: Catalogue, *given: Any) -> tuple[Place, str]:
    place = how(catalogue, *given)
    return place, board_html(place, [])


def _number(value: object, least: float, most: float, what: str) -> float | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise GameError(f"{what} must be a number from {least:g} to {most:,.10g}")
    return float(value)


def _whole(value: object, most: int, what: str) -> int | None:
    number = _number(value, 1, most, what)
    return None if number is None else int(number)
