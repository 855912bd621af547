"""`zermelo train zero GAME`: a training of a policy/value network, set up, watched and told of."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import complain, format_long, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.training_progress import carry_out

if TYPE_CHECKING:
    from zermelo.compile.record_game import RecordGame
    from zermelo.learn.zero.log import Row
    from zermelo.learn.zero.run import Progress, Run

ZERO = "zero"


def is_of_zero(folder: Path) -> bool:
    """Is the training in this folder one of a network?"""
    from zermelo.learn.runs.snapshots import Description

    return Description.read(folder).system == ZERO


def train_zero(
    game: str | None,
    folder: Path | None,
    resume: Path | None,
    weights: Path | None,
    every: float,
    seconds: float | None,
    device: str,
    options: Mapping[str, Any],
    as_json: bool,
    given: dict[str, Any],
) -> None:
    with working("getting ready"):
        run = open_run(game, folder, resume, weights, device, options, given)
    with run:
        for warning in run.warnings:
            complain(warning)
        carry_out(run, Watcher, opening_lines(run), partial(closing_lines, run), every, seconds, as_json)


def open_run(
    game: str | None,
    folder: Path | None,
    resume: Path | None,
    weights: Path | None,
    device: str,
    options: Mapping[str, Any],
    given: dict[str, Any],
) -> Run:
    loaded = load_for(game, device, options)
    from zermelo.learn.train import free_folder
    from zermelo.learn.zero.run import Run
    from zermelo.learn.zero.settings import settings_for

    if resume is not None:
        return Run.open(resume, game=loaded, settings=given, device=device)
    assert loaded is not None
    if weights is not None:
        given = begun_with(weights, loaded, given, device)
    settings = settings_for(loaded, given, device)
    return Run.create(folder or free_folder(f"zero-{loaded.name}"), loaded, settings, device, weights)


def begun_with(weights: Path, game: RecordGame, given: Mapping[str, Any], device: str) -> dict[str, Any]:
    """The settings given, and those that follow from the network in a file: if nothing else is said, it stays as large,
    and has the heads that it has."""
    from zermelo.evaluate.tower.files import grown_tower
    from zermelo.learn.zero.settings import ZeroSettings, settings_for

    a, _ = grown_tower(weights, game)
    told: dict[str, Any] = {"blocks": a.blocks, "channels": a.channels, **given}
    if "reply_weight" not in told and a.reply != (settings_for(game, told, device).reply_weight > 0):
        told["reply_weight"] = ZeroSettings.reply_weight * a.reply
    return told


def load_for(game: str | None, device: str, options: Mapping[str, Any]) -> RecordGame | None:
    """The game, if there is one that a network can learn on this device."""
    from zermelo.compile.record_game import RecordGame
    from zermelo.core.registry import load
    from zermelo.evaluate.tower import need_jax

    need_jax()
    if device not in ("cpu", "cuda"):
        raise GameError(f"a network is trained on 'cpu' or 'cuda', not {device!r}")
    loaded = None if game is None else load(game, **options)
    if loaded is not None and not isinstance(loaded, RecordGame):
        raise GameError(f"{loaded.name} is not written as rules over a record, so nothing compiled can learn it")
    return loaded


def plan_zero(game: str, seconds: float, device: str, options: Mapping[str, Any], as_json: bool) -> None:
    """How long `train zero` will take on this machine, by some rounds of it."""
    with working("measuring this machine"):
        loaded = load_for(game, device, options)
        from zermelo.learn.zero.settings import settings_for
        from zermelo.learn.zero.speed import measure_speed

        assert loaded is not None
        settings = settings_for(loaded, {}, device)
        speed = patiently(lambda: measure_speed(loaded, settings, device, seconds))
    each = {name: getattr(speed, name) / speed.seconds for name in ("rounds", "simulations", "positions")}
    if as_json:
        told = {f"{name}_per_second": value for name, value in each.items()}
        print_json(
            {"game": loaded.name, "settings": settings.as_dict(), **told, "seconds": speed.seconds_for(settings)}
        )
        return
    tower = f"{settings.blocks} × {settings.channels}"
    say(f"{loaded.name}: a tower of {tower}, {count(settings.rounds, 'round')} by default")
    say(f"{each['simulations']:,.0f} simulations/s and {each['positions']:,.0f} recorded positions/s on {device}")
    say(f"all of it takes {format_long(speed.seconds_for(settings))}, compiling and measuring left out")


class Watcher:
    """Tells how a training gets on: a line for every measurement, and on a terminal one that changes all the time."""

    def __init__(self, tell_line: Callable[[str], None], tell: Callable[[str], None]):
        self._tell_line, self._tell = tell_line, tell
        self._began: tuple[int, float] | None = None  # after the first round, which compiles

    def __call__(self, p: Progress) -> None:
        if self._began is None:
            self._began = (p.played, p.seconds)
        if p.news is not None:
            self._tell_line(row_line(p.news, p.seconds))
        self._tell(self._words(p))

    def _words(self, p: Progress) -> str:
        assert self._began is not None
        rounds, seconds = p.played - self._began[0], p.seconds - self._began[1]
        words = [f"round {p.rounds:,} of {p.of:,}", count(p.games, "game")]
        if rounds > 0 and seconds > 0:
            speed = rounds / seconds
            words.append(f"{speed * p.totals['positions']:,.0f} positions/s")
            words.append(f"{speed * p.simulations:,.0f} simulations/s")
        if "loss" in p.totals:
            words.append(f"loss {p.totals['loss']:.3f}")
        if rounds > 0 and seconds > 0:
            words.append(f"{format_long((p.of - p.rounds) / speed)} left")
        return ", ".join(words)


def opening_lines(run: Run) -> list[str]:
    from zermelo.evaluate.tower.architecture import count_weights

    a, s = run.trainer.architecture, run.settings
    size = f"{a.blocks} × {a.channels}, {count(count_weights(a), 'weight')}"
    lines = [f"{run.game.name}: a tower of {size}; {count(s.rounds, 'round')}, in {run.folder}"]
    if run.trainer.rounds:
        lines.append(f"going on after {count(run.trainer.rounds, 'round')}")
    if not run.trainer.finished:
        lines.append("rounds     games      η        policy  value   right: moves winners   random   before    Elo")
        lines += [row_line(row) for row in run.log.rows]
    return lines


def row_line(row: Row, seconds: float | None = None) -> str:
    when = "" if seconds is None else f"   {seconds:,.0f} s"
    return (
        f"{row.rounds:>6,} {row.games:>10,}  {row.learning_rate:<8.5f} {row.policy_loss:>6.3f} {row.value_loss:>6.3f}"
        f"          {row.policy_accuracy:>6.1%} {row.value_accuracy:>7.1%}  {row.random_share:>7.1%}  "
        f"{row.before_share:>7.1%} {row.elo:>6.0f}{when}"
    )


def closing_lines(run: Run, finished: bool) -> list[str]:
    lines = [f"the weights are in {run.folder / 'weights.safetensors'}, the curve in {run.folder / 'curve.svg'}"]
    if not finished:
        lines.append(f"stopped after {run.trainer.rounds:,} of {count(run.settings.rounds, 'round')}; go on with:")
        lines.append(f"  {shlex.join(['zermelo', 'train', '--resume', str(run.folder)])}")
    return lines
