"""What an environment needs of a game: planes to be seen, and a number for every move."""

from __future__ import annotations

from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.core.registry import as_game


def need_environment(game: Any) -> RecordGame:
    """The game (or the one of that name), if its rules say what a network sees and how moves are numbered."""
    found = as_game(game)
    if not isinstance(found, RecordGame):
        raise GameError("an environment needs a game written with @rules")
    for what, hook in (("plane_shape", "planes(s, out)"), ("policy_size", "policy_index(s, action)")):
        if getattr(found.variant, what) is None:
            raise GameError(f"{found.name} is no environment: its rules declare no {what} (see {hook})")
    return found
