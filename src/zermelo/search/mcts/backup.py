"""What a simulation brings back to the nodes it went through: a payoff for the average, and perhaps a proof.

Proofs are bounds (score-bounded MCTS, Cazenave and Saffidine 2010, of which the win-or-loss MCTS-Solver of Winands and
others 2008 is the case of two payoffs): low ≤ truth ≤ high. An end has both; any other node has them from its children,

    the mover       as good as the best child, for its own side    low = max low, high = max high
    the others      anything that a child the mover may choose gives them
    chance          the average

and a child of which nothing is known has the payoffs the game declares, or no bounds. Where low = high, it is proven.

Of several threads only the first computes bounds of inner nodes: an average that loses an update is still an average,
a bound that is overwritten by an older one would still be called proven.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.pointers import item
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE
from zermelo.search.mcts.tree import (
    MARK_BOUNDED,
    MARK_ILLEGAL,
    MARK_PROVEN,
    fence,
    least_worth,
    most_worth,
    unit,
    worth,
)

MOST_PLIES = 32_000  # that the node's two bytes hold


@helper
def settle(arena: Any, i: Any, payoff: Any, plies: Any) -> None:
    """Node `i` is worth `payoff`, for certain, `plies` from the end."""
    node, bound = item(arena.nodes, i), item(arena.bounds, i)
    for q in range(len(bound.low)):
        bound.low[q] = payoff[q]
        bound.high[q] = payoff[q]
    node.plies = min(plies, MOST_PLIES)
    fence()
    node.marks = node.marks | MARK_BOUNDED | MARK_PROVEN


@helper
def low_of(players: Any, child: Any, bound: Any, q: Any) -> Any:
    """The lower bound of value q of a child."""
    if child.marks & MARK_BOUNDED:
        fence()
        return bound.low[q]
    return item(players, q).least


@helper
def high_of(players: Any, child: Any, bound: Any, q: Any) -> Any:
    if child.marks & MARK_BOUNDED:
        fence()
        return bound.high[q]
    return item(players, q).most


@helper
def may_be_chosen(arena: Any, c: Any, p: Any, floor: Any) -> Any:
    """May player `p` choose child `c`, being sure of `floor`?"""
    child = item(arena.nodes, c)
    if child.marks & MARK_ILLEGAL:
        return False
    if child.marks & MARK_BOUNDED:
        fence()
        return most_worth(arena.players, p, item(arena.bounds, c)) >= floor
    return True


@helper
def is_alone(players: Any, p: Any, number: Any) -> Any:
    """Has player `p` no partner?"""
    alone = True
    for q in range(number):
        alone = alone and (q == p or item(players, q).side != item(players, p).side)
    return alone


@unit
def tighten(arena: Any, i: Any) -> Any:
    """Bounds of node `i` from its children's. Did they get better?"""
    nodes, bounds, weight, players = arena.nodes, arena.bounds, arena.weight, arena.players
    node, bound = item(nodes, i), item(bounds, i)
    p, first, count, values = node.mover, node.first, node.count, len(bound.low)
    # 1. What the mover is sure of: the best of what the children are sure to give.
    floor, by_choice, legal = -np.inf, p != CHANCE, False
    for c in range(first, first + count):
        marks = item(nodes, c).marks
        legal = legal or not marks & MARK_ILLEGAL
        if by_choice and values > 1 and marks & MARK_BOUNDED and not marks & MARK_ILLEGAL:
            fence()
            floor = max(floor, least_worth(players, p, item(bounds, c)))
    if not legal:
        return False
    # 2. Bounds of every value. A member of a team may give up some of his own for his partner's sake.
    changed, proven = False, True
    for q in range(values):
        own = by_choice and (values == 1 or (q == p and is_alone(players, p, values)))
        largest = values > 1 or (by_choice and item(players, p).side == 0)  # else he wants player 0's payoff small
        low = 0.0 if not by_choice else -np.inf if own and largest else np.inf
        high = 0.0 if not by_choice else np.inf if own and not largest else -np.inf
        for c in range(first, first + count):
            child, other = item(nodes, c), item(bounds, c)
            if not by_choice:
                if item(weight, c).part > 0.0:
                    low += item(weight, c).part * low_of(players, child, other, q)
                    high += item(weight, c).part * high_of(players, child, other, q)
            elif values == 1:
                if not child.marks & MARK_ILLEGAL:
                    below, above = low_of(players, child, other, q), high_of(players, child, other, q)
                    low = max(low, below) if largest else min(low, below)
                    high = max(high, above) if largest else min(high, above)
            elif may_be_chosen(arena, c, p, floor):
                below, above = low_of(players, child, other, q), high_of(players, child, other, q)
                low = max(low, below) if own else min(low, below)
                high = max(high, above)
        was_low = bound.low[q] if node.marks & MARK_BOUNDED else -np.inf
        was_high = bound.high[q] if node.marks & MARK_BOUNDED else np.inf
        changed = changed or low > was_low or high < was_high
        proven = proven and low == high
        bound.low[q], bound.high[q] = low, high
    # 3. Say so. (Averages round: what is proven may have been known a little more narrowly than it turns out to be.)
    if changed or proven:
        if proven:
            node.plies = plies_to_end(arena, i)
        fence()
        node.marks = node.marks | MARK_BOUNDED | (MARK_PROVEN if proven else 0)
    return changed or proven


@helper
def plies_to_end(arena: Any, i: Any) -> Any:
    """Of a node just proven: who gains hurries, who loses delays. An upper bound of what best play needs."""
    nodes, bounds, players = arena.nodes, arena.bounds, arena.players
    node, bound = item(nodes, i), item(bounds, i)
    chosen = node.mover >= 0
    wins = chosen and worth(players, node.mover, bound.low) > 0.0
    plies = MOST_PLIES if wins else 0
    for c in range(node.first, node.first + node.count):
        child = item(nodes, c)
        if child.marks & MARK_PROVEN and not child.marks & MARK_ILLEGAL:
            if not chosen or not wins:
                plies = max(plies, child.plies)
            elif least_worth(players, node.mover, item(bounds, c)) >= least_worth(players, node.mover, bound):
                plies = min(plies, child.plies)
    return min(plies + 1, MOST_PLIES)


@unit
def back_up(arena: Any, path: Any, depth: Any, payoff: Any, shared: Any, news: Any) -> None:
    """Add `payoff` to every node of a path of `depth` moves, and pass proofs upwards while there is `news`.

    With `shared`, visits and virtual losses were counted on the way down; the losses are taken back here.
    Once a node is proven, the nodes above get its value instead of the sample; and so they do from a node whose choice
    was a proven child, while the walk went on elsewhere.
    """
    nodes, bounds = arena.nodes, arena.bounds
    for d in range(depth, -1, -1):
        i = item(path, d).node
        node = item(nodes, i)
        if news and d < depth and not node.marks & MARK_PROVEN:
            news = tighten(arena, i)
            if node.marks & MARK_PROVEN:
                for q in range(len(node.total)):
                    payoff[q] = item(bounds, i).low[q]
        proven = item(path, d).proven if d < depth else -1
        if proven >= 0:
            item(nodes, proven).visits += 1
            for q in range(len(node.total)):
                payoff[q] = item(bounds, proven).low[q]
                item(nodes, proven).total[q] += payoff[q]
        for q in range(len(node.total)):
            node.total[q] += payoff[q]
        if not shared:
            node.visits += 1
        elif d > 0:
            mover = item(nodes, item(path, d - 1).node).mover
            if mover >= 0:
                node.total[0 if len(node.total) == 1 else mover] -= item(path, d).lost
