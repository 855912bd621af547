"""`zermelo tables review`: recorded games, looked at again with tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import print_json, say, stdout
from zermelo.interfaces.cli.common.loading import AsJson
from zermelo.interfaces.cli.tables.common import Folder

if TYPE_CHECKING:
    from zermelo.arena.review import ReviewRow

HEADS = ("games", "kept", "faultless", "moves", "faults")


def review(
    file: Annotated[Path, typer.Argument(help="A file of records, from --record or --save.")],
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Who gave away what a position was worth? By the tables, from the first position that they know.

    Kept: the game ended at least as well as that position was worth. Faultless: no move made it worth less.
    """
    from zermelo.arena import records
    from zermelo.arena.review import Review
    from zermelo.compile.endings import need_endings
    from zermelo.compile.record_game import RecordGame
    from zermelo.tables.tables import Tables

    games = records.read(file)
    if not games:
        raise GameError(f"there is no game in '{file}'")
    if len({(one["game"], str(one["options"])) for one in games}) > 1:
        raise GameError(f"'{file}' holds games of several kinds; tables are of one")
    game = records.game_of(games[0])
    need_endings(game)
    assert isinstance(game, RecordGame)
    found = Review(Tables(game, folder, with_shipped=folder is None))
    for one in games:
        found.add(one)
    if as_json:
        print_json({"game": game.name, **found.as_dict()})
        return
    if rows := found.rows():
        _print(rows)
    if found.passed_over:
        say(f"{count(found.passed_over, 'game')} without a position that the tables know", "dim")


def _print(rows: list[ReviewRow]) -> None:
    from rich.table import Table

    table: Any = Table("player", "from a position that was", box=None, pad_edge=False, header_style="bold")
    for head in HEADS:
        table.add_column(head, justify="right")
    for row in rows:
        table.add_row(row.player, row.worth, *(f"{getattr(row, head):,}" for head in HEADS))
    stdout().print(table)
