"""Recorded games in the formats of other programs, where a game offers one: a hook that is given its History."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.compile.hooks import HOOKS
from zermelo.core.game import Game, GameError
from zermelo.core.history import History

FORMATS = tuple(hook.name for hook in HOOKS.values() if hook.parameters == ("history", "names"))


def formats_of(game: Game[Any, Any]) -> list[str]:
    """The formats that games of `game` can be written in, beside our own."""
    return [name for name in FORMATS if game.hook(name) is not None]


def export(history: History[Any, Any], format: str, players: Sequence[str] = ()) -> str:
    """The game as text in another program's format."""
    write = history.game.hook(format) if format in FORMATS else None
    if write is None:
        known = ", ".join(formats_of(history.game)) or "none"
        raise GameError(f"{history.game.name} cannot be written as '{format}'; it has: {known}")
    return str(write(history, tuple(players))).rstrip("\n")
