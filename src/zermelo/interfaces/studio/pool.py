"""Searches for visitors: so many at once, each in a process of its own; the others wait and are told so.

    ticket = pool.submit("move", {…}, seconds=5, hear=show)
    answer = await ticket.result()        a GameError says what went wrong
    ticket.stop()                         the answer, with what has been found so far
    ticket.cancel()                       waiting: forgotten; running: stopped, by force if need be

`hear` gets {"waiting": n, "starting": …} (n are before it; is a process being started for it?), {"began": True} and the
news a task tells, while it runs. Processes are started when they are needed and kept, because what they have compiled
or loaded stays with them: a task goes to a free process that knows its game.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from zermelo.core.game import GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.ticket import Cancelled, News, Ticket

COMPILING = 240.0  # seconds a task may prepare, before its own time begins
GRACE = 2.0  # seconds beyond its time, before it is stopped
HARD = 1.0  # seconds after that, before it is killed
COMPILES_ON = 30.0  # seconds for which what nobody wants any more may go on compiling, while nobody waits for its place
OWN = "; if the rules are your own, zermelo check finds functions that never come back"
LINE_LIMIT = 64 << 20  # bytes of one line from a worker


class Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process):
        self.process = process
        self.ticket: Ticket | None = None
        self.games: set[str] = set()  # it has worked on
        self.deadline: asyncio.TimerHandle | None = None
        self.has_begun = False  # and is not compiling any more
        self.is_dead = False

    def send(self, message: News) -> None:
        assert self.process.stdin is not None
        with suppress(OSError, RuntimeError):
            self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def kill(self) -> None:
        self.is_dead = True
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(OSError):
            self.process.kill()


class Pool:
    """All search processes of a server."""

    def __init__(self, bounds: Bounds):
        self.bounds = bounds
        self.waiting: list[Ticket] = []
        self.workers: list[Worker] = []
        self._numbers = itertools.count(1)
        self._starting = 0
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()

    # -- for those who ask ---------------------------------------------------------------------------------------------

    def submit(
        self,
        task: str,
        message: News,
        *,
        seconds: float,
        hear: Callable[[News], None] = lambda news: None,
        urgent: bool = True,
    ) -> Ticket:
        """Ask for a task of tasks.py; `seconds` is how long it may take, compiling not counted.

        What is not urgent waits behind everything that is, and is stopped early for it.
        """
        if len(self.waiting) >= self.bounds.waiting:
            raise GameError("too many searches are waiting; try again in a moment")
        number = next(self._numbers)
        ticket = Ticket(self, number, {**message, "task": task, "number": number}, seconds, hear, urgent)
        place = next((n for n, other in enumerate(self.waiting) if urgent and not other.urgent), len(self.waiting))
        self.waiting.insert(place, ticket)
        self._dispatch()
        if ticket.worker is None:
            self._tell_places()
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        if ticket.is_done:
            return
        if ticket in self.waiting:
            self.waiting.remove(ticket)
            self._tell_places()
        elif ticket.worker is not None:
            self._end(ticket.worker, ticket)
        ticket.settle(problem=Cancelled("cancelled"))

    @property
    def running(self) -> int:
        return sum(worker.ticket is not None for worker in self.workers)

    async def close(self) -> None:
        self._closed = True
        for ticket in [*self.waiting, *(w.ticket for w in self.workers if w.ticket is not None)]:
            ticket.settle(problem=Cancelled("the server is closing"))
        self.waiting.clear()
        for worker in self.workers:
            worker.kill()
        await asyncio.gather(*self._tasks, return_exceptions=True)  # those being started end as well

    # -- giving out work -----------------------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        while self.waiting and not self._closed:
            ticket = self.waiting[0]
            free = [worker for worker in self.workers if worker.ticket is None and not worker.is_dead]
            if not free:
                break
            game = str(ticket.message.get("game", ""))
            worker = min(free, key=lambda w: (game not in w.games, len(w.games)))
            if game not in worker.games and worker.games and self._can_hire():
                break  # rather a new process than a second game in this one
            self.waiting.pop(0)
            self._give(worker, ticket, game)
        if self.waiting and not self._closed and len(self.waiting) > self._make_way() and self._can_hire():
            self._starting += 1
            self._spawn(self._hire())
        self._tell_places()

    def _make_way(self) -> int:
        """How many processes will be free in a moment for what waits first: rather these than new ones.

        Where that is urgent, what is not answers with what it has found, in a process that knows the game or in any.
        """
        first, soon = self.waiting[0], 0
        for worker in self.workers:
            ticket = worker.ticket
            if ticket is None or not worker.has_begun or worker.is_dead:
                continue
            fits = str(first.message.get("game", "")) in worker.games or not self._can_hire()
            if fits and (ticket.is_done or (first.urgent and not ticket.urgent)):
                ticket.stop()
                soon += 1
        return soon

    def _can_hire(self) -> bool:
        return len(self.workers) + self._starting < self.bounds.searches

    def _give(self, worker: Worker, ticket: Ticket, game: str) -> None:
        worker.ticket, ticket.worker, worker.has_begun = ticket, worker, False
        worker.games.add(game)
        worker.send(ticket.message)
        self._set_deadline(worker, ticket, COMPILING)

    def _set_deadline(self, worker: Worker, ticket: Ticket, seconds: float) -> None:
        if worker.deadline is not None:
            worker.deadline.cancel()
        worker.deadline = asyncio.get_running_loop().call_later(seconds, self._too_late, worker, ticket)

    def _too_late(self, worker: Worker, ticket: Ticket) -> None:
        if worker.ticket is ticket:
            ticket.settle(problem=GameError(f"this took longer than {ticket.seconds:g} s and was stopped{OWN}"))
            self._end(worker, ticket)

    def _end(self, worker: Worker, ticket: Ticket) -> None:
        """Nobody waits for the answer any more: stop, and kill what does not."""
        worker.send({"cancel": ticket.number})
        self._kill_later(worker, ticket, time.monotonic() + COMPILES_ON)

    def _kill_later(self, worker: Worker, ticket: Ticket, ends: float) -> None:
        if worker.deadline is not None:
            worker.deadline.cancel()
        worker.deadline = asyncio.get_running_loop().call_later(HARD, self._kill_if_busy, worker, ticket, ends)

    def _kill_if_busy(self, worker: Worker, ticket: Ticket, ends: float) -> None:
        if worker.ticket is not ticket:
            return
        if not worker.has_begun and not self.waiting and time.monotonic() < ends:  # what it compiles will be of use
            self._kill_later(worker, ticket, ends)
        else:
            worker.kill()  # its silence is noticed in _read

    def _tell_places(self) -> None:
        for place, ticket in enumerate(self.waiting):
            ticket.tell({"waiting": place, "starting": place < self._starting})

    # -- the processes -------------------------------------------------------------------------------------------------

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _hire(self) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "zermelo.interfaces.studio.worker", str(self.bounds.memory),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
                limit=LINE_LIMIT,
            )  # fmt: skip
        except OSError as problem:
            self._starting -= 1
            if not self.workers:
                for ticket in self.waiting:
                    ticket.settle(problem=GameError(f"no search process can be started: {problem.strerror}"))
                self.waiting.clear()
            return
        worker = Worker(process)
        self._starting -= 1
        self.workers.append(worker)
        if self._closed:
            worker.kill()
            await process.wait()
            return
        self._spawn(self._read(worker))
        self._dispatch()

    async def _read(self, worker: Worker) -> None:
        assert worker.process.stdout is not None
        with suppress(ValueError, OSError):
            while line := await worker.process.stdout.readline():
                self._take(worker, json.loads(line))
        worker.kill()
        await worker.process.wait()
        self.workers.remove(worker)
        if worker.deadline is not None:
            worker.deadline.cancel()
        if worker.ticket is not None:
            worker.ticket.settle(problem=GameError("the search process died; perhaps it needed too much memory"))
            worker.ticket = None
        if not self._closed:
            self._dispatch()

    def _take(self, worker: Worker, message: News) -> None:
        ticket = worker.ticket
        if ticket is None or message.get("number") != ticket.number:
            return
        if "began" in message:
            worker.has_begun = True
            ticket.tell({"began": True})
            if not ticket.is_done:  # a cancelled one has its own deadline
                self._set_deadline(worker, ticket, ticket.seconds + GRACE)
        elif "news" in message:
            ticket.tell(message["news"])
        else:
            if worker.deadline is not None:
                worker.deadline.cancel()
            worker.ticket = None
            if "done" in message:
                ticket.settle(message["done"])
            else:
                ticket.settle(problem=GameError(message["error"]))
            self._dispatch()
