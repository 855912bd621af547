"""Recorded games in the formats of other programs, where a game's file offers one (see zermelo.players.hooks).

A format is a function of a History in the file of the game's rules. It may take `names`, the players' names in order,
or any headers by keyword; what the headers with the players' names are called is the format's own convention.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.players.hooks import hook

FORMATS = ("pgn", "sgf", "pdn", "mat")
HEADERS = {"pgn": ("White", "Black"), "pdn": ("Black", "White")}  # of player 0 and of player 1


def formats_of(game: Game[Any, Any]) -> list[str]:
    """The formats that games of `game` can be written in, beside our own."""
    return [name for name in FORMATS if hook(game, name) is not None]


def export(history: History[Any, Any], format: str, players: Sequence[str] = ()) -> str:
    """The game as text in another program's format."""
    write = hook(history.game, format) if format in FORMATS else None
    if write is None:
        known = ", ".join(formats_of(history.game)) or "none"
        raise GameError(f"{history.game.name} cannot be written as '{format}'; it has: {known}")
    takes = inspect.signature(write).parameters
    told: dict[str, Any] = {}
    if players and "names" in takes:
        told["names"] = tuple(players)
    elif players and any(p.kind is p.VAR_KEYWORD for p in takes.values()):
        told = dict(zip(HEADERS.get(format, ()), players, strict=False))
    return str(write(history, **told)).rstrip("\n")
