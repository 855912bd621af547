"""What payoffs mean to whoever moves, what is proven, and how both go back to the root of a tree.

A proof (MCTS-Solver, Winands and others 2008) is a payoff that is certain: of an end; of a node with an action that
leads to the most the game can give its mover; of a node all of whose actions are proven; of a chance node all of whose
outcomes are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.pointers import item
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE
from zermelo.search.forest.arithmetic import times
from zermelo.search.forest.trees import ILLEGAL, NOWHERE, PROVEN


class Tree(NamedTuple):
    """One tree, as the bodies hand it on: bare records, each standing for those after it."""

    slot: Any
    nodes: Any
    edges: Any
    paid: Any
    options: Any


@helper
def first_paid(i: Any, options: Any, values: Any) -> Any:
    """Where the payoffs that tree i backed up through its root's actions begin; nowhere, where one value is kept."""
    return i * options.width * values if values > 1 else np.int64(0)


@helper
def worth(options: Any, p: Any, payoff: Any, values: Any) -> Any:
    """What payoffs (or sums of them) mean to player `p`: more is better. A team counts all its members; chance counts
    as player 0."""
    if values == 1 or p == CHANCE:
        return payoff[0] if p == CHANCE or options.side[p] == 0 else -payoff[0]
    total = 0.0
    for q in range(values):
        if options.side[q] == options.side[p]:
            total += payoff[q]
    return total


@helper
def best_of_all(options: Any, p: Any) -> Any:
    """The game declares nothing better for player `p`."""
    return options.most if options.side[p] == 0 else -options.least


@helper
def is_lost(options: Any, p: Any, edge: Any) -> Any:
    """Is it proven that this action gives player `p` the least there is?"""
    worst = options.least if options.side[p] == 0 else -options.most
    return edge.marks & PROVEN != 0 and edge.total <= worst


@helper
def mean(edge: Any) -> Any:
    """What the action is worth to whoever has it. It has been visited, or is proven."""
    return edge.total if edge.marks & PROVEN else edge.total / edge.visits


@helper
def scale_of(slot: Any) -> Any:
    """One over the range of payoffs."""
    return 1.0 / (slot.most - slot.least) if slot.most > slot.least else 1.0


@helper
def widen(slot: Any, values: Any) -> None:
    """The range of payoffs takes in those just seen."""
    for q in range(values):
        slot.least = min(slot.least, slot.payoff[q])
        slot.most = max(slot.most, slot.payoff[q])


@helper
def prove(tree: Any, node: Any) -> Any:
    """Is the node proven by what is proven of its edges? Then its total is the payoff."""
    p, best, least, certain = node.mover, -np.inf, np.inf, True
    average = weight = 0.0
    for e in range(node.first, node.first + node.count):
        edge = item(tree.edges, e)
        if edge.marks & ILLEGAL:
            continue
        if edge.marks & PROVEN:
            best, least = max(best, edge.total), min(least, edge.total)
            average += times(np.float64(edge.prior), edge.total)
            weight += np.float64(edge.prior)
        else:
            certain = False
    if best == -np.inf or not (certain or (p != CHANCE and best >= best_of_all(tree.options, p))):
        return False
    # probabilities are rounded: what comes whatever falls is exactly that
    value = min(max(average / weight, least), best) if p == CHANCE else best
    node.total[0] = value if p == CHANCE or tree.options.side[p] == 0 else -value
    node.marks = node.marks | PROVEN
    return True


@helper
def set_payoff(slot: Any, value: Any) -> None:
    """Player 0 gets `value`, and a second player the opposite."""
    slot.payoff[0] = value
    for q in range(1, len(slot.payoff)):
        slot.payoff[q] = -value


@helper
def back_up(tree: Any, leaf: Any, e: Any, parent: Any, certain: Any) -> None:
    """Add the slot's payoff to node `leaf`, if there is one, and to every edge and node from edge `e` of node `parent`
    to the root. If it is `certain`, the edge is proven; and once a node is, the nodes above get its value instead."""
    slot, nodes, edges = tree.slot, tree.nodes, tree.edges
    values = len(item(nodes, 0).total)
    widen(slot, values)
    if leaf != NOWHERE:
        count_in(item(nodes, leaf), slot, values)
    while e != NOWHERE:
        edge, node = item(edges, e), item(nodes, parent)
        value = worth(tree.options, node.mover, slot.payoff, values)
        edge.visits += 1
        if values > 1 and parent == 0:
            for q in range(values):
                item(tree.paid, e * values + q).at += slot.payoff[q]
        if certain:
            edge.total = value
            edge.marks = edge.marks | PROVEN
        elif not edge.marks & PROVEN:
            edge.total += value
        if node.marks & PROVEN:
            node.visits += 1
        else:
            certain = certain and tree.options.proofs != 0 and prove(tree, node)
            if certain:
                set_payoff(slot, node.total[0])
                node.visits += 1
            else:
                count_in(node, slot, values)
        e, parent = np.int64(node.edge), np.int64(node.parent)


@helper
def count_in(node: Any, slot: Any, values: Any) -> None:
    node.visits += 1
    for q in range(values):
        node.total[q] += slot.payoff[q]
