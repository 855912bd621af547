"""What a search process can be asked: the tasks of the pages, each a function of its `Job` that returns plain JSON.

    def move(job: Job) -> Message:              in the task.py of a page that lists "move" among its tasks
        history = job.history()                 the position: "game" as the server knows it, "options", "start", "moves"
        job.began()                             everything is compiled; the clock runs from here
        job.tell(report={…})                    how far it is
        return {"move": …}

The server has checked who may play (bounds.py); the rules check the moves once more when they are replayed.
"""

from __future__ import annotations

import importlib
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from zermelo.arena.plan import thaw
from zermelo.arena.records import replay
from zermelo.compile.kernel import set_on_compile
from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.core.registry import load
from zermelo.interfaces.studio.pages import PAGES
from zermelo.players.player import Player
from zermelo.players.registry import player
from zermelo.search.report import Report

Message = dict[str, Any]

KEPT = 4  # players ready to play: each may hold a table
TASKS = {task: page.name for page in PAGES for task in page.tasks}


class Loaded:
    """Games and players that are ready: what they have compiled or loaded stays with the process."""

    def __init__(self) -> None:
        self._games: dict[str, Game[Any, Any]] = {}
        self._players: OrderedDict[tuple[str, str], Player] = OrderedDict()

    def game(self, name: str, options: dict[str, Any]) -> Game[Any, Any]:
        key = f"{name} {sorted(options.items())}"
        if key not in self._games:
            self._games[key] = load(name, **options)
        return self._games[key]

    def player(self, game: Game[Any, Any], key: tuple[str, str], make: Callable[[], Player]) -> Player:
        """The player, prepared; the last few are kept."""
        if key in self._players:
            self._players.move_to_end(key)
            return self._players[key]
        made = make()
        try:
            made.prepare()
        except BaseException:
            made.close()
            raise
        self._players[key] = made
        while len(self._players) > KEPT:
            _, old = self._players.popitem(last=False)
            with suppress(Exception):
                old.close()
        return made


class Hurried(Exception):  # noqa: N818  nothing is wrong
    """A search was interrupted; this is what it has found."""

    def __init__(self, answer: Message):
        super().__init__("interrupted")
        self.answer = answer


class Job:
    """One task being worked on: what was asked, and whom to tell."""

    def __init__(self, message: Message, send: Callable[[Message], None], loaded: Loaded):
        self.message, self._send, self._loaded = message, send, loaded

    def began(self) -> None:
        self._send({"began": True})

    def tell(self, **news: Any) -> None:
        self._send({"news": news})

    def game(self, options: dict[str, Any] | None = None) -> Game[Any, Any]:
        """The game it is about, or another variant of it; kept, so that its machine code is."""
        chosen = self.message.get("options") if options is None else options
        return self._loaded.game(str(self.message["game"]), thaw(chosen or {}))

    def history(self) -> History[Any, Any]:
        moves = self.message.get("moves") or []
        return replay({"start": self.message.get("start"), "moves": moves, "reason": "unfinished"}, self.game())

    def player(self, spec: str, make: Callable[[Game[Any, Any]], Player] | None = None) -> Player:
        """The player of this spec, prepared; `make` makes what no spec can say."""
        game = self.game()
        key = (f"{self.message['game']} {self.message.get('options')}", spec)
        return self._loaded.player(game, key, lambda: player(spec, game) if make is None else make(game))


def perform(message: Message, send: Callable[[Message], None], loaded: Loaded | None = None) -> Message:
    """Do what `message` asks for; compiling is told as news."""
    task = str(message.get("task"))
    if task not in TASKS:
        raise GameError("there is no such task")
    module = importlib.import_module(f"zermelo.interfaces.studio.pages.{TASKS[task]}.task")
    job = Job(message, send, Loaded() if loaded is None else loaded)
    set_on_compile(lambda name, game: job.tell(compiling=f"{game}: {name}"), lambda: None)
    done: Message = getattr(module, task)(job)
    return done


def shown(report: Report) -> Message:
    """What a page shows of a search."""
    told = report.as_dict()
    told["value"], told["view"] = report.value_for(0), 0
    return {
        key: told[key]
        for key in ("algorithm", "best", "value", "proof", "distance", "depth", "deepest", "nodes", "seconds",
                    "nodes_per_second", "pv", "stopped")
    }  # fmt: skip
