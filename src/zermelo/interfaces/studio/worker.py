"""A search process: `python -m zermelo.interfaces.studio.worker MEGABYTES`, spoken to in lines of JSON.

    in     {"number": 7, "task": "move", …}     do it: see tasks.py
           {"hurry": 7}                         answer that with what has been found, if it is still going on
           {"cancel": 7}                        stop that: nobody wants an answer
    out    {"number": 7, "began": true}         everything is compiled; the clock runs from here
           {"number": 7, "news": {…}}           how far it is
           {"number": 7, "done": {…}} or {"number": 7, "error": "one sentence"}

One task at a time. A cancelled one is interrupted as by Ctrl-C; whoever started the process kills it if that does not
help. When its input ends, the process ends with everything it started.
"""

from __future__ import annotations

import _thread
import json
import os
import queue
import sys
import threading
from contextlib import suppress
from typing import Any

from zermelo.arena.worker import Line, end_group

NICE = 5  # searches give way to the server
MEGABYTE = 1 << 20


class Current:
    """Which task is being worked on; a cancellation must not hit the one after it."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.cancelled: set[int] = set()
        self.lock = threading.Lock()

    def cancel(self, number: int) -> None:
        with self.lock:
            self.cancelled.add(number)
            if self.number == number:
                _thread.interrupt_main()

    def hurry(self, number: int) -> None:
        with self.lock:
            if self.number == number:
                _thread.interrupt_main()

    def begin(self, number: int) -> bool:
        with self.lock:
            self.number = number
            return number not in self.cancelled

    def end(self) -> None:
        with self.lock:
            self.number = None
            self.cancelled.clear()


def listen(tasks: queue.SimpleQueue[dict[str, Any]], current: Current) -> None:
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "cancel" in message:
            current.cancel(message["cancel"])
        elif "hurry" in message:
            current.hurry(message["hurry"])
        else:
            tasks.put(message)
    end_group()


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
    out, current = Line(), Current()
    tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(tasks, current), daemon=True).start()
    from zermelo.interfaces.studio.tasks import Loaded

    loaded = Loaded()
    while True:
        try:
            message = tasks.get()
            answer = work(message, out, current, loaded)
        except KeyboardInterrupt:  # a cancellation that came too late
            continue
        out.send({"number": message["number"], **answer})


def work(message: dict[str, Any], out: Line, current: Current, loaded: Any) -> dict[str, Any]:
    """The answer to one message: done, or an error."""
    from zermelo.core.game import GameError
    from zermelo.interfaces.studio.tasks import Hurried, perform

    number = message["number"]

    def tell(what: dict[str, Any]) -> None:
        out.send({"number": number, **what})

    try:
        if not current.begin(number):
            raise KeyboardInterrupt
        return {"done": perform(message, tell, loaded)}
    except Hurried as answered:
        return {"done": answered.answer}
    except KeyboardInterrupt:
        return {"error": "stopped before there was an answer"}
    except GameError as problem:
        return {"error": str(problem)}
    except MemoryError:
        return {"error": "this needs more memory than the page allows"}
    except RecursionError:
        return {"error": "this is too deep for plain Python"}
    except Exception as problem:
        return {"error": f"{type(problem).__name__}: {problem}"[:500]}
    finally:
        with suppress(KeyboardInterrupt):
            current.end()


if __name__ == "__main__":
    main()
