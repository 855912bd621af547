"""Max^n for the page of analysis: every player maximizes its own (its side's) payoff.

One half of the time makes the choice; the other half asks every root move for its own values and pv, as deep as the
choice was, where time allows. The tree knows these moves and, below each, its line.
"""

from __future__ import annotations

from typing import Any

from zermelo.core.game import CHANCE, OVER
from zermelo.core.history import History
from zermelo.core.stopwatch import Stopwatch
from zermelo.interfaces.studio.pages.analysis.searches.reports import report_json
from zermelo.interfaces.studio.pages.analysis.tree_json import Json, count_moves, node_json, value_json
from zermelo.interfaces.studio.tasks import Job, Message, shown
from zermelo.search.limits import Limits
from zermelo.search.registry import make_searcher
from zermelo.search.report import PROVEN, Report, format_pv
from zermelo.search.searcher import Searcher, need_rules
from zermelo.textbook.sides import team_total

LEAST = 0.01  # seconds for one root move


def maxn(job: Job, history: History[Any, Any]) -> Message:
    game, s, seconds = need_rules(history.game), history.state, float(job.message["seconds"])
    searcher = make_searcher(game, "maxn")
    reports: list[Report] = []
    for report in job.search(searcher, history, Limits(seconds / 2, job.message.get("depth"))):
        if not reports:  # everything is compiled
            job.began()
            watch = Stopwatch()
        reports.append(report)
        job.tell(report=shown(report))
    last = reports[-1]
    best = None if last.best is None else game.format_action(s, last.best)
    moves = _ask_all(job, searcher, history, last, seconds, watch)
    mover = game.player(s)
    if mover != CHANCE:
        moves.sort(key=lambda one: (one["move"] != best, -team_total(game, mover, one["value"])))
    cuts = int(last.counters.get("cuts", 0))
    return {
        **report_json(last),
        "value": value_json(last.values),
        "moves": moves,
        "is_complete": all(one["proven"] or one["depth"] >= last.depth for one in moves),
        "stages": [_stage(game, s, report) for report in reports],
        "did": [["branches left out, because no player would go there", cuts]] if cuts else [],
        "tree": _tree(history, last, moves),
    }


def _stage(game: Any, s: Any, report: Report) -> Message:
    move = None if report.best is None else game.format_action(s, report.best)
    return {
        "after": f"depth {report.depth}", "move": move, "value": value_json(report.values),
        "nodes": report.nodes, "seconds": report.seconds, "finished": True,
    }  # fmt: skip


def _ask_all(
    job: Job, searcher: Searcher, history: History[Any, Any], last: Report, seconds: float, watch: Stopwatch
) -> list[Message]:
    game, s = searcher.game, history.state
    chances = dict(game.chances(s)) if game.player(s) == CHANCE else {}
    deep = max(last.depth - (0 if chances else 1), 1)
    moves, legal = [], list(history.actions())
    for n, action in enumerate(legal):
        name, after = game.format_action(s, action), history.copy()
        after.play(action)
        if after.is_over:
            values: tuple[float, ...] = tuple(after.utility(p) for p in range(game.players))
            proven, depth, pv = True, 0, [name]
        else:
            left = max((seconds - watch.seconds) / (len(legal) - n), LEAST)
            *_, found = job.search(searcher, after, Limits(left, deep))
            values, proven, depth = found.values, found.proof == PROVEN, found.depth + (0 if chances else 1)
            pv = [name, *format_pv(game, after.state, found.pv)]
        moves.append({
            "move": name, "value": value_json(values), "bound": "exact", "proven": proven, "distance": None,
            "distance_exact": False, "depth": depth, "pv": pv, "visits": None, "probability": chances.get(action),
        })  # fmt: skip
    return moves


def _tree(history: History[Any, Any], last: Report, moves: list[Message]) -> Json:
    """The root, its moves, and the line below each: along a line everybody's values stay the same."""
    game, s = history.game, history.state
    best = None if last.best is None else game.format_action(s, last.best)
    root = node_json("", _kind(game, s), game.player(s), value=value_json(last.values), proven=last.proof == PROVEN)
    root["legal"], root["depth"] = count_moves(game, s), last.depth
    for one in moves:
        target, here = root, s
        for ply, move in enumerate(one["pv"]):
            here = game.succ(here, game.parse_action(here, move))
            child = node_json(
                move,
                _kind(game, here),
                game.player(here),
                value=one["value"],
                depth=one["depth"] or None,
                proven=one["proven"],
                probability=one["probability"] if ply == 0 else None,
                best=ply > 0 or move == best,
                legal=count_moves(game, here),
            )
            target["children"].append(child)
            target = child
    return root


def _kind(game: Any, s: Any) -> str:
    player = game.player(s)
    return "end" if player == OVER else "chance" if player == CHANCE else "player"
