"""Another program in a process of its own, spoken to in lines: what UCI and GTP engines have in common.

A program that dies or hangs is told of in one sentence, and ended at once. It is always reaped.
"""

from __future__ import annotations

import queue
import shutil
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from zermelo.core.files import given_path
from zermelo.core.game import GameError

PLACES = ("/usr/games", "/usr/local/games", "/opt/homebrew/bin")  # where engines are, beside the PATH
MOST_LINES = 1000  # kept of what a program says before the line that is waited for
START = 20.0  # seconds an engine may take to say that it is there
LONG = 3600.0  # … and for a move, where nothing limits its time


class Engine:
    """The process and its lines. Whatever goes wrong ends it."""

    def __init__(self, command: str, arguments: Sequence[str] = ()):
        self.name = Path(command).name
        try:
            self.process = subprocess.Popen(
                [command, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except OSError as problem:
            raise GameError(f"{command} cannot be started: {problem.strerror or problem}") from None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()  # None: the engine has closed its output
        threading.Thread(target=self._listen, daemon=True).start()
        self._writing = threading.Lock()
        self._finalizer = weakref.finalize(self, _end, self.process)  # also when Python ends

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError, OSError), self.process.stdout as lines:
            for line in lines:
                self._lines.put(line.strip())
        self._lines.put(None)

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            with self._writing:  # `stop` comes from another thread
                self.process.stdin.write(f"{line}\n")
                self.process.stdin.flush()
        except (OSError, ValueError):
            raise self._gone() from None

    def wait_for(self, words: Sequence[str], seconds: float) -> tuple[str, list[str]]:
        """The first line that begins with one of `words`, and those before it."""
        before: list[str] = []
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self.end()
                raise GameError(f"the engine {self.name} gave no answer within {seconds:g} seconds") from None
            if line is None:
                raise self._gone()
            if line.split(maxsplit=1)[:1] and line.split(maxsplit=1)[0] in words:
                return line, before
            before = [*before[-MOST_LINES:], line]

    def _gone(self) -> GameError:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        code = self.process.poll()
        self.end()
        return GameError(f"the engine {self.name} ended" + ("" if code is None else f" with exit code {code}"))

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        self._finalizer()


def _end(process: subprocess.Popen[str]) -> None:
    """Ask it to quit; it has half a second."""
    if process.poll() is None:
        with suppress(OSError, ValueError):
            assert process.stdin is not None
            process.stdin.write("quit\n")
            process.stdin.flush()
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.5)
        if process.poll() is None:
            process.kill()
    process.wait()
    with suppress(OSError, ValueError):  # its output is closed by the listener
        assert process.stdin is not None
        process.stdin.close()


def find_engine(command: str, hint: str = "give its path, as in uci:/path/to/engine") -> str:
    """The program called `command`: a path, or a name on the PATH or where engines usually are."""
    if "/" in command:
        path = given_path(command)
        found = shutil.which(str(path)) if path.is_file() else None
        if found is None:
            raise GameError(f"there is no program '{command}'")
        return found
    found = shutil.which(command) or shutil.which(command, path=":".join(PLACES))
    if found is None:
        raise GameError(f"no engine '{command}' is installed here; {hint}")
    return found
