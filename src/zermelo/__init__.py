"""zermelo: write a game's rules once, in plain Python, and get everything."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo import games, search, solve
    from zermelo.compile.rules import RulesError, helper, rules
    from zermelo.core.game import CHANCE, OVER, Game, GameError, Marks
    from zermelo.core.history import History
    from zermelo.core.registry import load
    from zermelo.players.registry import player
    from zermelo.search.explain.explain import explain

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "OVER",
    "Game",
    "GameError",
    "History",
    "Marks",
    "RulesError",
    "explain",
    "games",
    "helper",
    "load",
    "player",
    "rules",
    "search",
    "solve",
]

# Imported when first asked for: the compiler takes most of a second, and `zermelo --help` does not need it.
_WHERE = {
    "CHANCE": "core.game",
    "OVER": "core.game",
    "Game": "core.game",
    "GameError": "core.game",
    "Marks": "core.game",
    "History": "core.history",
    "load": "core.registry",
    "player": "players.registry",
    "explain": "search.explain.explain",
    "RulesError": "compile.rules",
    "helper": "compile.rules",
    "rules": "compile.rules",
}


def __getattr__(name: str) -> Any:
    if name in ("games", "search", "solve"):  # packages that can be called
        return importlib.import_module(f"zermelo.{name}")
    if name not in _WHERE:
        raise AttributeError(f"module 'zermelo' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"zermelo.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
