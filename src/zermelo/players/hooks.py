"""What a game's file may offer beside the game itself, found by name: no game is named here.

uci(s, a)            a move as UCI engines write it; positions are then the game's `format`
fibs(s)              a position as a FIBS board, which GNU Backgammon reads; moves are then the game's `parse_action`
click_orders(s, a)   where a move may be clicked in several orders: all of them, each like the game's `clicks`
lessons()            agents in this game to watch, and what they teach (interfaces/studio/pages/agents)
halfway(s, cells, marks)      the SVG of a move of several steps after some of its clicks
pgn, sgf, pdn, mat   write a History in a format that other programs read; see arena/export.py
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import Game


def hook(game: Game[Any, Any], name: str) -> Callable[..., Any] | None:
    """The function `name` in the file that the game's rules are written in, or None."""
    source = game.variant.source if isinstance(game, RecordGame) else type(game)
    found = getattr(sys.modules.get(source.__module__), name, None)
    return found if callable(found) else None
