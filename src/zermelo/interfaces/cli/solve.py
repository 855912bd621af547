"""`zermelo solve`: the exact value of a position and all its best moves."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import format_time, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.loading import (
    AsJson,
    GameName,
    Moves,
    Options,
    Position,
    Table,
    Threads,
    history_after,
    load_game,
)
from zermelo.interfaces.cli.common.report_text import number, to_move


def solve(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    seconds: Annotated[float | None, typer.Option("--seconds", "-s", help="Give up after this many seconds.")] = None,
    threads: Threads = None,
    table: Table = None,
    tables: Annotated[
        str | None, typer.Option("--tables", help="Trust endgame tables: on, or the folder they are in.")
    ] = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Find the exact value of a position and all its best moves."""
    from zermelo.search.limits import Limits
    from zermelo.search.report import format_pv
    from zermelo.solve.exact import Solver

    loaded = load_game(game, option)
    history = history_after(loaded, position, moves)
    with working(f"solving {loaded.name}"):
        solver = Solver(loaded, threads=threads or 1, table_mb=table or 256, tables=tables)
        found = patiently(lambda: solver.solve(history, Limits(seconds)), solver.stop)
    best = [loaded.format_action(found.state, a) for a in found.best]
    pv = format_pv(loaded, found.state, found.pv)
    if as_json:
        told = {"game": loaded.name, "position": loaded.format(found.state), "value": found.value, "view": 0}
        print_json(
            told | {"best": best, "pv": pv, "nodes": found.nodes, "seconds": found.seconds, "error": found.error}
        )
        return
    mover = max(0, loaded.player(found.state))
    value = found.value if loaded.side(mover) == 0 else -found.value
    within = f" to within {found.error:.0e}" if found.error else ""
    say(f"{loaded.name}, {to_move(loaded, found.state)}: {number(value)} for player {mover}, proven{within}")
    if best:
        say(f"best: {', '.join(best)}")
    if len(pv) > 1:
        say(f"pv: {' '.join(pv)}")
    say(f"{count(found.nodes, 'node')}, {format_time(found.seconds)}", "dim")
