"""`zermelo tables list`: what tables there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli.common.console import complain, print_json, say, stdout
from zermelo.interfaces.cli.common.loading import AsJson
from zermelo.interfaces.cli.tables.common import Folder

FAULT = 1  # the exit code where there is something that cannot be read


def list_tables(folder: Folder = None, as_json: AsJson = False) -> None:
    """List the tables there are, game by game: those that were built, and those that come with the package."""
    from zermelo.tables.tables import SHIPPED, tables_folder

    base = tables_folder() if folder is None else folder
    bases = [base] if folder is not None else [base, SHIPPED]
    damaged: list[str] = []
    rows = [row for one in bases for place in sorted(one.glob("*/")) if (row := _row(place, damaged)) is not None]
    if as_json:
        print_json({"folder": str(base), "tables": rows, "damaged": damaged})
    elif not rows and not damaged:
        say(f"there are no tables in {base}; `zermelo tables build GAME --limit N` makes some")
    elif rows:
        _say_rows(rows)
        say(f"built in {base}", "dim")
    for problem in damaged:
        complain(problem)
    if damaged:
        raise typer.Exit(FAULT)


def _row(place: Path, damaged: list[str]) -> dict[str, Any] | None:
    """What the folder of a game holds; what is wrong with files that cannot be read is told."""
    from zermelo.tables.files import TableFile
    from zermelo.tables.tables import PLIES, SHIPPED, TURNS, VALUE, WDL

    files = []
    for path in (path for kind in (TURNS, VALUE, WDL) for path in sorted(place.glob(f"[0-9]*.{kind}"))):
        try:
            files.append(TableFile(path))
        except GameError as problem:
            damaged.append(str(problem))
    if not files:
        return None
    headers = [file.header for file in files]
    return {
        "game": headers[0].game,
        "options": headers[0].options,
        "shipped": place.parent == SHIPPED,
        "limit": max(header.limit for header in headers),
        "classes": len(headers),
        "positions": sum(header.size - header.counts["none"] for header in headers),
        "with_plies": sum((place / f"{file.path.stem}.{PLIES}").exists() for file in files) == len(files),
        "bytes": sum(path.stat().st_size for path in place.iterdir() if path.is_file()),
    }


def _say_rows(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table("game", "options", "up to", box=None, pad_edge=False, header_style="bold")
    for name in ("classes", "positions", "MB"):
        table.add_column(name, justify="right")
    table.add_column("plies to the end")
    table.add_column("from")
    for row in rows:
        options = ", ".join(f"{name}={value}" for name, value in row["options"].items())
        table.add_row(
            row["game"],
            options,
            str(row["limit"]),
            f"{row['classes']:,}",
            f"{row['positions']:,}",
            f"{row['bytes'] / 1e6:,.1f}",
            "yes" if row["with_plies"] else "no",
            "the package" if row["shipped"] else "built",
        )
    stdout().print(table)
