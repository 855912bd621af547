"""The algorithms by name: run one with a trace, and see what there is to say about it.

    found = run_traced(game, game.start(), "alphabeta", depth=3)      # found.value, .best, .pv, .cuts, .draw(150)

ALGORITHMS is the table: how each is run to the end of the game, and how to a depth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from zermelo import textbook
from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.trace import Node, Trace, Value
from zermelo.drawing.tree.drawing import TreeDrawing, draw
from zermelo.textbook.ordering import Order

MOST = 50_000  # nodes that are searched
SMALL = 400  # nodes of a search whose pruned branches are drawn as well


class LimitedTrace(Trace):
    """A trace that stops a search which grows too large to be looked at."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def enter(self, node: Node) -> Node:
        if len(self.visited) >= self.most:
            raise TooLarge(f"the search visits more than {self.most:,} nodes: limit its depth, or allow more nodes")
        return super().enter(node)


class TooLarge(GameError):  # noqa: N818
    pass


@dataclass(frozen=True)
class TracedSearch:
    """A search that has been run, and its trace."""

    game: Game[Any, Any]
    start: Any
    algorithm: str
    depth: int | None
    trace: Trace
    value: Value
    leaves_pruned: int | None  # None: not counted, since there would be too many

    @property
    def root(self) -> Node:
        assert self.trace.root is not None
        return self.trace.root

    @property
    def best(self) -> str | None:
        return self.root.best.action if self.root.best else None

    @property
    def pv(self) -> list[str]:
        """The best move, the best answer …, as far as somebody chooses."""
        return [node.action for node in self.root.best_path()[1:]]

    @property
    def view(self) -> str:
        return "(one number for each player)" if self.algorithm == "maxn" else "for player 0"

    @property
    def nodes(self) -> int:
        return len(self.trace.visited)

    @property
    def leaves(self) -> int:
        return self.trace.leaves

    @property
    def cutoffs(self) -> int:
        return sum(node.kind == "cutoff" for node in self.trace.visited)

    @property
    def cuts(self) -> int:
        return sum(step.event == "prune" for step in self.trace.steps)

    @property
    def has_evaluation(self) -> bool:
        return self.game.has_player_evaluation if self.algorithm == "maxn" else self.game.has_evaluation

    def draw(self, show: int) -> TreeDrawing:
        whole = self.depth is None and self.nodes <= SMALL
        title = f"{self.game.name}: {self.algorithm}"
        return draw(self.trace, title=title, game=self.game if whole else None, max_nodes=show)

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "position": self.game.format(self.start),
            "algorithm": self.algorithm,
            "depth": self.depth,
            "value": self.value,
            "best": self.best,
            "pv": self.pv,
            "nodes": self.nodes,
            "leaves": self.leaves,
            "cut_off": self.cuts,
            "leaves_pruned": self.leaves_pruned,
            "tree": _node_dict(self.root),
        }


def _node_dict(root: Node) -> dict[str, Any]:
    told: dict[Node, dict[str, Any]] = {}
    for node in reversed(list(root.walk())):  # children before parents: a tree may be deeper than Python recurses
        told[node] = {
            "kind": node.kind,
            "player": node.player,
            "action": node.action,
            "probability": node.probability,
            "value": node.value,
            "bound": node.bound,
            "window": None if node.alpha is None else [node.alpha, node.beta],
            "pruned": node.pruned or None,
            "children": [told[child] for child in node.children],
        }
    return told[root]


def run_traced(
    game: Game[Any, Any],
    s: Any,
    algorithm: str | None = None,
    depth: int | None = None,
    order: str = "given",
    seed: int = 0,
    most: int = MOST,
    evaluate: Callable[[Any], float] | None = None,
) -> TracedSearch:
    """Run `algorithm` (by default what the game calls for) on `s`, `depth` plies deep.

    Leaves at that depth are judged by the game, or by `evaluate` (player 0's view).
    """
    name = algorithm or suitable(game, s)
    if name not in ALGORITHMS:
        raise GameError(f"the textbook has no algorithm '{name}'; it has: {', '.join(ALGORITHMS)}")
    if order != "given" and name != "alphabeta":
        raise GameError("only alphabeta cares in which order moves are tried: take that one")
    if evaluate is not None and (depth is None or name == "maxn"):
        raise GameError(
            "an evaluator judges the leaves at a depth limit: give a depth"
            if depth is None
            else "maxn wants an estimate for every player, and an evaluator gives player 0's alone"
        )
    trace = LimitedTrace(most)
    try:
        row, ordered = ALGORITHMS[name], _order(game, order, seed, depth, evaluate)
        search = row.whole if depth is None else row.limited
        value = search(Problem(game, s, depth or 0, ordered, trace, evaluate))
        pruned = _leaves_pruned(game, s, depth, trace, most) if name == "alphabeta" else 0
    except RecursionError:
        raise GameError(f"{game.name} is deeper than can be drawn: limit the depth") from None
    return TracedSearch(game, s, name, depth, trace, value, pruned)


@dataclass(frozen=True)
class Problem:
    """What an algorithm is asked."""

    game: Game[Any, Any]
    s: Any
    depth: int
    order: Order[Any, Any]
    trace: Trace
    evaluate: Callable[[Any], float] | None = None  # None: the game's own

    @property
    def others(self) -> dict[int, Any]:
        """Everybody but side 0 plays at random (expectimax)."""
        game = self.game
        return {p: textbook.uniform(game) for p in range(game.players) if game.side(p) != 0}


@dataclass(frozen=True)
class Algorithm:
    """How it is run to the end of the game, and how to a depth."""

    whole: Callable[[Problem], Value]
    limited: Callable[[Problem], Value]


def _limited_minimax(q: Problem) -> Value:
    return textbook.limited_minimax(q.game, q.s, q.depth, evaluate=q.evaluate, trace=q.trace)


ALGORITHMS = {
    "minimax": Algorithm(lambda q: textbook.minimax(q.game, q.s, trace=q.trace), _limited_minimax),
    "expectimax": Algorithm(
        lambda q: textbook.expectimax(q.game, q.s, q.others, trace=q.trace),
        lambda q: textbook.limited_expectimax(q.game, q.s, q.depth, q.others, evaluate=q.evaluate, trace=q.trace),
    ),
    "expectiminimax": Algorithm(lambda q: textbook.expectiminimax(q.game, q.s, trace=q.trace), _limited_minimax),
    "alphabeta": Algorithm(
        lambda q: textbook.alphabeta(q.game, q.s, order=q.order, trace=q.trace),
        lambda q: textbook.alphabeta(q.game, q.s, depth=q.depth, evaluate=q.evaluate, order=q.order, trace=q.trace),
    ),
    "maxn": Algorithm(
        lambda q: textbook.maxn(q.game, q.s, trace=q.trace),
        lambda q: textbook.limited_maxn(q.game, q.s, q.depth, q.game.evaluate_players, trace=q.trace),
    ),
}


def suitable(game: Game[Any, Any], s: Any) -> str:
    """What a game calls for: max^n with more than two sides, expectiminimax with chance, else minimax."""
    sides = {game.side(p) for p in range(game.players)}
    if game.players > 1 and not (game.zero_sum and sides <= {0, 1}):
        return "maxn"
    return "expectiminimax" if _has_chance(game, s) else "minimax"


def _has_chance(game: Game[Any, Any], s: Any) -> bool:
    outcomes = getattr(getattr(game, "variant", None), "max_chance_outcomes", None)
    if outcomes is not None:
        return bool(outcomes)
    seen = {s}
    for t in (queue := [s]):  # a plain game does not say: look at the positions nearest to the start
        if game.player(t) == CHANCE:
            return True
        for after in (game.succ(t, a) for a in game.actions(t)):
            if after not in seen and len(seen) < 2_000:
                seen.add(after)
                queue.append(after)
    return False


def _order(
    game: Game[Any, Any], order: str, seed: int, depth: int | None, evaluate: Callable[[Any], float] | None
) -> Order[Any, Any]:
    if order == "given":
        return textbook.as_given
    if order == "random":
        return textbook.shuffled(seed)
    by_value = textbook.best_first if order == "best" else textbook.worst_first
    if game.has_evaluation or evaluate is not None:
        return by_value(game, evaluate)
    if depth is not None:
        raise GameError(f"{game.name} has no estimate to order moves by: search to the end, or take the moves as given")
    memo: dict[Any, float] = {}
    return by_value(game, lambda t: textbook.expectiminimax(game, t, memo=memo))


def _leaves_pruned(game: Game[Any, Any], s: Any, depth: int | None, trace: Trace, most: int) -> int | None:
    """How many leaves minimax would have looked at beyond these."""
    everything = LimitedTrace(most)
    try:
        textbook.limited_minimax(game, s, inf if depth is None else depth, trace=everything)
    except TooLarge:
        return None
    return everything.leaves - trace.leaves
