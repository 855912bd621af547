"""A training of a network as a folder that can be trusted: stopped at any moment, it goes on to the same weights.

    run.json               which training this is                                     (learn/runs/snapshots.py)
    snapshot.json, .part   all of it, as it stood after some round                    (snapshots.py)
    curve.csv, .svg        losses and strength, from the snapshot's log               (log.py, curves.py)
    weights.safetensors    the network that plays, with its card; when it is finished, or a `go` ends

The clock decides when a snapshot is written and when `go` ends, and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import math
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import zermelo
from zermelo.compile.fingerprint import fingerprint
from zermelo.compile.record_game import RecordGame
from zermelo.core.files import write_atomically
from zermelo.core.game import GameError
from zermelo.core.stopwatch import Stopwatch
from zermelo.evaluate.tower.architecture import Weights, architecture_for
from zermelo.evaluate.tower.files import grown_tower, planes_hash, save_tower
from zermelo.learn.commands import option_words, setting_words
from zermelo.learn.runs.curves import curve_csv
from zermelo.learn.runs.folder import TrainingFolder, make_folder
from zermelo.learn.runs.snapshots import (
    Description,
    Lock,
    clear_scratch,
    origin_of,
    refuse_occupied,
    same_game,
    same_settings,
    weights_hash,
)
from zermelo.learn.zero.curves import curve_svg
from zermelo.learn.zero.log import Log, Row
from zermelo.learn.zero.settings import ZeroSettings, settings_for
from zermelo.learn.zero.snapshots import SYSTEM, read_pieces, remove_others, write_pieces
from zermelo.learn.zero.trainer import Trainer
from zermelo.learn.zero.yardsticks import measure

WEIGHTS = "weights.safetensors"
EVERY = 60.0  # seconds between snapshots
MEASUREMENTS = 16  # of strength, after equal parts of the rounds
TRAINS = ("learn/zero", "evaluate/tower", "search/forest")  # folders of the package on which the weights depend
YARDSTICKS = "random moves; the network of the measurement before"


@dataclass(frozen=True)
class Progress:
    """How it stands after a round."""

    rounds: int
    of: int
    played: int  # rounds since `go` was called
    games: int
    seconds: float  # since `go` was called
    totals: Mapping[str, float]  # of this round
    simulations: int  # of a round
    news: Row | None  # a new row of the log


class Run(TrainingFolder):
    """A training of a network. Made by `create` or `open`."""

    def __init__(self, folder: Path, description: Description, trainer: Trainer, lock: Lock):
        super().__init__(folder, description, lock)
        self.trainer = trainer
        self.game, self.settings = trainer.game, trainer.settings
        self.log = Log()
        self.before = _as_kept(trainer.average)  # the network of the last measurement
        self._points = {math.ceil(self.settings.rounds * n / MEASUREMENTS) for n in range(1, MEASUREMENTS + 1)}

    @classmethod
    def create(
        cls,
        folder: Path | str,
        game: RecordGame,
        settings: ZeroSettings,
        device: str = "cpu",
        weights: Path | str | None = None,
    ) -> Run:
        """Begin a training in a new folder, or an empty one; with the network in a file, or with none."""
        folder = Path(folder)
        refuse_occupied(folder)
        begun = None if weights is None else _network_of(weights, game, settings)
        trainer = Trainer(game, settings, device, begun)
        description = Description(
            game=origin_of(game),
            name=game.name,
            options=json.loads(json.dumps(game.options)),
            system=SYSTEM,
            settings=settings.as_dict(),
            pairs=settings.measured_games,
            features=planes_hash(game),
            start="" if begun is None else weights_hash(np.concatenate([one.ravel() for one in begun.values()])),
            command=command_for(game, settings, device, weights),
            code=code_of(game),
            zermelo=zermelo.__version__,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        return make_folder(folder, lambda scratch, lock: cls(scratch, description, trainer, lock))

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        game: RecordGame | None = None,
        settings: Mapping[str, Any] | None = None,
        device: str = "cpu",
    ) -> Run:
        """Go on with the training in a folder. Whatever else is given must be what it began with."""
        folder = Path(folder)
        description = Description.read(folder)
        if description.system != SYSTEM:
            raise GameError(f"'{folder}' is a training of an evaluation; leave out 'zero'")
        lock = Lock(folder)
        try:
            same_settings(folder, description, settings or {})
            game = same_game(folder, description, game, planes_hash)
            kept = read_pieces(folder)
            trainer = Trainer(game, ZeroSettings.read(description.settings), device)
            run = cls(folder, description, trainer, lock)
            run._restore(*kept)
            remove_others(folder)  # not before: what cannot be gone on with is left as it is
            clear_scratch(folder)
        except BaseException:
            lock.release()
            raise
        run.compare_code(code_of(game))
        return run

    def _restore(self, tensors: Mapping[str, NDArray[Any]], texts: Mapping[str, str]) -> None:
        if texts.get("run") != self.description.identity:
            raise GameError(f"the snapshot in '{self.folder}' is of another training than run.json tells of")
        self.trainer.restore(tensors)
        try:
            self.before = {name: tensors[f"before.{name}"].astype(np.float32) for name in self.before}
            self.log, self.seconds = Log.read(json.loads(texts["log"])), float(texts["seconds"])
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
            raise GameError(f"the snapshot in '{self.folder}' is not one of this training") from None

    # -- working -------------------------------------------------------------------------------------------------------

    def go(
        self,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        every: float = EVERY,
        seconds: float | None = None,
    ) -> bool:
        """Play and learn to the end, until `stop()`, or until `seconds` have passed. Is it finished?"""
        watch, saved, before, spent = Stopwatch(), 0.0, self.trainer.rounds, self.seconds
        while not self.trainer.finished and not self._stop.is_set() and (seconds is None or watch.seconds < seconds):
            news = self._round()
            self.seconds = spent + watch.seconds
            if watch.seconds - saved >= every:
                self.save()
                saved = watch.seconds
            on_progress(self._progress(self.trainer.rounds - before, watch.seconds, news))
        self._stop.clear()
        self.save()
        self._draw()
        save_tower(
            self.folder / WEIGHTS, self.game, self.trainer.architecture, self.trainer.average, **self.how_trained()
        )
        return self.trainer.finished

    def _round(self) -> Row | None:
        """One round, noted in the log; and a measurement, when it is time for one: the new row."""
        trainer = self.trainer
        trainer.round()
        self.log.add(trainer.totals)
        if trainer.rounds not in self._points:
            return None
        s, judge = self.settings, trainer.judge()
        before = trainer.judge(self.before)
        random = measure(self.game, judge, None, s.measured_games, trainer.device, s.seed_beside(1913))
        last = measure(self.game, judge, before, s.measured_games, trainer.device, s.seed_beside(1914))
        self.before = _as_kept(trainer.average)
        return self.log.close(trainer.rounds, trainer.games, s.learning_rate_at(trainer.rounds - 1), random, last)

    def _progress(self, played: int, seconds: float, news: Row | None) -> Progress:
        t, s = self.trainer, self.settings
        return Progress(t.rounds, s.rounds, played, t.games, seconds, t.totals, s.simulations_in(t.rounds - 1), news)

    # -- keeping -------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the snapshot."""
        texts = {
            "run": self.description.identity,
            "log": json.dumps(self.log.as_dict()),
            "seconds": repr(self.seconds),
            "rounds": str(self.trainer.rounds),
        }
        before = {f"before.{name}": one.astype(np.float16) for name, one in self.before.items()}
        write_pieces(self.folder, {**self.trainer.state(), **before}, texts)

    def how_trained(self) -> dict[str, Any]:
        """For the card of the weights: the same, however often the training was stopped on the way."""
        s, rounds = self.settings, self.trainer.rounds
        return {
            "command": self.description.command,
            "system": SYSTEM,
            "settings": self.description.settings,
            **({} if self.trainer.exact is None else {"tables": self.trainer.exact.checksum}),
            "rounds": rounds,
            "games": self.trainer.games,
            "recorded_positions": rounds * s.full_searches * s.parallel_games,
            "simulations": sum(map(s.simulations_in, range(rounds))),
            "started_from": self.description.start,
            "baseline": YARDSTICKS,
            "rows": [[row.rounds, row.random_share, row.elo] for row in self.log.rows],
            "zermelo": self.description.zermelo,
            "code": self.description.code,
        }

    def digest(self) -> str:
        """A hash of everything that a snapshot holds, clocks apart."""
        made = hashlib.sha256(json.dumps(self.log.as_dict(), sort_keys=True).encode())
        for name, tensor in sorted(self.trainer.state().items()):
            made.update(f"{name} {tensor.dtype} {tensor.shape}".encode())
            made.update(np.ascontiguousarray(tensor).tobytes())
        return made.hexdigest()

    def _draw(self) -> None:
        """The curve's files, as the snapshot's log has it."""
        rows, title = self.log.rows, f"{self.game.name}: {self.settings.rounds:,} rounds"
        write_atomically(self.folder / "curve.csv", curve_csv(rows, Row).encode())
        write_atomically(self.folder / "curve.svg", curve_svg(rows, title).encode())


def _as_kept(weights: Mapping[str, Any]) -> dict[str, Any]:
    """As they come back from a snapshot, which keeps them in half precision."""
    return {name: np.asarray(one).astype(np.float16).astype(np.float32) for name, one in weights.items()}


def _network_of(path: Path | str, game: RecordGame, settings: ZeroSettings) -> Weights:
    """What is kept in a file, if a training with these settings can begin with it."""
    found, weights = grown_tower(path, game)
    wanted = architecture_for(game, settings.blocks, settings.channels, settings.reply_weight > 0)
    if found != wanted:
        sizes = [
            f"{a.blocks} × {a.channels} with{'' if a.reply else 'out'} a head for replies" for a in (found, wanted)
        ]
        raise GameError(f"{path} has a network of {sizes[0]}; the settings ask for one of {sizes[1]}")
    return weights


def command_for(game: RecordGame, settings: ZeroSettings, device: str, started_from: Path | str | None = None) -> str:
    """The command that makes the same weights; what is the game's own setting is left out."""
    words = ["zermelo", "train", SYSTEM, game.origin or game.name, *option_words(game.options, {})]
    usual = settings_for(game, {}, device).as_dict()
    words += setting_words({name: value for name, value in settings.as_dict().items() if value != usual[name]})
    words += ["--weights", shlex.quote(str(started_from))] if started_from is not None else []
    return " ".join(words + (["--device", device] if device != "cpu" else []))


def code_of(game: RecordGame) -> str:
    """A fingerprint of the rules, and of what trains: the training, its network and its searches."""
    package = Path(zermelo.__file__).parent
    sources = [path for folder in TRAINS for path in sorted((package / folder).glob("*.py"))]
    made = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    return f"{made}-{fingerprint(game.variant.functions)}"
