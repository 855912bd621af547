"""The tree of a search as plain JSON, small enough to be sent to a page.

A node is a dict. All values are from player 0's view, or a list with one number a player.

    move, kind, player      as in zermelo.core.trace.Node; player is who moves there
    value, bound            bound: exact, lower (the truth is ≥ value), upper (≤), mean (an average of samples)
    depth                   plies of the position searched that were looked at for the value; null: that does not matter
    asked                   of a root move with a mere bound: its own value, depth, proven, distance … (a second search)
    proven                  is it the game's own value?
    distance                of a proven win or loss: plies to the end, at most; distance_exact: and no fewer
    window                  [α, β], null where infinite; null where it is not known
    visits                  of a search by samples
    probability             of the edge, where nature chooses
    pruned                  why nobody looked at it; "" if somebody did
    best                    is it what its parent's mover chooses?
    legal                   how many moves (outcomes) there are; null where nobody counted
    cut                     how many pruned moves are not among the children, one like the other
    children                what is known of them; empty where nothing is, or where there was no room
"""

from __future__ import annotations

import math
from collections import deque
from typing import Any

from zermelo.core.game import CHANCE, Game
from zermelo.core.trace import Node, Value

SENT = 1500  # nodes of one tree
CUT_SENT = 12  # pruned moves of one node
DIGITS = 6

Json = dict[str, Any]


def node_json(move: str, kind: str, player: int, **known: Any) -> Json:
    """A node of which only what is given is known."""
    return {
        "move": move, "kind": kind, "player": player, "value": None, "bound": "exact", "depth": None,
        "asked": None, "proven": False, "distance": None, "distance_exact": False, "window": None, "visits": None,
        "probability": None, "pruned": "", "best": False, "legal": None, "cut": 0, "children": [], **known,
    }  # fmt: skip


def tree_json(root: Node, game: Game[Any, Any], most: int = SENT) -> Json:
    """The tree below `root`, ply by ply, as far as it fits; a node has all its children or none."""
    sent = _one(root, game, None)
    queue, room = deque([(root, sent)]), most - 1
    while queue:
        node, target = queue.popleft()
        cut = [child for child in node.children if child.pruned]
        kept = [child for child in node.children if not child.pruned] + cut[:CUT_SENT]
        if len(kept) > room:
            continue
        room -= len(kept)
        target["cut"] = len(cut) - len(cut[:CUT_SENT])
        for child in kept:
            below = _one(child, game, node)
            target["children"].append(below)
            queue.append((child, below))
    return sent


def _one(node: Node, game: Game[Any, Any], above: Node | None) -> Json:
    return node_json(
        node.action,
        node.kind,
        node.player,
        value=value_json(node.value),
        bound=node.bound,
        depth=node.depth,
        window=window_json(node.alpha, node.beta),
        probability=node.probability,
        pruned=node.pruned,
        best=above is not None and above.best is node,
        legal=None if node.pruned or node.state is None else count_moves(game, node.state),
    )


def count_moves(game: Game[Any, Any], s: Any) -> int:
    if game.is_end(s):
        return 0
    return len(game.chances(s) if game.player(s) == CHANCE else game.actions(s))


def value_json(value: Value | None) -> Any:
    if value is None or isinstance(value, (int, float)):
        return None if value is None or not math.isfinite(value) else round(float(value), DIGITS) + 0.0
    return [round(float(one), DIGITS) + 0.0 for one in value]


def window_json(alpha: float | None, beta: float | None) -> list[float | None] | None:
    if alpha is None or beta is None:
        return None
    return [round(x, DIGITS) + 0.0 if math.isfinite(x) else None for x in (float(alpha), float(beta))]


def fill_windows(root: Node) -> None:
    """Give every node the window that is left for it when the best move of each node is searched first.

    A table keeps values and not the windows they were found with, but a search that deepens tries what was best before
    first: from then on the others only have to be compared with it. Below chance nothing is said: an outcome's window
    depends on the others' values.
    """
    root.alpha, root.beta = -math.inf, math.inf
    queue = deque([root])
    while queue:
        node = queue.popleft()
        if node.alpha is None or node.beta is None or node.kind not in ("max", "min"):
            continue
        alpha, beta, best = node.alpha, node.beta, node.best
        if best is not None and isinstance(best.value, (int, float)):
            if node.kind == "max" and best.bound != "upper":
                alpha = max(alpha, best.value)
            elif node.kind == "min" and best.bound != "lower":
                beta = min(beta, best.value)
        for child in node.children:
            if child is best or (not child.pruned and alpha < beta):  # else nothing was left to find out
                child.alpha, child.beta = (node.alpha, node.beta) if child is best else (alpha, beta)
                queue.append(child)
