"""Which games the page offers: those of the package, and files of their own that the server was started with.

A visitor names a game by its title in the catalogue, never by a path. The page runs the rules interpreted; a search
process loads the same game compiled, by its `origin`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import Rules
from zermelo.core.game import Game, GameError
from zermelo.core.registry import find, games, load, thaw

LARGEST = 64  # a number among a variant's options, where its default is not larger


@dataclass(frozen=True)
class Entry:
    """One game that can be chosen."""

    title: str
    origin: str  # what zermelo.load is given
    options: dict[str, Any] = field(default_factory=dict)

    def load(self, **options: Any) -> Game[Any, Any]:
        """The game for the page: its rules as plain Python. `options` choose another variant."""
        chosen = {**self.options, **options}
        if isinstance(find(self.origin), Rules):
            return load(self.origin, **chosen, compiled=False)
        return load(self.origin, **chosen)

    @property
    def parameters(self) -> dict[str, Any]:
        """The variants there are: names and defaults."""
        source = find(self.origin)
        return dict(source.parameters) if isinstance(source, Rules) else {}

    @property
    def summary(self) -> str:
        return (getattr(find(self.origin), "__doc__", None) or "").strip().split("\n")[0]


class Catalogue:
    """All games of a server, by title."""

    def __init__(self, own: tuple[str, ...] = ()):
        self.entries = {}
        self.own: list[str] = []
        for origin in own:
            title = load(origin).name  # a mistake in it is told when the server starts
            self.entries[title] = Entry(title, origin)
            self.own.append(title)
        for name in games():
            self.entries.setdefault(name, Entry(name, name))

    def __getitem__(self, title: object) -> Entry:
        if not isinstance(title, str) or title not in self.entries:
            raise GameError(f"there is no game '{str(title)[:40]}' here")
        return self.entries[title]

    @property
    def titles(self) -> list[str]:
        return list(self.entries)


def is_compiled(game: Game[Any, Any]) -> bool:
    """Has the game rules over a record, so that the compiled searches can be asked about it?"""
    return isinstance(game, RecordGame)


def is_two_sided(game: Game[Any, Any]) -> bool:
    """Do two sides (or one) want opposite things, so that one number says it all?"""
    return game.players == 1 or (game.zero_sum and {game.side(p) for p in range(game.players)} <= {0, 1})


def checked_options(entry: Entry, options: object) -> dict[str, Any]:
    """Options of a variant from a stranger: known names, and numbers that do not fill the memory."""
    if not options:
        return {}
    if not isinstance(options, dict) or len(options) > 20:
        raise GameError("a game's options are names with values")
    for name, value in options.items():
        if not isinstance(name, str) or name == "compiled":
            raise GameError("a game has no such option")
        default = entry.parameters.get(name)
        most = max(LARGEST, abs(default)) if isinstance(default, int | float) else LARGEST
        if isinstance(value, int | float) and not abs(value) <= most:
            raise GameError(f"{name} is at most {most:g} on this page")
        if len(str(value)) > 4_000:
            raise GameError(f"{name} is too long")
    return thaw(options)
