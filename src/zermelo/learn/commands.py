"""The command line that repeats a training."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.learn.settings import Settings, flag, write_text
from zermelo.learn.systems import System


def command_for(game: RecordGame, settings: Settings, system: System, weights: str = "") -> str:
    """The command that makes the same weights; what is the system's or the game's own setting is left out."""
    words = ["zermelo", "train", system.name or game.origin or game.name]
    words += option_words(game.options, {**game.options, **system.options} if system.name else {})
    given = settings.as_dict()
    by_itself = system.settings(game, {"hidden": settings.hidden}).as_dict()
    by_itself["hidden"] = system.settings(game, {}).as_dict()["hidden"]
    words += setting_words({name: value for name, value in given.items() if value != by_itself[name]})
    if weights:
        words += ["--weights", weights]
    return shlex.join(words)


def option_words(options: Mapping[str, Any], usual: Mapping[str, Any]) -> list[str]:
    """A game's options as they are typed, without those that are as usual."""
    words = []
    for name, value in options.items():
        if name not in usual or usual[name] != value:
            words += ["--option", f"{name}={write_text(value)}"]
    return words


def setting_words(settings: Mapping[str, Any]) -> list[str]:
    """Settings as they are typed."""
    words = []
    for name, value in settings.items():
        if isinstance(value, bool):
            words.append(flag(name) if value else flag(f"no-{name}"))
        else:
            words += [flag(name), write_text(value)]
    return words
