"""`zermelo tables probe`: what a position is worth, and what its moves are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.core.words import plies
from zermelo.interfaces.cli.common.console import print_json, say
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options
from zermelo.interfaces.cli.common.report_text import to_move
from zermelo.interfaces.cli.tables.common import Folder, found_tables

if TYPE_CHECKING:
    from zermelo.tables.tables import Found, Tables

WORDS = {1: "won", 0: "drawn", -1: "lost"}


def probe(
    game: GameName,
    position: Annotated[str, typer.Argument(metavar="POSITION", help="As `zermelo search --position` takes it.")],
    folder: Folder = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Look a position up, and every move from it."""
    tables = found_tables(game, option, folder)
    loaded = tables.game
    state = loaded.parse(position)
    if loaded.variant.max_chance_outcomes:
        _probe_expected(tables, state, as_json)
        return
    found = tables.probe(state)
    if found is None:
        raise GameError("this position is in none of the tables there are; `zermelo tables counts` lists them")
    moves = {loaded.format_action(state, a): after for a, after in tables.judge_actions(state).items()}
    if as_json:
        told = {"game": loaded.name, "position": loaded.format(state), "value": found.value, "plies": found.plies}
        judged = [{"move": move, **(after._asdict() if after else {"value": None})} for move, after in moves.items()]
        print_json({**told, "view": "mover", "moves": judged})
        return
    say(f"{loaded.name}, {to_move(loaded, state)}: {_words(found)}")
    for move, after in sorted(moves.items(), key=lambda item: _order(item[1])):
        say(f"  {move:12} {_words(after)}")


def _probe_expected(tables: Tables, state: Any, as_json: bool) -> None:
    """Of a game with chance: what a position is worth on average, or else the plays from it; and turns, in a race."""
    game, value = tables.game, tables.expected(state)
    plays = {game.format_action(state, a): worth for a, worth in tables.expected_actions(state).items()}
    turns = {p: row for p in range(game.players) if (row := tables.turns(state, p)) is not None}
    if value is None and not turns and not any(worth is not None for worth in plays.values()):
        raise GameError("this position is in none of the tables there are; `zermelo tables counts` lists them")
    if as_json:
        told = {"game": game.name, "position": game.format(state), "value": value, "view": "mover"}
        moves = [{"move": move, "value": worth} for move, worth in plays.items()]
        print_json({**told, "moves": moves, "turns": {str(p): row.tolist() for p, row in turns.items()}})
        return
    if value is not None:
        say(f"{game.name}: {value:+.6f} on average to whoever rolls or moves")
    for p, row in turns.items():
        say(f"player {p} needs {sum(i * likely for i, likely in enumerate(row)):.6f} turns on average")
    for move, worth in sorted(plays.items(), key=lambda item: -9e9 if item[1] is None else -item[1]):
        say(f"  {move:24} {'not in the tables' if worth is None else f'{worth:+.6f}'}")


def _words(found: Found | None) -> str:
    if found is None:
        return "not in the tables"
    return WORDS[found.value] + (f" in {plies(found.plies)}" if found.value and found.plies is not None else "")


def _order(found: Found | None) -> tuple[int, int]:
    """Wins first, the fastest first; losses last, the slowest first."""
    if found is None:
        return 2, 0
    return -found.value, found.value * (found.plies or 0)
