"""A person at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.players.player import Player, as_history


class Human(Player):
    """A person: `ask(prompt)` gives a line of what they typed. A move that cannot be played is explained, and asked
    for again; the end of the input is an EOFError."""

    is_human = True

    def __init__(self, game: Game[Any, Any], name: str, ask: Callable[[str], str] = input):
        super().__init__(game, name)
        self.ask = ask

    def choose(self, position: Any) -> Any:
        history = as_history(self.game, position)
        while True:
            typed = self.ask(f"player {history.player()}: ")
            try:
                return read_move(history, typed)
            except GameError as problem:
                print(problem, file=sys.stderr)


def read_move(history: Any, text: str) -> Any:
    """The legal action somebody means by `text`."""
    action = history.game.parse_action(history.state, text)
    if not history.is_legal(action):  # a repetition that is forbidden
        raise GameError(f"{text.strip()} would repeat a position, which is forbidden")
    return action
