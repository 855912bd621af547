"""Games, options and positions as they are typed on a command line. Text is never evaluated as code."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from zermelo.core.game import Game, GameError

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A name from `zermelo games`, or path/to/file.py:Name.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", help="An option of the game, such as width=5. May be given many times."
    ),
]
Position = Annotated[str | None, typer.Option("--position", "-p", help="Start here, instead of at the beginning.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def read_options(texts: list[str] | None) -> dict[str, Any]:
    """`["width=5", "layout=small"]` as a dictionary."""
    options: dict[str, Any] = {}
    for text in texts or []:
        key, equals, value = text.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or not key.isidentifier():
            raise GameError(f"an option is written key=value, as in --option width=5, not '{text}'")
        if key in options:
            raise GameError(f"the option {key} is given twice")
        options[key] = _value(value.strip())
    return options


def _value(text: str) -> Any:
    """A whole number, a number, true or false, a list with commas, or a word."""
    if re.fullmatch(r"[\w.+-]*(,\s*[\w.+-]*)+", text):
        return tuple(_value(part.strip()) for part in text.split(",") if part.strip())
    if re.fullmatch(r"[+-]?\d{1,30}", text):
        return int(text)
    if re.fullmatch(r"[+-]?(\d{1,30}\.\d*|\.\d+)([eE][+-]?\d{1,3})?", text):
        return float(text)
    return {"true": True, "false": False}.get(text.lower(), text)


def load_game(name: str, options: list[str] | None = None) -> Game[Any, Any]:
    from zermelo.core.registry import load

    return load(name, **read_options(options))


def start_of(game: Game[Any, Any], position: str | None) -> Any:
    """The position somebody asked for, or the beginning."""
    return game.start() if position is None else game.parse(position)
