"""What the commands of the arena share: their options, and how a match is watched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import complain, working

if TYPE_CHECKING:
    from zermelo.arena.match import Match

Games = Annotated[int, typer.Option("--games", "-g", min=1, help="Rounded up to whole pairs.")]
Seconds = Annotated[
    float | None, typer.Option("--seconds", "-s", help="Per move, for players whose own spec gives no limit.")
]
Openings = Annotated[
    int | None,
    typer.Option(
        "--openings",
        min=0,
        help="Random plies at the start, the same for both games of a pair; by default 2 (0 with dice).",
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="For openings, dice and players.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=0, help="Processes; by default, as many as cores. 0: this one alone.")
]
RecordTo = Annotated[
    Path | None, typer.Option("--record", "-r", help="Keep every game in this file; continue it if it exists.")
]
Book = Annotated[
    Path | None,
    typer.Option("--book", help="Start at the positions in this file, one per line: each pair at the next one."),
]
Margin = Annotated[float, typer.Option("--margin", min=0, help="Seconds by which a move may exceed its time.")]


def watch(match: Match, words: Callable[[Match], str] = lambda match: "") -> bool:
    """Play, and say on a terminal how it stands, until everything is played or it is enough.

    False after Ctrl-C, if there are games to tell of.
    """

    def say_how_it_stands(match: Match) -> None:
        if match.summary.games == 1 and match.runner.torn:
            complain(match.runner.torn)
        tell(f"{match.summary.games:,} of {count(match.runner.games, 'game')}  {words(match)}")

    try:
        with working(f"getting {match.runner.plan.game} and its players ready") as tell:
            match.play(say_how_it_stands)
    except KeyboardInterrupt:
        if match.summary.games == 0:
            raise
        return False
    return True


def leave(match: Match) -> None:
    """After Ctrl-C, when what there is has been told: say what is missing, and be interrupted all the same."""
    how = "the same command goes on" if match.runner.path else "with --record FILE it could go on"
    complain(f"stopped after {match.summary.games:,} of {count(match.runner.games, 'game')}; {how}")
    raise KeyboardInterrupt
