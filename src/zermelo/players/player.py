"""What every player looks like, whoever thinks: a person, a search, another program.

A player is set up for one game and may be asked about any number of positions. A position is a `History` (a game in
progress, so that repetition counts) or a state alone. Randomness is seeded: after `reset(seed)` a player that does not
look at the clock plays the same moves again.

    player.make_ready(position)             optional, for whoever measures the time of choose(): compiles and loads
    player.begin()                          optional: stop() counts from here on, and not only from choose() on
    action = player.choose(position)        meanwhile, in any other thread: player.stop()

A stop() ends the choice that has begun with the best move found so far. When none has, it does nothing: it is never
kept for the next one. A player that cannot leave off (a person, a program without such a command) chooses to the end.
"""

from __future__ import annotations

import random
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from zermelo.core.game import CHANCE, OVER, Game, GameError
from zermelo.core.history import History

if TYPE_CHECKING:
    from zermelo.search.report import Report


class Player(ABC):
    """Chooses moves in one game."""

    seconds: float | None = None  # how long a move may take, where the player promises that
    is_human = False

    def __init__(self, game: Game[Any, Any], name: str, seed: int = 0):
        self.game = game
        self.name = name
        self.report: Report | None = None  # of the last search, where there was one
        self.on_report: Callable[[Report], None] = lambda report: None  # hears every report while a search goes on
        self._seed = seed
        self.random = random.Random(f"{seed}")
        self._lock = threading.Lock()
        self._has_begun = self.is_stopped = False

    @abstractmethod
    def choose(self, position: Any) -> Any:
        """The action to play in `position`, a History or a state."""

    # -- leaving off -----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """A choice begins. For whoever lets another thread choose: a stop() before that has come so far counts too."""
        with self._lock:
            self._has_begun, self.is_stopped = True, False

    def stop(self) -> None:
        """End the choice that has begun with the best move found so far; from any thread."""
        with self._lock:
            if self._has_begun:
                self.is_stopped = True
                self.pass_stop()

    def pass_stop(self) -> None:  # noqa: B027
        """Tell whatever thinks for this player to stop, if it does think; without waiting for it."""

    @contextmanager
    def choosing(self) -> Iterator[None]:
        """What a `choose` that looks at `is_stopped` is wrapped in."""
        with self._lock:
            if not self._has_begun:
                self._has_begun, self.is_stopped = True, False
        try:
            yield
        finally:
            with self._lock:
                self._has_begun = False

    # -- from game to game -----------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        """A new game begins: forget the old one, and draw random numbers from `seed` on."""
        self.report = None
        self.random = random.Random(f"{self._seed}" if seed is None else f"{self._seed}/{seed}")

    def prepare(self) -> None:  # noqa: B027
        """Do what takes long and is done once, such as compiling, before any clock runs."""

    def make_ready(self, position: Any) -> None:  # noqa: B027
        """Do what takes long and only some positions need, before the clock of this choice runs; mostly nothing."""

    def close(self) -> None:  # noqa: B027
        """Give back what the player holds: processes, memory."""

    def __repr__(self) -> str:
        return f"<player {self.name} of {self.game.name}>"


def as_history(game: Game[Any, Any], position: Any) -> History[Any, Any]:
    """The game in progress that `position` stands for, with a player to move."""
    history: History[Any, Any] = History.of(game, position)
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
