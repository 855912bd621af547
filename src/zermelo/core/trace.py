"""What a search did, kept so that it can be drawn, counted and stepped through.

A `Trace` is filled by a search while it runs and holds the same events twice over: as a tree of `Node`s, and as the
list of `steps` in the order in which they happened.

    trace.enter(…)   a node is visited          →  Step("enter", node)
    trace.update(…)  a child's value came back  →  Step("update", node)
    trace.prune(…)   a child will not be visited, and why
    trace.leave(…)   the node has its value     →  Step("leave", node)

Values, α and β are from player 0's view (MAX), except in max^n, where a value is one number per player.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

# "chance": nature, or a player who follows a given policy; "player": a max^n node; "cutoff": the depth limit
Kind = Literal["max", "min", "chance", "player", "end", "cutoff"]
Bound = Literal["exact", "lower", "upper"]  # the truth is = value, ≥ value, ≤ value
Value = float | tuple[float, ...]


@dataclass(eq=False)
class Node:
    """One node of the tree a search saw."""

    kind: Kind
    state: Any = None
    player: int = 0
    action: str = ""  # the edge from the parent, as people write it; "" at the root
    probability: float | None = None  # of that edge, where the parent is a chance node
    alpha: float | None = None  # the window on entry
    beta: float | None = None
    alpha_out: float | None = None  # and on exit
    beta_out: float | None = None
    value: Value | None = None  # None: never visited, or not finished yet
    bound: Bound = "exact"
    best: Node | None = None  # the child the player to move chooses
    pruned: str = ""  # why this node was never visited; "" if it was
    order: int | None = None  # its place in the order of visits, from 0
    depth: int | None = None  # plies below the root that were looked at for the value, where they differ or are told
    children: list[Node] = field(default_factory=list)

    @property
    def is_leaf(self) -> bool:
        return self.kind in ("end", "cutoff")

    def walk(self) -> Iterator[Node]:
        """This node and everything below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def best_path(self) -> list[Node]:
        """This node and the chosen child, its chosen child …, down to a leaf (a chance node chooses nothing)."""
        path = [self]
        while path[-1].best is not None:
            path.append(path[-1].best)
        return path


@dataclass(frozen=True)
class Step:
    """One event; `alpha`, `beta` and `value` as they stood just after it."""

    event: Literal["enter", "update", "prune", "leave"]
    node: Node
    alpha: float | None = None
    beta: float | None = None
    value: Value | None = None
    child: Node | None = None  # the child an update came from, or the child pruned
    note: str = ""


class Trace:
    """Fills itself through enter/update/prune/leave; the nesting of enter and leave is the tree."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.visited: list[Node] = []  # in order of entry
        self.steps: list[Step] = []
        self._open: list[Node] = []

    def enter(self, node: Node) -> Node:
        node.order = len(self.visited)
        if self._open:
            self._open[-1].children.append(node)
        elif self.root is None:
            self.root = node
        else:
            raise ValueError("a trace holds one search: use a fresh Trace for the next one")
        self.visited.append(node)
        self._open.append(node)
        self.steps.append(Step("enter", node, node.alpha, node.beta))
        return node

    def update(
        self, node: Node, child: Node, value: Value, alpha: float | None = None, beta: float | None = None
    ) -> None:
        """`child` has returned; the node's running `value` and window are now these."""
        self.steps.append(Step("update", node, alpha, beta, value, child))

    def prune(self, node: Node, child: Node, why: str) -> None:
        child.pruned = why
        node.children.append(child)
        self.steps.append(Step("prune", node, child=child, note=why))

    def leave(
        self,
        node: Node,
        value: Value,
        bound: Bound = "exact",
        best: Node | None = None,
        alpha: float | None = None,
        beta: float | None = None,
    ) -> None:
        if self._open.pop() is not node:
            raise ValueError("trace: a node was left before its children")
        node.value, node.bound, node.best = value, bound, best
        node.alpha_out, node.beta_out = alpha, beta
        self.steps.append(Step("leave", node, alpha, beta, value))

    @property
    def leaves(self) -> int:
        """How many leaves (ends and cutoffs) were evaluated."""
        return sum(node.is_leaf for node in self.visited)
