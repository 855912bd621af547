"""`zermelo match`: players against each other, fairly, and who is the better one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.core.game import GameError
from zermelo.core.stopwatch import Stopwatch
from zermelo.core.words import count, plies
from zermelo.interfaces.cli.common.console import format_time, print_json, say
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options, Position, read_options
from zermelo.interfaces.cli.common.matches import Book, Games, Jobs, Margin, Openings, RecordTo, Seconds, Seed

if TYPE_CHECKING:
    from zermelo.arena.statistics import SPRT


def match(
    game: GameName,
    players: Annotated[list[str], typer.Argument(metavar="A B …", help="Players, such as alphabeta:seconds=1.")],
    games: Games = 100,
    seconds: Seconds = None,
    openings: Openings = None,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop once a test decides between two Elo differences."),
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    record: RecordTo = None,
    margin: Margin = 1.0,
    position: Position = None,
    book: Book = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Play a match. Games come in pairs with sides swapped, with the same opening and the same dice.

    A match that was stopped continues where it stopped when it is given the same --record file again.
    """
    from zermelo.arena.match import Match
    from zermelo.arena.summary import format_elo
    from zermelo.interfaces.cli.common.matches import leave, watch

    test, began = read_sprt(sprt), Stopwatch()
    played = Match(
        game, *players, games=games, seconds=seconds, openings=openings, sprt=test, seed=seed, jobs=jobs,
        record=record, margin=margin, position=position, book=book, options=read_options(option),
    )  # fmt: skip
    of_two = played.result().is_of_two
    whole = watch(played, lambda match: f"Elo {format_elo(match.summary.comparison())}" if of_two else "")
    result = played.result()
    if as_json:
        print_json(result.as_dict() | {"record": None if record is None else str(record)})
    else:
        for line in result.lines():
            say(line)
        before = f" ({result.resumed:,} of them played before)" if result.resumed else ""
        played_games = f"{count(result.games, 'game')}{before}, {plies(result.summary.plies)}"
        say(f"{played_games}, {format_time(began.seconds)}", "dim")
    if not whole:
        leave(played)


def read_sprt(text: str | None) -> SPRT | None:
    """`0,10` as a test."""
    if text is None:
        return None
    from zermelo.arena.statistics import SPRT

    number = r"\s*([+-]?\d{1,4}(?:\.\d*)?)\s*"
    found = re.fullmatch(f"{number},{number}", text)
    if not found or not float(found[1]) < float(found[2]):
        raise GameError(f"a sequential test is given as two Elo differences, the lower first, as in 0,10, not '{text}'")
    return SPRT(float(found[1]), float(found[2]))
