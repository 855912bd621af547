"""What a run keeps on disk: `run.json`, which never changes, and one snapshot, which always holds everything.

    run.json               the game, its options, the settings, the versions; the rest of the folder follows from these
    snapshot.safetensors   tensors: all that the next round depends on
                           texts: "run" whose snapshot it is, "log", "card", "seconds" at work, "digest" of all of it
    .lock                  held by the process that works in the folder; the system lets go of it when that process ends

A snapshot is written under another name and renamed, so there is always exactly one, whole; and everything is in one
file, so that weights, dice and log cannot be of different rounds.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from zermelo.compile.record_game import RecordGame
from zermelo.core.files import given_path, read_plain, write_atomically
from zermelo.core.game import GameError
from zermelo.core.registry import load, thaw
from zermelo.evaluate.files import features_hash, read_tensors

RUN, SNAPSHOT, LOCK = "run.json", "snapshot.safetensors", ".lock"
TEXTS = ("run", "log", "card", "seconds")


@dataclass(frozen=True)
class Description:
    """What `run.json` says: which training this is."""

    game: str  # as zermelo.load takes it; empty for a game that was made in a program
    name: str
    options: dict[str, Any]
    system: str
    settings: dict[str, Any]
    pairs: int  # of games in a measurement of strength
    features: str  # a hash of what the features mean
    start: str  # a hash of the weights it began with; empty: those the settings give
    command: str
    code: str  # a fingerprint of the compiled code
    zermelo: str
    created: str

    @property
    def identity(self) -> str:
        """A hash of all that the weights follow from, code apart."""
        parts = [self.name, self.options, self.system, self.settings, self.pairs, self.features, self.start]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]

    def write(self, folder: Path) -> None:
        text = json.dumps({**asdict(self), "identity": self.identity}, indent=2, ensure_ascii=False, sort_keys=True)
        write_atomically(folder / RUN, text.encode() + b"\n")

    @classmethod
    def read(cls, folder: Path) -> Description:
        path = folder / RUN
        if not folder.is_dir():
            raise GameError(f"there is no folder '{folder}'")
        if not path.is_file():
            raise GameError(f"'{folder}' is not the folder of a training: it has no {RUN}")
        try:
            told = json.loads(read_plain(path))
            found = cls(**{one.name: told[one.name] for one in fields(cls)})
            identity = found.identity
        except GameError:
            raise
        except (KeyError, TypeError, ValueError, RecursionError):
            raise GameError(f"'{path}' does not say which training this is") from None
        if told.get("identity") != identity:
            raise GameError(f"'{path}' has been changed: a training goes on with the settings it began with")
        return found


def refuse_occupied(folder: Path) -> None:
    """A training begins in a folder where there is nothing to be overwritten."""
    if (folder / RUN).exists():
        raise GameError(f"there is a training in '{folder}' already; --resume '{folder}' goes on with it")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise GameError(f"'{folder}' is not an empty folder, and a training overwrites nothing")


def clear_scratch(folder: Path) -> None:
    """Remove what a process that was killed while it wrote has left; only for whoever holds the lock."""
    for path in folder.glob(".*.tmp"):
        if path.name.startswith((".snapshot.", ".curve.", ".weights.", ".run.")):
            path.unlink(missing_ok=True)


def origin_of(game: RecordGame) -> str:
    """How another process loads the game, from whatever folder it is started in."""
    file, colon, name = game.origin.rpartition(":") if ".py:" in game.origin else (game.origin, "", "")
    return f"{given_path(file).resolve()}{colon}{name}" if file.endswith(".py") else game.origin


def seen_features(game: RecordGame) -> str:
    """A hash of what a model of `game` sees; empty where it sees nothing."""
    return "" if game.variant.num_features is None else features_hash(game)


def same_game(
    folder: Path,
    description: Description,
    game: RecordGame | None,
    seen: Callable[[RecordGame], str] = seen_features,
) -> RecordGame:
    """The game of a training; if one is given, that one, if it is the same. `seen`: a hash of what is learned from."""
    options = thaw(description.options)
    if game is None:
        if not description.game:
            raise GameError(f"'{folder}' is a training of {description.name}, which no file or name was given for")
        loaded = load(description.game, **options)
        assert isinstance(loaded, RecordGame)
        game = loaded
    if game.name != description.name:
        raise GameError(f"'{folder}' is a training of {description.name}, not of {game.name}")
    if game.options != options:
        raise GameError(f"'{folder}' is a training of {game.name} with other options: {_words(options)}")
    if seen(game) != description.features:
        raise GameError(f"'{folder}' was begun with other features of {game.name} than it has now")
    return game


def same_settings(folder: Path, description: Description, given: Mapping[str, Any]) -> None:
    """Settings somebody gives again must be those of the training."""
    for name, value in json.loads(json.dumps(dict(given))).items():
        if name not in description.settings or description.settings[name] != value:
            had = description.settings.get(name)
            raise GameError(f"'{folder}' was begun with {name} {had}, and goes on with that, not with {value}")


def _words(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items()) or "none"


def weights_hash(w: NDArray[Any] | None) -> str:
    return "" if w is None else hashlib.sha256(np.ascontiguousarray(w, np.float32).tobytes()).hexdigest()[:24]


# -- the snapshot ------------------------------------------------------------------------------------------------------


def write_snapshot(folder: Path, tensors: Mapping[str, NDArray[Any]], texts: Mapping[str, str]) -> None:
    kept = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    content = save(kept, {**texts, "digest": _digest(kept, texts)})
    write_atomically(folder / SNAPSHOT, content)


def read_snapshot(folder: Path, description: Description) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """(tensors, texts), if they are whole and of this training."""
    path = folder / SNAPSHOT
    tensors, texts = read_tensors(path)
    digest = texts.pop("digest", "")
    if not set(TEXTS) <= set(texts):
        raise GameError(f"{path} is not a snapshot of a training")
    if digest != _digest(tensors, texts):
        raise GameError(f"{path} is damaged: its content is not what was written")
    if texts["run"] != description.identity:
        raise GameError(f"{path} is of another training than {RUN} tells of")
    return tensors, texts


def _digest(tensors: Mapping[str, NDArray[Any]], texts: Mapping[str, str]) -> str:
    digest = hashlib.sha256(json.dumps(sorted(texts.items())).encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tensor.shape}".encode())
        digest.update(tensor.tobytes())
    return digest.hexdigest()


# -- one process at a time ---------------------------------------------------------------------------------------------


class Lock:
    """Nobody else works in the folder while this is held. A process that is killed holds nothing."""

    def __init__(self, folder: Path):
        try:
            self._file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        except OSError as problem:
            raise GameError(f"'{folder}' cannot be worked in: {problem.strerror}") from None
        try:
            import fcntl
        except ImportError:  # Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise GameError(f"another process is training in '{folder}'") from None

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
