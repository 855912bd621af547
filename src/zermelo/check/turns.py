"""Who has the turn in the positions that `check` comes through: a turn that is never handed over is a mistake."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from zermelo.check.states import Broken, Problem, Seen, blame
from zermelo.core.game import OVER, Game

ALONE = 12  # moves of one player, without any of another, that are too many to be chance
FEW, PASSED = 30, 60  # positions looked at, and passed in games, that say little about who never moves


class Turns:
    """What was seen of the turns of one game."""

    def __init__(self, game: Game[Any, Any]):
        self.game = game
        self.movers: set[int] = set()  # who has had the turn
        self.passed = 0  # positions passed in games, looked at or not
        self.alone = self.together = 0  # games of which the first moves were one player's, and several players'
        self.ends = 0  # positions looked at in which the game is over
        self.again: list[Any] | None = None  # the moves to a position where whoever has just moved moves again
        self._mover_before: dict[Any, int] = {}  # who made the last move that was not nature's

    def count(self, seen: Seen) -> None:
        """A position was looked at."""
        if seen.player >= 0:
            self.movers.add(seen.player)
        elif seen.player == OVER and not seen.problems:
            self.ends += 1

    def follow(self, s: Any, after: Any, path: list[Any], look: Callable[[Any], Seen]) -> None:
        """Remember the first time that somebody moves twice in a row, with nothing but nature's moves between."""
        if self.again is not None:
            return
        player = look(s).player
        before = player if player >= 0 else self._mover_before.get(s)
        if before is not None:
            self._mover_before.setdefault(after, before)
            if look(after).player == before:
                self.again = path

    def pass_by(self, s: Any, path: list[Any], moved: list[int]) -> None:
        """A game came through `s`; `moved` are those who had the turn in it."""
        self.passed += 1
        with suppress(Broken), blame("player"):
            p = self.game.player(s)
            if not 0 <= p < self.game.players:
                return
            self.movers.add(p)
            moved.append(p)
            if len(moved) == 2 and moved[0] == p and self.again is None:
                self.again = list(path)
            if len(moved) == ALONE:
                self.alone += len(set(moved)) == 1
                self.together += len(set(moved)) > 1

    def idlers(self, states: int, is_complete: bool) -> tuple[Problem, list[Any]] | None:
        """Whose turn it never was in so many positions (all there are?), and the moves that show it; None: nobody's."""
        idle = sorted(set(range(self.game.players)) - self.movers)
        if self.game.players > 1 and not idle and self.alone >= 3 and not self.together and self.again is not None:
            sentence = "in every game one player alone has the turn, again and again: apply must hand it over"
            return Problem("idle", "apply", sentence), self.again
        if not idle or (self.again is None and len(self.movers) < 2):
            return None
        if is_complete or (self.passed >= PASSED and states >= FEW):
            who = " and ".join(f"player {p}" for p in idle)
            sentence = f"{who} never had the turn in {states:,} positions: apply must hand it over, or players be fewer"
            return Problem("idle", "apply", sentence), self.again or []
        return None
