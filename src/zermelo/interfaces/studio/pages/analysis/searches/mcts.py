"""Monte Carlo tree search for the page of analysis, by random games or by a network: the tree itself, the most visited
nodes first."""

from __future__ import annotations

import heapq
import itertools
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import CHANCE, OVER
from zermelo.core.history import History
from zermelo.core.words import count
from zermelo.interfaces.studio.catalogue import is_two_sided
from zermelo.interfaces.studio.pages.analysis.searches.reports import report_json
from zermelo.interfaces.studio.pages.analysis.tree_json import SENT, Json, count_moves, node_json, value_json
from zermelo.interfaces.studio.tasks import Job, Message, shown
from zermelo.search.limits import Limits
from zermelo.search.mcts.report import Children, children_of, pv_below
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.mcts.tree import Tree
from zermelo.search.mcts.zero import Zero
from zermelo.search.registry import make_searcher
from zermelo.search.report import PROVEN, Report, format_pv
from zermelo.search.searcher import need_rules

MEMORY = 256  # megabytes
ROOT = 0  # the node of a fresh tree


def mcts(job: Job, history: History[Any, Any]) -> Message:
    game = need_rules(history.game)
    searcher = make_searcher(game, "mcts", memory=MEMORY, seed=int(job.message.get("seed", 0)))
    assert isinstance(searcher, MCTS)
    return _search(job, history, searcher)


def zero(job: Job, history: History[Any, Any]) -> Message:
    """… and what the network thinks of the position before anything is searched."""
    game, s = need_rules(history.game), history.state
    searcher = make_searcher(game, "zero", memory=MEMORY, weights=str(job.message["weights"]))
    assert isinstance(searcher, Zero)
    answer = _search(job, history, searcher)
    if game.player(s) == CHANCE:
        return answer
    values, _ = searcher.network.evaluate(s.record)
    many = not is_two_sided(game)
    judged = value_json(tuple(map(float, values[0])) if many else float(values[0, 0]))
    seen = {} if game.variant.plane_shape is None else {"planes": game.planes(s).tolist()}
    return {**answer, "judged": judged, **seen}


def _search(job: Job, history: History[Any, Any], searcher: MCTS) -> Message:
    game = searcher.game
    reports: list[Report] = []
    limits = Limits(float(job.message["seconds"]), None, job.message.get("simulations"))
    for report in job.search(searcher, history, limits):
        if not reports:  # everything is compiled
            job.began()
        reports.append(report)
        job.tell(report=shown(report))
    return _answer(game, history.state, searcher.tree, reports)


def _answer(game: RecordGame, s: Any, tree: Tree, reports: list[Report]) -> Message:
    last = reports[-1]
    root = sampled_tree(game, s, tree, last)
    known = {child["move"]: child for child in root["children"]}
    moves = []
    for move in last.moves:
        name = game.format_action(s, move.action)
        child = known[name]
        keys = ("move", "value", "bound", "proven", "distance", "distance_exact", "visits", "probability")
        pv = format_pv(game, s, move.pv)
        moves.append({**{key: child[key] for key in keys}, "depth": len(pv), "pv": pv, "prior": move.prior})
    return {
        **report_json(last),
        "value": root["value"],
        "moves": moves,
        "stages": _stages(game, s, reports),
        "did": [
            [words, round(last.counters[name])]
            for name, words in (
                ("tree_nodes", "nodes in the tree"),
                ("memory_full", "simulations that added nothing, because memory was full"),
            )
            if last.counters.get(name)
        ],
        "tree": root,
    }


def _stages(game: RecordGame, s: Any, reports: list[Report]) -> list[Message]:
    """A report whenever the simulations have doubled, or the choice has changed."""
    stages: list[Message] = []
    for report in reports:
        move = None if report.best is None else game.format_action(s, report.best)
        is_last = report is reports[-1]
        if stages and move == stages[-1]["move"] and report.nodes < 2 * stages[-1]["nodes"] and not is_last:
            continue
        stages.append({
            "after": count(report.nodes, "simulation"), "move": move, "value": value_json(report.value),
            "nodes": report.nodes, "seconds": report.seconds, "finished": True,
        })  # fmt: skip
    return stages


def sampled_tree(game: RecordGame, s: Any, tree: Tree, report: Report, most: int = SENT) -> Json:
    """The part of the tree that was visited most; a node has all its children or none."""
    many = tree.nodes["total"].shape[1] > 1 and not is_two_sided(game)
    root = node_json(
        "",
        _kind(game, s, many),
        game.player(s),
        value=value_json(report.values if many else report.value),
        bound="exact" if report.proof == PROVEN else "mean",
        proven=report.proof == PROVEN,
        distance=report.distance,
        distance_exact=report.distance_exact,
        visits=int(tree.nodes[ROOT].visits),
        legal=count_moves(game, s),
    )
    turn, room = itertools.count(), most - 1
    heap = [(-root["visits"], next(turn), ROOT, s, root)]
    while heap:
        _, _, i, here, target = heapq.heappop(heap)
        found = children_of(game, tree, i)
        if not 0 < len(found.number) <= room:
            continue
        room -= len(found.number)
        chances = dict(game.chances(here)) if game.player(here) == CHANCE else {}
        pv = () if chances else pv_below(game, tree, i)
        best = pv[0] if pv else None
        if i == ROOT:
            best = report.best
        below = []
        for k, number in enumerate(found.number):
            action = int(tree.nodes[number].action)
            after = game.succ(here, action)
            child = _child(game, here, action, after, found, k, many)
            child["best"], child["probability"] = action == best, chances.get(action)
            below.append((child, int(number), after))
        below.sort(key=lambda one: (not one[0]["best"], -one[0]["visits"]))
        target["children"] = [child for child, _, _ in below]
        for child, number, after in below:
            if child["kind"] != "end" and tree.nodes[number].first >= 0:
                heapq.heappush(heap, (-child["visits"], next(turn), number, after, child))
    return root


def _child(game: RecordGame, s: Any, action: int, after: Any, found: Children, k: int, many: bool) -> Json:
    visits, proven = int(found.visits[k]), bool(found.proven[k])
    means = [float(one) for one in found.means[k]]
    value = None if not (visits or proven) else means if many else means[0]
    return node_json(
        game.format_action(s, action),
        _kind(game, after, many),
        game.player(after),
        value=value_json(value if not isinstance(value, list) else tuple(value)),
        bound="exact" if proven else "mean",
        proven=proven,
        distance=int(found.plies[k]) + 1 if proven and any(means) else None,
        distance_exact=proven and int(found.plies[k]) == 0,
        visits=visits,
        legal=count_moves(game, after),
    )


def _kind(game: RecordGame, s: Any, many: bool) -> str:
    player = game.player(s)
    if player == OVER:
        return "end"
    if player == CHANCE:
        return "chance"
    return "player" if many else "max" if game.side(player) == 0 else "min"
