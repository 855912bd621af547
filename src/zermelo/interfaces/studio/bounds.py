"""What a visitor may ask for: so many seconds a move, so much memory, and players that start no programs.

A player spec comes from a stranger. A kind that runs a command or reads a file is refused, unless whoever started the
server allowed that very spec; numbers beyond the bounds are refused too, and a search without a time limit gets one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from zermelo.core.game import GameError
from zermelo.core.spec import read
from zermelo.players.registry import KINDS

LONGEST = 200  # characters of a player spec
OUTSIDE = ("uci", "gtp", "gnubg")  # kinds that start another program
EVALUATORS = ("handcrafted", "learned")  # not a file
TABLES = ("auto", "on", "off")  # likewise: a visitor names no folder of the server's
HUMAN = "human"


@dataclass(frozen=True)
class Bounds:
    """Chosen when the server starts."""

    seconds: float = 30.0  # the longest a search may take
    searches: int = max(4, os.cpu_count() or 1)  # at once; others wait
    waiting: int = 200  # so many may wait, more are turned away
    each: int = 3  # of one visitor, running or waiting
    memory: int = 2048  # megabytes a search process may use
    table: int = 256  # megabytes a table or tree may have
    threads: int = 4  # of one search
    allowed: tuple[str, ...] = ()  # further player specs, as they stand

    def player(self, spec: object) -> str:
        """The spec, if somebody may sit there (a person, or a program within the bounds); else a sentence."""
        if not isinstance(spec, str) or not spec.strip():
            raise GameError("say who plays: human, level=5, alphabeta:seconds=1, …")
        spec = spec.strip()
        if len(spec) > LONGEST:
            raise GameError(f"a player spec has at most {LONGEST} characters")
        if spec in self.allowed:
            return spec
        kind, given = read(spec, KINDS)
        if kind.name in OUTSIDE:
            raise GameError(f"{kind.name} starts another program; whoever runs this page may allow it with --allow")
        if given.get("evaluator") not in (None, *EVALUATORS):
            raise GameError(f"on this page the evaluator is {' or '.join(EVALUATORS)}")
        if given.get("weights") is not None:
            raise GameError("on this page networks are those that come with the package: leave weights= away")
        if given.get("tables") not in (None, *TABLES):
            raise GameError(f"on this page tables= is {' or '.join(TABLES)}, not a folder")
        for name, most in (
            ("seconds", self.seconds),
            ("table", self.table),
            ("memory", self.table),
            ("threads", self.threads),
        ):
            if (given.get(name) or 0) > most:
                raise GameError(f"{kind.name}: {name} is at most {most:g} on this page")
        if "seconds" in kind.settings and "seconds" not in given and set(given) & {"depth", "nodes", "simulations"}:
            spec += f",seconds={self.seconds:g}"
        return spec

    @property
    def kinds(self) -> list[str]:
        """The kinds of player that can be had here."""
        return [name for name in KINDS if name not in OUTSIDE]
