"""What the commands about tables share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli.common.loading import load_game, named_folder

if TYPE_CHECKING:
    from zermelo.compile.record_game import RecordGame
    from zermelo.tables.tables import Tables

Folder = Annotated[
    Path | None,
    typer.Option(
        "--folder", parser=named_folder, metavar="PATH", help="Where tables are kept, instead of with the user's data."
    ),
]
Device = Annotated[str, typer.Option("--device", help="cpu, or cuda for a graphics card.")]


def numbered_game(name: str, option: list[str] | None) -> RecordGame:
    """A game over records, which alone can have tables."""
    from zermelo.compile.endings import need_endings
    from zermelo.compile.record_game import RecordGame

    game = load_game(name, option)
    need_endings(game)
    assert isinstance(game, RecordGame)
    return game


def found_tables(name: str, option: list[str] | None, folder: Path | None) -> Tables:
    """The tables of a game, if there are any: in a folder, or else the user's and those of the package."""
    from zermelo.tables.tables import find_tables, folder_for

    loaded = numbered_game(name, option)
    tables = find_tables(loaded, folder)
    if tables is None:
        place = folder_for(loaded, folder)
        raise GameError(
            f"there are no tables of {name} in '{place}'; `zermelo tables build {name} --limit N` makes them"
        )
    return tables
