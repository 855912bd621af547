"""What searches there are. Every door makes its searcher here: `zermelo.search`, `zermelo.explain` and `zermelo.solve`,
the commands, the players, the studio. So they all search alike, with the same evaluator unless another is asked for.

    searcher, limits = open_search(game, "mcts:simulations=500", threads=2)

A search is a class (see searcher.py) and one row of SEARCHES: its name, where its class is, what it is, the settings it
takes, and which games it can search. A row is read for specs of players and for the command line as well.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zermelo.core.game import Game, GameError
from zermelo.core.registry import as_game
from zermelo.core.spec import Kind, Setting, read

if TYPE_CHECKING:
    from zermelo.search.limits import Limits
    from zermelo.search.searcher import Searcher

SECONDS = 1.0  # where nothing limits a search
LIMITS = "limits."  # what a setting that sets a limit sets begins so


@dataclass(frozen=True)
class SearchKind(Kind):
    """One search. A setting is an argument of its class, or a limit."""

    arguments: Mapping[str, Any] = field(default_factory=dict)  # of its class, the same for every game
    most_sides: int | None = None  # that it can search; None: any number
    usual: Mapping[str, Any] = field(default_factory=lambda: {"seconds": SECONDS})  # where nothing limits it

    def can_search(self, game: Game[Any, Any]) -> bool:
        return self.most_sides is None or len({game.side(p) for p in range(game.players)}) <= self.most_sides

    def sort(self, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """`given` as arguments of its class and as limits; what is None is not given."""
        arguments, limits = dict(self.arguments), {}
        for word, value in given.items():
            if value is None:
                continue
            if word in self.settings:
                value = self.settings[word].check(f"{self.name}: {word}", value)
            target = self._target(word)
            if target.startswith(LIMITS):
                limits[target.removeprefix(LIMITS)] = value
            else:
                arguments[target] = value
        return arguments, limits

    def _target(self, word: str) -> str:
        if word in self.settings:
            return self.settings[word].sets or word
        if any(setting.sets == LIMITS + word for setting in self.settings.values()):  # nodes, called simulations
            return LIMITS + word
        if word not in inspect.signature(self.made()).parameters or word in self.arguments:
            raise self.refusal(word)
        return word  # what only Python can give: options, multi_pv


_SECONDS = Setting(float, above=0, help="a move", sets="limits.seconds")
_DEPTH = Setting(int, least=1, most=1000, help="plies", sets="limits.depth")
_NODES = Setting(int, least=1, help="positions", sets="limits.nodes")
_LIMITS = {"seconds": _SECONDS, "depth": _DEPTH, "nodes": _NODES}
_THREADS = Setting(int, None, 1, 256, help="1 unless given")
_SEED = Setting(int, None, 0, help="of the random numbers")
_DEVICE = Setting(str, None, help="cpu or cuda: where random games are played, many at a time")
_TABLES = Setting(
    str, None, help="endgame tables: auto (players' choice: where some are near), on, off, or the folder they are in"
)
_MEMORY = Setting(int, None, 1, 1 << 20, help="megabytes; 256 unless given", sets="memory_mb")
_MULTIPLAYER = "zermelo.search.multiplayer.searcher:Multiplayer"

SEARCHES: dict[str, SearchKind] = {
    kind.name: kind
    for kind in (
        SearchKind(
            "alphabeta",
            "zermelo.search.alphabeta.searcher:AlphaBeta",
            "the full search, for two sides",
            {
                **_LIMITS,
                "threads": _THREADS,
                "table": Setting(int, None, 1, 1 << 20, help="megabytes; 64 unless given", sets="table_mb"),
                "evaluator": Setting(
                    str, None, help="handcrafted, learned or a file of weights; else the best there is"
                ),
                "tables": _TABLES,
            },
            most_sides=2,
        ),
        SearchKind("maxn", _MULTIPLAYER, "everybody for themselves", _LIMITS, "depth", arguments={"kind": "maxn"}),
        SearchKind("paranoid", _MULTIPLAYER, "all others against me", _LIMITS, "depth", arguments={"kind": "paranoid"}),
        SearchKind(
            "best-reply",
            _MULTIPLAYER,
            "only the worst of the others moves",
            _LIMITS,
            "depth",
            arguments={"kind": "best-reply"},
        ),
        SearchKind(
            "mcts",
            "zermelo.search.mcts.searcher:MCTS",
            "Monte Carlo tree search",
            {
                "simulations": Setting(int, least=1, help="walks down the tree", sets="limits.nodes"),
                "seconds": _SECONDS,
                "rave": Setting(
                    float, None, least=0, help="how long the all-moves-as-first average counts; 0: not at all"
                ),
                "threads": _THREADS,
                "memory": _MEMORY,
                "seed": _SEED,
                "device": _DEVICE,
                "playouts": Setting(int, None, 1, 1 << 20, help="random games of a leaf, on a device"),
                "tables": _TABLES,
            },
            "simulations",
        ),
        SearchKind(
            "zero",
            "zermelo.search.mcts.zero:Zero",
            "Monte Carlo tree search guided by a policy/value network",
            {
                "simulations": Setting(
                    int, least=1, help="walks down the tree; 1: the policy alone", sets="limits.nodes"
                ),
                "seconds": _SECONDS,
                "weights": Setting(str, None, help="a file, a training's folder or handcrafted"),
                "threads": _THREADS,
                "device": Setting(str, None, help="where the network thinks: cpu or cuda; cpu unless given"),
                "memory": _MEMORY,
                "seed": _SEED,
                "tables": _TABLES,
            },
            "simulations",
        ),
        SearchKind(
            "montecarlo",
            "zermelo.search.montecarlo:MonteCarlo",
            "the best average of random games",
            {
                "paths": Setting(int, None, 1, help="random games a move; 100 where nothing limits it"),
                "seconds": _SECONDS,
                "nodes": Setting(int, least=1, help="random games in all", sets="limits.nodes"),
                "seed": _SEED,
                "device": _DEVICE,
                "playouts": Setting(int, None, 1, 1 << 20, help="random games at a time, on a device"),
            },
            "paths",
            usual={"paths": 100},
        ),
    )
}


def default_search(game: Game[Any, Any]) -> str:
    """The first that can search the game: alphabeta, or maxn for many sides."""
    return next(kind.name for kind in SEARCHES.values() if kind.can_search(game))


def open_search(game: str | Game[Any, Any], spec: str | None = None, **settings: Any) -> tuple[Searcher, Limits]:
    """The search that a spec asks for (by default what suits the game), set up for it, and its limits.

    `settings` that are not None count more than the spec's. Without any limit a search takes a second; `make_searcher`
    sets none.
    """
    from zermelo.search.limits import Limits

    game = as_game(game)
    kind, given = _read(game, spec, settings)
    arguments, limits = kind.sort(given)
    if not limits and not set(kind.usual) & {word for word, value in given.items() if value is not None}:
        usual_arguments, limits = kind.sort({word: v for word, v in kind.usual.items() if word in kind.settings})
        arguments |= usual_arguments
    return _make(kind, game, arguments), Limits(**limits)


def make_searcher(game: str | Game[Any, Any], spec: str | None = None, **settings: Any) -> Searcher:
    """The search alone, for those who have limits of their own."""
    game = as_game(game)
    kind, given = _read(game, spec, settings)
    arguments, limits = kind.sort(given)
    if limits:
        raise GameError(f"{kind.name} is given its limits with every search here, not beforehand")
    return _make(kind, game, arguments)


def _read(game: Game[Any, Any], spec: str | None, settings: Mapping[str, Any]) -> tuple[SearchKind, dict[str, Any]]:
    kind, given = (SEARCHES[default_search(game)], {}) if spec is None else read(spec, SEARCHES, "search")
    return kind, given | {word: value for word, value in settings.items() if value is not None}


def _make(kind: SearchKind, game: Game[Any, Any], arguments: dict[str, Any]) -> Searcher:
    from zermelo.search.searcher import need_rules

    rules = need_rules(game)
    if "evaluator" in kind.settings:
        from zermelo.evaluate.shipped import evaluator_for

        arguments["evaluator"] = evaluator_for(rules, arguments.get("evaluator"))
    if "tables" in kind.settings:
        from zermelo.search.endings import find_endings

        wanted = arguments.pop("tables", None)
        arguments["endings"] = find_endings(rules, wanted)
    searcher: Searcher = kind.made()(rules, **arguments)
    return searcher
