"""`zermelo search`: the best move of a position, and why.

Ctrl-C ends a search early: the answer so far is printed all the same, and the exit code is 130.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.core.history import History
from zermelo.core.spec import read
from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.common.console import print_json, say, working
from zermelo.interfaces.cli.common.interrupts import stopping
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
from zermelo.interfaces.cli.common.report_text import progress_words, report_lines
from zermelo.search.registry import SEARCHES, default_search, open_search

if TYPE_CHECKING:
    from zermelo.search.limits import Limits
    from zermelo.search.report import Report
    from zermelo.search.searcher import Searcher

ALGORITHM = (
    f"{', '.join(SEARCHES)}; with its settings, as in mcts:rave=300. "
    "By default alphabeta, or maxn for more than two sides."
)
EVALUATOR = (
    "handcrafted, learned or a file of weights; by default the weights that come with the game, if there are any."
)


def search(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    seconds: Annotated[float | None, typer.Option("--seconds", "-s", help="1 if no limit is given.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Plies.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Positions; with mcts, simulations.")] = None,
    infinite: Annotated[bool, typer.Option("--infinite", help="Search until Ctrl-C.")] = False,
    threads: Threads = None,
    table: Table = None,
    algorithm: Annotated[str | None, typer.Option("--algorithm", "-a", help=ALGORITHM)] = None,
    evaluator: Annotated[str | None, typer.Option("--evaluator", "-e", help=EVALUATOR)] = None,
    why: Annotated[bool, typer.Option("--why", help="Explain the choice; alphabeta only.")] = False,
    svg: Annotated[Path | None, typer.Option(help="Draw the top of the tree to this file; implies --why.")] = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Search a position for the best move, with the full strength of a compiled search."""
    if svg is not None and svg.suffix.lower() != ".svg":
        raise GameError(f"a tree is drawn to a .svg file, not to '{svg.name}'")
    loaded = load_game(game, option)
    from zermelo.search.limits import Limits
    from zermelo.search.searcher import history_of, need_rules

    need_rules(loaded)
    history = history_of(loaded, history_after(loaded, position, moves))
    spec = algorithm or default_search(loaded)
    kind, told = read(spec, SEARCHES, "search")
    memory = "table" if "table" in kind.settings or "memory" not in kind.settings else "memory"
    given = {"seconds": seconds, "depth": depth, "nodes": nodes, "threads": threads, "evaluator": evaluator}
    searcher, limits = open_search(loaded, spec, **given, **{memory: table})
    if infinite:
        if (seconds, depth, nodes) != (None, None, None) or kind.sort(told)[1]:
            raise GameError(
                "--infinite searches without a limit: leave out --seconds, --depth, --nodes, and those of -a"
            )
        limits = Limits()
    if why or svg is not None:
        _explain(searcher, history, limits, svg, as_json)
        return
    report = _watch(searcher, history, limits)
    if as_json:
        print_json(report.as_dict())
    else:
        for line in report_lines(report):
            say(line)
    if report.stopped == "stop":
        raise typer.Exit(INTERRUPTED)


def _watch(searcher: Searcher, history: History[Any, Any], limits: Limits) -> Report:
    """Search, saying how it stands; the last report."""
    with working(f"searching {history.game.name}") as tell:
        reports = searcher.reports(history, limits)
        with stopping(searcher.stop):
            for report in reports:
                tell(progress_words(report))
    return report


def _explain(searcher: Searcher, history: History[Any, Any], limits: Limits, svg: Path | None, as_json: bool) -> None:
    from zermelo.search.explain.explain import Explainer

    explainer = Explainer(searcher)
    with working(f"searching {history.game.name}") as tell, stopping(explainer.stop):
        told = explainer.explain(history, limits, on_report=lambda report: tell(progress_words(report)))
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
