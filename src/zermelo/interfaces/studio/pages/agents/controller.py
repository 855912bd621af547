"""What a visitor does on the page of agents: choose, run an episode, walk through its frames, compare many games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.core.game import Game, GameError
from zermelo.interfaces.studio.pages.agents.playback import (
    SPEEDS,
    USUAL_SPEED,
    Drawings,
    Playback,
    compared,
    result_sentence,
)
from zermelo.interfaces.studio.pages.agents.scenario import Scenario, Setting, find_scenarios
from zermelo.interfaces.studio.site import Site
from zermelo.interfaces.studio.ticket import Cancelled, News, delay

if TYPE_CHECKING:
    from zermelo.interfaces.studio.visit import Visit

SECONDS = 25.0  # of work for an episode, where the server allows that much
COMPARED = 20  # games
MOST_ROWS = 8  # of the comparison

Choices = Mapping[str, Any]  # name in a Setting: what was chosen; unchecked


def scenarios_of(site: Site) -> dict[str, Scenario]:
    """Of all games of a site, looked for once."""
    return find_scenarios(site.catalogue)


class Shown(Protocol):
    """The view."""

    def show_scenario(self) -> None: ...
    def show_setting(self) -> None: ...
    def show_frame(self) -> None: ...
    def show_state(self) -> None: ...
    def show_comparison(self) -> None: ...
    def scroll_to_board(self) -> None:
        """On a phone the lessons stand below the board."""


class Controller:
    """One visitor's agent."""

    view: Shown
    scenario: Scenario
    setting: Setting
    game: Game[Any, Any]  # for drawing; the search process has its own

    def __init__(self, visit: Visit, scenarios: dict[str, Scenario]):
        self.visit, self.site, self.scenarios = visit, visit.site, scenarios
        self.drawings = self.site.shared(Drawings)
        self.playback = Playback()
        self.board, self.says, self.state = "", "", ""
        self.speed = USUAL_SPEED  # frames a second
        self.is_busy = False
        self.compared: list[dict[str, Any]] = []
        self._comparison: object = None  # the one that is waited for

    # -- choosing ------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        self.choose_scenario(next(iter(self.scenarios), None))

    def choose_scenario(self, name: object) -> None:
        self.visit.cancel()
        if isinstance(name, str) and name in self.scenarios:
            self.scenario = self.scenarios[name]
            self.is_busy, self.compared, self._comparison = False, [], None
            self.view.show_scenario()
            self.preview({})

    def preview(self, choices: Choices) -> None:
        """The start of what is chosen, while nothing runs."""
        if not self.is_busy and self._set_up(choices):
            self.says, self.state = "Ready", self.scenario.sentence(self.setting)
            self.view.show_frame()
            self._set_playing(False)

    def _set_up(self, choices: Choices) -> bool:
        """Put the start of an episode on the board; where it cannot be, complain and change nothing."""
        try:
            setting = self.scenario.setting(choices)
            game = self.site.catalogue[self.scenario.name].load(**self.scenario.options(setting))
        except GameError as problem:
            self.visit.complain(problem)
            return False
        self.setting, self.game, self.playback = setting, game, Playback()
        self.board = self.drawings.draw(game, game.format(game.start()))
        return True

    # -- the playback --------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        now = self.playback.frame
        if now is not None:
            self.board = self.drawings.draw(self.game, now["position"])
            self.says = self.playback.caption(self.scenario.agent, self.scenario.others)
            self.view.show_frame()
        self.view.show_state()

    def tick(self) -> None:
        """Time for the next frame."""
        if self.playback.tick() or not self.playback.playing:
            self._show()

    def _set_playing(self, playing: bool) -> None:
        self.playback.playing = playing
        self.view.show_state()

    async def play_or_pause(self, choices: Choices) -> None:
        """Where there is nothing to play yet, an episode is run with what is chosen."""
        if self.playback.playing:
            self._set_playing(False)
        elif self.playback.frames:
            if self.playback.is_at_end:
                self.go(0)
            self._set_playing(True)
        elif not self.is_busy:
            await self.run(choices)

    def step(self, name: str) -> None:
        """first, back, on or last."""
        playback = self.playback
        self.go({"first": 0, "back": playback.at - 1, "on": playback.at + 1, "last": playback.last}[name])

    def slide(self, to: object) -> None:
        if to != self.playback.at:  # moved by the visitor, not by the playback
            self.go(to)

    def go(self, to: object) -> None:
        self._set_playing(False)
        if self.playback.go(to):
            self._show()

    def set_speed(self, speed: object) -> None:
        if isinstance(speed, int) and speed in SPEEDS:
            self.speed = speed
            self.view.show_state()

    # -- episodes ------------------------------------------------------------------------------------------------------

    async def run(self, choices: Choices) -> None:
        """Play an episode and show it."""
        self.stop()
        if not self._set_up(choices):
            return
        self.is_busy, self.says = True, "Getting ready …"
        playback, sentence = self.playback, self.scenario.sentence(self.setting)
        self.view.show_setting()
        self.view.show_frame()
        self.view.show_state()
        self.view.scroll_to_board()

        def hear(news: News) -> None:
            if playback is self.playback:
                self.state = delay(news) or sentence
                self._add(news.get("frames", []))

        answer = await self._ask(self.setting, 1, hear)
        playback.complete = True
        if playback is self.playback and not self.visit.gone:
            if answer is not None:
                playback.result = result_sentence(answer)
            self.is_busy, self.state = False, sentence
            self._show()

    def _add(self, frames: list[dict[str, Any]]) -> None:
        is_first = bool(frames) and not self.playback.frames
        self.playback.add(frames)
        if is_first:
            self.playback.playing = True
            self._show()
        self.view.show_state()

    async def compare(self, choices: Choices) -> None:
        """Play many, and show their scores."""
        self.stop()
        try:
            setting = self.scenario.setting(choices)
        except GameError as problem:
            self.visit.complain(problem)
            return
        comparison = self._comparison = object()
        self.is_busy = True
        self.view.show_state()

        def hear(news: News) -> None:
            self.state = delay(news) or f"{len(news.get('scores', []))} of {COMPARED} games played"
            self.view.show_state()

        answer = await self._ask(setting, COMPARED, hear)
        if self.visit.gone or self._comparison is not comparison:
            return
        self.is_busy, self.state = False, self.scenario.sentence(self.setting)
        self.view.show_state()
        if answer is not None and answer["scores"]:
            self.compared = [*self.compared, compared(self.scenario.sentence(setting), answer)][-MOST_ROWS:]
            self.view.show_comparison()

    async def _ask(self, setting: Setting, games: int, hear: Callable[[News], None]) -> News | None:
        """The answer; None where there is none, which the visitor then knows."""
        seconds = min(SECONDS, self.site.bounds.seconds)
        message = {
            "game": self.scenario.origin,
            "options": self.scenario.options(setting),
            "world": self.scenario.world(setting),
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
            self.visit.complain(problem)
            return None

    def stop(self) -> None:
        """What runs is not wanted any more; what is shown stays."""
        self.visit.cancel()
        self._comparison, self.is_busy = None, False
        self._set_playing(False)
