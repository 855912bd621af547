"""`zermelo experiment`: what a lecture claims of the algorithms, counted on random trees."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli.console import patiently, print_json, say, working
from zermelo.interfaces.cli.loading import AsJson

if TYPE_CHECKING:
    from zermelo.experiments import Monotone, Ordering

experiment = typer.Typer(help="Count on random trees what is claimed of the algorithms.", no_args_is_help=True)

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
    """What is the order of the moves worth to alpha-beta?"""
    _check_figure(figure)
    with working("searching random trees in three orders"):
        from zermelo.experiments import run_ordering

        result = patiently(lambda: run_ordering(branching, rounds, trees, seed))
    _tell(result, figure, as_json)


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
    _check_figure(figure)
    with working("searching random trees with other utilities"):
        from zermelo.experiments import run_monotone

        result = patiently(lambda: run_monotone(branching, rounds, trees, seed))
    _tell(result, figure, as_json)


def _check_figure(figure: Path | None) -> None:
    """Before anything is computed for it."""
    if figure is not None:
        if figure.suffix.lower() not in (".png", ".svg", ".pdf"):
            raise GameError(f"a figure is saved as .png, .svg or .pdf, not as '{figure.name}'")
        if not figure.resolve().parent.is_dir():
            raise GameError(f"there is no folder '{figure.parent}'")


def _tell(result: Ordering | Monotone, figure: Path | None, as_json: bool) -> None:
    if figure is not None:
        with working("drawing"):
            result.figure(figure)
    if as_json:
        print_json(asdict(result))
        return
    say(result.table())
    if figure is not None:
        say(f"drawn to {figure}")
