"""`zermelo tables probe`: what a position is worth, and what its moves are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli.common.console import print_json, say
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options
from zermelo.interfaces.cli.common.report_text import to_move
from zermelo.interfaces.cli.tables.common import Folder, found_tables

if TYPE_CHECKING:
    from zermelo.compile.record_game import RecordGame, State
    from zermelo.tables.verdict import Worth


def probe(
    game: GameName,
    position: Annotated[str, typer.Argument(metavar="POSITION", help="Written as for `zermelo search --position`.")],
    folder: Folder = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Look up a position, and every move from it."""
    from zermelo.tables.verdict import judge, judge_actions, need_payoffs, ranked_actions, worth_dict

    tables = found_tables(game, option, folder)
    loaded = tables.game
    state = loaded.parse(position)
    if loaded.is_end(state):
        _say_payoffs(loaded, state, as_json)
        return
    need_payoffs(loaded)
    verdict, is_average = judge(tables, state), bool(loaded.variant.max_chance_outcomes)
    worth = None if verdict is None else verdict.worth
    actions = judge_actions(tables, state) if verdict is None else verdict.actions
    seats = range(loaded.players) if is_average else ()
    turns = {p: row for p in seats if (row := tables.turns(state, p)) is not None}
    if worth is None and not turns and not any(actions.values()):
        raise GameError("this position is in none of the tables there are; `zermelo tables counts` lists them")
    ranked = [(loaded.format_action(state, a), actions[a]) for a in ranked_actions(actions)]
    if as_json:
        told = {"game": loaded.name, "position": loaded.format(state), **worth_dict(worth), "view": "mover"}
        moves = [{"move": move, **worth_dict(after)} for move, after in ranked]
        print_json({**told, "moves": moves, "turns": {str(p): row.tolist() for p, row in turns.items()}})
        return
    say(f"{loaded.name}, {to_move(loaded, state)}: {_words(worth, is_average)}")
    for p, row in turns.items():
        say(f"player {p} needs {sum(i * likely for i, likely in enumerate(row)):.6f} turns on average")
    for move, after in ranked:
        say(f"  {move:16} {_words(after, is_average)}")


def _say_payoffs(game: RecordGame, state: State, as_json: bool) -> None:
    """The game is over: what it is worth the rules say."""
    paid = [float(game.utility(state, p)) for p in range(game.players)]
    if as_json:
        told = {"game": game.name, "position": game.format(state), "value": paid[0], "plies": 0, "view": "player 0"}
        print_json({**told, "moves": [], "turns": {}})
        return
    say(f"{game.name}, the game is over: " + ", ".join(f"{u:+g} for player {p}" for p, u in enumerate(paid)))


def _words(worth: Worth | None, is_average: bool) -> str:
    return "not in the tables" if worth is None else worth.words(is_average, digits=6)
