"""Settings as they are typed: the command line that repeats a training, and the settings such a line gives."""

from __future__ import annotations

import shlex
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.learn.settings import Settings
from zermelo.learn.systems import System


def command_for(game: RecordGame, settings: Settings, system: System, weights: str = "") -> str:
    """The command that makes the same weights; what is the system's or the game's own setting is left out."""
    words = ["zermelo", "train", system.name or game.origin or game.name]
    usual = dict(system.options) if system.name else {}
    for name, value in game.options.items():
        if not system.name or usual.get(name, value) != value:
            words += ["--option", f"{name}={_text(value)}"]
    given = settings.as_dict()
    by_itself = system.settings(game, {"hidden": settings.hidden}).as_dict()
    by_itself["hidden"] = system.settings(game, {}).as_dict()["hidden"]
    for name, value in given.items():
        if value != by_itself[name]:
            words += _option(name, value)
    if weights:
        words += ["--weights", weights]
    return shlex.join(words)


def _option(name: str, value: Any) -> list[str]:
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        return [f"--{flag}" if value else f"--no-{flag}"]
    return [f"--{flag}", _text(value)]


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_hidden(text: str) -> tuple[int, ...]:
    """`80`, `40,40`, or `none` for a linear model."""
    if text.strip().lower() in ("none", "0", ""):
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 8 for part in parts):
        raise GameError(f"hidden layers are written as in 80 or 40,40, or none for a linear model, not '{text}'")
    return tuple(int(part) for part in parts)


def read_number(name: str, text: str) -> float | None:
    """A number, or `none`."""
    if text.strip().lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise GameError(f"{name} is a number or none, not '{text}'") from None
