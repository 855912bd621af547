"""What the page to play on asks of a search process.

move     who is to move chooses: {"move": "e2e4", "report": {…} or null, "note": why there is none}
value    what the position is worth: looked up in endgame tables, or else searched briefly; {"report": {…} or null}, the
         reports before it are told as news
known    what endgame tables say of the position and its moves: {}
ready    compile or load what a player needs: {}
check    are the rules right? {"ok": …, "text": "…"}

The first three also answer what endings.py says: {"known": {…} or null, "unknown": why}.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zermelo.core.game import GameError
from zermelo.core.history import History
from zermelo.interfaces.studio.endings import look_up
from zermelo.interfaces.studio.pages.play.thought import ONLY_MOVE
from zermelo.interfaces.studio.tasks import Job, Message, shown
from zermelo.players.level import best_player
from zermelo.players.player import Player
from zermelo.players.search_player import SearchPlayer

CHECKED = 100  # games played to check the rules


def move(job: Job) -> Message:
    history = job.history()
    chosen = job.player(str(job.message["player"]))
    chosen.reset(int(job.message.get("seed", 0)))
    chosen.on_report = lambda report: job.tell(report=shown(report))
    chosen.make_ready(history)
    job.began()
    action = _choose(job, chosen, history)
    report = chosen.report
    text = history.game.format_action(history.state, action)
    is_forced = len(history.actions()) == 1
    note = "" if report is not None else ONLY_MOVE if is_forced else "played without a search"
    told = {"move": text, "report": None if report is None else shown(report), "note": note}
    return {**told, **look_up(job, history)}


def _choose(job: Job, chosen: Player, history: History[Any, Any]) -> Any:
    chosen.begin()  # so that a wish to stop counts from here on
    with job.stopping(chosen):
        return chosen.choose(history)


def value(job: Job) -> Message:
    history = job.history()
    if history.player() < 0:
        raise GameError("nobody is to move here")
    looked = look_up(job, history)
    if looked["known"] is not None:
        job.began()
        return {"report": None, **looked}
    judge = _judge(job)
    judge.reset(0)
    judge.make_ready(history)
    job.began()
    if not isinstance(judge, SearchPlayer):
        _choose(job, judge, history)
        return {"report": None if judge.report is None else shown(judge.report), **looked}
    limits = replace(judge.limits, seconds=float(job.message["seconds"]))
    for report in job.search(judge.searcher, history, limits):  # also where there is one move only
        job.tell(report=shown(report))
    return {"report": shown(report), **looked}


def known(job: Job) -> Message:
    looked = look_up(job, job.history())
    job.began()
    return looked


def ready(job: Job) -> Message:
    job.player(str(job.message["player"]))
    _judge(job)
    return {}


def _judge(job: Job) -> Player:
    """The strongest there is."""
    return job.player("the judge", best_player)


def check(job: Job) -> Message:
    from zermelo.check import check_game

    job.began()
    report = check_game(job.game(), seconds=float(job.message["seconds"]), games=CHECKED)
    return {"ok": report.ok, "text": str(report)}
