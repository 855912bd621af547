"""Games, options, positions and moves as they are typed on a command line. Text is never evaluated as code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.core.files import given_path
from zermelo.core.game import Game, GameError
from zermelo.core.history import History

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A name from `zermelo games`, or path/to/file.py:Name.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", help="An option of the game, such as width=5. May be repeated."
    ),
]
Position = Annotated[str | None, typer.Option("--position", "-p", help="Start here, instead of at the beginning.")]
Moves = Annotated[
    str | None, typer.Option("--moves", "-m", help="Moves to play first; with commas where a move has a space.")
]
Threads = Annotated[int | None, typer.Option("--threads", "-t", min=1, max=256)]
Table = Annotated[int | None, typer.Option("--table", metavar="MB", min=1, help="Megabytes of the table, or the tree.")]
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


def history_after(game: Game[Any, Any], position: str | None, moves: str | None) -> History[Any, Any]:
    """The game from `position` on, after `moves`."""
    history: History[Any, Any] = History(game, start_of(game, position))
    for text in [] if moves is None else moves.split(",") if "," in moves else moves.split():
        if text.strip():
            history.play(game.parse_action(history.state, text))
    return history


def named_folder(text: str) -> Path:
    """An option that names a folder: "" is none, though Python takes it for the one that one is in."""
    try:
        return given_path(text)
    except GameError as wrong:
        raise typer.BadParameter(str(wrong)) from None
