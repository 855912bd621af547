"""`zermelo tables counts`: positions won, lost and drawn, in the form in which such tables are published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.interfaces.cli.common.console import print_json, say, stdout
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options
from zermelo.interfaces.cli.tables.common import Folder, found_tables

if TYPE_CHECKING:
    from zermelo.tables.tables import Tables

COUNTED = ("positions", "win", "loss", "draw")


def counts(game: GameName, folder: Folder = None, option: Options = None, as_json: AsJson = False) -> None:
    """Count positions, wins, losses and draws for the side to move, class by class and in total.

    In a game with chance, only positions: their values are averages.
    """
    tables = found_tables(game, option, folder)
    rows = count_rows(tables)
    checksum = tables.checksum()
    if as_json:
        print_json({"game": tables.game.name, "folder": str(tables.folder), "checksum": checksum, "classes": rows})
    else:
        say_counts(rows)
        say(f"checksum of all values {checksum}", "dim")


def count_rows(tables: Tables) -> list[dict[str, Any]]:
    """A row for every class, and after the classes of a limit one for all of them, whose `class` is None."""
    from zermelo.tables.tables import PLIES, TURNS

    rows: list[dict[str, Any]] = []
    headers = tables.main_headers()
    longest = {header.number: header.longest for kind in (PLIES, TURNS) for header in tables.headers(kind)}
    for limit in sorted({header.limit for header in headers}):
        of_limit: list[dict[str, Any]] = [
            {
                "limit": limit,
                "class": header.name,
                "positions": header.size - header.counts["none"],
                **{name: header.counts.get(name) for name in COUNTED[1:]},
                "longest": longest.get(header.number),
                "checksum": header.checksum,
            }
            for header in headers
            if header.limit == limit
        ]
        ways = [row["longest"] for row in of_limit]
        total: dict[str, Any] = {name: _sum([row[name] for row in of_limit]) for name in COUNTED}
        most = None if None in ways else max(ways)
        rows += [*of_limit, {"limit": limit, "class": None, **total, "longest": most, "checksum": None}]
    return rows


def _sum(numbers: list[int | None]) -> int | None:
    """None where any is."""
    known = [n for n in numbers if n is not None]
    return sum(known) if len(known) == len(numbers) else None


def say_counts(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    with_longest = any(row["longest"] is not None for row in rows)
    table = Table("limit", "side to move – other side", box=None, pad_edge=False, header_style="bold")
    counted = [name for name in COUNTED if any(row[name] is not None for row in rows)]
    titles = dict(zip(COUNTED, ("positions", "wins", "losses", "draws"), strict=True))
    last = f"longest ({'plies' if 'win' in counted else 'turns'})"
    for name in (*(titles[name] for name in counted), *([last] if with_longest else [])):
        table.add_column(name, justify="right")
    for row in rows:
        numbers = [_number(row[name]) for name in counted]
        if with_longest:
            numbers.append(_number(row["longest"]))
        table.add_row(str(row["limit"]), row["class"] or "all", *numbers, style="bold" if row["class"] is None else "")
    stdout().print(table)


def _number(n: int | None) -> str:
    return "" if n is None else f"{n:,}"
