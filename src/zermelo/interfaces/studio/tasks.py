"""What a search process can be asked. Every task is a function of its message; what it returns is plain JSON.

    move     who is to move chooses: {"move": "e2e4", "report": {…} or null}
    value    what the position is worth, looked at briefly: {"value": …, "proof": …, "pv": […]}
    ready    compile or load what a player needs: {}
    check    are the rules right? {"ok": …, "text": "…"}
    inside, episode, lecture      for the pages of these names: see the modules named in TASKS

A message names the game as the server knows it ("game", "options") and how it came here ("start", "moves"). The server
has checked who may play (bounds.py); the rules check the moves once more when they are replayed.
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
from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.core.registry import load
from zermelo.players.level import best_player
from zermelo.players.player import Player
from zermelo.players.registry import player
from zermelo.search.report import Report

Message = dict[str, Any]
Tell = Callable[[Message], None]

KEPT = 4  # players ready to play: each may hold a table

_games: dict[str, Game[Any, Any]] = {}
_players: OrderedDict[tuple[str, str], Player] = OrderedDict()


class Hurried(Exception):  # noqa: N818  nothing is wrong
    """A search was interrupted; this is what it has found."""

    def __init__(self, answer: Message):
        super().__init__("interrupted")
        self.answer = answer


def perform(message: Message, tell: Tell) -> Message:
    """Do what `message` asks for; compiling is told as news."""
    where = TASKS.get(str(message.get("task")))
    if where is None:
        raise GameError("there is no such task")
    module, _, name = where.partition(":")
    task = getattr(importlib.import_module(f"zermelo.interfaces.studio.{module}"), name)
    set_on_compile(lambda name, game: tell({"news": {"compiling": f"{game}: {name}"}}), lambda: None)
    done: Message = task(message, tell)
    return done


def move(message: Message, tell: Tell) -> Message:
    history = history_of(message)
    chosen = _seated(history.game, message, str(message["player"]))
    chosen.reset(int(message.get("seed", 0)))
    chosen.on_report = lambda report: tell({"news": {"report": shown(report)}})
    tell({"began": True})
    try:
        return _answer(history, chosen.choose(history), chosen.report)
    except KeyboardInterrupt:  # whoever asked is in a hurry
        if chosen.report is None or chosen.report.best is None:
            raise
        raise Hurried(_answer(history, chosen.report.best, chosen.report)) from None


def _answer(history: History[Any, Any], action: Any, report: Report | None) -> Message:
    text = history.game.format_action(history.state, action)
    return {"move": text, "report": None if report is None else shown(report)}


def value(message: Message, tell: Tell) -> Message:
    history = history_of(message)
    game = history.game
    if history.is_over:
        return {"value": history.utility(0), "proof": "proven", "pv": []}
    if game.player(history.state) == CHANCE:
        raise GameError("nature is to move")
    judge = _seated(game, message, f"best {message['seconds']}")
    judge.reset(0)
    tell({"began": True})
    judge.choose(history)
    report = judge.report
    if report is None:  # one legal move, or a player that gives no reasons
        return {"value": None, "proof": "estimate", "pv": []}
    return {"value": report.value_for(0), "proof": report.proof, "pv": report.pv_text().split()}


def ready(message: Message, tell: Tell) -> Message:
    for text in (str(message["player"]), f"best {message['seconds']}"):
        _seated(game_of(message), message, text)
    return {}


def check(message: Message, tell: Tell) -> Message:
    from zermelo.check import check_game

    tell({"began": True})
    report = check_game(game_of(message), seconds=float(message["seconds"]), games=100)
    return {"ok": report.ok, "text": str(report)}


def shown(report: Report) -> Message:
    """What a page shows of a search."""
    told = report.as_dict()
    told["value"], told["view"] = report.value_for(0), 0
    return {
        key: told[key]
        for key in ("algorithm", "best", "value", "proof", "distance", "depth", "deepest", "nodes", "seconds",
                    "nodes_per_second", "pv", "stopped")
    }  # fmt: skip


def game_of(message: Message) -> Game[Any, Any]:
    """The game a message is about; kept, so that its machine code is."""
    name, options = str(message["game"]), thaw(message.get("options") or {})
    key = f"{name} {sorted(options.items())}"
    if key not in _games:
        _games[key] = load(name, **options)
    return _games[key]


def history_of(message: Message) -> History[Any, Any]:
    record = {"start": message.get("start"), "moves": message.get("moves") or [], "reason": "unfinished"}
    return replay(record, game_of(message))


def _seated(game: Game[Any, Any], message: Message, text: str) -> Player:
    """The player, prepared; the last few are kept."""
    key = (f"{message['game']} {message.get('options')}", text)
    if key in _players:
        _players.move_to_end(key)
        return _players[key]
    made = best_player(game, float(message["seconds"])) if text.startswith("best ") else player(text, game)
    try:
        made.prepare()
    except BaseException:
        made.close()
        raise
    _players[key] = made
    while len(_players) > KEPT:
        _, old = _players.popitem(last=False)
        with suppress(Exception):
            old.close()
    return made


TASKS = {  # task: "module:function", imported when it is first asked for
    "move": "tasks:move",
    "value": "tasks:value",
    "ready": "tasks:ready",
    "check": "tasks:check",
    "inside": "pages.analysis.task:inside",
    "episode": "pages.agents.task:episode",
    "lecture": "pages.lecture.task:lecture",
}
