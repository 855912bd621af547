"""What every training in a folder has, whatever it learns: a lock, `stop()`, a folder that is whole or not there."""

from __future__ import annotations

import shutil
import threading
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from zermelo.core.game import GameError
from zermelo.learn.runs.snapshots import Description, Lock

OTHER_CODE = "this training was begun with other code: it goes on, but perhaps not to the weights it would have had"
T = TypeVar("T", bound="TrainingFolder")


class TrainingFolder(ABC):
    """A training in its folder; holds the folder's lock until it is closed."""

    def __init__(self, folder: Path, description: Description, lock: Lock):
        self.folder, self.description = folder, description
        self.seconds = 0.0  # at work, as far as snapshots tell
        self.warnings: list[str] = []
        self._lock = lock
        self._stop = threading.Event()

    @abstractmethod
    def save(self) -> None:
        """Write the snapshot."""

    def stop(self) -> None:
        """End `go` after the round that is being played, with a snapshot; from any thread."""
        self._stop.set()

    @property
    def is_stopping(self) -> bool:
        return self._stop.is_set()

    def compare_code(self, code: str) -> None:
        """Warn, if the training was begun with another code than this."""
        if self.description.code != code:
            self.warnings.append(OTHER_CODE)

    def close(self) -> None:
        self._lock.release()

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def make_folder(folder: Path, begin: Callable[[Path, Lock], T]) -> T:
    """What `begin` makes in a folder, with its description and first snapshot. The folder is filled under another name
    and renamed: there is a whole training, or none."""
    scratch = folder.absolute().with_name(f".{folder.absolute().name}.{uuid.uuid4().hex[:12]}.tmp")
    try:
        scratch.mkdir(parents=True)
        run = begin(scratch, Lock(scratch))
        run.description.write(scratch)
        run.save()
        scratch.rename(folder)
    except BaseException as problem:
        shutil.rmtree(scratch, ignore_errors=True)
        if isinstance(problem, OSError):
            raise GameError(f"'{folder}' cannot be made: {problem.strerror or problem}") from None
        raise
    run.folder = folder
    return run
