"""`zermelo tournament`: everybody against everybody, a cross-table, and ratings on one scale."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.core.stopwatch import Stopwatch
from zermelo.interfaces.cli.common.console import format_time, print_json, say
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options, Position, read_options
from zermelo.interfaces.cli.common.matches import Book, Jobs, Margin, Openings, RecordTo, Seconds, Seed


def tournament(
    game: GameName,
    players: Annotated[list[str], typer.Argument(metavar="A B C …", help="Players, such as mcts:simulations=500.")],
    games: Annotated[
        int, typer.Option("--games", "-g", min=1, help="Between every two players; rounded up to whole pairs.")
    ] = 20,
    seconds: Seconds = None,
    openings: Openings = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    record: RecordTo = None,
    margin: Margin = 1.0,
    position: Position = None,
    book: Book = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Play a round robin: every two players meet in pairs of games with sides swapped, same opening, same dice."""
    from zermelo.arena.tournament import Tournament
    from zermelo.interfaces.cli.common.matches import leave, watch

    began = Stopwatch()
    played = Tournament(
        game, *players, games=games, seconds=seconds, openings=openings, seed=seed, jobs=jobs,
        record=record, margin=margin, position=position, book=book, options=read_options(option),
    )  # fmt: skip
    whole = watch(played)
    result = played.standings()
    if as_json:
        print_json(result.as_dict())
    else:
        for line in result.lines():
            say(line)
        say(format_time(began.seconds), "dim")
    if not whole:
        leave(played)
