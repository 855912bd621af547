"""What every player looks like, whoever thinks: a person, a search, another program.

A player is set up for one game and may be asked about any number of positions. A position is a `History` (a game in
progress, so that repetition counts) or a state alone. Randomness is seeded: after `reset(seed)` a player that does not
look at the clock plays the same moves again.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.core.game import CHANCE, OVER, Game, GameError
from zermelo.core.history import History

if TYPE_CHECKING:
    from zermelo.search.report import Report


class Player(ABC):
    """Chooses moves in one game."""

    seconds: float | None = None  # how long a move may take, where the player promises that
    hears_interrupts = True  # choose() ends soon after Ctrl-C; a kernel that cannot be stopped does not
    is_human = False

    def __init__(self, game: Game[Any, Any], name: str, seed: int = 0):
        self.game = game
        self.name = name
        self.report: Report | None = None  # of the last search, where there was one
        self.on_report: Callable[[Report], None] = lambda report: None  # hears every report while a search goes on
        self._seed = seed
        self.random = random.Random(f"{seed}")

    @abstractmethod
    def choose(self, position: Any) -> Any:
        """The action to play in `position`, a History or a state."""

    def reset(self, seed: int | None = None) -> None:
        """A new game begins: forget the old one, and draw random numbers from `seed` on."""
        self.report = None
        self.random = random.Random(f"{self._seed}" if seed is None else f"{self._seed}/{seed}")

    def prepare(self) -> None:  # noqa: B027
        """Do what takes long and is done once, such as compiling, before any clock runs."""

    def close(self) -> None:  # noqa: B027
        """Give back what the player holds: processes, memory."""

    def __repr__(self) -> str:
        return f"<player {self.name} of {self.game.name}>"


def as_history(game: Game[Any, Any], position: Any) -> History[Any, Any]:
    """The game in progress that `position` stands for, with a player to move."""
    history = position if isinstance(position, History) else History(game, position)
    player = history.player()
    if player == OVER:
        raise GameError(f"{game.name}: the game is over, there is nothing to choose")
    if player == CHANCE:
        raise GameError(f"{game.name}: it is nature's turn, nobody chooses")
    return history


def first_choice(game: Game[Any, Any]) -> History[Any, Any] | None:
    """The first position in which somebody chooses, nature having taken its first outcomes; None where there is none.

    For `prepare`: something to try a search on.
    """
    history: History[Any, Any] = History(game)
    while history.player() == CHANCE:
        history.play(game.chances(history.state)[0][0])
    return None if history.is_over else history
