"""`zermelo train`: learn an evaluation from play, in a folder from which it resumes whatever happens."""

from __future__ import annotations

import functools
import inspect
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.common.console import complain, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import handling, patiently
from zermelo.interfaces.cli.common.loading import AsJson, Options, read_options
from zermelo.interfaces.cli.common.training_progress import Watcher, closing_lines, opening_lines, stderr_line
from zermelo.learn.settings import Settings, about, flag, kind_of, read_text

if TYPE_CHECKING:
    from zermelo.learn.runs.run import Run

SETTINGS = "The training (defaults are the game's or the system's own)"

Subject = Annotated[
    str | None,
    typer.Argument(metavar="GAME|SYSTEM", help="A game with features, or samuel, or td-gammon. Not with --resume."),
]


def _option(one: Field[Any]) -> inspect.Parameter:
    """A setting as an option; not given, it is the game's or the system's own."""
    kind, optional = kind_of(one)
    name = f"{flag(one.name)}/{flag('no-' + one.name)}" if kind is bool else flag(one.name)
    typed = str if optional or kind is tuple else kind
    told = about(one)
    words = told.meaning if not told.choices else f"{told.meaning.rstrip('.')}: {', '.join(told.choices)}."
    annotation = Annotated[typed | None, typer.Option(name, help=words, rich_help_panel=SETTINGS)]  # type: ignore[valid-type]
    return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command, in place of its **settings, an option for every setting of a training."""
    own = inspect.signature(command, eval_str=True)
    kept = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]

    @functools.wraps(command)
    def call(**given: Any) -> None:
        command(**given)

    options = [_option(one) for one in fields(Settings)]
    call.__signature__ = own.replace(parameters=[*kept, *options])  # type: ignore[attr-defined]
    call.__annotations__ = {}
    return call


@with_settings
def train(
    subject: Subject = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", "-f", help="A new one for this training; runs/NAME-1, -2, ….")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", "-r", help="Go on with the training in this folder.")
    ] = None,
    weights: Annotated[
        Path | None, typer.Option("--weights", "-w", help="Begin with the weights in this file.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option("--threads", "-t", min=1, max=1024, help="Changes the time it takes, and nothing else."),
    ] = None,
    every: Annotated[float, typer.Option("--every", min=0, help="Seconds between snapshots.")] = 30.0,
    option: Options = None,
    as_json: AsJson = False,
    **settings: Any,
) -> None:
    """Learn an evaluation from self-play: TD(λ) on a linear model or a network.

    Ctrl-C stops after the round; --resume goes on, to the same weights as if nothing had happened.
    """
    if subject is None and resume is None:
        raise GameError("say what to train, as in: zermelo train GAME; or go on with --resume FOLDER")
    if resume is not None and (folder is not None or weights is not None):
        raise GameError("--resume goes on in its own folder, with its own weights: leave out --folder and --weights")
    if resume is not None and option and subject is None:
        raise GameError("--resume knows its game: leave out --option")
    with working("getting ready"):
        from zermelo.learn.train import begin_training, resume_training

        given = read_settings(settings)
        if resume is not None:
            run = resume_training(resume, subject, options=read_options(option), threads=threads, **given)
        else:
            assert subject is not None
            run = begin_training(
                subject, folder, options=read_options(option), weights=weights, threads=threads, **given
            )
    with run:
        for warning in run.warnings:
            complain(warning)
        _carry_out(run, every, as_json)


def read_settings(told: dict[str, Any]) -> dict[str, Any]:
    """The settings that were given, by name."""
    return {
        one.name: read_text(one, told[one.name]) if isinstance(told[one.name], str) else told[one.name]
        for one in fields(Settings)
        if told.get(one.name) is not None
    }


# -- watching ----------------------------------------------------------------------------------------------------------


def _carry_out(run: Run, every: float, as_json: bool) -> None:
    quiet = as_json and not sys.stderr.isatty()
    tell_line = (lambda text: None) if quiet else stderr_line if sys.stderr.isatty() else say
    for line in opening_lines(run):
        tell_line(line)
    with working(f"learning {run.game.name}") as tell, _stopping(run, lambda: tell("finishing this round")):
        watcher = Watcher(run, tell_line, lambda words: None if run.is_stopping else tell(words))
        finished = patiently(lambda: run.go(watcher, every))
    if as_json:
        print_json({"folder": str(run.folder), "finished": finished, **run.how_trained()})
    else:
        for line in closing_lines(run, finished):
            say(line)
    if not finished:
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _stopping(run: Run, react: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) stops `run`; a second one interrupts as usual."""

    def hear(number: int, frame: Any) -> None:
        if run.is_stopping:
            raise KeyboardInterrupt
        run.stop()
        react()

    with handling(hear, signal.SIGINT, signal.SIGTERM):
        yield
