"""`zermelo check`: are the rules of a game right?"""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.interfaces.cli.common.console import print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options, load_game


def check(
    game: GameName,
    games: Annotated[int, typer.Option(min=0, help="Random games to play.")] = 200,
    seed: Annotated[int, typer.Option(help="The same seed plays the same games.")] = 0,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="Seconds after which to stop (compiling not counted).")
    ] = 20.0,
    positions: Annotated[int, typer.Option(min=1, help="Positions to examine breadth-first.")] = 3_000,
    longest: Annotated[int, typer.Option(min=1, help="Plies after which a random game counts as endless.")] = 10_000,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Look for faults in a game's rules, and show the shortest line of play that leads to each.

    Compiled and interpreted rules are run in lockstep. Exits with 1 if there is a fault.
    """
    loaded = load_game(game, option)
    from zermelo.check import check_game

    with working(f"checking {loaded.name}") as tell:
        report = patiently(
            lambda: check_game(
                loaded,
                seed=seed,
                games=games,
                seconds=seconds,
                positions=positions,
                longest=longest,
                tell=lambda text: tell(f"checking {loaded.name}: {text}"),
            )
        )
    if as_json:
        print_json(report.as_dict())
    else:
        say(str(report))
    if not report.ok:
        raise typer.Exit(1)
