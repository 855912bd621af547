"""The textbook's search for the page of analysis: every node is kept, with the window it was entered with.

Alpha-beta where there are two sides, max^n where there are more; deeper and deeper until a limit is reached. It is slow
and takes any game, and what it shows is exactly what it did: which branches were cut, and by which α or β. Given a
window, it searches once, to the depth given: a part of an earlier search, done again.
"""

from __future__ import annotations

import math
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.core.stopwatch import Stopwatch
from zermelo.core.trace import Node, Trace
from zermelo.interfaces.studio.catalogue import is_two_sided
from zermelo.interfaces.studio.pages.analysis.tree_json import tree_json, value_json, window_json
from zermelo.interfaces.studio.tasks import Job, Message, Stopped
from zermelo.textbook import alphabeta, limited_maxn

MOST = 30_000  # nodes a trace may hold
DEEPEST = 60  # plies: plain recursion


class _Enough(Exception):  # noqa: N818
    """Out of time, or of room for nodes."""


class _Bounded(Trace):
    """A trace that ends a search which takes too long or too much room, or which is stopped."""

    def __init__(self, job: Job, watch: Stopwatch, seconds: float):
        super().__init__()
        self.job, self.watch, self.ends = job, watch, seconds

    def enter(self, node: Node) -> Node:
        if len(self.visited) >= MOST:
            raise _Enough(f"more than {MOST:,} nodes")
        if len(self.visited) % 64 == 0 and self.watch.seconds > self.ends:
            raise _Enough("seconds")
        if self.job.is_stopped:
            raise _Enough("stop")
        return super().enter(node)


def textbook(job: Job, history: History[Any, Any]) -> Message:
    game, s = history.game, history.state
    seconds, wanted, window = float(job.message["seconds"]), job.message.get("depth"), job.message.get("window")
    game.actions(s)
    job.began()
    watch, done, stages, stopped = Stopwatch(), None, list[Message](), "depth"
    most = min(int(wanted or DEEPEST), DEEPEST)
    for depth in range(most if window else 1, most + 1):
        trace = _Bounded(job, watch, seconds)
        try:
            search(game, s, depth, window, trace)
        except _Enough as reason:
            stopped = str(reason)
            break
        done = (depth, trace)
        stages.append(_stage(depth, trace, watch))
        job.tell(report=_news(trace, stages[-1], depth))
        if not any(node.kind == "cutoff" for node in trace.visited):
            stopped = "proven"
            break
    if done is None and stopped == "stop":
        raise Stopped("stopped before there was an answer")
    if done is None:
        raise GameError(f"this search would visit {stopped}; give it less depth or more time")
    return _answer(game, *done, stages, stopped, watch)


def search(game: Game[Any, Any], s: Any, depth: int, window: Any, trace: Trace) -> None:
    if is_two_sided(game):
        alpha, beta = window or (None, None)
        alphabeta(
            game,
            s,
            depth=depth,
            alpha=-math.inf if alpha is None else float(alpha),
            beta=math.inf if beta is None else float(beta),
            trace=trace,
        )
    else:
        limited_maxn(game, s, depth, game.evaluate_players, trace=trace)


def _root(trace: Trace) -> Node:
    assert trace.root is not None
    return trace.root


def _stage(depth: int, trace: Trace, watch: Stopwatch) -> Message:
    root = _root(trace)
    return {
        "after": f"depth {depth}", "move": root.best.action if root.best else None, "value": value_json(root.value),
        "nodes": len(trace.visited), "seconds": watch.seconds, "finished": True,
    }  # fmt: skip


def _news(trace: Trace, stage: Message, depth: int) -> Message:
    seconds = max(stage["seconds"], 1e-6)
    return {
        "algorithm": "textbook", "best": stage["move"], "value": stage["value"], "depth": depth,
        "nodes": stage["nodes"], "seconds": seconds, "nodes_per_second": stage["nodes"] / seconds,
        "pv": [node.action for node in _root(trace).best_path()[1:]],
    }  # fmt: skip


def _answer(
    game: Game[Any, Any], depth: int, trace: Trace, stages: list[Message], stopped: str, watch: Stopwatch
) -> Message:
    root = _root(trace)
    proven = stopped == "proven"
    moves = [
        {
            "move": child.action,
            "value": value_json(child.value),
            "bound": child.bound,
            "proven": proven and child.bound == "exact",
            "distance": None,
            "distance_exact": False,
            "depth": depth,
            "pv": [node.action for node in child.best_path()],
            "visits": None,
            "probability": child.probability,
            "window": window_json(child.alpha, child.beta),
            "pruned": child.pruned,
        }
        for child in sorted(root.children, key=lambda child: (child is not root.best, bool(child.pruned)))
    ]
    cut = sum(step.event == "prune" for step in trace.steps)
    return {
        "best": root.best.action if root.best else None,
        "pv": [node.action for node in root.best_path()[1:]],
        "value": value_json(root.value),
        "proven": proven and root.bound == "exact",
        "distance": None,
        "distance_exact": False,
        "depth": depth,
        "deepest": depth,
        "nodes": len(trace.visited),
        "seconds": watch.seconds,
        "stopped": stopped,
        "chance": root.kind == "chance",
        "moves": moves,
        "stages": stages,
        "did": [
            ["leaves looked at", trace.leaves],
            ["of these at the depth limit", sum(node.kind == "cutoff" for node in trace.visited)],
            ["branches cut", cut],
        ],
        "tree": tree_json(root, game) | {"proven": proven and root.bound == "exact"},
    }
