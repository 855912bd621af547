"""zermelo: write a game's rules once, in plain Python, and get everything.

What a script needs is here. A name is imported when it is first used: the compiler takes most of a second, and
`zermelo --help` does not need it. `games`, `search`, `solve` and `check` are packages and functions at once
(core/callable_package.py); a type checker sees the functions.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.arena.match import MatchResult, match
    from zermelo.arena.tournament import TournamentResult, tournament
    from zermelo.batch.batch import Batch
    from zermelo.batch.batch import make_batch as batch
    from zermelo.check.report import check_game as check
    from zermelo.compile.rules import RulesError, helper, rules
    from zermelo.core.game import CHANCE, OVER, Game, GameError, Marks
    from zermelo.core.history import History
    from zermelo.core.registry import games, load
    from zermelo.learn.train import Trained, train
    from zermelo.players.player import Player
    from zermelo.players.registry import player
    from zermelo.search import find_best as search
    from zermelo.search.clock import Clock
    from zermelo.search.explain.explain import explain
    from zermelo.search.explain.explanation import Explanation
    from zermelo.search.limits import Limits
    from zermelo.search.registry import make_searcher
    from zermelo.search.report import Report
    from zermelo.search.searcher import Searcher
    from zermelo.solve.exact import Solution, solve

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "OVER",
    "Batch",
    "Clock",
    "Explanation",
    "Game",
    "GameError",
    "History",
    "Limits",
    "Marks",
    "MatchResult",
    "Player",
    "Report",
    "RulesError",
    "Searcher",
    "Solution",
    "TournamentResult",
    "Trained",
    "batch",
    "check",
    "explain",
    "games",
    "helper",
    "load",
    "make_searcher",
    "match",
    "player",
    "rules",
    "search",
    "solve",
    "tournament",
    "train",
]

# Where the names above are; those that are missing here are packages that can be called.
_WHERE = {
    "CHANCE": "core.game",
    "OVER": "core.game",
    "Batch": "batch.batch",
    "Clock": "search.clock",
    "Explanation": "search.explain.explanation",
    "Game": "core.game",
    "GameError": "core.game",
    "History": "core.history",
    "Limits": "search.limits",
    "Marks": "core.game",
    "MatchResult": "arena.match",
    "Player": "players.player",
    "Report": "search.report",
    "RulesError": "compile.rules",
    "Searcher": "search.searcher",
    "Solution": "solve.exact",
    "TournamentResult": "arena.tournament",
    "Trained": "learn.train",
    "explain": "search.explain.explain",
    "helper": "compile.rules",
    "load": "core.registry",
    "make_searcher": "search.registry",
    "match": "arena.match",
    "player": "players.registry",
    "rules": "compile.rules",
    "tournament": "arena.tournament",
    "train": "learn.train",
}


if not TYPE_CHECKING:  # a checker that saw this would take any name for granted

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'zermelo' has no attribute '{name}'")
        if name not in _WHERE:
            return importlib.import_module(f"zermelo.{name}")
        value = getattr(importlib.import_module(f"zermelo.{_WHERE[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
