"""What a search found, once all simulations are made: visits, the improved policy, values, the move to be played."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.pointers import item, tail
from zermelo.compile.random import uniform
from zermelo.compile.rules import helper
from zermelo.search.forest.arithmetic import exponential, logarithm, times
from zermelo.search.forest.choice import completed, factor_of, highest_score, improved, survey
from zermelo.search.forest.settings import GUMBEL
from zermelo.search.forest.trees import PROVEN
from zermelo.search.forest.values import Tree, first_paid, is_lost, worth


@helper
def conclude(i: Any, trees: Any, each: Any) -> None:
    """Write everything that is told of tree i."""
    slot, options = item(trees.slots, i), item(trees.options, 0)
    if slot.nodes == 0:
        return
    nodes, edges = tail(trees.nodes, i * options.nodes), tail(trees.edges, i * options.edges)
    paid = tail(trees.paid, first_paid(i, options, len(item(nodes, 0).total)))
    tree = Tree(slot, nodes, edges, paid, options)
    node, noise = item(nodes, 0), tail(trees.noise, i * options.width)
    policy = tail(trees.policy, i * options.numbers)
    proven = node.marks & PROVEN != 0
    if proven:  # simulations that were not made would have gone to the best action
        item(edges, best_proven(tree, node)).visits += slot.left
        slot.left = 0
    if options.kind == GUMBEL:
        expected = tell_improved_policy(tree, node, policy)
        choice = best_proven(tree, node) if proven else best_of_most_visited(tree, node, noise)
    else:
        tell_shares(tree, node, policy)
        expected = worth(options, node.mover, node.total, len(node.total)) / node.visits
        choice = best_proven(tree, node) if proven else draw_by_visits(tree, node)
    slot.chosen = item(edges, choice).policy
    for e in range(node.count):
        item(trees.visits, i * options.numbers + item(edges, e).policy).at = item(edges, e).visits
    for q in range(len(slot.payoff)):
        value = item(trees.value, i * len(slot.payoff) + q)
        if len(node.total) > 1 and options.kind == GUMBEL:
            value.at = paid_by_policy(i, trees, tree, policy, q)
        elif len(node.total) > 1:
            value.at = node.total[q] / node.visits
        elif proven:
            value.at = node.total[0] if q == 0 else -node.total[0]
        else:
            value.at = expected if options.side[node.mover] == options.side[q] else -expected


@helper
def best_proven(tree: Any, node: Any) -> Any:
    """Of the proven actions one of the highest value: the most visited."""
    best, visits, choice = -np.inf, np.int64(-1), np.int64(0)
    for e in range(node.count):
        edge = item(tree.edges, e)
        if edge.marks & PROVEN and (edge.total > best or (edge.total == best and edge.visits > visits)):
            best, visits, choice = edge.total, np.int64(edge.visits), np.int64(e)
    return choice


@helper
def all_lost(tree: Any, node: Any) -> Any:
    lost = True
    for e in range(node.count):
        lost = lost and is_lost(tree.options, node.mover, item(tree.edges, e))
    return lost


# -- Gumbel ------------------------------------------------------------------------------------------------------------


@helper
def tell_improved_policy(tree: Any, node: Any, policy: Any) -> Any:
    """softmax(ln prior + σ(q)), where what was never tried has the mixed value; and what it is worth to the mover. (The
    mean of all simulations is worth less: sequential halving tries what is bad as often as what is good.)"""
    _, most, mixed, _ = survey(tree, node)
    factor, largest, norm = factor_of(tree, most), -np.inf, 0.0
    for e in range(node.count):
        largest = max(largest, improved(item(tree.edges, e), factor, mixed))
    for e in range(node.count):
        norm += exponential(improved(item(tree.edges, e), factor, mixed) - largest)
    expected = 0.0
    for e in range(node.count):
        edge = item(tree.edges, e)
        share = exponential(improved(edge, factor, mixed) - largest) / norm
        item(policy, edge.policy).at = share
        expected += times(share, completed(edge, mixed))
    return expected


@helper
def paid_by_policy(i: Any, trees: Any, tree: Any, policy: Any, q: Any) -> Any:
    """The same worth to player `q`, of several who each have a payoff of their own: player `q`'s means, and what the
    judge expects for player `q`, in place of the mover's."""
    node, players = item(tree.nodes, 0), len(tree.slot.payoff)
    mixed, total, tried, weighted = np.float64(item(trees.raw_value, i * players + q).at), np.int64(0), 0.0, 0.0
    for e in range(node.count):
        edge = item(tree.edges, e)
        if edge.visits > 0:
            share = exponential(np.float64(edge.prior))
            total += edge.visits
            tried += share
            weighted += times(share, item(tree.paid, e * players + q).at / edge.visits)
    if tried > 0.0:
        mixed = (mixed + times(np.float64(total), weighted / tried)) / (1.0 + total)
    expected = 0.0
    for e in range(node.count):
        edge = item(tree.edges, e)
        paid = item(tree.paid, e * players + q).at / edge.visits if edge.visits > 0 else mixed
        expected += times(np.float64(item(policy, edge.policy).at), paid)
    return expected


@helper
def best_of_most_visited(tree: Any, node: Any, noise: Any) -> Any:
    """The winner of sequential halving: of those that were visited most and are not lost, the highest score."""
    spared, most = all_lost(tree, node), np.int64(0)
    for e in range(node.count):
        edge = item(tree.edges, e)
        if spared or not is_lost(tree.options, node.mover, edge):
            most = max(most, np.int64(edge.visits))
    return highest_score(tree, node, noise, most, not spared)


# -- PUCT --------------------------------------------------------------------------------------------------------------


@helper
def tell_shares(tree: Any, node: Any, policy: Any) -> None:
    """Each action's share of the visits; without any, the priors."""
    total = np.int64(0)
    for e in range(node.count):
        total += item(tree.edges, e).visits
    for e in range(node.count):
        edge = item(tree.edges, e)
        item(policy, edge.policy).at = np.float64(edge.visits) / total if total > 0 else np.float64(edge.prior)


@helper
def weight_of(tree: Any, edge: Any, visited: Any) -> Any:
    return np.float64(edge.visits) if visited else np.float64(edge.prior)


@helper
def draw_by_visits(tree: Any, node: Any) -> Any:
    """One with a probability of visits^(1 / temperature), lost ones left out; at temperature 0 the most visited (of
    several, the likeliest by prior)."""
    options, spared, largest, best, visited = tree.options, all_lost(tree, node), 0.0, np.int64(0), False
    for e in range(node.count):
        edge = item(tree.edges, e)
        visited = visited or (edge.visits > 0 and (spared or not is_lost(options, node.mover, edge)))
    for e in range(node.count):
        edge = item(tree.edges, e)
        weight = weight_of(tree, edge, visited)
        if spared or not is_lost(options, node.mover, edge):
            first = item(tree.edges, best)
            is_likelier = weight == largest and (is_lost(options, node.mover, first) or edge.prior > first.prior)
            if weight > largest or is_likelier:
                largest, best = weight, np.int64(e)
    if not options.temperature > 0.0 or not largest > 0.0:
        return best
    # 1. How likely all of them are, relative to the most visited; 2. one of them.
    total = 0.0
    for e in range(node.count):
        total += chance_of(tree, node, e, visited, spared, largest)
    x = uniform(tree.slot.random) * total
    for e in range(node.count):
        x -= chance_of(tree, node, e, visited, spared, largest)
        if x < 0.0:
            return np.int64(e)
    return best


@helper
def chance_of(tree: Any, node: Any, e: Any, visited: Any, spared: Any, largest: Any) -> Any:
    """(visits / the most) ^ (1 / temperature)."""
    edge = item(tree.edges, e)
    weight = weight_of(tree, edge, visited)
    if not weight > 0.0 or (not spared and is_lost(tree.options, node.mover, edge)):
        return 0.0
    return exponential(logarithm(weight / largest) / tree.options.temperature)
