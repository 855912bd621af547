"""`zermelo tables verify`: checksums, and every value against its successors."""

from __future__ import annotations

from zermelo.core.stopwatch import Stopwatch
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import format_time, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options, Threads
from zermelo.interfaces.cli.tables.common import Device, Folder, found_tables


def verify(
    game: GameName,
    device: Device = "cpu",
    threads: Threads = None,
    folder: Folder = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Compare every value in a game's tables with what the rules say of its successors."""
    from zermelo.solve.tables.verify import verify_tables

    tables = found_tables(game, option, folder)
    watch = Stopwatch()
    with working(f"reading the tables of {tables.game.name}") as tell:

        def told(name: str, done: int, total: int) -> None:
            tell(f"{done / total:.0%}: verifying {name}")

        positions = patiently(lambda: verify_tables(tables, device, threads, told))
    if as_json:
        print_json({"game": tables.game.name, "positions": positions, "seconds": watch.seconds, "ok": True})
        return
    say(f"{count(positions, 'position')} agree with their successors, {format_time(watch.seconds)}")
