"""What an environment needs of a game: planes to be seen, and a number for every move."""

from __future__ import annotations

from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.core.registry import load


def need_environment(game: Any) -> RecordGame:
    """The game (or the one of that name), if its rules say what a network sees and how moves are numbered."""
    found = load(game) if isinstance(game, str) else game
    if not isinstance(found, RecordGame):
        raise GameError("an environment needs a game written with @rules")
    for what, hook in (("plane_shape", "planes(s, out)"), ("policy_size", "policy_index(s, action)")):
        if getattr(found.variant, what) is None:
            raise GameError(f"{found.name} is no environment: its rules declare no {what} (see {hook})")
    return found


def import_or_say(module: str) -> Any:
    """A library of the extra `rl`; one sentence where it is missing."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise GameError(f"{module} is not installed: pip install 'zermelo[rl]'") from None
