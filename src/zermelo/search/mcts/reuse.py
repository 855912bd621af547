"""Keeping what was learned: when the game has gone on to a position the tree holds, its subtree becomes the tree.

    before   0 │ 1 2 3 │ 4 5 │ 6 7 8 │ …          after   0 │ 1 2 │ …          4 and 5 were the children of 2,
             the game went to 2                           the old 2, 4, 5      their own children follow

While more than half of the arena is free, it is enough to remember where the root is. Then the subtree is copied to
the arena's beginning, breadth first, so what is left out when there is too much of it is the deepest, least visited
part: a node that loses its children keeps its visits and what is proven of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, at, key
from zermelo.compile.kernel import kernel
from zermelo.compile.record import roomy
from zermelo.compile.record_game import RecordGame, State
from zermelo.search.mcts.tree import NO_CHILDREN, Tree

NEAR = 4  # plies below the old root in which a position is looked for when nobody says how it came about
MOST_KEPT = 2_000_000  # nodes
KEPT_A_SECOND = 2_000_000  # of a search that is to last so long: copying them takes a small part of it


@kernel
def locate(nodes, states, path):  # type: ignore[no-untyped-def]
    """Find the position of the last state below the root, states[0], depth first: its depth, or -1.

    path[d] is the node at depth d, the root's is given; states between the first and the last are scratch. Equal keys
    are taken for equal.
    """
    goal, depth, entering = key(at(states, len(states) - 1)), 0, True
    while True:
        node = at(nodes, path[depth])
        if entering:
            if key(at(states, depth)) == goal:
                return depth
            following = node.first if depth + 2 < len(states) and node.first >= 0 else -1
        else:  # back from the child path[depth + 1]
            following = path[depth + 1] + 1
            if following >= node.first + node.count:
                following = -1
        while following >= 0 and at(nodes, following).visits == 0:
            following += 1
            if following >= node.first + node.count:
                following = -1
        if following >= 0:
            states[depth + 1] = states[depth]
            apply(at(states, depth + 1), at(nodes, following).action)
            depth += 1
            path[depth] = following
            entering = True
        elif depth == 0:
            return -1
        else:
            depth -= 1
            entering = False


@kernel
def transplant(nodes, bounds, weight, amaf, to_nodes, to_bounds, to_weight, to_amaf, root):  # type: ignore[no-untyped-def]
    """Copy the tree below `root` to the other arrays, as far as they reach: how many nodes that were."""
    to_nodes[0], to_bounds[0] = nodes[root], bounds[root]
    if len(weight) > 1:
        to_weight[0] = weight[root]
    used, i = 1, 0
    while i < used:
        node = at(to_nodes, i)
        first, count = node.first, node.count
        if first >= 0 and used + count > len(to_nodes):
            node.first, node.count = NO_CHILDREN, 0
        elif first >= 0:
            for j in range(count):
                to_nodes[used + j], to_bounds[used + j] = nodes[first + j], bounds[first + j]
                if len(weight) > 1:
                    to_weight[used + j] = weight[first + j]
                if len(amaf) > 1:
                    to_amaf[used + j] = amaf[first + j]
            node.first = used
            used += count
        i += 1
    return used


def follow(tree: Tree, root: int, moves: Sequence[int]) -> int | None:
    """The node the moves lead to from node `root`, if it is in the tree and was visited."""
    i = root
    for action in moves:
        node = tree.nodes[i]
        if node.first < 0:
            return None
        below = np.flatnonzero(tree.nodes["action"][node.first : node.first + node.count] == action)
        if not len(below):
            return None
        i = int(node.first + below[0])
    return i if tree.nodes[i].visits > 0 else None


def find(game: RecordGame, tree: Tree, node: int, root: State, state: State) -> int | None:
    """The node of `state`, if it is near the root, which is node `node`."""
    states = roomy(NEAR + 2, game.variant.dtype)
    states[:1], states[-1:] = root.record, state.record
    path = np.full(NEAR + 2, node, np.int64)
    depth = int(game.run(locate, tree.nodes, states, path))
    if depth < 0:
        return None
    s: Any = root
    for i in path[1 : depth + 1]:
        s = game.succ(s, int(tree.nodes[i].action))
    return int(path[depth]) if s == state else None  # the key may leave something out


def keep_below(game: RecordGame, tree: Tree, root: int, most: int) -> int:
    """Make `root` node 0, and drop all that is not below it, and more than `most` nodes: how many are left."""
    room = min(most, len(tree.nodes) // 2, MOST_KEPT)
    room = max(room, int(tree.nodes[root].count) + 1)
    old = tree[:4]
    new = [np.empty(room if len(part) > 1 else 1, part.dtype) for part in old]
    new[0], new[1], new[3] = (new[k].view(np.recarray) for k in (0, 1, 3))
    used = int(game.run(transplant, *old, *new, root))
    for part, kept in zip(old, new, strict=True):
        if len(part) > 1:
            part[:used] = kept[:used]
    return used


def get_ready(game: RecordGame, tree: Tree, to_find: bool) -> None:
    """Compile what the functions above need, on a tree of one node."""
    single = [part[:1].copy() for part in tree[:4]]
    single[0][0].first = NO_CHILDREN
    game.run(transplant, *single, *(part.copy() for part in single), 0)
    if to_find:
        game.run(locate, single[0], roomy(NEAR + 2, game.variant.dtype), np.zeros(NEAR + 2, np.int64))
