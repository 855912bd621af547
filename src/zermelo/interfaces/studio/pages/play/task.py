"""What the page to play on asks of a search process.

move     who is to move chooses: {"move": "e2e4", "report": {…} or null}
value    what the position is worth, looked at briefly: {"value": …, "proof": …, "pv": […]}
ready    compile or load what a player needs: {}
check    are the rules right? {"ok": …, "text": "…"}
"""

from __future__ import annotations

from typing import Any

from zermelo.core.game import CHANCE, GameError
from zermelo.core.history import History
from zermelo.interfaces.studio.tasks import Job, Message, shown
from zermelo.players.level import best_player
from zermelo.players.player import Player

CHECKED = 100  # games played to check the rules


def move(job: Job) -> Message:
    history = job.history()
    chosen = job.player(str(job.message["player"]))
    chosen.reset(int(job.message.get("seed", 0)))
    chosen.on_report = lambda report: job.tell(report=shown(report))
    job.began()
    action = _choose(job, chosen, history)
    report = chosen.report
    text = history.game.format_action(history.state, action)
    return {"move": text, "report": None if report is None else shown(report)}


def _choose(job: Job, chosen: Player, history: History[Any, Any]) -> Any:
    chosen.begin()  # so that a wish to stop counts from here on
    with job.stopping(chosen):
        return chosen.choose(history)


def value(job: Job) -> Message:
    history = job.history()
    if history.is_over:
        return {"value": history.utility(0), "proof": "proven", "pv": []}
    if history.game.player(history.state) == CHANCE:
        raise GameError("nature is to move")
    judge = _judge(job)
    judge.reset(0)
    job.began()
    _choose(job, judge, history)
    report = judge.report
    if report is None:  # one legal move, or a player that gives no reasons
        return {"value": None, "proof": "estimate", "pv": []}
    return {"value": report.value_for(0), "proof": report.proof, "pv": report.pv_text().split()}


def ready(job: Job) -> Message:
    job.player(str(job.message["player"]))
    _judge(job)
    return {}


def _judge(job: Job) -> Player:
    """The strongest there is, for so many seconds a move."""
    seconds = float(job.message["seconds"])
    return job.player(f"best {seconds}", lambda game: best_player(game, seconds))


def check(job: Job) -> Message:
    from zermelo.check import check_game

    job.began()
    report = check_game(job.game(), seconds=float(job.message["seconds"]), games=CHECKED)
    return {"ok": report.ok, "text": str(report)}
