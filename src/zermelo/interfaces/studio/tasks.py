"""What a search process can be asked: the tasks of the pages, each a function of its `Job` that returns plain JSON.

    def move(job: Job) -> Message:              in the task.py of a page that lists "move" among its tasks
        history = job.history()                 the position: "game" as the server knows it, "options", "start", "moves"
        job.began()                             everything is compiled; the clock runs from here
        with job.stopping(player):              whose stop() ends it with the best so far, when that is wanted
            player.choose(history)
        job.tell(report={…})                    how far it is
        return {"move": …}

What cannot be stopped from another thread looks at `job.is_stopped` now and then. The server has checked who may play
(bounds.py); the rules check the moves once more when they are replayed.
"""

from __future__ import annotations

import importlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from zermelo.arena.records import replay
from zermelo.compile.kernel import set_on_compile
from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.core.registry import load, thaw
from zermelo.interfaces.studio.pages import PAGES
from zermelo.players.player import Player
from zermelo.players.registry import player
from zermelo.search.limits import Limits
from zermelo.search.report import Report
from zermelo.search.searcher import Searcher
from zermelo.tables.tables import Tables, find_tables

Message = dict[str, Any]

SAMPLED = ("uct", "rave", "puct")  # algorithms whose nodes are simulations, and whose depth says little
KEPT = 4  # players ready to play: each may hold a table
TASKS = {task: page.name for page in PAGES for task in page.tasks}


class Loaded:
    """Games and players that are ready: what they have compiled or loaded stays with the process."""

    def __init__(self) -> None:
        self._games: dict[str, Game[Any, Any]] = {}
        self._players: OrderedDict[tuple[str, str], Player] = OrderedDict()
        self._tables: dict[int, Tables] = {}  # by the game's id: games are kept

    def game(self, name: str, options: dict[str, Any]) -> Game[Any, Any]:
        key = f"{name} {sorted(options.items())}"
        if key not in self._games:
            self._games[key] = load(name, **options)
        return self._games[key]

    def tables(self, game: Game[Any, Any]) -> Tables | None:
        """The endgame tables there are of a game that was loaded here; looked for again while there are none."""
        if id(game) not in self._tables and (found := find_tables(game)) is not None:
            self._tables[id(game)] = found
        return self._tables.get(id(game))

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


class Stopped(GameError):  # noqa: N818  nothing is wrong
    """Stopped before there was an answer."""


class Stoppable(Protocol):
    """A searcher, or a player."""

    def stop(self) -> None:
        """End what is going on with the best answer there is; from any thread."""


class Job:
    """One task being worked on: what was asked, whom to tell, and whether it is to be ended."""

    def __init__(self, message: Message, send: Callable[[Message], None], loaded: Loaded):
        self.message, self._send, self._loaded = message, send, loaded
        self.number = int(message.get("number", 0))
        self.is_stopped = False  # answer with what has been found
        self.is_cancelled = False  # nobody wants the answer
        self._searching: Stoppable | None = None
        self._lock = threading.Lock()

    # -- for the thread that listens -----------------------------------------------------------------------------------

    def stop(self) -> None:
        with self._lock:
            self.is_stopped = True
            if self._searching is not None:
                self._searching.stop()

    def cancel(self) -> None:
        self.is_cancelled = True
        self.stop()

    # -- for the task --------------------------------------------------------------------------------------------------

    @contextmanager
    def stopping(self, searching: Stoppable) -> Iterator[None]:
        """While something that has begun to search goes on, a wish to stop reaches it; an earlier one does too.

        Nothing is made of the answer that nobody wants: the process is killed if that takes long.
        """
        self._leave_if_cancelled()
        with self._lock:
            self._searching = searching
            if self.is_stopped:
                searching.stop()
        try:
            yield
        finally:
            with self._lock:
                self._searching = None
        self._leave_if_cancelled()

    def _leave_if_cancelled(self) -> None:
        if self.is_cancelled:
            raise Stopped("stopped before there was an answer")

    def search(self, searcher: Searcher, position: Any, limits: Limits) -> Iterator[Report]:
        """The reports of a search: at least one, fewer where it was stopped."""
        reports = searcher.reports(position, limits)  # compiles
        with self.stopping(searcher):
            yield from reports

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

    def tables(self) -> Tables | None:
        """The endgame tables there are of the game."""
        return self._loaded.tables(self.game())

    def player(self, spec: str, make: Callable[[Game[Any, Any]], Player] | None = None) -> Player:
        """The player of this spec, prepared; `make` makes what no spec can say."""
        game = self.game()
        key = (f"{self.message['game']} {self.message.get('options')}", spec)
        return self._loaded.player(game, key, lambda: player(spec, game) if make is None else make(game))

    def perform(self) -> Message:
        """Do what was asked; compiling is told as news."""
        task = str(self.message.get("task"))
        if task not in TASKS:
            raise GameError("there is no such task")
        module = importlib.import_module(f"zermelo.interfaces.studio.pages.{TASKS[task]}.task")
        set_on_compile(lambda name, game: self.tell(compiling=f"{game}: {name}"), lambda: None)
        done: Message = getattr(module, task)(self)
        return done


def perform(message: Message, send: Callable[[Message], None] = lambda what: None) -> Message:
    """Do what `message` asks for, in this process."""
    return Job(message, send, Loaded()).perform()


def shown(report: Report) -> Message:
    """What a page shows of a search."""
    fields = report.as_dict()
    fields["value"], fields["view"] = report.value_for(0), 0
    fields["sampled"] = report.algorithm in SAMPLED
    return {
        key: fields[key]
        for key in ("algorithm", "sampled", "best", "value", "proof", "distance", "distance_exact", "depth", "deepest",
                    "nodes", "seconds", "nodes_per_second", "pv", "stopped")
    }  # fmt: skip
