"""`zermelo tables sample`: positions at random from the tables, a line each: a book for `zermelo match --book`."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli.common.loading import GameName, Options
from zermelo.interfaces.cli.tables.common import Folder, found_tables

VALUES = {"won": 1, "drawn": 0, "lost": -1}


def sample(
    game: GameName,
    limit: Annotated[int, typer.Option("--limit", min=0, help="From endings of this many pieces (seeds, …).")],
    positions: Annotated[int, typer.Option("--positions", "-n", min=1, max=100_000)] = 100,
    worth: Annotated[
        str, typer.Option("--worth", help="For the player to move: won, drawn, lost, or several of them.")
    ] = "won,drawn,lost",
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    folder: Folder = None,
    option: Options = None,
) -> None:
    """Draw positions from the tables, all equally likely, and print them, one per line."""
    from zermelo.tables.sampling import sample as draw

    wanted = [word.strip() for word in worth.split(",")]
    if unknown := [word for word in wanted if word not in VALUES]:
        raise GameError(f"a position is worth won, drawn or lost, not '{unknown[0]}'")
    tables = found_tables(game, option, folder)
    values = tuple(VALUES[word] for word in wanted)
    for _, s, _ in islice(draw(tables, limit, values, seed), positions):
        print(tables.game.format(s))
