"""What players there are. `player(spec, game)` makes the one a spec asks for; core/spec.py says how those are written.

Every search of search/registry.py is a player; the rest is in OTHERS. What makes a player is imported when the first
such player is asked for: the compiler, and whatever else a search stands on, takes time, and a match of people needs
none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from zermelo.core.game import Game
from zermelo.core.registry import as_game
from zermelo.core.spec import Kind, Setting, read, split
from zermelo.players.player import Player
from zermelo.search.registry import SEARCHES

_SECONDS = Setting(float, above=0, help="a move")
_SEED = Setting(int, 0, 0, help="of its random numbers")
_LIMITS = ("seconds", "depth", "nodes", "simulations", "paths")

OTHERS = {
    kind.name: kind
    for kind in (
        Kind("random", "zermelo.players.uniform:Uniform", "any legal move, all equally likely", {"seed": _SEED}),
        Kind("human", "zermelo.players.human:Human", "a person at the terminal"),
        Kind(
            "minimax",
            "zermelo.players.fixed_depth:Minimax",
            "plain alpha-beta to a fixed depth, without table or ordering",
            {"depth": Setting(int, 3, 1, 100, help="plies")},
            "depth",
        ),
        Kind(
            "expectiminimax",
            "zermelo.players.fixed_depth:Expectiminimax",
            "the whole tree to a fixed depth, chance nodes averaged",
            {"depth": Setting(int, 2, 1, 100, help="plies; chance costs none")},
            "depth",
        ),
        Kind(
            "level",
            "zermelo.players.level:Level",
            "ten levels for people",
            {
                "level": Setting(int, None, 1, 10),
                "seconds": _SECONDS,
                "seed": _SEED,
                "weights": Setting(str, None, help="of a network that all levels are made of"),
            },
            "level",
            "level=5",
        ),
        Kind(
            "uci",
            "zermelo.players.engines.uci:UCI",
            "a UCI engine in a process of its own",
            {
                "command": Setting(str),
                "elo": Setting(int, None, 1, 5000),
                "seconds": _SECONDS,
                "depth": Setting(int, None, 1, 1000, help="plies"),
                "nodes": Setting(int, None, 1),
                "threads": Setting(int, None, 1, 1024),
                "table": Setting(int, None, 1, 1 << 20, help="megabytes"),
                "patience": Setting(float, 10.0, above=0, help="seconds to wait for an answer beyond its time"),
            },
            "command",
            "uci:stockfish",
        ),
        Kind(
            "gtp",
            "zermelo.players.engines.gtp:GTP",
            "a GTP engine in a process of its own",
            {
                "command": Setting(str),
                "arguments": Setting(str, "", help="what it is started with, as in --mode gtp --level 10"),
                "patience": Setting(float, 60.0, above=0, help="seconds to wait for an answer"),
            },
            "command",
            "gtp:gnugo,arguments=--mode gtp",
        ),
        Kind(
            "gnubg",
            "zermelo.players.engines.gnubg:Gnubg",
            "GNU Backgammon in a process of its own",
            {
                "plies": Setting(int, 0, 0, 3),
                "noise": Setting(float, 0.0, 0, 1, help="the size of an error in every probability"),
                "command": Setting(str, "gnubg"),
                "patience": Setting(float, 60.0, above=0, help="seconds to wait for an answer"),
            },
            "plies",
        ),
    )
}


class _Kinds(Mapping[str, Kind]):
    """The others and the searches, as many as there are at the moment."""

    def __getitem__(self, name: str) -> Kind:
        return OTHERS[name] if name in OTHERS else SEARCHES[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*OTHERS, *SEARCHES])

    def __len__(self) -> int:
        return len(OTHERS) + len(SEARCHES)


KINDS: Mapping[str, Kind] = _Kinds()


def player(spec: str, game: str | Game[Any, Any], seconds: float | None = None) -> Player:
    """The player `spec` asks for, set up for `game`: `player("alphabeta:seconds=1", game).choose(state)`.

    `seconds` goes to a player that can be limited in time and whose spec gives no limit.
    """
    kind, given = read(spec, KINDS)
    game = as_game(game)
    if seconds is not None and "seconds" in kind.settings and not set(given) & set(_LIMITS):
        given["seconds"] = kind.settings["seconds"].check(f"{kind.name}: seconds", seconds)
    if kind.name in SEARCHES:
        from zermelo.players.search_player import search_player

        return search_player(game, spec.strip(), kind.name, **given)
    filled = {name: given.get(name, setting.default) for name, setting in kind.settings.items()}
    made = kind.made()(game, spec.strip(), **filled)
    assert isinstance(made, Player)
    return made


def check_spec(spec: str) -> str:
    """`spec`, if some player can be made of it; else one sentence about what is wrong."""
    read(spec, KINDS)
    return spec.strip()


def split_specs(text: str) -> list[str]:
    """Several players in one text, separated by commas."""
    return [check_spec(one) for one in split(text, KINDS)]
