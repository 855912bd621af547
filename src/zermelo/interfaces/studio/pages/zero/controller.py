"""What a visitor does on the page of Zero: begin a training, stop it, look at its stages and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import Game, GameError
from zermelo.interfaces.studio.pages.zero.pictures import Json
from zermelo.interfaces.studio.site import Site
from zermelo.interfaces.studio.ticket import Cancelled, News, delay

if TYPE_CHECKING:
    from zermelo.interfaces.studio.visit import Visit

SMALL = 12  # plies of a game whose whole tree can be known at once
ROUNDS, EVERY = 40, 5
SECONDS = 100.0  # of a training, where the server allows that much
TELLING = 6.0  # seconds for the last look


def games_of(site: Site) -> list[str]:
    """Games that the lesson can be about: small, two against each other, and shown to networks."""
    found = []
    for title in site.catalogue.titles:
        try:
            game = site.catalogue[title].load()
        except GameError:
            continue
        if isinstance(game, RecordGame) and _suits(game):
            found.append(title)
    return found


def _suits(game: RecordGame) -> bool:
    rules = game.variant
    seen = rules.plane_shape is not None and rules.policy_size is not None and rules.zero_training is not None
    small = rules.max_plies is not None and rules.max_plies <= SMALL
    return seen and small and game.players == 2 and game.zero_sum and not rules.max_chance_outcomes


class Shown(Protocol):
    """The view."""

    def show_stages(self) -> None: ...
    def show_stage(self) -> None: ...
    def show_state(self) -> None: ...


class Controller:
    """One visitor's training."""

    view: Shown

    def __init__(self, visit: Visit, games: list[str]):
        self.visit, self.site, self.games = visit, visit.site, games
        self.title = games[0] if games else ""
        self.stages: list[Json] = []
        self.at = 0  # the stage that is looked at
        self.figures: list[list[str]] = []
        self.state = "Nothing is learned yet."
        self.is_busy = False
        self._asked = 0  # trainings so far: the answer of an old one is not wanted

    @property
    def game(self) -> Game[Any, Any]:
        return self.site.catalogue[self.title].load()

    def show(self) -> None:
        self.view.show_stages()
        self.view.show_state()

    def choose(self, title: object) -> None:
        if isinstance(title, str) and title in self.games and title != self.title:
            self.stop()
            self.title, self.stages, self.figures, self.at = title, [], [], 0
            self.show()

    async def begin(self) -> None:
        """Train a new network, and show what it knows while it learns."""
        self.visit.cancel()
        self._asked += 1
        number = self._asked
        self.stages, self.figures, self.at, self.is_busy = [], [], 0, True
        self.state = "Getting ready: the rules and the network are being compiled …"
        self.show()

        def hear(news: News) -> None:
            if number == self._asked:
                self._hear(news)

        most = min(SECONDS + TELLING, self.site.bounds.seconds)
        message = {
            "game": self.site.catalogue[self.title].origin, "options": self.site.catalogue[self.title].options,
            "rounds": ROUNDS, "every": EVERY, "seed": number, "seconds": max(most - TELLING, most / 2),
        }  # fmt: skip
        try:
            answer = await self.visit.ask("zero_lesson", message, seconds=most, hear=hear)
        except Cancelled:
            answer = None
        except GameError as problem:
            self.visit.complain(problem)
            answer = None
        if number == self._asked and not self.visit.gone:
            self.is_busy = False
            if answer is not None:
                self.figures = answer["figures"]
                self.state = "Finished." if answer["finished"] else "The time that this page has for it was up."
            else:
                self.state = "Stopped."
            self.view.show_stages()
            self.view.show_state()

    def _hear(self, news: News) -> None:
        if "stage" in news:
            self.stages.append(news["stage"])
            self.at = len(self.stages) - 1
            stage = news["stage"]
            self.state = f"Round {stage['rounds']} of {stage['of']}, {stage['games']:,} games played"
            self.view.show_stages()
        else:
            self.state = delay(news) or self.state
        self.view.show_state()

    def stop(self) -> None:
        """What was seen so far stays."""
        self._asked += 1
        self.visit.cancel()
        if self.is_busy:
            self.is_busy, self.state = False, "Stopped."
            self.view.show_state()

    def go(self, to: object) -> None:
        """Look at another stage."""
        if isinstance(to, (int, float)) and not isinstance(to, bool) and 0 <= int(to) < len(self.stages):
            self.at = int(to)
            self.view.show_stage()
