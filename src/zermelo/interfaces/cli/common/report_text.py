"""A search's report in words, for people at a terminal. Values are for whoever moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.core.game import CHANCE, Game
from zermelo.core.words import at_most_plies, count
from zermelo.interfaces.cli.common.console import format_time

if TYPE_CHECKING:
    from zermelo.search.report import Report

PROVEN = "proven"  # search/report.py, which is not imported for a word
SHOWN = 10  # root moves that are listed


def report_lines(report: Report) -> list[str]:
    """A report for people; values are for whoever moves."""
    game, state = report.game, report.state
    view = max(0, game.player(state))
    sure = report.proof
    if report.distance:
        sure += f", {at_most_plies(report.distance, report.distance_exact)} to the end"
    lines = [f"{game.name}, {to_move(game, state)}: {game.format(state)}"]
    worth = f"{number(report.value_for(view))} for player {view} ({sure})"
    if report.values and game.players > 2:
        worth += f"; for everybody {', '.join(map(number, report.values))}"
    lines.append(worth if report.best is None else f"{game.format_action(state, report.best)}  {worth}")
    if len(words := report.pv_text().split()) > 1:
        lines.append(f"pv: {' '.join(words)}")
    lines += _move_lines(report, view)
    deep = f"depth {report.depth}, " if report.depth else ""
    grown = f", branching factor {report.branching:.1f}" if report.branching else ""
    speed = f"{report.nodes_per_second:,.0f}/s"
    spent = f"{count(report.nodes, 'node')}, {format_time(report.seconds)}, {speed}{grown}"
    return [*lines, f"{report.algorithm}: {deep}{spent} (ended by: {report.stopped})"]


def _move_lines(report: Report, view: int) -> list[str]:
    """The root moves, as `view` sees them; where that cannot be told from the report, as `report.view` does."""
    game, two_sided = report.game, is_two_sided(report.game)
    same = game.side(view) == game.side(report.view)
    sign = 1.0 if same or not two_sided else -1.0
    signs = {"at most": "≤ ", "at least": "≥ "} if sign > 0 else {"at most": "≥ ", "at least": "≤ "}
    names = [game.format_action(report.state, move.action) for move in report.moves[:SHOWN]]
    wide = max(map(len, names), default=0)
    lines = [f"moves, for player {view if same or two_sided else report.view}:"] if names else []
    for name, move in zip(names, report.moves, strict=False):
        value = signs.get(move.bound, "") + number(sign * move.value)
        searched = move.nodes > 0 or move.proof == PROVEN
        prior = "" if move.prior is None else f"{move.prior:>6.1%} by policy  "
        found = f"{value:>10}  {count(move.nodes, 'node')}" if searched else "not searched"
        lines.append(f"  {name:{wide}}  {prior}{found}")
    return lines + ([f"  … {len(report.moves) - SHOWN} more"] if len(report.moves) > SHOWN else [])


def progress_words(report: Report) -> str:
    from rich.markup import escape

    best = "" if report.best is None else report.game.format_action(report.state, report.best)
    view = max(0, report.game.player(report.state))
    deep = f"depth {report.depth}  " if report.depth else ""
    return escape(f"{deep}{best} {number(report.value_for(view))}  {count(report.nodes, 'node')}  {report.pv_text()}")


def to_move(game: Game[Any, Any], state: Any) -> str:
    player = game.player(state)
    return "chance to move" if player == CHANCE else f"player {player} to move"


def number(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value:+.0f}" if value == round(value) and abs(value) < 1e9 else f"{value:+.3f}"


def is_two_sided(game: Game[Any, Any]) -> bool:
    return {game.side(p) for p in range(game.players)} <= {0, 1}
