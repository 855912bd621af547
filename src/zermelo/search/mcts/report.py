"""What a tree says: the move to play, the values, the lines. Read from the arena, a node's children at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.evaluator import FAR
from zermelo.compile.kernel import kernel
from zermelo.compile.pointers import base, item
from zermelo.compile.record_game import RecordGame
from zermelo.search.mcts.tree import MARK_BOUNDED, MARK_ILLEGAL, MARK_PROVEN, Tree, least_worth, most_worth, worth
from zermelo.search.report import AT_LEAST, AT_MOST, ESTIMATE, EXACT, MAX_PV, PROVEN, RootMove

Values = NDArray[np.float64]  # (children,) or (children, values)


@dataclass(frozen=True)
class Children:
    """The legal children of one node, as its mover sees them; nothing is known of a child without visits."""

    number: NDArray[np.int64]  # (n,) of the node
    prior: Values  # (n,); 0 where there are none
    visits: NDArray[np.int64]  # (n,)
    means: Values  # (n, values): within what is proven
    worth: Values  # (n,) to the mover, like the two below
    low: Values
    high: Values
    proven: NDArray[np.bool_]  # (n,)
    plies: NDArray[np.int64]  # (n,) to the end, of the proven


def children_of(game: RecordGame, tree: Tree, i: int) -> Children:
    node = tree.nodes[i]
    span = np.arange(node.first, node.first + node.count) if node.first >= 0 else np.arange(0)
    span = span[tree.nodes["marks"][span] & MARK_ILLEGAL == 0]
    nodes, bounds = tree.nodes[span], tree.bounds[span]
    bounded = (nodes["marks"] & MARK_BOUNDED).astype(bool)[:, None]
    low = np.where(bounded, bounds["low"], -np.inf)
    high = np.where(bounded, bounds["high"], np.inf)
    visits = nodes["visits"].astype(np.int64)
    means = np.clip(nodes["total"] / np.maximum(visits, 1)[:, None], low, high)
    mover = int(node.mover)
    if means.shape[1] == 1:
        worth, lowest, highest = means[:, 0], low[:, 0], high[:, 0]
        if mover >= 0 and game.side(mover) != 0:
            worth, lowest, highest = -worth, -highest, -lowest
    else:
        team = [q for q in range(means.shape[1]) if mover < 0 or game.side(q) == game.side(mover)]
        worth, lowest, highest = (part[:, team].sum(axis=1) for part in (means, low, high))
    proven = (nodes["marks"] & MARK_PROVEN).astype(bool)
    priors = tree.weight["part"][span] if len(tree.weight) > 1 and mover >= 0 else np.zeros(len(span))
    return Children(span, priors, visits, means, worth, lowest, highest, proven, nodes["plies"].astype(np.int64))


def _order(found: Children, settled: bool) -> NDArray[np.intp]:
    """The best first, then by visits. The most visited move, unless something proven is worth as much; before anything
    is visited, the one with the highest prior.

    Of a proven position, a move that is proven as good: a win is won soon, a loss delayed.
    """
    order = np.lexsort((found.prior, found.worth, found.visits))[::-1]
    floor = found.low.max(initial=-np.inf)
    if settled:
        haste = np.where(found.worth > 0, -found.plies, found.plies)
        best = max(order, key=lambda k: (bool(found.proven[k] and found.low[k] >= floor), int(haste[k])), default=None)
    else:
        sampled = [k for k in order if not found.proven[k] and found.visits[k] and found.high[k] >= floor]
        sure = max((k for k in order if found.proven[k]), key=lambda k: float(found.worth[k]), default=None)
        best = sampled[0] if sampled else None
        if sure is not None and (best is None or found.worth[sure] >= found.worth[best]):
            best = sure
    return order if best is None else np.concatenate(([best], order[order != best]))


@kernel
def principal_variation(nodes, bounds, players, i, pv):  # type: ignore[no-untyped-def]
    """Write the moves from node `i` on, the best each time, as far as somebody chooses (dice end a pv): how many.

    The best is what `_order` puts first.
    """
    nodes, bounds, players = base(nodes), base(bounds), base(players)
    n = 0
    while n < len(pv):
        node = item(nodes, i)
        if node.first < 0 or node.mover < 0:
            break
        # 1. What the mover is sure of.
        p, floor, settled = node.mover, -np.inf, node.marks & MARK_PROVEN
        for c in range(node.first, node.first + node.count):
            if item(nodes, c).marks & MARK_BOUNDED:
                floor = max(floor, least_worth(players, p, item(bounds, c)))
        # 2. The most visited of those that may be best, and the best of the proven ones.
        choice, visits, mean, sure, value, haste = -1, 0, -np.inf, -1, -np.inf, 0
        for c in range(node.first, node.first + node.count):
            child, bound = item(nodes, c), item(bounds, c)
            if child.marks & MARK_ILLEGAL:
                continue
            if child.marks & MARK_PROVEN:
                here = least_worth(players, p, bound)
                hurry = (-child.plies if here > 0.0 else child.plies) if settled else child.visits
                if sure < 0 or here > value or (here == value and hurry > haste):
                    sure, value, haste = c, here, hurry
            elif child.visits > 0:
                here, high = worth(players, p, child.total) / child.visits, np.inf
                if child.marks & MARK_BOUNDED:
                    high = most_worth(players, p, bound)
                    here = min(max(here, least_worth(players, p, bound)), high)
                if high >= floor and (child.visits > visits or (child.visits == visits and here > mean)):
                    choice, visits, mean = c, child.visits, here
        if sure >= 0 and (settled or choice < 0 or value >= mean):
            choice = sure
        if choice < 0:
            break
        pv[n] = item(nodes, choice).action
        i = choice
        n += 1
    return n


def pv_below(game: RecordGame, tree: Tree, i: int) -> tuple[int, ...]:
    pv = np.zeros(MAX_PV, np.int64)
    n = game.run(principal_variation, tree.nodes, tree.bounds, tree.players, i, pv)
    return tuple(pv[:n].tolist())


def player_values(game: RecordGame, mean: Values) -> tuple[float, ...]:
    """The values of all players from those a node keeps."""
    if len(mean) == game.players:
        return tuple(float(v) for v in mean)
    return (float(mean[0]), -float(mean[0]))


def node_mean(tree: Tree, i: int) -> Values:
    """(values,) the average of a node, within what is proven of it."""
    node, bound = tree.nodes[i], tree.bounds[i]
    mean = np.asarray(node.total) / max(int(node.visits), 1)
    return np.clip(mean, bound.low, bound.high) if node.marks & MARK_BOUNDED else mean


def _unseen(game: RecordGame, tree: Tree, i: int) -> tuple[float, str]:
    """What can be said of a root move nobody has tried: what the game declares, else what is true of the root."""
    declared, mover = game.variant.utility_range, int(tree.nodes[i].mover)
    if declared is None or len(tree.nodes[i].total) > 1 or mover < 0:
        return float(node_mean(tree, i)[0]), EXACT
    return (declared[1], AT_MOST) if game.side(mover) == 0 else (declared[0], AT_LEAST)


def root_findings(game: RecordGame, tree: Tree, at: int, priors: bool = False) -> dict[str, Any]:
    """What a Report says about the root, which is node `at`: best, value, values, proof, distance and whether
    that is exact, pv, moves; with their `priors`, if there are any."""
    root = tree.nodes[at]
    found = children_of(game, tree, at)
    settled = bool(root.marks & MARK_PROVEN)
    moves: list[RootMove] = []
    order = _order(found, settled)
    for k in order:
        i = int(found.number[k])
        action = int(tree.nodes[i].action)
        value, bound = float(found.means[k][0]), EXACT
        if not found.visits[k] and not found.proven[k]:
            value, bound = _unseen(game, tree, at)
        moves.append(
            RootMove(
                action,
                value,
                bound,
                proof=PROVEN if found.proven[k] else ESTIMATE,
                pv=(action, *pv_below(game, tree, i)),
                nodes=int(found.visits[k]),
                prior=float(found.prior[k]) if priors and root.mover >= 0 else None,
            )
        )
    chosen = root.mover >= 0 and bool(moves)
    values = node_mean(tree, at)
    if chosen and not settled and moves[0].nodes:
        values = node_mean(tree, int(found.number[order[0]]))
    plies = int(root.plies) if settled and values[0] != 0 else None
    if plies is not None and plies >= FAR:  # by a table that does not say
        plies = None
    return {
        "best": moves[0].action if chosen else None,
        "value": float(values[0]),
        "values": player_values(game, values),
        "proof": PROVEN if settled else ESTIMATE,
        "distance": plies,
        "distance_exact": plies == 1,  # else an upper bound (backup.py)
        "pv": moves[0].pv if chosen else (),
        "depth": len(moves[0].pv) if chosen else 0,
        "moves": tuple(moves),
    }
