"""`zermelo experiment`: what a lecture claims of algorithms, counted on trees and small games; what players lose."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.common.console import print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options, load_game
from zermelo.interfaces.cli.tables.common import Folder

if TYPE_CHECKING:
    from zermelo.experiments import EquityLost, Monotone, Ordering, TdOrQ, Truth, ZeroComparison, ZeroLesson

    Tell = Callable[[str], None]
    Drawn = Ordering | Monotone | TdOrQ | Truth | ZeroLesson | ZeroComparison

experiment = typer.Typer(
    help="Test what is claimed of the algorithms, on trees and small games; find out what players lose.",
    no_args_is_help=True,
)

Branching = Annotated[int, typer.Option(min=2, help="Moves at a node.")]
Rounds = Annotated[int, typer.Option(min=1, help="Moves of each player.")]
Trees = Annotated[int, typer.Option(min=1, help="Random trees.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same trees.")]
Figure = Annotated[Path | None, typer.Option(help="Draw the result to this .png, .svg or .pdf file.")]


@experiment.command()
def ordering(
    branching: Branching = 4,
    rounds: Rounds = 5,
    trees: Trees = 20,
    seed: Seed = 0,
    figure: Figure = None,
    as_json: AsJson = False,
) -> None:
    """How much is the order of the moves worth to alpha-beta?"""

    def run(tell: Tell) -> Drawn:
        from zermelo.experiments import run_ordering

        return run_ordering(branching, rounds, trees, seed)

    _perform(run, "searching random trees in three orders", figure, as_json)


@experiment.command()
def monotone(
    branching: Branching = 3,
    rounds: Rounds = 2,
    trees: Trees = 2_000,
    seed: Seed = 0,
    figure: Figure = None,
    as_json: AsJson = False,
) -> None:
    """Which searches care about more than the order of the utilities?"""

    def run(tell: Tell) -> Drawn:
        from zermelo.experiments import run_monotone

        return run_monotone(branching, rounds, trees, seed)

    _perform(run, "searching random trees with other utilities", figure, as_json)


@experiment.command("td-or-q")
def td_or_q(
    game: GameName,
    games: Annotated[list[int] | None, typer.Option(min=1, help="Games in a training run. May be repeated.")] = None,
    epsilon: Annotated[float, typer.Option(min=0, max=1, help="How often a move in training is random.")] = 0.5,
    runs: Annotated[int, typer.Option(min=1, help="Training runs of each kind.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same training runs.")] = 0,
    option: Options = None,
    figure: Figure = None,
    as_json: AsJson = False,
) -> None:
    """Learn V(s) or Q(s, a)? On-policy or off-policy? Four learners on a small game with features."""

    def run(tell: Tell) -> Drawn:
        from zermelo.experiments import run_td_or_q
        from zermelo.experiments.td_or_q import GAMES

        return run_td_or_q(load_game(game, option), games or GAMES, epsilon, runs, seed, tell)

    _perform(run, "getting the game ready", figure, as_json)


@experiment.command("zero-lesson")
def zero_lesson(
    game: GameName,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of self-play and learning.")] = 60,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same training.")] = 0,
    option: Options = None,
    figure: Figure = None,
    as_json: AsJson = False,
) -> None:
    """AlphaGo Zero's loop on a small game, from scratch: how search teaches the policy, beside the paper's figures."""

    def run(tell: Tell) -> Drawn:
        from zermelo.experiments import run_zero_lesson
        from zermelo.search.searcher import need_rules

        return run_zero_lesson(need_rules(load_game(game, option)), rounds, seed, tell)

    _perform(run, "getting the game ready", figure, as_json)


@experiment.command("zero")
def zero(
    game: GameName,
    weights: Annotated[str | None, typer.Option(help="A file or a training folder; by default, the package's.")] = None,
    simulations: Annotated[
        list[int] | None, typer.Option(min=1, help="Simulations per move. May be repeated; 1 is the policy alone.")
    ] = None,
    games: Annotated[int, typer.Option(min=2, help="Games between every two players.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same openings.")] = 0,
    jobs: Annotated[int | None, typer.Option(min=1, help="Games at a time.")] = None,
    record: Annotated[Path | None, typer.Option(help="Keep the games in this file, and continue from it.")] = None,
    option: Options = None,
    figure: Figure = None,
    as_json: AsJson = False,
) -> None:
    """The same search guided by a network, by the rules' evaluation, or by random games: which is strongest?"""

    def run(tell: Tell) -> Drawn:
        from zermelo.experiments import run_zero_comparison
        from zermelo.experiments.zero_comparison import SIMULATIONS
        from zermelo.search.searcher import need_rules

        loaded, wanted = need_rules(load_game(game, option)), tuple(simulations or SIMULATIONS)
        return run_zero_comparison(loaded, wanted, games, weights, seed, jobs, record, tell)

    _perform(run, "getting the players ready", figure, as_json)


@experiment.command()
def truth(
    game: GameName,
    evaluator: Annotated[
        list[str] | None,
        typer.Option(help="handcrafted, learned, or a file of weights. May be repeated; by default, all there are."),
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(help="Weights of a network: a file, a training folder, or zero. May be repeated."),
    ] = None,
    limit: Annotated[
        list[int] | None, typer.Option(help="Endings of this many pieces. May be repeated; by default, the largest.")
    ] = None,
    positions: Annotated[int, typer.Option(min=1, help="Positions per class.")] = 1000,
    depth: Annotated[int, typer.Option(min=0, max=40, help="Measure at depths from 0 to this.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same positions.")] = 0,
    folder: Folder = None,
    table: Annotated[Path | None, typer.Option("--csv", help="Write all classes to this file.")] = None,
    option: Options = None,
    figure: Figure = None,
    as_json: AsJson = False,
) -> None:
    """How good is an evaluation? How often it keeps the value that endgame tables know, and what it gives away."""
    if table is not None and not table.resolve().parent.is_dir():
        raise GameError(f"there is no folder '{table.parent}'")

    def run(tell: Tell) -> Drawn:
        from zermelo.experiments import run_truth
        from zermelo.search.searcher import need_rules

        loaded, depths = need_rules(load_game(game, option)), range(depth + 1)
        result = run_truth(loaded, evaluator or (), network or (), limit or (), positions, depths, seed, folder, tell)
        if table is not None:
            result.write_csv(table)
        return result

    _perform(run, "getting the tables ready", figure, as_json)


@experiment.command()
def equity_lost(
    game: GameName,
    player: Annotated[list[str], typer.Option(help="A player to judge. May be repeated.")],
    judge: Annotated[str, typer.Option(help="A player that says what moves are worth.")] = "gnubg:plies=2",
    positions: Annotated[int, typer.Option(min=1, help="Decisions with a choice.")] = 300,
    sampled_from: Annotated[str, typer.Option("--from", help="Whose self-play games they come from.")] = "gnubg",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same positions.")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="Judges at a time; by default, as many as cores.")] = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """What does a player lose per decision, according to a judge? Ctrl-C shows what was found so far."""
    with working("getting the players ready") as tell:
        from zermelo.experiments import run_equity_lost

        loaded = load_game(game, option)
        found: list[EquityLost] = []
        is_interrupted = False
        try:
            found.append(
                run_equity_lost(
                    loaded, player, judge, positions, seed, sampled_from, workers or _cores(), tell, found.append
                )
            )
        except KeyboardInterrupt:
            if not found:
                raise
            is_interrupted = True
    if as_json:
        print_json(found[-1].as_dict() | {"is_interrupted": is_interrupted})
    else:
        say(found[-1].table())
    if is_interrupted:
        raise typer.Exit(INTERRUPTED)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_figure(figure: Path | None) -> None:
    """Before anything is computed for it."""
    if figure is not None:
        if figure.suffix.lower() not in (".png", ".svg", ".pdf"):
            raise GameError(f"a figure is saved as .png, .svg or .pdf, not as '{figure.name}'")
        if not figure.resolve().parent.is_dir():
            raise GameError(f"there is no folder '{figure.parent}'")


def _perform(run: Callable[[Tell], Drawn], doing: str, figure: Path | None, as_json: bool) -> None:
    """Run an experiment and tell what it found; `doing` is said until it says more."""
    _check_figure(figure)
    with working(doing) as tell:
        result = patiently(lambda: run(tell))
    _tell(result, figure, as_json)


def _tell(result: Drawn, figure: Path | None, as_json: bool) -> None:
    if figure is not None:
        with working("drawing"):
            result.figure(figure)
    if as_json:
        print_json(asdict(result))
        return
    say(result.table())
    if figure is not None:
        say(f"drawn to {figure}")
