"""How a training is watched: what is said at its beginning, while it goes on, and at its end."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from zermelo.core.words import count
from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.common.console import format_long, print_json, say, stderr, working
from zermelo.interfaces.cli.common.interrupts import handling, patiently

if TYPE_CHECKING:
    from zermelo.learn.runs.progress import Row
    from zermelo.learn.runs.run import Progress, Run

BAR = 24  # characters


class Watcher:
    """Tells how a training gets on: a line for every measurement, and on a terminal one that changes all the time."""

    def __init__(self, run: Run, tell_line: Callable[[str], None], tell: Callable[[str], None]):
        self._run, self._tell_line, self._tell = run, tell_line, tell
        self._began: tuple[int, float] | None = None  # after the first round, which compiles
        self._error = 0.0
        self._is_told = False  # that the points mean nothing

    def __call__(self, progress: Progress) -> None:
        if self._began is None:
            self._began, self._error = (progress.played, progress.seconds), progress.error
        self._error += 0.05 * (progress.error - self._error)
        if progress.was_undone:
            self._tell_line(
                f"after {count(progress.games, 'game')} the weights were no longer numbers, or absurd: "
                f"the round is undone, and the learning rate is {progress.scale:g} of what was asked for"
            )
        if progress.news is not None:
            self._tell_line(row_line(progress.news))
            if not self._is_told and progress.news.points == 0 == progress.news.margin:
                self._is_told = True
                self._tell_line(even_line(self._run)) if self._run.measures_nothing else None
        self._tell(self._words(progress))

    def _words(self, p: Progress) -> str:
        assert self._began is not None
        games, seconds = p.played - self._began[0], p.seconds - self._began[1]
        full = round(BAR * p.games / p.of)
        words = [f"{'━' * full}{'·' * (BAR - full)} {p.games:,} of {count(p.of, 'game')}"]
        if games > 0 and seconds > 0:
            speed = games / seconds
            words.append(f"{speed:,.0f}/s")
            words.append(f"{format_long((p.of - p.games) / speed)} left")
        words.append(f"TD error {self._error:.4f}")
        if p.row is not None:
            words.append(f"{p.row.points:+.3f} ± {p.row.margin:.3f} against {self._run.against}")
        return ", ".join(words)


@contextmanager
def stopping_run(run: Any, react: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) stops `run`; a second one interrupts as usual."""

    def hear(number: int, frame: Any) -> None:
        if run.is_stopping:
            raise KeyboardInterrupt
        run.stop()
        react()

    with handling(hear, signal.SIGINT, signal.SIGTERM):
        yield


def stderr_line(text: str) -> None:
    stderr().print(text, markup=False, soft_wrap=True)


def opening_lines(run: Run) -> list[str]:
    shape = " × ".join(map(str, run.trainer.net.sizes))
    lines = [
        f"{run.system.name or run.game.name}: {shape} weights, {count(run.settings.games, 'game')}, in {run.folder}"
    ]
    if run.trainer.games:
        lines.append(f"going on after {count(run.trainer.games, 'game')}")
    if not run.trainer.finished:
        lines.append(f"{'games':>12}  {'rate η':>8}  {'TD error':>8}  points a game against {run.against}")
        lines += [row_line(row) for row in run.log.rows]
    return lines


def row_line(row: Row) -> str:
    return (
        f"{row.games:>12,}  {row.learning_rate:>8.5f}  {row.error:>8.4f}  {row.points:+.3f} ± {row.margin:.3f} "
        f"({row.wins}–{row.draws}–{row.losses})"
    )


def even_line(run: Run) -> str:
    """What to say where every pair of measured games comes out even."""
    from zermelo.learn.runs.progress import opening_for

    plies = opening_for(run.game, run.settings)
    what = f"the {count(plies, 'random move')} that begin them" if plies else "chance, or the rules alone,"
    fewer = "; a smaller --opening may show more" if plies > 1 else ""
    decide = "decides" if plies < 2 else "decide"
    return f"these points can only be 0: {what} {decide} the measured games, whatever the weights{fewer}"


def closing_lines(run: Run, finished: bool) -> list[str]:
    if not finished:
        return [
            f"stopped after {run.trainer.games:,} of {count(run.settings.games, 'game')}; go on with:",
            f"  {shlex.join(['zermelo', 'train', '--resume', str(run.folder)])}",
        ]
    from zermelo.core.registry import load
    from zermelo.learn.commands import option_words

    weights = run.folder / "weights.safetensors"
    name = run.description.game or run.game.name
    usual = getattr(load(name), "options", {}) if run.description.game else {}
    options = option_words(run.game.options, usual)
    player = f"human,alphabeta:seconds=1,evaluator={weights}"
    return [
        f"the weights are in {weights}, the curve in {run.folder / 'curve.svg'}",
        f"  {shlex.join(['zermelo', 'weights', str(weights)])}",
        f"  {shlex.join(['zermelo', 'play', name, *options, '--players', player])}",
    ]


def carry_out(
    run: Any,
    watch: Callable[[Callable[[str], None], Callable[[str], None]], Callable[[Any], None]],
    opening: list[str],
    closing: Callable[[bool], list[str]],
    every: float,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Let a training go on until it is finished, its time is up or somebody interrupts it, and tell of it. `watch` is
    given what tells a line and what tells words that change all the time, and makes what hears of every round."""
    quiet = as_json and not sys.stderr.isatty()
    tell_line = (lambda text: None) if quiet else stderr_line if sys.stderr.isatty() else say
    for line in opening:
        tell_line(line)
    is_interrupted = False

    def react() -> None:
        nonlocal is_interrupted
        is_interrupted = True
        tell("finishing this round")

    with working(f"learning {run.game.name}") as tell, stopping_run(run, react):
        watcher = watch(tell_line, lambda words: None if run.is_stopping else tell(words))
        finished = patiently(lambda: run.go(watcher, every, seconds))
    if as_json:
        print_json({"folder": str(run.folder), "finished": finished, **run.how_trained()})
    else:
        for line in closing(finished):
            say(line)
    if is_interrupted and not finished:  # not when the given time is up
        raise typer.Exit(INTERRUPTED)
