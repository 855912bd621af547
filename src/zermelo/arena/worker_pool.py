"""Many workers, and what becomes of them when something goes wrong.

Every worker is a process with its own group (see worker.py), given a few games ahead if games are short. A worker that
dies is replaced. The game it was playing is played again, carefully; if that kills a worker too, the player who was
thinking has lost it. However this ends (done, stopped, Ctrl-C), `close` leaves no process.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from zermelo.arena.plan import Plan
from zermelo.compile import kernel
from zermelo.core.game import GameError

AHEAD = 16  # short games handed to a worker at once, so that it need not wait for us
SHORT = 0.05  # seconds
DEATHS = 3  # so many workers in a row die before they are ready: something is wrong with all of them


class Worker:
    """One process, and the games it has been given, in order."""

    def __init__(self, plan: Plan):
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  what it complains of; read when it has died
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zermelo.arena.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            start_new_session=True,  # Ctrl-C on the terminal is for us, not for it
        )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self.games: deque[tuple[int, bool]] = deque()  # (number, careful)
        self.if_lost: dict[str, Any] | None = None
        self.is_ready = False
        self.ahead = 1
        self.last_words = ""
        self._rest = b""
        self._began = time.monotonic()
        self.tell(plan.as_dict())

    def tell(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):  # it has died: its silence will be noticed
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def give(self, number: int, careful: bool) -> None:
        if not self.games:
            self._began = time.monotonic()
        self.games.append((number, careful))
        self.tell({"play": number, "careful": careful})

    def hear(self) -> list[dict[str, Any]] | None:
        """What it has said since; None: it has died."""
        assert self.process.stdout is not None
        try:
            said = self.process.stdout.read()
        except OSError:
            return None
        if said is None:
            return []
        if not said:
            return None
        *lines, self._rest = (self._rest + said).split(b"\n")
        return [json.loads(line) for line in lines]

    def finished(self) -> None:
        """It has finished the first of its games."""
        self.games.popleft()
        self.if_lost = None
        now = time.monotonic()
        self.ahead = AHEAD if now - self._began < SHORT else 1
        self._began = now

    def end(self) -> None:
        """End it and whatever it started."""
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(OSError):
            self.process.kill()
        self.process.wait()
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        self.last_words = lines[-1] if lines else f"exit code {self.process.returncode}"
        for pipe in (self.process.stdin, self.process.stdout, self._said):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


@contextmanager
def _deaf() -> Iterator[None]:
    """Hear no Ctrl-C: somebody who presses it twice must not keep us from cleaning up after the first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class WorkerPool:
    """Plays the games of a plan with `jobs` workers."""

    def __init__(self, plan: Plan, jobs: int):
        self.plan = plan
        self.jobs = jobs
        self._selector = selectors.DefaultSelector()
        self._workers: list[Worker] = []
        self._deaths = 0
        self._stopped = False
        self._bell = os.pipe()  # a stop is heard also while nothing else happens
        self._selector.register(self._bell[0], selectors.EVENT_READ, None)

    def stop(self) -> None:
        """End `play_all`, from any thread."""
        self._stopped = True
        with suppress(OSError):  # it has ended
            os.write(self._bell[1], b"!")

    def close(self) -> None:
        """No process is left, however this ends."""
        with _deaf():
            for worker in self._workers:
                worker.end()
            self._workers.clear()
            self._selector.close()
            for end in self._bell:
                with suppress(OSError):
                    os.close(end)

    def play_all(self, numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
        """The records of the games, as they are finished."""
        waiting: deque[tuple[int, bool]] = deque((number, False) for number in numbers)
        for _ in range(min(self.jobs, len(waiting))):
            self._start()
        while not self._stopped and (waiting or any(worker.games for worker in self._workers)):
            for worker in self._workers:
                while waiting and len(worker.games) < worker.ahead:
                    worker.give(*waiting.popleft())
            for key, _ in self._selector.select():
                worker = key.data
                if worker is None:  # the bell
                    return
                heard = worker.hear()
                if heard is None:
                    yield from self._replace(worker, waiting)
                    continue
                for message in heard:
                    yield from self._take(worker, message)

    def _start(self) -> None:
        worker = Worker(self.plan)
        self._workers.append(worker)
        self._selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]

    def _take(self, worker: Worker, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if "error" in message:
            raise GameError(message["error"])
        if "compiling" in message:
            kernel.on_compile(*message["compiling"])
        if "ready" in message:
            worker.is_ready = True
            self._deaths = 0
        if "if_lost" in message:
            worker.if_lost = message["if_lost"]
        if "record" in message:
            worker.finished()
            yield message["record"]

    def _replace(self, worker: Worker, waiting: deque[tuple[int, bool]]) -> Iterator[dict[str, Any]]:
        """A worker has died: its games are played again by another."""
        self._selector.unregister(worker.process.stdout)  # type: ignore[arg-type]
        self._workers.remove(worker)
        worker.end()
        if worker.is_ready and worker.games:
            number, careful = worker.games.popleft()
            if worker.if_lost is not None:
                yield worker.if_lost
            elif careful:  # while nobody was thinking
                raise GameError(f"the process that played game {number} died twice: {worker.last_words}")
            else:
                worker.games.appendleft((number, True))
        waiting.extendleft(reversed(worker.games))
        self._deaths += 1
        if self._deaths >= DEATHS:
            raise GameError(f"the processes that play the games die: {worker.last_words}")
        if waiting:
            self._start()
