"""How the algorithms of this package are recorded, without a line of it standing inside them.

A recursive value function is written as in a lecture, and a `Recorder` stands around it:

    record = Recorder(game, trace, two_sided(game))
    succ = record.succ          # Succ(s, a), and remembers that `a` is the edge being followed

    @record                     # notes when value(s) is entered and what it returns
    def value(s): …

It listens to value(s), value(s, depth) and value(s, depth, α, β). From entries and results alone it works out the
rest: the running value and window of a node after each child, its best child, which children were left out and why.
Without a trace both `record` and `succ` hand back what they were given, and cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Generic, TypeAlias, TypeVar, cast

from zermelo.core.game import CHANCE, OVER, A, Game, S
from zermelo.core.trace import Bound, Kind, Node, Trace, Value
from zermelo.textbook.policies import Choice
from zermelo.textbook.sides import maximizes, team_total

F = TypeVar("F", bound=Callable[..., Any])
V = TypeVar("V")
Kinds: TypeAlias = Callable[[int], Kind]  # player → the kind of node at which that player moves


def two_sided(game: Game[S, A]) -> Kinds:
    return lambda player: "max" if maximizes(game, player) else "min"


def remember(memo: dict[S, V] | None) -> Callable[[Callable[[S], V]], Callable[[S], V]]:
    """Compute value(s) once for every state, and keep it in `memo`; with no memo, leave the function as it is."""

    def decorate(value: Callable[[S], V]) -> Callable[[S], V]:
        if memo is None:
            return value

        def remembered(s: S) -> V:
            if s not in memo:
                memo[s] = value(s)
            return memo[s]

        return remembered

    return decorate


@dataclass
class _Open(Generic[A]):
    """A node that has been entered and not left."""

    node: Node
    unvisited: list[A]
    probability: Mapping[A, float]  # of its edges; empty where a player chooses
    alpha: float | None  # the window, the value and the best child, over the children so far
    beta: float | None
    value: Value | None = None
    best: Node | None = None
    below: float = inf  # the depth left to its children


class Recorder(Generic[S, A]):
    """Writes into `trace` what a recursive value function does.

    `kinds` says what each player does at its nodes; a player who follows a given policy makes a "chance" node, and
    `odds(s)` then gives the probabilities of its edges.
    """

    def __init__(
        self,
        game: Game[S, A],
        trace: Trace | None,
        kinds: Kinds,
        odds: Callable[[S], Mapping[A, float]] | None = None,
    ) -> None:
        self.game = game
        self.trace = trace or Trace()
        self.kinds = kinds
        self.odds = odds or (lambda s: dict(game.chances(s)))
        self.silent = trace is None
        self.succ = game.succ if trace is None else self._succ
        self._open: list[_Open[A]] = []

    def __call__(self, value: F) -> F:
        if self.silent:
            return value

        def recorded(s: S, *depth_and_window: float) -> Any:
            self._enter(s, *depth_and_window)
            result = value(s, *depth_and_window)
            self._leave(result.value if isinstance(result, Choice) else result)
            return result

        return cast(F, recorded)

    def _succ(self, s: S, a: A) -> S:
        self._edge = a
        return self.game.succ(s, a)

    def _enter(self, s: S, depth: float = inf, alpha: float | None = None, beta: float | None = None) -> None:
        node = self._node(s, depth)
        node.alpha, node.beta = alpha, beta
        if self._open:
            above = self._open[-1]
            above.unvisited.remove(self._edge)
            above.below = depth
            node.action = self.game.format_action(above.node.state, self._edge)
            node.probability = above.probability.get(self._edge)
        probability = self.odds(s) if node.kind == "chance" else {}
        self._open.append(_Open(node, self._edges(node, probability), probability, alpha, beta))
        self.trace.enter(node)

    def _node(self, s: S, depth: float) -> Node:
        player = self.game.player(s)
        if player == OVER:
            return Node("end", s, player)
        if depth <= 0:
            return Node("cutoff", s, player)
        return Node("chance" if player == CHANCE else self.kinds(player), s, player)

    def _edges(self, node: Node, probability: Mapping[A, float]) -> list[A]:
        if node.is_leaf:
            return []
        return list(probability if node.player == CHANCE else self.game.actions(node.state))

    def _leave(self, value: Value) -> None:
        this = self._open.pop()
        if this.node.children:  # a state found in a memo has none
            self._prune(this)
        self.trace.leave(this.node, value, _bound(this.node, value), this.best, this.alpha, this.beta)
        if self._open:
            above = self._open[-1]
            above.value = self._update(above, this.node, value)
            self.trace.update(above.node, this.node, above.value, above.alpha, above.beta)

    def _prune(self, this: _Open[A]) -> None:
        for a in this.unvisited:
            child = self._node(self.game.succ(this.node.state, a), this.below)
            child.action = self.game.format_action(this.node.state, a)
            self.trace.prune(this.node, child, _why(this))

    def _update(self, above: _Open[A], child: Node, value: Value) -> Value:
        """`child` has returned `value`: the value of its parent so far, whose window and best child follow."""
        if above.node.kind == "chance":
            return _add(above.value, child.probability or 0.0, value)
        if above.value is None or self._worth(above.node, value) > self._worth(above.node, above.value):
            above.value, above.best = value, child
        if above.alpha is not None and above.node.kind == "max":
            above.alpha = max(above.alpha, cast(float, value))
        if above.beta is not None and above.node.kind == "min":
            above.beta = min(above.beta, cast(float, value))
        return above.value

    def _worth(self, node: Node, value: Value) -> float:
        """To the player who chooses at `node`."""
        if isinstance(value, tuple):
            return team_total(self.game, node.player, value)
        return value if node.kind == "max" else -value


def _add(total: Value | None, probability: float, value: Value) -> Value:
    if isinstance(value, tuple):
        so_far = total if isinstance(total, tuple) else (0.0,) * len(value)
        return tuple(t + probability * v for t, v in zip(so_far, value, strict=True))
    return cast(float, total or 0.0) + probability * value


def _bound(node: Node, value: Value) -> Bound:
    """What the window lets a fail-soft value claim; leaves are exact, and so are chance nodes (full window below)."""
    if node.alpha is None or node.beta is None or node.kind not in ("max", "min"):
        return "exact"
    if cast(float, value) >= node.beta:
        return "lower"
    return "upper" if cast(float, value) <= node.alpha else "exact"


def _why(this: _Open[A]) -> str:
    if this.node.kind == "max":
        return f"β-cut: {this.value:g} ≥ β = {this.beta:g}"
    if this.node.kind == "min":
        return f"α-cut: {this.value:g} ≤ α = {this.alpha:g}"
    return "probability 0"
