"""What is to be seen of a tree: of a whole search, of a search after k of its steps, or of a game nobody searched.

A `View` stands between the `Node` a search filled and the two ways to draw it (text and SVG). It knows

    its phase   done      the node has its value
                open      entered, not left yet: its value is what came back so far
                ahead     not visited yet
                pruned    will not be visited: the edge to it is cut
                skipped   below a cut edge
    in_play     on the line of optimal play: the chosen child of a player, every outcome of chance
    folded      stands for so many nodes that would not fit ("… 12 more"), or that were pruned together
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from zermelo.core.game import CHANCE, OVER, Game, GameError
from zermelo.core.trace import Bound, Kind, Node, Step, Trace, Value
from zermelo.core.words import count

Phase = Literal["done", "open", "ahead", "pruned", "skipped"]

WIDEST = 30  # more children of one node than this are folded
DEEPEST = 200  # and everything below this ply
ROW_SHARE = 4  # and a ply as wide as more than a quarter of all the nodes allowed, an inner node counting twice
PATIENCE = 4  # looking below pruned branches ends after so many times the nodes allowed
SEPARATE = 3  # more pruned children than this are drawn as one, where nothing is known of them


@dataclass(eq=False)
class View:
    """One node as it is to be drawn. `value`, `bound` and the window are those known at the step drawn."""

    node: Node
    path: tuple[int, ...] = ()  # which child of which child …, from the root
    phase: Phase = "done"
    value: Value | None = None
    bound: Bound = "exact"
    window: tuple[float, float] | None = None
    best: Node | None = None
    in_play: bool = False
    current: bool = False  # the node the last step drawn was about
    folded: int = 0
    note: str = ""  # a further line of text: how often a node was visited
    notes: list[str] = field(default_factory=list)  # what `note` is at some step
    ever: list[tuple[Value, Bound]] = field(default_factory=list)  # what `value` is at some step: room to keep free
    windows: list[tuple[float, float]] = field(default_factory=list)
    children: list[View] = field(default_factory=list)

    @property
    def unseen(self) -> bool:
        return self.phase in ("ahead", "pruned", "skipped")


# -- a tree of a game, without a search --------------------------------------------------------------------------------


def game_tree(game: Game[Any, Any], s: Hashable = None, depth: int | None = None, max_nodes: int = 10_000) -> Node:
    """The tree of `game` below `s` (the start if None), down to `depth` plies; leaves have their utilities.

    At the depth limit stand cutoffs, with the game's own estimate if it has one. More than `max_nodes`: a GameError.
    """
    two_sided = game.players == 1 or (game.zero_sum and {game.side(p) for p in range(game.players)} <= {0, 1})

    def node_of(s: Any, action: str, probability: float | None, left: int | None) -> Node:
        player = game.player(s)
        kind: Kind = "max" if game.side(player) == 0 else "min"
        value: Value | None = None
        if player == OVER:
            kind = "end"
            value = game.utility(s, 0) if two_sided else tuple(game.utility(s, p) for p in range(game.players))
        elif left == 0:
            kind, value = "cutoff", game.evaluate(s) if game.has_evaluation else None
        elif player == CHANCE:
            kind = "chance"
        elif not two_sided:
            kind = "player"
        return Node(kind, s, player, action, probability, value=value)

    root = node_of(game.start() if s is None else s, "", None, depth)
    row, seen = [root], 1
    while row:
        depth = None if depth is None else depth - 1
        below = []
        for node in row:
            if node.is_leaf:
                continue
            for a, p in _moves(game, node):
                node.children.append(node_of(game.succ(node.state, a), game.format_action(node.state, a), p, depth))
                seen += 1
                if seen > max_nodes:
                    raise GameError(f"the tree of {game.name} has more than {max_nodes:,} nodes: limit its depth")
            below += node.children
        row = below
    return root


def _moves(game: Game[Any, Any], node: Node) -> Sequence[tuple[Any, float | None]]:
    return game.chances(node.state) if node.kind == "chance" else [(a, None) for a in game.actions(node.state)]


# -- from nodes to views -----------------------------------------------------------------------------------------------


def view_tree(
    tree: Node | Trace,
    *,
    upto: int | None = None,
    game: Game[Any, Any] | None = None,
    max_nodes: int = 400,
    leaves: bool = False,
) -> View:
    """The views of a trace (after `upto` of its steps) or of a node's tree; `game` fills in what was pruned unseen.

    With `leaves`, what the leaves are worth is seen before the search comes to them.
    """
    if max_nodes < 1:
        raise GameError("a drawing needs room for at least one node")
    root = tree.root if isinstance(tree, Trace) else tree
    if root is None:
        raise GameError("this trace is empty: nothing was searched")
    known: dict[Node, View] = {}
    if upto is not None:
        if not isinstance(tree, Trace):
            raise GameError("only a trace can be drawn step by step")
        known = _known_after(tree, upto)
    if game is not None:
        root = _with_pruned(root, game, max_nodes, known)
    kept = _kept(root, _optimal_play(root, {}), max_nodes)  # by the finished search: the same nodes at every step
    view = _build(root, (), known, _optimal_play(root, known), kept, _sizes(root))
    if leaves:
        _show_leaves(view)
    return view


def _show_leaves(view: View) -> None:
    if view.node.is_leaf and view.value is None and not view.folded:
        view.value, view.bound = view.node.value, view.node.bound
    for child in view.children:
        _show_leaves(child)


def _known_after(trace: Trace, upto: int) -> dict[Node, View]:
    """What the search knew of every node after its first `upto` steps."""
    if not 0 <= upto <= len(trace.steps):
        raise GameError(f"this trace has {count(len(trace.steps), 'step')}, so it cannot be drawn after {upto}")
    known = {node: View(node, phase="ahead") for node in (trace.root.walk() if trace.root else ())}
    for k, step in enumerate(trace.steps):
        view = known[step.node]
        window = None if step.alpha is None or step.beta is None else (step.alpha, step.beta)
        bound: Bound = step.node.bound if step.event == "leave" else "upper" if step.node.kind == "min" else "lower"
        view.windows += [window] if window else []
        view.ever += [(step.value, bound)] if step.value is not None else []
        if k < upto:
            _learn(known, step, window, bound)
    if upto:
        last = trace.steps[upto - 1]
        known[last.child if last.event == "prune" and last.child is not None else last.node].current = True
    return known


def _learn(known: dict[Node, View], step: Step, window: tuple[float, float] | None, bound: Bound) -> None:
    """What one step tells about its node."""
    view, node = known[step.node], step.node
    if step.event == "enter":
        view.phase, view.window = "open", window
    elif step.event == "prune" and step.child is not None:
        known[step.child].phase, known[step.child].value = "pruned", step.child.value
    elif step.event == "update":
        view.window = window or view.window
        if node.kind != "chance" and view.value != step.value:  # a sum half added up says nothing yet
            view.value, view.bound, view.best = step.value, bound, step.child
    elif step.event == "leave":
        view.phase, view.value, view.bound, view.best = "done", step.value, bound, node.best
        view.window = None if node.alpha is None or node.beta is None else (node.alpha, node.beta)


def _view_of(node: Node, known: dict[Node, View], above: Phase = "done") -> View:
    """What is known of a node; where nothing is, what follows from the phase of its parent."""
    if node in known:
        return known[node]
    phase: Phase = "skipped" if above in ("pruned", "skipped") else "pruned" if node.pruned else "done"
    if above == "ahead":
        return View(node, phase="ahead", ever=[] if node.value is None else [(node.value, node.bound)])
    window = None if node.alpha is None or node.beta is None else (node.alpha, node.beta)
    return View(node, phase=phase, value=node.value, bound=node.bound, window=window, best=node.best)


def _with_pruned(root: Node, game: Game[Any, Any], max_nodes: int, known: dict[Node, View]) -> Node:
    """The same tree, copied, with the game's own subtree below the nodes that were pruned, where it is small."""
    nodes = list(root.walk())
    copies: dict[Node, Node] = {}
    for node in reversed(nodes):  # children before parents
        copies[node] = replace(node, children=[copies[child] for child in node.children])
        copies[node].best = copies.get(node.best) if node.best is not None else None
    room = PATIENCE * max_nodes
    for node in nodes:
        for child in copies[node].children:
            if child.pruned and not child.children and room > 0:
                room -= _fill(child, node.state, game, min(room, max_nodes // 4 + 1))
    for node, view in list(known.items()):
        view.node, view.best = copies[node], copies.get(view.best) if view.best is not None else None
        value = copies[node].value
        if node.pruned and value is not None:
            view.value, view.ever = value if view.phase == "pruned" else None, [(value, "exact")]
        known[copies[node]] = view
    return copies[root]


def _fill(pruned: Node, above: Any, game: Game[Any, Any], room: int) -> int:
    """Give a node that a search never made its kind, its utility and its children; how many nodes that looked at."""
    try:
        s = game.succ(above, game.parse_action(above, pruned.action)) if pruned.state is None else pruned.state
        below = game_tree(game, s, max_nodes=room)
    except GameError:  # too large to show, or a label that does not lead back to its move
        return room
    pruned.kind, pruned.player, pruned.value, pruned.children = below.kind, below.player, below.value, below.children
    return sum(1 for _ in below.walk())


def _optimal_play(root: Node, known: dict[Node, View]) -> dict[Node, int]:
    """Every node reached when each player takes the best child (so far) and chance any, with its ply, row by row."""
    play, row = {root: 0}, [root]
    while row:
        chosen: list[Node] = []
        for view in (_view_of(node, known) for node in row):
            if view.node.kind == "chance" and view.phase == "done" and view.value is not None:
                chosen += [child for child in view.node.children if not child.pruned]
            elif view.best is not None:
                chosen.append(view.best)
        play |= dict.fromkeys(chosen, play[row[0]] + 1)
        row = chosen
    return play


def _kept(root: Node, play: dict[Node, int], max_nodes: int) -> set[Node]:
    """Which nodes are drawn: optimal play, whole plies while they fit, below them the alternatives to optimal play."""
    kept = {root, *(node for node in list(play)[: max_nodes // 2] if play[node] <= DEEPEST)}
    widest, whole, row = max(max_nodes // ROW_SHARE, WIDEST), True, [root]
    for _ in range(DEEPEST):
        room = max_nodes - len(kept)
        below = [child for node in row if whole or node in play for child in _shown(node, play)]
        new = [child for child in below if child not in kept]
        if whole and (len(new) > room or sum(1 if child.is_leaf else 2 for child in below) > widest):
            whole = False
            below = [child for node in row if node in play for child in _shown(node, play)]
            new = [child for child in below if child not in kept]
        kept.update(new[:room])
        row = [child for child in below if child in kept]
    return kept


def _shown(node: Node, play: dict[Node, int]) -> list[Node]:
    cut = _cut_unseen(node)
    children = [child for child in node.children if child not in cut]
    return children[:WIDEST] + [child for child in children[WIDEST:] if child in play]


def _cut_unseen(node: Node) -> list[Node]:
    """The pruned children that are drawn as one."""
    cut = [child for child in node.children if child.pruned and child.value is None and not child.children]
    return cut if len(cut) > SEPARATE else []


def _sizes(root: Node) -> dict[Node, int]:
    """How many nodes every subtree has."""
    sizes: dict[Node, int] = {}
    for node in reversed(list(root.walk())):
        sizes[node] = 1 + sum(sizes[child] for child in node.children)
    return sizes


def _build(
    node: Node,
    path: tuple[int, ...],
    known: dict[Node, View],
    play: dict[Node, int],
    kept: set[Node],
    sizes: dict[Node, int],
    above: Phase = "done",
) -> View:
    view = _view_of(node, known, above)
    view.path, view.in_play = path, node in play and not view.unseen and len(play) > 1
    view.children = [
        _build(child, (*path, i), known, play, kept, sizes, view.phase)
        for i, child in enumerate(node.children)
        if child in kept
    ]
    cut = _cut_unseen(node)
    folded = sum(sizes[child] for child in node.children if child not in kept) - len(cut)
    if cut:
        together, at = Node("cutoff", pruned=cut[0].pruned), node.children.index(cut[0])
        view.children.append(View(together, (*path, at), _view_of(cut[0], known, view.phase).phase, folded=len(cut)))
    if folded:
        more = Node("cutoff")
        view.children.append(
            View(more, (*path, len(node.children)), _view_of(more, {}, view.phase).phase, folded=folded)
        )
    return view
