"""`zermelo train`: learn an evaluation from play, in a folder from which it resumes whatever happens."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import Field, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli.common.console import complain, working
from zermelo.interfaces.cli.common.loading import AsJson, Options, named_folder, read_options
from zermelo.interfaces.cli.common.training_progress import (
    Watcher,
    carry_out,
    closing_lines,
    opening_lines,
)
from zermelo.interfaces.cli.common.zero_training import ZERO, is_of_zero, train_zero
from zermelo.learn.settings import Settings, about, flag, kind_of, read_text
from zermelo.learn.zero.settings import ZeroSettings

SETTINGS = "The training (defaults are the game's or the system's own)"
OF_ZERO = "The training of a network: zero (defaults are the game's own)"

Subject = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME|SYSTEM", help="A game with features, or samuel, td-gammon, or zero GAME. Not with --resume."
    ),
]


def _option(one: Field[Any], panel: str, also: Field[Any] | None = None) -> inspect.Parameter:
    """A setting as an option; not given, it is the game's or the system's own. `also`: what it means to zero."""
    kind, optional = kind_of(one)
    name = f"{flag(one.name)}/{flag('no-' + one.name)}" if kind is bool else flag(one.name)
    typed = str if optional or kind is tuple else kind
    told = about(one)
    words = told.meaning if not told.choices else f"{told.meaning.rstrip('.')}: {', '.join(told.choices)}."
    if also is not None and about(also).meaning != told.meaning:
        words += f" (zero: {about(also).meaning})"
    annotation = Annotated[typed | None, typer.Option(name, help=words, rich_help_panel=panel)]  # type: ignore[valid-type]
    return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command, in place of its **settings, an option for every setting of a training."""
    own = inspect.signature(command, eval_str=True)
    kept = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]

    @functools.wraps(command)
    def call(**given: Any) -> None:
        command(**given)

    of_zero = {one.name: one for one in fields(ZeroSettings)}
    options = [_option(one, SETTINGS, of_zero.pop(one.name, None)) for one in fields(Settings)]
    options += [_option(one, OF_ZERO) for one in of_zero.values()]
    call.__signature__ = own.replace(parameters=[*kept, *options])  # type: ignore[attr-defined]
    call.__annotations__ = {}
    return call


@with_settings
def train(
    subject: Subject = None,
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="What zero learns: a game with planes, or features.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            "-f",
            parser=named_folder,
            metavar="PATH",
            help="A new one for this training run; by default runs/NAME-1, -2, ….",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume", "-r", parser=named_folder, metavar="PATH", help="Continue the training run in this folder."
        ),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(
            "--weights",
            "-w",
            help="Begin with the weights in this file; zero: also with those for another board size.",
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option("--threads", "-t", min=1, max=1024, help="Changes the time it takes, and nothing else."),
    ] = None,
    every: Annotated[float, typer.Option("--every", min=0, help="Seconds between snapshots.")] = 30.0,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0, help="Stop after this time; --resume continues.")
    ] = None,
    device: Annotated[
        str, typer.Option("--device", help="zero: where games are played and the network learns, cpu or cuda.")
    ] = "cpu",
    option: Options = None,
    as_json: AsJson = False,
    **settings: Any,
) -> None:
    """Learn from self-play: an evaluation, by TD(λ) on a linear model or a network; or, as `train zero GAME`, a policy
    and a value, by a tree search over a deep network (needs JAX).

    Ctrl-C stops after the round; --resume continues, to the same weights as if nothing had happened.
    """
    if subject is None and resume is None:
        raise GameError("say what to train, as in: zermelo train GAME; or go on with --resume FOLDER")
    if resume is not None and (folder is not None or weights is not None):
        raise GameError("--resume goes on in its own folder, with its own weights: leave out --folder and --weights")
    if resume is not None and option and subject is None:
        raise GameError("--resume knows its game: leave out --option")
    if subject == ZERO or (resume is not None and is_of_zero(resume)):
        if resume is not None and subject not in (None, ZERO):
            raise GameError(f"--resume goes on with what '{resume}' learns: leave out '{subject}'")
        if resume is None and game is None:
            raise GameError("say what the network is to learn, as in: zermelo train zero connect-four")
        if threads is not None:
            raise GameError("zero uses what the machine has: leave out --threads")
        given = read_settings(settings, ZeroSettings)
        train_zero(game, folder, resume, weights, every, seconds, device, read_options(option), as_json, given)
        return
    if game is not None:
        raise GameError(f"two games are one too many: {subject} and {game} (only zero takes a game beside it)")
    if device != "cpu":
        raise GameError("--device is for zero; everything else learns on the cores")
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
        carry_out(
            run,
            functools.partial(Watcher, run),
            opening_lines(run),
            functools.partial(closing_lines, run),
            every,
            seconds,
            as_json,
        )


def read_settings(told: dict[str, Any], table: Any = None) -> dict[str, Any]:
    """The settings that were given, by name, if they are of this table."""
    known = {one.name: one for one in fields(table or Settings)}
    given = {name: value for name, value in told.items() if value is not None}
    for name in given:
        if name not in known:
            whose = "zero has" if table is ZeroSettings else "only zero has"
            raise GameError(f"{whose} {'no' if table is ZeroSettings else 'a'} setting '{name}'")
    return {name: read_text(known[name], value) if isinstance(value, str) else value for name, value in given.items()}
