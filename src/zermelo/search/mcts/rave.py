"""RAVE's statistics: a move played later in a game counts, at less weight, as if it had been played at once.

After a simulation every node on its path asks of each child: did the mover here play that move at some later ply, in
the tree or in the rollout? The moves of one simulation are in a small hash table, stamped with the simulation's number
so that it is never emptied.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.pointers import item
from zermelo.compile.random import scramble
from zermelo.compile.rules import helper
from zermelo.search.mcts.tree import unit, worth

# One move of a simulation: who played what, and at which ply last. Entry 0 only counts the simulations, in `stamp`.
SLOT = np.dtype([("action", "i8"), ("stamp", "i8"), ("mover", "i4"), ("ply", "i4")], align=True)


@helper
def place_of(played: Any, mask: Any, action: Any, mover: Any, stamp: Any) -> Any:
    """Where the move is in the table, or where it would go."""
    k = scramble(np.uint64(action) * np.uint64(64) + np.uint64(mover + 2)) & mask
    while True:
        slot = item(played, np.int64(k) + 1)
        if slot.stamp != stamp or (slot.action == action and slot.mover == mover):
            return np.int64(k) + 1
        k = (k + np.uint64(1)) & mask


@helper
def note(played: Any, mask: Any, action: Any, mover: Any, stamp: Any, ply: Any) -> None:
    slot = item(played, place_of(played, mask, action, mover, stamp))
    slot.action, slot.mover, slot.stamp, slot.ply = action, mover, stamp, ply


@unit
def credit(arena: Any, path: Any, depth: Any, payoff: Any, log: Any, plies: Any, played: Any, mask: Any) -> None:
    """Credit the simulation `path`, `depth` moves in the tree and then `plies` moves of `log`, to all its moves."""
    nodes, head = arena.nodes, item(played, 0)
    head.stamp += 1
    stamp = head.stamp
    for d in range(depth):
        note(played, mask, item(nodes, item(path, d + 1).node).action, item(nodes, item(path, d).node).mover, stamp, d)
    for d in range(plies):
        note(played, mask, item(log, d).action, item(log, d).mover, stamp, depth + d)
    for d in range(depth):
        node = item(nodes, item(path, d).node)
        if node.mover >= 0:
            gain = worth(arena.players, node.mover, payoff)
            for c in range(node.first, node.first + node.count):
                slot = item(played, place_of(played, mask, item(nodes, c).action, node.mover, stamp))
                if slot.stamp == stamp and slot.ply >= d:
                    other = item(arena.amaf, c)
                    other.total += gain
                    other.visits += 1.0
