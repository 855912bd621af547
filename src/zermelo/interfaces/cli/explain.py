"""`zermelo explain`: a search drawn, node by node."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import Game, GameError
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import print_json, say, working
from zermelo.interfaces.cli.common.loading import AsJson, Options, Position, load_game, start_of

if TYPE_CHECKING:
    from zermelo.tables.verdict import Verdict
    from zermelo.textbook.registry import TracedSearch


EVALUATOR = (
    "For leaves at the depth limit: handcrafted (the game's estimate, the default), learned or a file of weights."
)


class Algorithm(StrEnum):
    minimax = "minimax"
    expectimax = "expectimax"
    expectiminimax = "expectiminimax"
    alphabeta = "alphabeta"
    maxn = "maxn"


class Order(StrEnum):
    given = "given"
    best = "best"
    worst = "worst"
    random = "random"


def explain(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A name from `zermelo games`, or path/to/file.py:Name.")
    ] = None,
    tree: Annotated[
        str | None, typer.Option(help='A tree typed in as JSON instead: "[[-50,50],[1,3],[-5,15]]".')
    ] = None,
    levels: Annotated[str | None, typer.Option(help="Who moves at each level of the tree: max,chance,min.")] = None,
    algorithm: Annotated[
        Algorithm | None, typer.Option("--algorithm", "-a", help="By default what the game calls for.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", "-d", min=0, help="Plies to look ahead; all by default.")
    ] = None,
    evaluator: Annotated[str | None, typer.Option("--evaluator", "-e", help=EVALUATOR)] = None,
    order: Annotated[Order, typer.Option(help="Which moves alpha-beta tries first.")] = Order.given,
    seed: Annotated[int, typer.Option(help="For --order random.")] = 0,
    position: Position = None,
    option: Options = None,
    svg: Annotated[Path | None, typer.Option(help="Write the drawing to this file as well.")] = None,
    max_nodes: Annotated[int, typer.Option(min=1, help="Search no more nodes than this.")] = 50_000,
    show: Annotated[int, typer.Option(min=1, help="Draw no more nodes than this.")] = 150,
    as_json: AsJson = False,
) -> None:
    """Search a small game or a typed-in tree, and draw what the search did and why.

    Values are from player 0's view (MAX); with maxn, one number for each player.
    """
    if svg is not None and svg.suffix.lower() != ".svg":
        raise GameError(f"a tree is drawn to a .svg file, not to '{svg.name}'")
    loaded = _game(game, tree, levels, option)
    from zermelo.textbook.registry import run_traced

    start = start_of(loaded, position)
    with working(f"searching {loaded.name}"):
        name, judge = algorithm.value if algorithm else None, _judge(loaded, evaluator)
        found = run_traced(loaded, start, name, depth, order.value, seed, max_nodes, judge)
    if svg is not None:
        found.draw(max(show, 400)).save(svg)
    verdict = _look_up(loaded, start)
    if as_json:
        tables = None if verdict is None else verdict.as_dict(loaded, start)
        print_json({**found.as_dict(), "tables": tables})
        return
    say(found.draw(show).text)
    say()
    for line in _summary(found, evaluator):
        say(line)
    if verdict is not None:
        perfect = ", ".join(loaded.format_action(start, a) for a in verdict.perfect)
        by = f", by {perfect}" if perfect else ""
        say(f"by the endgame tables: {verdict.worth.words(verdict.is_average)} for player {verdict.view}{by}")
    if svg is not None:
        say(f"drawn to {svg}")


def _game(name: str | None, tree: str | None, levels: str | None, option: list[str] | None) -> Game[Any, Any]:
    if (name is None) == (tree is None):
        raise GameError("say which game to explain, or type a tree with --tree, as in: zermelo explain three-bins")
    if tree is None:
        if levels is not None:
            raise GameError("--levels says who moves in a tree typed in with --tree")
        assert name is not None
        return load_game(name, option)
    if option:
        raise GameError("a tree typed in with --tree has no options")
    from zermelo.games.tree.rules import tree_game

    return tree_game(tree, levels)


def _look_up(game: Game[Any, Any], start: Any) -> Verdict | None:
    """What endgame tables say of the position, whatever was searched."""
    from zermelo.search.endings import tell_once
    from zermelo.tables.tables import find_tables
    from zermelo.tables.verdict import judge

    tables = find_tables(game, on_refused=tell_once)
    return None if tables is None else judge(tables, start)


def _judge(game: Game[Any, Any], evaluator: str | None) -> Callable[[Any], float] | None:
    """What judges leaves at the depth limit; None: the game itself."""
    if evaluator is None:
        return None
    from zermelo.evaluate.shipped import evaluator_for
    from zermelo.search.plain_alphabeta import plain_alphabeta
    from zermelo.search.searcher import need_rules

    rules = need_rules(game)
    chosen = evaluator_for(rules, evaluator)
    return lambda s: plain_alphabeta(rules, s, 0, evaluator=chosen).value


def _summary(found: TracedSearch, evaluator: str | None) -> list[str]:
    from zermelo.drawing.numbers import format_value

    value = format_value(found.value)
    by = f", by {found.best}" if found.best else ""
    lines = [f"{found.algorithm}: value {value} {found.view}{by}"]
    if len(found.pv) > 1:
        lines.append(f"best play: {' '.join(found.pv)}")
    visited = f"{count(found.nodes, 'node')} visited, {count(found.leaves, 'leaf', 'leaves')} evaluated"
    if found.algorithm == "alphabeta":
        visited += f", {count(found.cuts, 'branch', 'branches')} cut off" if found.cuts else ", nothing cut off"
        if found.cuts and found.leaves_pruned is not None:
            total = found.leaves + found.leaves_pruned
            visited += f": {found.leaves_pruned:,} of {count(total, 'leaf', 'leaves')} never looked at"
    lines.append(visited)
    if found.cutoffs:
        how = "the game's estimate" if found.has_evaluation else "0, since the game has no estimate"
        how = how if evaluator is None else f"the evaluator's estimate ({evaluator})"
        lines.append(f"{count(found.cutoffs, 'leaf', 'leaves')} at the depth limit counted as {how}")
    return lines
