"""`zermelo replay`: recorded games, listed, shown move by move, or written in another program's format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import print_json, say
from zermelo.interfaces.cli.common.loading import AsJson


def replay(
    file: Annotated[Path, typer.Argument(help="A file of records, from --record or --save.")],
    game: Annotated[int | None, typer.Option("--game", "-g", min=1, help="Which game, counted from 1.")] = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after every move.")] = False,
    form: Annotated[
        str | None, typer.Option("--as", metavar="FORMAT", help="Write as pgn, sgf, pdn or mat, if the game has it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show recorded games. Every move is checked against the rules."""
    from zermelo.arena import records

    games = records.read(file)
    if not games:
        raise GameError(f"there is no game in '{file}'")
    if game is not None and game > len(games):
        raise GameError(f"'{file}' holds {count(len(games), 'game')}; there is no game {game}")
    chosen = games if game is None else [games[game - 1]]
    if form is not None:
        _export(chosen, form)
    elif as_json:
        print_json([_checked(record) for record in chosen])
    elif game is None and len(games) > 1:
        _list(games)
    else:
        _show(chosen[0], boards)


def _checked(record: dict[str, Any]) -> dict[str, Any]:
    from zermelo.arena.records import replay

    history = replay(record)
    return {**record, "end": history.game.format(history.state)}


def _export(games: list[dict[str, Any]], form: str) -> None:
    from zermelo.arena.export import export
    from zermelo.arena.records import replay

    for number, record in enumerate(games):
        if number:
            print()
        print(export(replay(record), form, record["players"]))


def _list(games: list[dict[str, Any]]) -> None:
    for number, record in enumerate(games, 1):
        length = count(len(record["moves"]), "ply", "plies")
        say(f"{number:>5}  {' – '.join(record['players'])}  {_result(record)}  {length}")


def _result(record: dict[str, Any]) -> str:
    payoffs = " : ".join(f"{p:g}" for p in record["payoffs"])
    fault = record.get("fault")
    said = (
        record["reason"] if not fault else f"{record['players'][fault['seat']]}: {record['reason']}, {fault['details']}"
    )
    return payoffs if said == "finished" else f"{payoffs} ({said})"


def _show(record: dict[str, Any], boards: bool) -> None:
    from zermelo.arena.records import replay
    from zermelo.core.game import CHANCE

    history = replay(record)
    game = history.game
    say(f"{game.name}: {' – '.join(record['players'])}")
    if boards:
        say(game.text(history.states[0]))
    for number, (text, s) in enumerate(zip(record["moves"], history.states, strict=False), 1):
        who = "chance" if game.player(s) == CHANCE else f"player {game.player(s)}"
        say(f"{number:>4}  {who}: {text}" + ("  (opening)" if number <= record.get("opening", 0) else ""))
        if boards:
            say(game.text(history.states[number]))
    if not boards:
        say(game.text(history.state))
    say(_result(record))
