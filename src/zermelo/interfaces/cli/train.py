"""`zermelo train`: learn an evaluation from play, in a folder that can be gone on with whatever happens."""

from __future__ import annotations

import functools
import inspect
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.common.console import complain, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.loading import AsJson, Options, load_game
from zermelo.interfaces.cli.common.watching import Watcher, closing_lines, opening_lines, stderr_line
from zermelo.learn.settings import Settings, about, flag, kind_of, read_text

if TYPE_CHECKING:
    from zermelo.compile.record_game import RecordGame
    from zermelo.learn.runs.run import Run
    from zermelo.learn.systems import System

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
    with working("getting ready"):
        given = read_settings(settings)
        if resume is not None:
            run = _resume(resume, subject, option, given, threads)
        else:
            assert subject is not None
            run = _begin(subject, option, given, folder, weights, threads)
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


def find_subject(subject: str, option: list[str] | None) -> tuple[System, RecordGame]:
    """The system and its game; for the name of a game, the plain system."""
    from zermelo.compile.record_game import RecordGame
    from zermelo.core.registry import load
    from zermelo.interfaces.cli.common.loading import read_options
    from zermelo.learn.systems import PLAIN, SYSTEMS, find_system

    if subject in SYSTEMS:
        system = find_system(subject)
        game = load(system.game, **{**system.options, **read_options(option)})
    else:
        system, game = PLAIN, load_game(subject, option)
    if not isinstance(game, RecordGame):
        raise GameError(f"{game.name} is not written as rules over a record, so nothing compiled can learn it")
    if game.variant.num_features is None:
        raise GameError(f"{game.name} has no features(s, index, value) to learn from")
    return system, game


def _begin(
    subject: str,
    option: list[str] | None,
    given: dict[str, Any],
    folder: Path | None,
    weights: Path | None,
    threads: int | None,
) -> Run:
    from zermelo.evaluate.files import load_network
    from zermelo.evaluate.network import widened
    from zermelo.learn.runs.run import Run

    system, game = find_subject(subject, option)
    net = None if weights is None else load_network(weights, game)
    if net is not None:
        given.setdefault("hidden", net.hidden)
    settings = system.settings(game, given)
    if net is not None:
        net = widened(game, net, settings.hidden, settings.num_features, settings.seed)
    return Run.create(
        folder or _free_folder(system.name or game.name), game, settings, system=system.name,
        weights=None if net is None else net.w, threads=threads, started_from="" if weights is None else str(weights),
    )  # fmt: skip


def _resume(
    folder: Path, subject: str | None, option: list[str] | None, given: dict[str, Any], threads: int | None
) -> Run:
    from zermelo.learn.runs.run import Run
    from zermelo.learn.runs.snapshots import Description

    game = None
    if subject is not None:
        system, game = find_subject(subject, option)
        began = Description.read(folder).system
        if system.name != began:
            raise GameError(f"'{folder}' is a training of {began or 'a game by itself'}, not of {subject}")
    elif option:
        raise GameError("--resume knows its game: leave out --option")
    return Run.open(folder, game=game, settings=given, threads=threads)


def _free_folder(name: str) -> Path:
    number = 1
    while (folder := Path("runs") / f"{name}-{number}").exists():
        number += 1
    return folder


# -- watching ----------------------------------------------------------------------------------------------------------


def _carry_out(run: Run, every: float, as_json: bool) -> None:
    quiet = as_json and not sys.stderr.isatty()
    tell_line = (lambda text: None) if quiet else stderr_line if sys.stderr.isatty() else say
    for line in opening_lines(run):
        tell_line(line)
    stop = threading.Event()
    with working(f"learning {run.game.name}") as tell, _asked_to_stop(stop, lambda: tell("finishing this round")):
        watcher = Watcher(run, tell_line, lambda words: None if stop.is_set() else tell(words))
        finished = patiently(lambda: run.go(watcher, stop.is_set, every))
    if as_json:
        print_json({"folder": str(run.folder), "finished": finished, **run.how_trained()})
    else:
        for line in closing_lines(run, finished):
            say(line)
    if not finished:
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _asked_to_stop(stop: threading.Event, react: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) sets `stop`; a second one interrupts as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def hear(number: int, frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        react()

    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
