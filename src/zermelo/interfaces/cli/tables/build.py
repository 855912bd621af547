"""`zermelo tables build`: work endings out and keep them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.core.game import GameError
from zermelo.core.stopwatch import Stopwatch
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import complain, format_long, format_time, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options, Threads
from zermelo.interfaces.cli.tables.common import Device, Folder, numbered_game
from zermelo.interfaces.cli.tables.counts import count_rows, say_counts

if TYPE_CHECKING:
    from zermelo.compile.record_game import RecordGame
    from zermelo.solve.tables.build import Progress
    from zermelo.solve.tables.memory import Need


def build(
    game: GameName,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", min=0, help="Endings of up to this many pieces (seeds, …); by default, what takes seconds."
        ),
    ] = None,
    distance: Annotated[bool, typer.Option("--distance", help="Also find the plies to the end of the game.")] = False,
    device: Device = "cpu",
    threads: Threads = None,
    memory: Annotated[
        float | None, typer.Option("--memory", metavar="GIB", min=0.01, help="Use at most this many GiB.")
    ] = None,
    folder: Folder = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Work out every position of the endings up to a limit: won, drawn or lost for the player to move.

    In a game with chance: what it is worth on average.

    Finished work is kept: interrupted or killed, the same command continues where it left off.
    """
    from zermelo.solve.tables.build import build_tables

    loaded = numbered_game(game, option)
    limit = need_limit(loaded, limit)
    if not as_json and limit > (most := highest(loaded, limit)) > 0:
        say(f"{loaded.name} numbers no endings between {most} and {limit}: these are those up to {most}")
    watch = Stopwatch()
    with working(f"looking at the endings of {loaded.name}") as tell:

        def tell_progress(progress: Progress) -> None:
            left = "" if progress.seconds_left is None else f", about {format_long(progress.seconds_left)} left"
            tell(f"{progress.share:.0%}: {progress.doing}, {progress.group}{left}")

        def tell_need(need: Need) -> None:
            if not as_json:
                say(
                    f"{count(need.positions, 'position')} to work out, in about {need.total / 2**30:.2f} GiB of memory "
                    f"(most of it for '{need.largest}')"
                )

        tables = patiently(
            lambda: build_tables(
                loaded,
                limit,
                with_plies=distance,
                device=device,
                threads=threads,
                memory=None if memory is None else as_bytes(memory),
                folder=folder,
                tell=tell_progress,
                tell_need=tell_need,
                tell_damaged=lambda problem: complain(f"{str(problem).rsplit(': ', 1)[0]}: built anew"),
            )
        )
    rows = [row for row in count_rows(tables) if row["limit"] <= limit]
    if as_json:
        print_json({"game": loaded.name, "folder": str(tables.folder), "seconds": watch.seconds, "classes": rows})
        return
    say_counts([row for row in rows if row["class"] is None])
    say(f"kept in {tables.folder}, {format_time(watch.seconds)}", "dim")


def highest(game: RecordGame, limit: int) -> int:
    """The largest limit of a class that is listed with this one; 0 where none is."""
    from zermelo.compile.endings import read_endings

    return max((one.limit for group in read_endings(game, limit) for one in group), default=0)


def as_bytes(gib: float) -> int:
    """What `--memory` says."""
    if not math.isfinite(gib):
        raise GameError(f"--memory takes a number of GiB, not {gib}")
    return int(gib * 2**30)


def need_limit(game: RecordGame, limit: int | None) -> int:
    """The limit that was said, or the one with which it takes seconds."""
    if limit is None:
        limit = game.variant.small_endings
    if limit is None:
        raise GameError(f"{game.name} does not say up to what limit its endings take seconds: give --limit")
    return limit
