"""Time for one move when a whole game has a clock, and when a search has thought long enough.

    Clock(left=60, increment=1)             a minute for the rest of the game, and a second more with every move
    Clock(left=300, moves_to_go=20)         five minutes for the next twenty moves

A clock allows one move a soft and a hard limit:

    0 ───────── soft · LEAST ───────── soft ───────── soft · MOST ───────── hard ───────── left
                the best move          at first       it changed with       here a timer
                stays the same                        every iteration       ends the search

The hard limit ends a search wherever it is. The soft one ends it between two iterations, because one that cannot be
finished is mostly wasted: sooner while the best move stays the same, later while it changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.core.spec import number, whole

MOVES_TO_GO = 30  # taken to be left of a game whose clock does not say
RESERVE = 0.03  # seconds of the clock that are never planned with: a move must be told, and processes are slow
SPENT = 0.75  # of an increment, which comes after the move
HARD = 4.0  # the hard limit, in soft ones
MOST_OF_CLOCK = 0.5  # what the hardest move may take of it, unless it is the last before new time
LEAST, MOST = 0.4, 2.5  # parts of the soft limit: the best move never changes, it always does
CALM = 0.8  # what is left of the unrest after an iteration that changed nothing


@dataclass(frozen=True)
class Clock:
    """The clock of whoever is to move, in seconds."""

    left: float
    increment: float = 0.0  # comes with every move that was made
    moves_to_go: int | None = None  # until more time comes; None: never

    def __post_init__(self) -> None:
        number("the seconds left on a clock", self.left, above=0)
        number("the increment of a clock", self.increment, 0)
        if self.moves_to_go is not None:
            whole("the moves to go by a clock", self.moves_to_go, 1)

    @property
    def _usable(self) -> float:
        return max(self.left - RESERVE, self.left / 10)

    @property
    def soft(self) -> float:
        """What this move may take, seen from now: an even share of what is left."""
        return min(self._usable / (self.moves_to_go or MOVES_TO_GO) + SPENT * self.increment, self.hard)

    @property
    def hard(self) -> float:
        """What this move may take at most."""
        moves = self.moves_to_go or MOVES_TO_GO
        share = self._usable / moves + SPENT * self.increment
        return min(HARD * share, self._usable * (1.0 if moves == 1 else MOST_OF_CLOCK))


class TimeManager:
    """Looks at the best move after every iteration; knows when to leave off."""

    def __init__(self, soft: float | None):
        self.soft = soft
        self._best: Any = None
        self._unrest: float | None = None  # None: there was no iteration yet; 1: one change an iteration, roughly

    def is_enough(self, best: Any, seconds: float) -> bool:
        """After `seconds`, an iteration found `best`: is the next one not worth its time?"""
        if self.soft is None:
            return False
        if self._unrest is None:
            self._unrest = 1.0
        else:
            self._unrest = CALM * self._unrest + (best != self._best)
        self._best = best
        return seconds >= self.soft * self.stretch

    @property
    def stretch(self) -> float:
        """The part of the soft limit that applies now."""
        return min(LEAST + (1 - LEAST) * (1.0 if self._unrest is None else self._unrest), MOST)
