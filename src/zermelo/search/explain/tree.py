"""The top of the tree of a search, read back from its table.

A search keeps no tree; what it found of a position stands in the table, if nothing was written over it. From the value
and the bound of a node follows what must be true of its children:

                     the best child      every other child
    exact            the same value      at most it for MAX, at least it for MIN
    refuted          the same bound      need not have been looked at: shown as pruned where the table has nothing
    nothing helped   –                   the same bound

All values are from player 0's view.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, cast

import numpy as np

from zermelo.compile.dispatch import known_result, search_key
from zermelo.compile.evaluator import Handcrafted
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE, OVER
from zermelo.core.history import History
from zermelo.core.trace import Bound, Kind, Node
from zermelo.search.alphabeta.nodes import PROVEN_EXACT, PROVEN_LOWER, PROVEN_UPPER
from zermelo.search.alphabeta.scores import without_distance
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.alphabeta.table import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, probe
from zermelo.search.report import AT_LEAST, AT_MOST, EXACT, PROVEN, Report

Says = Literal["exact", "lower", "upper"]
BOUNDS: dict[int, Bound] = {BOUND_EXACT: "exact", BOUND_LOWER: "lower", BOUND_UPPER: "upper"}
TOLD: dict[str, Bound] = {EXACT: "exact", AT_LEAST: "lower", AT_MOST: "upper"}
PROVES = {PROVEN_LOWER: "lower", PROVEN_UPPER: "upper", PROVEN_EXACT: "exact"}
TOLD_MOVES = 24  # of a variation
BESIDE = 3  # moves shown at a node that is not on the principal line
TINY = 1e-9


class Known(NamedTuple):
    """What is known of a position."""

    value: float
    action: int  # the best move there, or -1
    depth: int
    bound: str  # "exact", "lower", "upper"
    proven: int  # see nodes.py
    steps: int | None  # of a proven win or loss: plies to the end, at most
    pv: tuple[Any, ...] = ()
    steps_exact: bool = False  # … and no fewer


def look_up(engine: AlphaBeta, s: State) -> Known | None:
    """What the table knows of a position (where the rules foresee the result, the table is not needed)."""
    game, record = engine.game, s.record
    out = np.zeros(2)
    with np.errstate(over="ignore"):  # the rules run interpreted: hashes wrap around on purpose
        if "known_result" in game.variant.functions and engine.options.known_result and known_result(record[0], out):
            return Known(float(out[0]), -1, 255, "exact", PROVEN_EXACT, int(out[1]), (), True)
        found, raw, action, depth, bound, proven = probe(engine.table, search_key(record[0]))
    if not found or (depth < 0 and not proven):
        return None
    is_exact = int(proven) == PROVEN_EXACT
    value, proven, steps = settle(engine, float(raw), int(proven))
    return Known(value, int(action), int(depth), BOUNDS[int(bound)], proven, steps, (), is_exact)


def settle(engine: AlphaBeta, value: float, proven: int) -> tuple[float, int, int | None]:
    """(value, what is proven of it, plies to the end), without the steps that stand for plies in a proven value.

    See scores.without_distance. That nobody gets more than the most or less than the least needs no proof.
    """
    count: int | None = None
    if proven and engine.options.distance:
        value, count = without_distance(value)
    least, most = engine.game.variant.utility_range or (-np.inf, np.inf)
    if proven:
        proven |= (PROVEN_UPPER if value >= most else 0) | (PROVEN_LOWER if value <= least else 0)
    return value, proven, count


def known_pv(engine: AlphaBeta, s: State, pv: tuple[Any, ...]) -> tuple[Any, ...]:
    """A line as far as it is legal, continued by the table's moves: a search breaks off where the table answers."""
    game, kept, seen = engine.game, list[Any](), {s}
    while len(kept) < TOLD_MOVES and not game.is_end(s):
        given = pv[len(kept)] if len(kept) < len(pv) else _next(engine, s)
        if given is None or given not in game.actions(s):
            break
        s = game.succ(s, given)
        kept.append(given)
        if s in seen:
            break
        seen.add(s)
    return tuple(kept)


def _next(engine: AlphaBeta, s: State) -> int | None:
    """The table's move, where it is one that is known to be good, and not the least bad of many that failed."""
    known = None if engine.game.player(s) == CHANCE else look_up(engine, s)
    if known is None or known.action < 0:
        return None
    is_good = known.bound == "exact" or known.proven == PROVEN_EXACT or _is_refuted(engine.game, s, known.bound)
    return known.action if is_good else None


def _is_refuted(game: RecordGame, s: State, bound: str) -> bool:
    """Is the bound one that a single good move gives?"""
    return bound == ("lower" if game.side(game.player(s)) == 0 else "upper")


def top_of_tree(
    engine: AlphaBeta, history: History[Any, Any], report: Report, pv: tuple[Any, ...], breadth: int, plies: int
) -> Node:
    """The root, its moves with what the report knows of them, and below them what the table knows."""
    return _Tree(engine, breadth).root(history, report, pv, plies)


class _Tree:
    def __init__(self, engine: AlphaBeta, breadth: int):
        self.engine, self.game, self.breadth = engine, engine.game, breadth
        self.whole = 0  # the depth of the search

    def root(self, history: History[Any, Any], report: Report, pv: tuple[Any, ...], plies: int) -> Node:
        s = history.state
        depth = self.whole = report.depth
        root = self._node(s, "")
        root.value, root.depth, root.order = _shown(report.value), depth, 0
        if root.kind == "chance":
            self._outcomes(root, depth, plies, self.breadth)
            return root
        sign = 1.0 if root.kind == "max" else -1.0
        moves = sorted(report.moves, key=lambda move: (move.action != report.best, move.nodes == 0, -sign * move.value))
        for move in moves[: self.breadth] if plies > 0 else ():
            after = history.copy()
            after.play(move.action)
            is_sure = move.proof == PROVEN and depth == 1  # there is no limit to it
            child = self._node(after.state, self.game.format_action(s, move.action), 1 if is_sure else depth - 1)
            child.value, child.bound = _shown(move.value), self._bound(move.value, TOLD[move.bound])
            child.depth = None if move.proof == PROVEN and not move.nodes else depth  # looked up: no plies rest on it
            if after.is_over:
                child.kind, child.value, child.bound, child.depth = "end", after.utility(0), "exact", None
            root.children.append(child)
            is_best = move.action == report.best
            if not is_sure:
                self._below(child, (pv if is_best else move.pv)[1:], depth - 1, plies - 1, is_best)
            if is_best:
                root.best = child
        return root

    def _node(self, s: State, action: str, depth: int = 1) -> Node:
        player = self.game.player(s)
        kind: Kind = "max" if self.game.side(player) == 0 else "min"
        kind = "end" if player == OVER else "cutoff" if depth <= 0 else "chance" if player == CHANCE else kind
        return Node(kind, s, player, action)

    def _below(self, node: Node, pv: tuple[Any, ...], depth: int, plies: int, is_main: bool) -> None:
        if plies <= 0 or node.is_leaf:
            return
        if node.kind == "chance":
            self._outcomes(node, depth, plies, self.breadth if is_main else BESIDE)
        else:
            self._replies(node, pv, depth, plies, is_main)

    def _bound(self, value: float, bound: str) -> Bound:
        """A bound as drawn: nobody gets more than the most or less than the least."""
        least, most = self.game.variant.utility_range or (-np.inf, np.inf)
        if (bound == "lower" and value >= most) or (bound == "upper" and value <= least):
            return "exact"
        return cast(Bound, bound)

    # -- a player's moves ------------------------------------------------------------------------------------------

    def _replies(self, node: Node, pv: tuple[Any, ...], depth: int, plies: int, is_main: bool) -> None:
        s = node.state
        entry = look_up(self.engine, s)
        best = pv[0] if pv else entry.action if entry is not None else None
        least, most = self.game.variant.utility_range or (-np.inf, np.inf)
        won = node.value == (most if node.kind == "max" else least)  # nothing is better than that
        refuted = _is_refuted(self.game, s, node.bound) or (won and not is_main)
        if node.bound != "exact" and not refuted:
            best = None  # none was good enough: which one is best was not asked
        sign = 1.0 if node.kind == "max" else -1.0
        found: list[tuple[float, Node, Any]] = []
        for a in self.game.actions(s):
            child = self._node(self.game.succ(s, a), self.game.format_action(s, a), depth - 1)
            if a == best:
                node.best = child
                child.value, child.bound, child.depth = node.value, node.bound, node.depth
                if child.kind == "end":
                    child.value, child.bound, child.depth = self.game.utility(child.state, 0), "exact", None
            else:
                self._judge(child, node, sign, depth - 1, refuted)
            found.append((float("inf") if a == best else _rank(child, sign), child, a))
        refuter = "" if node.best is None else node.best.action
        why = f"refutes {node.action}" if node.probability is None else f"is enough after {node.action}"
        found.sort(key=lambda one: -one[0])
        for _, child, _ in found:
            if child.value is None and refuted:
                child.pruned = f"{refuter or 'one reply'} {why}: no need to look"
        shown = [one for one in found if not one[1].pruned][: self.breadth if is_main else BESIDE]
        for _, child, a in shown:
            self._below(child, pv[1:] if pv and a == pv[0] else (), depth - 1, plies - 1, is_main and a == best)
        node.children = [child for _, child, _ in shown] + [child for _, child, _ in found if child.pruned]

    def _judge(self, child: Node, node: Node, sign: float, depth: int, refuted: bool) -> None:
        """What is known of a move that was not chosen."""
        value, bound, deep = None, "exact", node.depth
        if not refuted or child.kind != "end":
            value, bound, deep = self._value(child, depth)
        most = cast(float, node.value)  # no child is better for the side to move
        if value is not None and not (sign * (value - most) > TINY and bound != ("upper" if sign > 0 else "lower")):
            child.value, child.bound, child.depth = _shown(value), self._bound(value, bound), deep
        elif not refuted:  # nothing, or the table remembers another search of it: what this one found is only the bound
            child.value, child.bound, child.depth = node.value, "upper" if sign > 0 else "lower", node.depth

    def _value(self, child: Node, depth: int) -> tuple[float | None, str, int | None]:
        """(value, bound, plies below the root it rests on), with `depth` plies left; None: the plies do not matter."""
        if child.kind == "end":
            return self.game.utility(child.state, 0), "exact", None
        known = look_up(self.engine, child.state) if self.game.player(child.state) != CHANCE else None
        if known is not None and known.proven and (known.depth < depth or PROVES[known.proven] == known.bound):
            return known.value, PROVES[known.proven], None  # that holds whatever the depth
        if known is not None and known.depth >= depth:
            return known.value, known.bound, self.whole - depth + known.depth
        handcrafted = isinstance(self.engine.evaluator, Handcrafted)
        if child.kind == "cutoff" and handcrafted and "noisy" not in self.game.variant.functions:
            return self.game.evaluate(child.state), "exact", self.whole
        return None, "exact", None

    # -- chance ----------------------------------------------------------------------------------------------------

    def _outcomes(self, node: Node, depth: int, plies: int, breadth: int) -> None:
        s = node.state
        for a, p in sorted(self.game.chances(s), key=lambda one: -one[1])[: breadth if plies > 0 else 0]:
            child = self._node(self.game.succ(s, a), self.game.format_action(s, a), depth)
            child.probability = p
            value, bound, deep = self._value(child, depth)
            if value is not None:
                child.value, child.bound, child.depth = _shown(value), self._bound(value, bound), deep
            if value is None and node.bound != "exact" and child.kind != "chance":
                child.pruned = f"enough was known of the average of {node.action}"
            elif value is not None:
                self._below(child, (), depth, plies - 1, False)
            node.children.append(child)


def _rank(child: Node, sign: float) -> float:
    """Good moves first; among equals those whose value is known, and last the unseen."""
    if child.value is None:
        return float("-inf")
    return sign * cast(float, child.value) - (0.0 if child.bound == "exact" else TINY)


def _shown(value: float) -> float:
    """A number as it is drawn: a tree has no room for more digits."""
    return round(value, 3) + 0.0
