"""Games played in a process of its own: `python -m zermelo.arena.worker`, spoken to in lines of JSON.

    in     the plan, then {"play": number, "careful": false} for every game
    out    {"ready": true} once the game is loaded and the players are there; {"error": "…"}, then or later, is the end
           {"compiling": [kernel, game]} when something is compiled
           {"record": {…}} for every game
           {"if_lost": {…}} before every move of a careful game: its record, should the process die while that player
           thinks. A game whose process died once is played again carefully, to see whose fault it was.

The worker leads a process group, to which engines it starts belong. When its input ends (because whoever started it is
done, or was killed) it ends the whole group at once. A player that goes on thinking long after its time has lost; since
it cannot be stopped, the worker says so and ends.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

HANGS = 10.0  # seconds after its time and the margin, a player is given up

Lost = Callable[[tuple[int, str, str]], dict[str, Any]]


class Line:
    """The way out. Nothing else of what is printed here gets there."""

    def __init__(self) -> None:
        self._file = os.dup(1)
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def send(self, message: dict[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            while line:
                line = line[os.write(self._file, line) :]


class Watchdog:
    """Looks on while players think: see `zermelo.arena.playing.Watch`."""

    def __init__(self, line: Line, margin: float):
        self._line = line
        self._margin = margin
        self._now: tuple[int, float, float, Lost] | None = None  # seat, when it began, when it is given up, its record
        self.careful = False
        threading.Thread(target=self._look, daemon=True).start()

    def begins(self, seat: int, seconds: float | None, lost: Lost) -> None:
        from zermelo.arena.playing import FAILED

        if self.careful:
            self._line.send({"if_lost": lost((seat, FAILED, "its process died"))})
        if seconds is not None:
            now = time.monotonic()
            self._now = (seat, now, now + seconds + self._margin + HANGS, lost)

    def ends(self) -> None:
        self._now = None

    def _look(self) -> None:
        from zermelo.arena.playing import OVERSTEPPED

        while True:
            time.sleep(0.5)
            now = self._now
            if now is not None and time.monotonic() > now[2]:
                took = time.monotonic() - now[1]
                self._line.send({"record": now[3]((now[0], OVERSTEPPED, f"no move after {took:.0f} s"))})
                end_group()


def end_group() -> None:
    """End this process and every engine it started, now."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _listen(tasks: queue.SimpleQueue[dict[str, Any]]) -> None:
    for line in sys.stdin.buffer:
        tasks.put(json.loads(line))
    end_group()


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started us hears it, and ends us
    line = Line()
    tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    content = tasks.get()
    from zermelo.arena.match_players import MatchPlayers
    from zermelo.arena.plan import Plan
    from zermelo.compile.kernel import set_on_compile
    from zermelo.compile.watchdog import RulesWatchdog, StuckCall
    from zermelo.core.game import GameError

    set_on_compile(lambda name, game: line.send({"compiling": [name, game]}))

    def bark(stuck: StuckCall) -> None:
        line.send({"error": stuck.sentence})
        end_group()

    RulesWatchdog(bark)
    plan = Plan.from_dict(content)
    try:
        players = MatchPlayers(plan)
    except GameError as problem:
        line.send({"error": str(problem)})
        end_group()
    except Exception as problem:
        line.send({"error": f"{type(problem).__name__}: {problem}"})
        end_group()
    watchdog = Watchdog(line, plan.margin)
    line.send({"ready": True})
    while True:
        task = tasks.get()
        watchdog.careful = bool(task.get("careful"))
        try:
            line.send({"record": players.play(int(task["play"]), watchdog)})
        except GameError as problem:  # no player's fault: an opening that ends the game, say
            line.send({"error": str(problem)})
            end_group()
        except Exception as problem:
            line.send({"error": f"game {task['play']}: {type(problem).__name__}: {problem}"})
            end_group()


if __name__ == "__main__":
    main()
