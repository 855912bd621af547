"""`zermelo search`: the best move of a position, and why. `zermelo solve`: its exact value and all best moves.

Ctrl-C ends a search early: the answer so far is printed all the same, and the exit code is 130.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.common.console import count, format_time, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently, stopping
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options, Position, load_game, start_of

if TYPE_CHECKING:
    from zermelo.search.explain.explanation import Explanation
    from zermelo.search.limits import Limits
    from zermelo.search.report import Report
    from zermelo.search.searcher import Searcher

SHOWN = 10  # root moves that are listed
SECONDS = 1.0  # without any limit given

Moves = Annotated[
    str | None, typer.Option("--moves", "-m", help="Played from the position; with commas where a move has a space.")
]
Seconds = Annotated[float | None, typer.Option("--seconds", "-s", help="1 if no limit is given.")]
Threads = Annotated[int | None, typer.Option("--threads", "-t", min=1, max=256)]
Table = Annotated[int | None, typer.Option("--table", metavar="MB", min=1, help="Megabytes of table, or of tree.")]


class Algorithm(StrEnum):
    alphabeta = "alphabeta"
    mcts = "mcts"
    maxn = "maxn"
    paranoid = "paranoid"
    best_reply = "best-reply"
    montecarlo = "montecarlo"


def search(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    seconds: Seconds = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Plies.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Positions; with mcts, simulations.")] = None,
    threads: Threads = None,
    table: Table = None,
    algorithm: Annotated[
        Algorithm | None, typer.Option("--algorithm", "-a", help="By default alphabeta, or maxn for many sides.")
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Explain the choice; alphabeta only.")] = False,
    svg: Annotated[Path | None, typer.Option(help="Draw the top of the tree to this file; implies --why.")] = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Search a position for the best move, with the full strength of a compiled search."""
    if svg is not None and svg.suffix.lower() != ".svg":
        raise GameError(f"a tree is drawn to a .svg file, not to '{svg.name}'")
    loaded = load_game(game, option)
    history = history_after(loaded, position, moves)
    name = algorithm.value if algorithm else _default(loaded)
    from zermelo.search.limits import Limits
    from zermelo.search.searcher import history_of, need_rules

    need_rules(loaded)
    history_of(loaded, history)
    limits = Limits(seconds, depth, nodes)
    if why or svg is not None:
        if name != "alphabeta":
            raise GameError(f"--why and --svg explain an alpha-beta search, not {name}")
        _explain(loaded, history, limits, threads, table, svg, as_json)
        return
    searcher, limits = make_searcher(loaded, name, limits, threads, table)
    report = _watch(searcher, history, limits)
    if as_json:
        print_json(report.as_dict())
    else:
        for line in report_lines(report):
            say(line)
    if report.stopped == "stop":
        raise typer.Exit(INTERRUPTED)


def solve(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    seconds: Annotated[float | None, typer.Option("--seconds", "-s", help="Give up after so long.")] = None,
    threads: Threads = None,
    table: Table = None,
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
        solver = Solver(loaded, threads=threads or 1, table_mb=table or 256)
        found = patiently(lambda: solver.solve(history, Limits(seconds)), solver.stop)
    best = [loaded.format_action(found.state, a) for a in found.best]
    pv = format_pv(loaded, found.state, found.pv)
    if as_json:
        told = {"game": loaded.name, "position": loaded.format(found.state), "value": found.value, "view": 0}
        print_json(told | {"best": best, "pv": pv, "nodes": found.nodes, "seconds": found.seconds})
        return
    mover = max(0, loaded.player(found.state))
    value = found.value if loaded.side(mover) == 0 else -found.value
    say(f"{loaded.name}, {_to_move(loaded, found.state)}: {_number(value)} for player {mover}, proven")
    if best:
        say(f"best: {', '.join(best)}")
    if len(pv) > 1:
        say(f"pv: {' '.join(pv)}")
    say(f"{count(found.nodes, 'node')}, {format_time(found.seconds)}", "dim")


# -- what is asked -----------------------------------------------------------------------------------------------------


def history_after(game: Game[Any, Any], position: str | None, moves: str | None) -> History[Any, Any]:
    """The game from `position` on, after `moves`."""
    history = History(game, start_of(game, position))
    for text in [] if moves is None else moves.split(",") if "," in moves else moves.split():
        if text.strip():
            history.play(game.parse_action(history.state, text))
    return history


def _default(game: Game[Any, Any]) -> str:
    return "alphabeta" if {game.side(p) for p in range(game.players)} <= {0, 1} else "maxn"


def make_searcher(
    game: Any, name: str, limits: Limits, threads: int | None, table: int | None
) -> tuple[Searcher, Limits]:
    """The search a name stands for, and its limits."""
    from zermelo.search.limits import Limits

    sampling = name in ("mcts", "montecarlo")
    if sampling and limits.depth is not None:
        raise GameError(f"{name} plays whole games: it has no depth, but seconds and nodes")
    if name not in ("alphabeta", "mcts") and (threads is not None or table is not None):
        raise GameError(f"{name} has neither threads nor a table")
    wanted = Limits(SECONDS) if limits.is_open else limits
    if name == "alphabeta":
        from zermelo.search.alphabeta.searcher import AlphaBeta

        return AlphaBeta(game, table_mb=table or 64, threads=threads or 1), wanted
    if name == "mcts":
        from zermelo.search.mcts.searcher import MCTS

        return MCTS(game, memory_mb=table or 256, threads=threads or 1), wanted
    if name == "montecarlo":
        from zermelo.search.montecarlo import MonteCarlo

        return MonteCarlo(game, paths=1 << 40), wanted  # as many games as the limits allow
    from zermelo.search.multiplayer.searcher import Multiplayer

    return Multiplayer(game, name), wanted


def _watch(searcher: Searcher, history: History[Any, Any], limits: Limits) -> Report:
    """Search, saying how it stands; the last report."""
    with working(f"searching {history.game.name}") as tell:
        reports = searcher.reports(history, limits)
        with stopping(searcher.stop):
            for report in reports:
                tell(_progress(report))
    return report


def _explain(
    game: Any,
    history: History[Any, Any],
    limits: Limits,
    threads: int | None,
    table: int | None,
    svg: Path | None,
    as_json: bool,
) -> None:
    from zermelo.search.alphabeta.searcher import AlphaBeta
    from zermelo.search.explain.explain import Explainer
    from zermelo.search.limits import Limits

    explainer = Explainer(AlphaBeta(game, threads=threads or 1, table_mb=table or 64))
    wanted = Limits(SECONDS) if limits.is_open else limits
    with working(f"searching {game.name}") as tell, stopping(explainer.stop):
        told: Explanation = explainer.explain(history, wanted, on_report=lambda report: tell(_progress(report)))
    if svg is not None:
        told.draw().save(svg)
    if as_json:
        print_json(told.as_dict())
    else:
        say(told.text())
        if svg is not None:
            say(f"drawn to {svg}")
    if told.report.stopped == "stop":
        raise typer.Exit(INTERRUPTED)


# -- what is told ------------------------------------------------------------------------------------------------------


def report_lines(report: Report) -> list[str]:
    """A report for people; values are for whoever moves."""
    game, state = report.game, report.state
    view = max(0, game.player(state))
    sure = report.proof + (f", {count(report.distance, 'ply', 'plies')} to the end" if report.distance else "")
    lines = [f"{game.name}, {_to_move(game, state)}: {game.format(state)}"]
    worth = f"{_number(report.value_for(view))} for player {view} ({sure})"
    if report.values and game.players > 2:
        worth += f"; for everybody {', '.join(map(_number, report.values))}"
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
    game, two_sided = report.game, _default(report.game) == "alphabeta"
    same = game.side(view) == game.side(report.view)
    sign = 1.0 if same or not two_sided else -1.0
    signs = {"at most": "≤ ", "at least": "≥ "} if sign > 0 else {"at most": "≥ ", "at least": "≤ "}
    names = [game.format_action(report.state, move.action) for move in report.moves[:SHOWN]]
    wide = max(map(len, names), default=0)
    lines = [f"moves, for player {view if same or two_sided else report.view}:"] if names else []
    for name, move in zip(names, report.moves, strict=False):
        value = signs.get(move.bound, "") + _number(sign * move.value)
        lines.append(f"  {name:{wide}}  {value:>10}  {count(move.nodes, 'node')}")
    return lines + ([f"  … {len(report.moves) - SHOWN} more"] if len(report.moves) > SHOWN else [])


def _progress(report: Report) -> str:
    from rich.markup import escape

    best = "" if report.best is None else report.game.format_action(report.state, report.best)
    view = max(0, report.game.player(report.state))
    deep = f"depth {report.depth}  " if report.depth else ""
    return escape(f"{deep}{best} {_number(report.value_for(view))}  {report.nodes:,} nodes  {report.pv_text()}")


def _to_move(game: Game[Any, Any], state: Any) -> str:
    player = game.player(state)
    return "chance to move" if player == CHANCE else f"player {player} to move"


def _number(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value:+.0f}" if value == round(value) and abs(value) < 1e9 else f"{value:+.3f}"
