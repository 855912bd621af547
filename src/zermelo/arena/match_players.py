"""The players of a plan, set up and ready to play any of its games: in a worker, or in this very process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from zermelo.arena.plan import Plan
from zermelo.arena.playing import Watch, play_game
from zermelo.core.game import Game
from zermelo.core.registry import load
from zermelo.players.player import Player
from zermelo.players.registry import player


class Stopped(Exception):  # noqa: N818  nothing is wrong
    """A game is left because the match was stopped."""


class _StopWatch:
    """Sees to it that nobody begins to think after a stop."""

    def __init__(self, match: MatchPlayers):
        self._match = match

    def begins(self, seat: int, seconds: float | None, lost: Any) -> None:
        if self._match._stopped:
            raise Stopped

    def ends(self) -> None: ...


class MatchPlayers:
    """One player of each spec, kept from game to game. What is wrong with any of it is told before the first game."""

    def __init__(self, plan: Plan, game: Game[Any, Any] | None = None):
        self.plan = plan
        self.game = load(plan.game, **plan.options) if game is None else game
        self.players: list[Player] = []
        self._stopped = False
        try:
            for spec in plan.players:
                self.players.append(player(spec, self.game, plan.seconds))
            for one in self.players:
                one.prepare()
        except BaseException:
            self.close()
            raise

    def stop(self) -> None:
        """End `play_all`, from any thread: who thinks leaves off, and nobody begins to."""
        self._stopped = True
        for one in self.players:
            one.stop()

    def play_all(self, numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
        """The records of these games, one after the other, until `stop()`."""
        with suppress(Stopped):
            for number in numbers:
                yield self.play(number, _StopWatch(self))

    def play(self, number: int, watch: Watch | None = None) -> dict[str, Any]:
        """The record of the plan's game of this number."""
        fixture = self.plan.fixture(number)
        seated = [self.players[n] for n in fixture.seats]
        return play_game(self.plan, fixture, self.game, seated, watch)

    def close(self) -> None:
        for one in self.players:
            one.close()
