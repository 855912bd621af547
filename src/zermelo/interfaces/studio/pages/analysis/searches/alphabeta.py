"""Alpha-beta for the page of analysis, at full strength: its explanation, and its tree read back from the table."""

from __future__ import annotations

from typing import Any

from zermelo.core.history import History
from zermelo.interfaces.studio.pages.analysis.searches.reports import report_json
from zermelo.interfaces.studio.pages.analysis.tree_json import Json, fill_windows, tree_json, value_json
from zermelo.interfaces.studio.tasks import Job, Message, shown
from zermelo.search.explain.explain import Explainer
from zermelo.search.explain.explanation import TABLE, Explanation
from zermelo.search.limits import Limits
from zermelo.search.registry import make_searcher
from zermelo.search.report import AT_LEAST, AT_MOST, Report
from zermelo.search.searcher import need_rules

MEGABYTES = 64  # of the transposition table
WIDE, NARROW = 45, 12  # legal moves: beyond, only the better ones are in the tree; up to, one ply more is
BREADTH = 30

DID = {  # of Explanation.as_dict()["pruning"]
    "cutoffs": "times one reply was enough",
    "table_hits": "positions answered by the table",
    "null_move_cutoffs": "positions where even a free move did not help the other side",
    "reductions": "late moves searched less deep",
    "re_searches": "moves searched again, because they were better than expected",
    "star_cutoffs": "chance nodes left early, because their average was known well enough",
    "quiet_nodes": "nodes beyond the depth, until the position was quiet",
}


def alphabeta(job: Job, history: History[Any, Any]) -> Message:
    game, message, began = need_rules(history.game), job.message, False
    explainer = Explainer(make_searcher(game, "alphabeta", table=MEGABYTES, evaluator=message.get("evaluator")))

    def hear(report: Report) -> None:
        nonlocal began
        if not began:  # everything is compiled
            job.began()
            began = True
        if job.is_stopped:  # before there was anything to stop
            explainer.stop()
        job.tell(report=shown(report))

    legal = len(history.actions())
    limits = Limits(float(message["seconds"]), message.get("depth"))
    plies = 2 if legal > WIDE else 4 if legal <= NARROW else 3
    with job.stopping(explainer):
        explained = explainer.explain(
            history, limits, breadth=BREADTH if legal > WIDE else 100, plies=plies, on_report=hear
        )
    fill_windows(explained.root)
    return _answer(explained)


def _answer(explained: Explanation) -> Message:
    report = explained.report
    sign = 1.0 if explained.game.side(explained.view) == 0 else -1.0
    bounds = {AT_MOST: "upper", AT_LEAST: "lower"} if sign > 0 else {AT_MOST: "lower", AT_LEAST: "upper"}
    moves = [
        {
            "move": one.name,
            "value": value_json(sign * one.value),
            "bound": bounds.get(one.bound, "exact"),
            "proven": one.is_proven,
            "by_tables": one.proof == TABLE,
            "distance": one.distance,
            "distance_exact": one.distance_exact,
            "depth": one.depth or None,  # None: stopped before it was asked
            "pv": list(one.words),
            "visits": None,
            "probability": one.probability,
        }
        for one in explained.alternatives
    ]
    told = report_json(report)
    proof = {key: told[key] for key in ("proven", "distance", "distance_exact")}
    tree = tree_json(explained.root, explained.game) | proof
    _tell_more(tree, {one["move"]: one for one in moves})
    return {
        **told,
        "pv": list(explained.pv),
        "value": value_json(sign * explained.value),
        "by_tables": explained.proof == TABLE,
        "moves": moves,
        "is_complete": explained.is_complete,
        "stages": [
            {
                "after": f"depth {stage.depth}",
                "move": stage.move,
                "value": value_json(sign * stage.value),
                "nodes": stage.nodes,
                "seconds": stage.seconds,
                "finished": stage.finished,
            }
            for stage in explained.stages
        ],
        "did": _did(explained.as_dict()["pruning"]),
        "tree": tree,
    }


def _tell_more(tree: Json, moves: dict[str, Message]) -> None:
    """What the second search adds to the root moves of the tree: a proof where both say the same, an own value where
    the first had no more than a bound, and so an order."""
    places = {move: place for place, move in enumerate(moves)}
    tree["children"].sort(key=lambda child: places.get(child["move"], len(places)))
    for child in tree["children"]:
        one = moves.get(child["move"])
        if one is None:
            continue
        if one["proven"] and one["bound"] == child["bound"] and one["value"] == child["value"]:
            child |= {key: one[key] for key in ("proven", "distance", "distance_exact")}
        elif child["bound"] != "exact" and one["bound"] == "exact" and one["depth"] is not None:
            child["asked"] = {key: one[key] for key in ("value", "depth", "proven", "distance", "distance_exact")}


def _did(counts: dict[str, Any]) -> list[list[Any]]:
    did: list[list[Any]] = [[words, counts[name]] for name, words in DID.items() if counts[name]]
    for name, words in (
        ("first_move_cutoffs", "of these by the first move tried, %"),
        ("table_share", "of all positions asked for in the table, %"),
    ):
        if counts[name]:
            did.append([words, round(100 * counts[name])])
    if counts["branching"]:
        did.append(["branching factor on average (legal moves here: " + str(counts["legal"]) + ")",
                    round(counts["branching"], 2)])  # fmt: skip
    return did
