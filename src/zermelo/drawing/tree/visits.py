"""A tree as Monte Carlo tree search sees it: means for values, and how often every node was visited.

The whole tree is drawn at every step, so that nothing jumps; what the search has not added to its own tree yet is pale.
Bold is the line of most visits.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from zermelo.core.trace import Node
from zermelo.drawing.tree.view import View, view_tree

Path = tuple[int, ...]
Count = tuple[int, float]  # visits, and the sum of their utilities (player 0's view)


def visits_view(
    root: Node, counts: Mapping[Path, Count], last: Mapping[Path, Count], current: Collection[Path] = ()
) -> View:
    """The tree below `root` (of `game_tree`) after some of a search's steps; a path holds the children's numbers.

    counts   of the nodes in the search's tree now; last: at its end, which says how much room to keep
    current  the nodes to point out
    """
    view = view_tree(root, max_nodes=1_000_000, leaves=True)
    _fill(view, counts, last, frozenset(current))
    _mark_best(view, counts)
    return view


def _fill(view: View, counts: Mapping[Path, Count], last: Mapping[Path, Count], current: frozenset[Path]) -> None:
    visits, total = counts.get(view.path, (0, 0.0))
    view.phase = "done" if view.path in counts else "ahead"
    view.current = view.path in current
    view.note = _times(visits) if visits else ""
    if view.path in last:
        view.notes = [_times(last[view.path][0])]
    if not view.node.is_leaf:
        view.value = rounded(total / visits) if visits else None
        view.ever = [(-88.88, "exact")]  # as wide as means become: they change with every visit
    for child in view.children:
        _fill(child, counts, last, current)


def _mark_best(root: View, counts: Mapping[Path, Count]) -> None:
    """The line of most visits; where nature moves, all that was drawn."""
    row = [root]
    while row:
        view = row.pop()
        visited = [child for child in view.children if counts.get(child.path, (0, 0.0))[0]]
        view.in_play = bool(visited) or len(view.path) > 0
        if view.node.kind != "chance":
            visited = sorted(visited, key=lambda child: -counts[child.path][0])[:1]
        row += visited


def rounded(mean: float) -> float:
    """To the three digits that a mean of random numbers deserves."""
    return float(f"{mean:.3g}")


def _times(visits: int) -> str:
    return f"{visits}×"
