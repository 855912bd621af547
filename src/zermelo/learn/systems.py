"""Systems that are known by name: a game, its settings, and whatever the system does in its own way.

SYSTEMS     name → "module:function"; the function gives the System, and is imported when it is asked for
System      what `zermelo train NAME` needs to know
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.evaluate.network import Network
from zermelo.learn.contest import Contest
from zermelo.learn.runs.progress import measure
from zermelo.learn.settings import Settings
from zermelo.learn.trainer import Trainer

SYSTEMS = {"samuel": "zermelo.learn.samuel:system", "td-gammon": "zermelo.learn.td_gammon:system"}


@dataclass(frozen=True)
class System:
    """How a training is set up. Without a name: the way any game is learned."""

    name: str = ""
    about: str = ""  # one line
    game: str = ""  # as zermelo.load takes it
    options: Mapping[str, Any] = field(default_factory=dict)
    training: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda given: {}  # settings, beside those `given`
    trainer: Callable[..., Trainer] = Trainer  # called like Trainer
    measure: Callable[[RecordGame, Network, Settings, int], Contest] = measure  # strength, by so many pairs of games
    baseline: str = ""  # what `measure` plays against, in words, if not the usual

    def defaults(self, game: RecordGame, given: Mapping[str, Any]) -> dict[str, Any]:
        """The settings by name that nobody need give: the system's, or those the game's rules declare."""
        return dict(self.training(given)) if self.name else dict(game.variant.training or {})

    def settings(self, game: RecordGame, given: Mapping[str, Any]) -> Settings:
        return Settings.read({**self.defaults(game, given), **given})


PLAIN = System()


def find_system(name: str) -> System:
    """The system of this name; for no name, the plain one."""
    if not name:
        return PLAIN
    if name not in SYSTEMS:
        raise GameError(f"no system is called '{name}'; there are: {', '.join(SYSTEMS)}")
    module, _, function = SYSTEMS[name].partition(":")
    try:
        found = getattr(importlib.import_module(module), function)()
    except ImportError as missing:
        raise GameError(f"{name} cannot be had here: {missing}") from None
    assert isinstance(found, System)
    return found
