"""An evaluation learned in one call: `train`, and what came of it.

    >>> from zermelo.learn.train import train
    >>> trained = train("nim", games=200, games_per_round=20)
    >>> trained.is_finished, trained.games, trained.net.sizes[1:]
    (True, 200, (1,))

With a `folder` the training is kept as it goes (runs/run.py): whatever ends it, `train(resume=folder)` goes on to the
same weights. `begin` and `resume` give the `Run` itself to who wants to watch it or to stop it from another thread.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.files import given_path
from zermelo.core.game import Game, GameError
from zermelo.core.registry import as_game, load
from zermelo.evaluate.files import load_network, save_network
from zermelo.evaluate.network import Network, widened
from zermelo.learn.runs.progress import Row
from zermelo.learn.runs.run import EVERY, Progress, Run
from zermelo.learn.runs.snapshots import Description
from zermelo.learn.settings import Settings
from zermelo.learn.systems import PLAIN, SYSTEMS, System, find_system


@dataclass(frozen=True)
class Trained:
    """What a training has come to. `net` is an evaluator: `AlphaBeta(game, evaluator=trained.net)`."""

    game: RecordGame
    net: Network
    settings: Settings
    games: int
    is_finished: bool  # False: it was stopped
    curve: tuple[Row, ...]  # strength and error on the way
    against: str  # what strength was measured against
    folder: Path | None  # where it is kept
    card: Mapping[str, Any]  # how it was trained, for a file of weights

    def save(self, path: Path | str) -> None:
        """Keep the network, with its card, for `evaluator=FILE` in a player's spec."""
        save_network(path, self.game, self.net, **self.card)


def train(
    subject: str | Game[Any, Any] | None = None,
    *,
    folder: Path | str | None = None,
    resume: Path | str | None = None,
    weights: Path | str | None = None,
    threads: int | None = None,
    every: float = EVERY,
    options: Mapping[str, Any] | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    **settings: Any,
) -> Trained:
    """Learn an evaluation from self-play; what `zermelo train` does.

    subject      a game, its name (with `options`), or a system: "td-gammon", "samuel"
    folder       a new one, to keep the training in; without, nothing is kept on disk
    resume       go on with the training in this folder
    weights      begin with the weights in this file
    threads      change the time it takes, and nothing else
    every        seconds between snapshots
    on_progress  called after every round
    settings     by name, as in zermelo.learn.settings.Settings; those not given are the game's or the system's own
    """
    folder, resume, weights = (None if path is None else given_path(path) for path in (folder, resume, weights))
    if resume is not None:
        if folder is not None or weights is not None:
            raise GameError(
                "a training is resumed in its own folder, with its own weights: leave out folder and weights"
            )
        with resume_training(resume, subject, options=options, threads=threads, **settings) as run:
            return _finish(run, every, on_progress, Path(resume))
    if subject is None:
        raise GameError("say what to train: a game or a system, or a folder to resume")
    if folder is not None:
        with begin_training(subject, folder, options=options, weights=weights, threads=threads, **settings) as run:
            return _finish(run, every, on_progress, Path(folder))
    with (
        tempfile.TemporaryDirectory() as scratch,
        begin_training(subject, scratch, options=options, weights=weights, threads=threads, **settings) as run,
    ):
        return _finish(run, every, on_progress, None)


def _finish(run: Run, every: float, on_progress: Callable[[Progress], None], folder: Path | None) -> Trained:
    finished = run.go(on_progress, every)
    trainer = run.trainer
    return Trained(
        run.game, trainer.net, run.settings, trainer.games, finished, tuple(run.log.rows), run.against, folder,
        run.how_trained(),
    )  # fmt: skip


def begin_training(
    subject: str | Game[Any, Any],
    folder: Path | str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    weights: Path | str | None = None,
    threads: int | None = None,
    **settings: Any,
) -> Run:
    """A training set up in a new folder: the one given, or runs/NAME-1, -2, …"""
    system, game = find_subject(subject, options)
    net = None if weights is None else load_network(weights, game)
    given = settings if net is None else {"hidden": net.hidden, **settings}
    told = system.settings(game, given)
    if net is not None:
        net = widened(game, net, told.hidden, told.num_features, told.seed)
    return Run.create(
        folder or free_folder(system.name or game.name), game, told, system=system.name,
        weights=None if net is None else net.w, threads=threads, started_from="" if weights is None else str(weights),
    )  # fmt: skip


def resume_training(
    folder: Path | str,
    subject: str | Game[Any, Any] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    **settings: Any,
) -> Run:
    """The training in a folder, to go on with. Whatever else is given must be what it began with."""
    game = None
    if subject is not None:
        system, game = find_subject(subject, options)
        began = Description.read(Path(folder)).system
        if system.name != began:
            name = subject if isinstance(subject, str) else subject.name
            raise GameError(f"'{folder}' is a training of {began or 'a game by itself'}, not of {name}")
    elif options:
        raise GameError("a training that is resumed knows its game: leave out the options")
    return Run.open(folder, game=game, settings=settings, threads=threads)


def find_subject(subject: str | Game[Any, Any], options: Mapping[str, Any] | None = None) -> tuple[System, RecordGame]:
    """The system and its game; for a game or the name of one, the plain system."""
    system = PLAIN
    if not isinstance(subject, str):
        game = as_game(subject)
    elif subject in SYSTEMS:
        system = find_system(subject)
        game = load(system.game, **{**system.options, **(options or {})})
    else:
        game = load(subject, **(options or {}))
    if not isinstance(game, RecordGame):
        raise GameError(f"{game.name} is not written as rules over a record, so nothing compiled can learn it")
    if game.variant.num_features is None:
        raise GameError(f"{game.name} has no features(s, index, value) to learn from")
    return system, game


def free_folder(name: str) -> Path:
    """runs/NAME-1, or the next that is free."""
    number = 1
    while (folder := Path("runs") / f"{name}-{number}").exists():
        number += 1
    return folder
