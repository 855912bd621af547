"""A training as a folder that can be trusted: stopped at any moment, by whatever, it goes on to the same weights.

    run.json               which training this is                                    (snapshots.py)
    snapshot.safetensors   all of it, as it stood after some round; one file         (snapshots.py)
    curve.csv, .svg, .png  error and strength, from the snapshot's log               (progress.py, curves.py)
    weights.safetensors    the network, when it is finished, with its card           (zermelo.evaluate.files)

    with Run.create("runs/mine", game, Settings(games=50_000)) as run:
        run.go()
    with Run.open("runs/mine") as run:      # after a kill -9, say
        run.go()

The clock decides when a snapshot is written, and nothing else: rounds, dice and measurements follow from the settings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

import zermelo
from zermelo.compile.fingerprint import fingerprint
from zermelo.compile.record_game import RecordGame
from zermelo.core.files import write_atomically
from zermelo.core.game import GameError
from zermelo.core.stopwatch import Stopwatch
from zermelo.core.words import count
from zermelo.evaluate.files import card_for, features_hash, save_network
from zermelo.learn.commands import command_for
from zermelo.learn.contest import play_pairs
from zermelo.learn.pretraining import Pretraining
from zermelo.learn.runs.curves import curve_csv, curve_png, curve_svg
from zermelo.learn.runs.folder import TrainingFolder, make_folder
from zermelo.learn.runs.progress import LAST, Log, Row, baseline, measuring_points, pairs_for
from zermelo.learn.runs.snapshots import (
    SNAPSHOT,
    Description,
    Lock,
    clear_scratch,
    origin_of,
    read_snapshot,
    refuse_occupied,
    same_game,
    same_settings,
    weights_hash,
    write_snapshot,
)
from zermelo.learn.self_play import self_play
from zermelo.learn.settings import Settings
from zermelo.learn.systems import find_system
from zermelo.learn.trainer import Trainer, learners_for

WEIGHTS = "weights.safetensors"
EVERY = 30.0  # seconds between snapshots


@dataclass(frozen=True)
class Progress:
    """How it stands after a round."""

    games: int
    of: int
    played: int  # games since `go` was called
    seconds: float  # since then
    error: float  # TD error of this round
    row: Row | None  # the last row of the log
    news: Row | None  # that row, if it is new
    scale: float  # of the learning rate, after rounds that had to be undone
    was_undone: bool  # this round was


class Run(TrainingFolder):
    """A training of an evaluation. Made by `create` or `open`."""

    def __init__(self, folder: Path, description: Description, game: RecordGame, trainer: Trainer, lock: Lock):
        super().__init__(folder, description, lock)
        self.game = game
        self.trainer = trainer
        self.system = find_system(description.system)
        self.settings = trainer.settings
        self.log = Log()
        self._points = measuring_points(self.settings.games)

    @classmethod
    def create(
        cls,
        folder: Path | str,
        game: RecordGame,
        settings: Settings,
        *,
        system: str = "",
        weights: NDArray[Any] | None = None,
        threads: int | None = None,
        pairs: int | None = None,
        started_from: str = "",
    ) -> Run:
        """Begin a training in a new folder, or an empty one. `weights`: begin with these, which came from a file."""
        folder = Path(folder)
        refuse_occupied(folder)
        trainer = find_system(system).trainer(game, settings, weights=weights, threads=threads)
        description = Description(
            game=origin_of(game),
            name=game.name,
            options=json.loads(json.dumps(game.options)),
            system=system,
            settings=settings.as_dict(),
            pairs=pairs_for(settings.games) if pairs is None else pairs,
            features=features_hash(game),
            start=weights_hash(weights),
            command=command_for(game, settings, find_system(system), started_from),
            code=code_of(game, settings),
            zermelo=zermelo.__version__,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        return make_folder(folder, lambda scratch, lock: cls(scratch, description, game, trainer, lock))

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        game: RecordGame | None = None,
        settings: Mapping[str, Any] | None = None,
        threads: int | None = None,
    ) -> Run:
        """Go on with a training. `game` and `settings` (by name), where given, must be those it began with."""
        folder = Path(folder)
        description = Description.read(folder)
        game = same_game(folder, description, game)
        same_settings(folder, description, settings or {})
        lock = Lock(folder)
        try:
            tensors, texts = read_snapshot(folder, description)
            trainer = find_system(description.system).trainer(
                game, Settings.read(description.settings), threads=threads
            )
            run = cls(folder, description, game, trainer, lock)
            trainer.restore(tensors)
            run.log, run.seconds = Log.read(json.loads(texts["log"])), float(texts["seconds"])
        except GameError:
            lock.release()
            raise
        except (KeyError, TypeError, ValueError):
            lock.release()
            raise GameError(f"{folder / SNAPSHOT} is not a snapshot of this training") from None
        clear_scratch(folder)
        run.compare_code(code_of(game, trainer.settings))
        return run

    # -- working -------------------------------------------------------------------------------------------------------

    def go(
        self,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        every: float = EVERY,
        seconds: float | None = None,
    ) -> bool:
        """Play and learn to the end, until `stop()`, or until `seconds` have passed. Is it finished?"""
        watch, saved, before, spent = Stopwatch(), 0.0, self.trainer.games, self.seconds
        self._draw()
        while not self.trainer.finished:
            if self._stop.is_set() or (seconds is not None and watch.seconds >= seconds):
                self._stop.clear()
                self.save()
                self._draw(png=True)
                return False
            undone = self.trainer.undone
            news = self._round()
            self.seconds = spent + watch.seconds
            if news is not None or watch.seconds - saved >= every:
                self.save()
                saved = watch.seconds
            if news is not None:
                self._draw()
            on_progress(self._progress(self.trainer.games - before, watch.seconds, news, self.trainer.undone > undone))
        self.save()
        self._draw(png=True)
        save_network(self.folder / WEIGHTS, self.game, self.trainer.net, **self.how_trained())
        return True

    def _round(self) -> Row | None:
        """One round, noted in the log; and a measurement, when it is time for one: the new row."""
        trainer, log = self.trainer, self.log
        before, undone = trainer.games, trainer.undone
        trainer.round()
        if trainer.undone > undone:
            log.undone.append([before, trainer.scale])
            return None
        log.add(trainer.games - before, trainer.totals)
        if not any(before < point <= trainer.games for point in self._points):
            return None
        pairs = self.description.pairs * (LAST if trainer.finished else 1)
        found = self.system.measure(self.game, trainer.net, self.settings, pairs)
        return log.close(trainer.games, trainer.scale * self.settings.learning_rate_at(before), found)

    @property
    def measures_nothing(self) -> bool:
        """Does every pair of measured games come out even, with these weights and with the opposite of them?

        Then the random moves that begin a game decide it (or the dice do), and no weights would seem any stronger.
        """
        net = self.trainer.net
        opposite = net.copy()
        opposite.w[:] *= -1
        found = (self.system.measure(self.game, one, self.settings, self.description.pairs) for one in (net, opposite))
        return all(one.points == 0 and one.margin == 0 for one in found)

    def _progress(self, played: int, seconds: float, news: Row | None, was_undone: bool) -> Progress:
        trainer, rows = self.trainer, self.log.rows
        error = trainer.totals["error"] / max(1.0, trainer.totals["positions"])
        row = rows[-1] if rows else None
        return Progress(
            trainer.games, self.settings.games, played, seconds, error, row, news, trainer.scale, was_undone
        )

    # -- keeping -------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the snapshot."""
        card = card_for(self.game, self.trainer.net, **self.how_trained())
        texts = {
            "run": self.description.identity,
            "log": json.dumps(self.log.as_dict()),
            "card": card.as_json(),
            "seconds": repr(self.seconds),
        }
        write_snapshot(self.folder, self.trainer.state(), texts)

    @property
    def against(self) -> str:
        """What strength is measured against."""
        return self.system.baseline or baseline(self.game)

    def how_trained(self) -> dict[str, Any]:
        """For the card of the weights: the same, however often the training was stopped on the way."""
        return {
            "command": self.description.command,
            "system": self.description.system,
            "settings": self.description.settings,
            **({} if self.trainer.exact is None else {"tables": self.trainer.exact.checksum}),
            "games": self.trainer.games,
            "started_from": self.description.start,
            "baseline": self.against,
            "curve": [[row.games, row.points, row.margin] for row in self.log.rows],
            "undone": self.log.undone,
            "zermelo": self.description.zermelo,
            "code": self.description.code,
        }

    def _draw(self, png: bool = False) -> None:
        """The curve's files, as the snapshot's log has it."""
        rows, title = self.log.rows, f"{self.system.name or self.game.name}: {count(self.settings.games, 'game')}"
        write_atomically(self.folder / "curve.csv", curve_csv(rows, Row).encode())
        write_atomically(self.folder / "curve.svg", curve_svg(rows, title, self.against).encode())
        picture = curve_png(rows, title, self.against) if png else None
        if picture is not None:
            write_atomically(self.folder / "curve.png", picture)


def code_of(game: RecordGame, settings: Settings) -> str:
    """A fingerprint of the compiled code that plays, learns and measures."""
    before = [Pretraining] if settings.pretrain else []
    return fingerprint(self_play, *learners_for(settings), *before, play_pairs, game.variant.functions)
