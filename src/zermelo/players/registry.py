"""What players there are. `player(text, game)` makes the one a text asks for; see texts.py for how texts are written.

What makes a player is imported when the first such player is asked for: the compiler, and whatever else a search
stands on, takes time, and a match of people needs none of it.
"""

from __future__ import annotations

import importlib
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.players.player import Player
from zermelo.players.spec import Kind, Parameter, read, split

_SECONDS = Parameter(float, above=0, help="a move")
_DEPTH = Parameter(int, least=1, most=1000, help="plies")
_NODES = Parameter(int, least=1)
_THREADS = Parameter(int, 1, 1, 1024)
_TABLE = Parameter(int, 64, 1, 1 << 20, help="megabytes")
_SEED = Parameter(int, 0, 0)
_EVALUATOR = Parameter(str, None, help="handcrafted, learned or a file of weights; else the best there is")
_LIMITS = {"seconds": _SECONDS, "depth": _DEPTH, "nodes": _NODES}

KINDS = {
    kind.name: kind
    for kind in (
        Kind("random", "simple:Uniform", "any legal move, all equally likely", {"seed": _SEED}),
        Kind("human", "simple:Human", "a person at the terminal"),
        Kind(
            "minimax",
            "plain:Minimax",
            "plain alpha-beta to a fixed depth, without table or ordering",
            {"depth": Parameter(int, 3, 1, 100, help="plies")},
            "depth",
        ),
        Kind(
            "expectiminimax",
            "plain:Expectiminimax",
            "the whole tree to a fixed depth, chance nodes averaged",
            {"depth": Parameter(int, 2, 1, 100, help="plies; chance costs none")},
            "depth",
        ),
        Kind(
            "alphabeta",
            "searching:alphabeta",
            "the full search",
            {**_LIMITS, "threads": _THREADS, "table": _TABLE, "evaluator": _EVALUATOR},
        ),
        Kind(
            "mcts",
            "searching:mcts",
            "Monte Carlo tree search",
            {
                "simulations": _NODES,
                "seconds": _SECONDS,
                "rave": Parameter(float, least=0),
                "threads": _THREADS,
                "memory": Parameter(int, None, 1, 1 << 20, help="megabytes"),
                "seed": _SEED,
            },
            "simulations",
        ),
        Kind("maxn", "searching:maxn", "everybody for themselves", _LIMITS, "depth"),
        Kind("paranoid", "searching:paranoid", "all others against me", _LIMITS, "depth"),
        Kind("best-reply", "searching:best_reply", "only the worst of the others moves", _LIMITS, "depth"),
        Kind(
            "montecarlo",
            "searching:montecarlo",
            "the best average of random games",
            {"paths": Parameter(int, 100, 1, help="random games a move"), "seconds": _SECONDS, "seed": _SEED},
            "paths",
        ),
        Kind(
            "level",
            "level:Level",
            "ten levels for people",
            {"level": Parameter(int, None, 1, 10), "seconds": _SECONDS, "seed": _SEED},
            "level",
            "level=5",
        ),
        Kind(
            "uci",
            "engines.uci:UCI",
            "a UCI engine in a process of its own",
            {
                "command": Parameter(str),
                "elo": Parameter(int, None, 1, 5000),
                **_LIMITS,
                "threads": Parameter(int, None, 1, 1024),
                "table": Parameter(int, None, 1, 1 << 20, help="megabytes"),
                "patience": Parameter(float, 10.0, above=0, help="seconds to wait for an answer beyond its time"),
            },
            "command",
            "uci:stockfish",
        ),
        Kind(
            "gnubg",
            "engines.gnubg:Gnubg",
            "GNU Backgammon in a process of its own",
            {
                "plies": Parameter(int, 0, 0, 3),
                "noise": Parameter(float, 0.0, 0, 1, help="the size of an error in every probability"),
                "command": Parameter(str, "gnubg"),
                "patience": Parameter(float, 60.0, above=0, help="seconds to wait for an answer"),
            },
            "plies",
        ),
    )
}


def player(text: str, game: Game[Any, Any], seconds: float | None = None) -> Player:
    """The player `text` asks for, set up for `game`: `player("alphabeta:seconds=1", game).choose(state)`.

    `seconds` goes to a player that can be limited in time and whose text gives no limit.
    """
    kind, given = read(text, KINDS)
    if seconds is not None and "seconds" in kind.parameters and not set(given) & {"seconds", "depth", *_COUNTS}:
        given["seconds"] = kind.parameters["seconds"].read(kind.name, "seconds", repr(float(seconds)))
    module, _, name = kind.where.partition(":")
    try:
        factory = getattr(importlib.import_module(f"zermelo.players.{module}"), name)
    except ImportError as missing:
        raise GameError(f"{kind.name} cannot be had here: {missing}") from None
    filled = {name: given.get(name, parameter.default) for name, parameter in kind.parameters.items()}
    made = factory(game, text.strip(), **filled)
    assert isinstance(made, Player)
    return made


_COUNTS = ("nodes", "simulations", "paths")


def check_text(text: str) -> str:
    """`text`, if some player can be made of it; else one sentence about what is wrong."""
    read(text, KINDS)
    return text.strip()


def split_texts(text: str) -> list[str]:
    """Several players in one text, separated by commas."""
    return [check_text(one) for one in split(text, KINDS)]
