"""`zermelo train`: learn an evaluation from play, in a folder that can be gone on with whatever happens."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.common.console import complain, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.loading import AsJson, Options, load_game
from zermelo.interfaces.cli.common.watching import Watcher, closing_lines, opening_lines, stderr_line

if TYPE_CHECKING:
    from zermelo.compile.record_game import RecordGame
    from zermelo.learn.runs.run import Run
    from zermelo.learn.systems import System

SETTINGS = "The training (defaults are the game's or the system's own)"

Subject = Annotated[
    str | None,
    typer.Argument(metavar="GAME|SYSTEM", help="A game with features, or samuel, or td-gammon. Not with --resume."),
]


def _number(name: str, help: str) -> Any:
    return typer.Option(name, help=help, rich_help_panel=SETTINGS)


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
    games: Annotated[int | None, _number("--games", "How many games of self-play.")] = None,
    pretrain: Annotated[
        int | None, _number("--pretrain", "First learn the hand-written evaluation, from so many games.")
    ] = None,
    hidden: Annotated[str | None, _number("--hidden", "Units of the hidden layers: 80, or 40,40, or none.")] = None,
    num_features: Annotated[int | None, _number("--num-features", "Look at the first so many features only.")] = None,
    learning_rate: Annotated[float | None, _number("--learning-rate", "η, at first.")] = None,
    final_learning_rate: Annotated[
        str | None, _number("--final-learning-rate", "η in the end; none: a tenth of the first.")
    ] = None,
    schedule: Annotated[str | None, _number("--schedule", "constant, linear, exponential or inverse.")] = None,
    lam: Annotated[float | None, _number("--lam", "λ: 0 is TD(0), 1 is Monte Carlo.")] = None,
    gamma: Annotated[float | None, _number("--gamma", "γ, the discount.")] = None,
    traces: Annotated[bool | None, _number("--traces/--no-traces", "Learn from every move at once.")] = None,
    squared_error: Annotated[
        bool | None, _number("--squared-error/--no-squared-error", "Squared error instead of cross-entropy.")
    ] = None,
    coherence: Annotated[bool | None, _number("--coherence/--no-coherence", "A rate for every weight.")] = None,
    expected_backup: Annotated[
        bool | None, _number("--expected-backup/--no-expected-backup", "Average over all dice, not the ones thrown.")
    ] = None,
    depth: Annotated[int | None, _number("--depth", "Look ahead by a search of this depth.")] = None,
    target: Annotated[str | None, _number("--target", "With look-ahead: leaf (TD-leaf) or root (Samuel).")] = None,
    epsilon: Annotated[float | None, _number("--epsilon", "How often a move is any move.")] = None,
    temperature: Annotated[float | None, _number("--temperature", "Moves drawn by exp(value / temperature).")] = None,
    opening: Annotated[int | None, _number("--opening", "Up to so many random moves begin a game.")] = None,
    on_policy: Annotated[
        bool | None, _number("--on-policy/--no-on-policy", "Learn what experiments are worth.")
    ] = None,
    truncated_value: Annotated[
        str | None, _number("--truncated-value", "What a truncated game counts; none: as the network thinks.")
    ] = None,
    actors: Annotated[int | None, _number("--actors", "Actors side by side, averaged after each round.")] = None,
    games_per_round: Annotated[int | None, _number("--games-per-round", "Games of an actor in a round.")] = None,
    seed: Annotated[int | None, _number("--seed", "Of weights and dice.")] = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Learn an evaluation from self-play: TD(λ) on a linear model or a network.

    Ctrl-C stops after the round; --resume goes on, to the same weights as if nothing had happened.
    """
    told = {
        "games": games, "pretrain": pretrain, "hidden": hidden, "num_features": num_features,
        "learning_rate": learning_rate, "final_learning_rate": final_learning_rate, "schedule": schedule, "lam": lam,
        "gamma": gamma, "traces": traces, "squared_error": squared_error, "coherence": coherence,
        "expected_backup": expected_backup, "depth": depth, "target": target, "epsilon": epsilon,
        "temperature": temperature, "opening": opening, "on_policy": on_policy, "truncated_value": truncated_value,
        "actors": actors, "games_per_round": games_per_round, "seed": seed,
    }  # fmt: skip
    if subject is None and resume is None:
        raise GameError("say what to train, as in: zermelo train GAME; or go on with --resume FOLDER")
    if resume is not None and (folder is not None or weights is not None):
        raise GameError("--resume goes on in its own folder, with its own weights: leave out --folder and --weights")
    with working("getting ready"):
        given = read_settings(told)
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
    from zermelo.learn.commands import read_hidden, read_number

    given = {name: value for name, value in told.items() if value is not None}
    if "hidden" in given:
        given["hidden"] = read_hidden(given["hidden"])
    for name in {"final_learning_rate", "truncated_value"} & set(given):
        given[name] = read_number(name.replace("_", " "), given[name])
    return given


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
