"""A search process: `python -m zermelo.interfaces.studio.worker MEGABYTES`, spoken to in lines of JSON.

    in     {"number": 7, "task": "move", …}     do it: see tasks.py
           {"stop": 7}                          answer that with what has been found, if it is still going on
           {"cancel": 7}                        stop that: nobody wants an answer
    out    {"number": 7, "began": true}         everything is compiled; the clock runs from here
           {"number": 7, "news": {…}}           how far it is
           {"number": 7, "done": {…}} or {"number": 7, "error": "one sentence"}

One task at a time. The main thread works on it; another reads, and calls `stop()` of the search that is going on.
Whoever started the process kills it if that does not help. When its input ends, the process ends with everything it
started.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from zermelo.arena.worker import Line, end_group

if TYPE_CHECKING:
    from zermelo.interfaces.studio.tasks import Job, Loaded

NICE = 5  # searches give way to the server
MEGABYTE = 1 << 20


class Inbox:
    """What came in: tasks to do one after the other, and whose answers are wanted sooner or not at all."""

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._job: Job | None = None
        self._early: list[tuple[str, int]] = []  # what was said about a task before it was begun
        self._lock = threading.Lock()

    def listen(self) -> None:
        """Read until the input ends; in a thread of its own."""
        for line in sys.stdin.buffer:
            message = json.loads(line)
            for word in ("stop", "cancel"):
                if word in message:
                    self._pass_on(word, message[word])
                    break
            else:
                self._tasks.put(message)
        end_group()

    def _pass_on(self, word: str, number: int) -> None:
        with self._lock:
            if self._job is not None and self._job.number == number:
                getattr(self._job, word)()
            elif self._job is None or self._job.number < number:  # else it has been answered
                self._early.append((word, number))

    def next(self) -> dict[str, Any]:
        return self._tasks.get()

    def begin(self, job: Job) -> None:
        with self._lock:
            self._job = job
            for word, number in self._early:
                if number == job.number:
                    getattr(job, word)()
            self._early = [(word, number) for word, number in self._early if number > job.number]


def bound_memory(megabytes: int) -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE, megabytes * MEGABYTE))
    with suppress(OSError, AttributeError):
        os.nice(NICE)


def main() -> None:
    with suppress(OSError, AttributeError):
        os.setpgrp()  # Ctrl-C on the terminal is for the server, not for us; and engines we start end with us
    bound_memory(int(sys.argv[1]))
    out, inbox = Line(), Inbox()
    threading.Thread(target=inbox.listen, daemon=True).start()
    from zermelo.compile.watchdog import RulesWatchdog, StuckCall
    from zermelo.interfaces.studio.tasks import Loaded

    def bark(stuck: StuckCall) -> None:
        out.send({"number": message["number"], "error": stuck.sentence})
        end_group()

    RulesWatchdog(bark)
    loaded, message = Loaded(), {"number": 0}
    while True:
        message = inbox.next()
        out.send({"number": message["number"], **work(message, out, inbox, loaded)})


def work(message: dict[str, Any], out: Line, inbox: Inbox, loaded: Loaded) -> dict[str, Any]:
    """The answer to one message: done, or an error."""
    from zermelo.core.game import GameError
    from zermelo.interfaces.studio.tasks import Job

    job = Job(message, lambda what: out.send({"number": message["number"], **what}), loaded)
    inbox.begin(job)
    try:
        return {"done": job.perform()}
    except GameError as problem:
        return {"error": str(problem)}
    except MemoryError:
        return {"error": "this needs more memory than the page allows"}
    except RecursionError:
        return {"error": "this is too deep for plain Python"}
    except Exception as problem:
        return {"error": f"{type(problem).__name__}: {problem}"[:500]}


if __name__ == "__main__":
    main()
