"""Which action a walk takes, and which one is played in the end. Scores are the mover's, values scaled to a range of 1.

    PUCT     mean + c · prior · √N / (1 + n)                 an untried action has its node's mean (Rosin 2011, as in
                                                             AlphaGo Zero, Silver and others 2017)
    Gumbel   at the root, the highest g + ln prior + σ(q) of those that sequential halving has not visited yet in this
             sweep; below it, the action that lacks most visits to be as frequent as π′ = softmax(ln prior + σ(q)):
             the highest π′ − n / (1 + N)                    (Danihelka, Guez, Schrittwieser and Silver 2022)

N is the node's visits, n the action's. σ(q) = (c_visit + the most n) · c_scale · q, and what was never tried has the
mixed value of the node: its judgement, and the means of what was tried, weighted by the priors. At chance nodes an
outcome is drawn.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.compile.pointers import item
from zermelo.compile.random import uniform
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE
from zermelo.search.forest.arithmetic import exponential, times
from zermelo.search.forest.settings import GUMBEL
from zermelo.search.forest.trees import ILLEGAL, PROVEN
from zermelo.search.forest.values import is_lost, mean, scale_of, worth

NONE = -1


@helper
def choose(tree: Any, k: Any, noise: Any) -> Any:
    """The edge of node `k` that a walk takes; NONE if every action is forbidden."""
    node = item(tree.nodes, k)
    if node.mover == CHANCE:
        return choose_outcome(tree, node)
    if tree.options.kind != GUMBEL:
        return choose_puct(tree, k, node)
    if k == 0:
        return choose_by_halving(tree, node, noise)
    return choose_by_lack(tree, node)


@helper
def choose_outcome(tree: Any, node: Any) -> Any:
    """One with its probability."""
    last = np.int64(node.first) + node.count - 1
    x = uniform(tree.slot.random)
    for e in range(node.first, last):
        x -= np.float64(item(tree.edges, e).prior)
        if x < 0.0:
            return np.int64(e)
    return last


@helper
def choose_puct(tree: Any, k: Any, node: Any) -> Any:
    """By priors."""
    slot, options, p = tree.slot, tree.options, node.mover
    scale, visits = scale_of(slot), np.float64(node.visits) + 1.0  # with the one under way
    bonus = options.c_puct * math.sqrt(visits)
    untried = worth(options, p, node.total, len(node.total))
    if options.virtual_loss != 0:
        if k != 0:
            untried = untried + lost_above(tree, node)
        untried = untried / visits
    else:
        untried = untried / max(visits - 1.0, 1.0)
    best, choice, beaten = -np.inf, np.int64(NONE), np.int64(NONE)
    for e in range(node.first, node.first + node.count):
        edge = item(tree.edges, e)
        if edge.marks & ILLEGAL:
            continue
        if is_lost(options, p, edge):
            beaten = np.int64(e)
            continue
        value = mean(edge) if edge.visits > 0 else untried
        score = times(value, scale) + bonus * np.float64(edge.prior) / (1.0 + edge.visits)
        if score > best:
            best, choice = score, np.int64(e)
    return choice if choice != NONE else beaten


@helper
def lost_above(tree: Any, node: Any) -> Any:
    """The visit under way, as a loss for whoever moved to this node, in its own mover's eyes."""
    slot, options, above = tree.slot, tree.options, item(tree.nodes, np.int64(node.parent)).mover
    if above == CHANCE or not slot.most > slot.least:
        return 0.0
    if len(node.total) > 1:
        return slot.least if options.side[above] == options.side[node.mover] else 0.0
    loss = slot.least if options.side[above] == 0 else slot.most
    return loss if options.side[node.mover] == 0 else -loss


# -- Gumbel ------------------------------------------------------------------------------------------------------------


@helper
def survey(tree: Any, node: Any) -> Any:
    """Of a node's legal actions: (visits of all, most visits of one, the mixed value of the untried, the probability
    that is left for those)."""
    total, most, tried, weighted, left = np.int64(0), np.int64(0), 0.0, 0.0, 1.0
    for e in range(node.first, node.first + node.count):
        edge = item(tree.edges, e)
        if edge.marks & ILLEGAL:
            left -= exponential(np.float64(edge.prior))
        elif edge.visits > 0:
            share = exponential(np.float64(edge.prior))
            total += edge.visits
            most = max(most, np.int64(edge.visits))
            tried += share
            weighted += times(share, mean(edge))
    mixed = np.float64(node.judged)
    if tried > 0.0:
        mixed = (mixed + times(np.float64(total), weighted / tried)) / (1.0 + total)
    return total, most, mixed, max(left - tried, 0.0)


@helper
def factor_of(tree: Any, most: Any) -> Any:
    """What σ multiplies a payoff by."""
    return (tree.options.c_visit + most) * (tree.options.c_scale * scale_of(tree.slot))


@helper
def completed(edge: Any, mixed: Any) -> Any:
    """The action's mean, or the mixed value if it was never tried."""
    return mean(edge) if edge.visits > 0 or edge.marks & PROVEN else mixed


@helper
def improved(edge: Any, factor: Any, mixed: Any) -> Any:
    """ln prior + σ(q)."""
    return np.float64(edge.prior) + times(factor, completed(edge, mixed))


@helper
def choose_by_lack(tree: Any, node: Any) -> Any:
    """The action that lacks most visits to be as frequent as π′. Untried actions of one node have one value, so that
    only the likeliest of them can be it, and together they have the probability that is left."""
    options, p = tree.options, node.mover
    total, most, mixed, left = survey(tree, node)
    factor = factor_of(tree, most)
    # 1. The likeliest untried action, and the largest exponent.
    untried, likeliest, largest = np.int64(NONE), -np.inf, -np.inf
    for e in range(node.first, node.first + node.count):
        edge = item(tree.edges, e)
        if edge.marks & ILLEGAL:
            continue
        exponent = improved(edge, factor, mixed)
        largest = max(largest, exponent)
        if edge.visits == 0 and (untried == NONE or exponent > likeliest):
            untried, likeliest = np.int64(e), exponent
    # 2. What the exponentials sum to.
    norm = left * exponential(times(factor, mixed) - largest) if untried != NONE else 0.0
    for e in range(node.first, node.first + node.count):
        edge = item(tree.edges, e)
        if edge.visits > 0 and not edge.marks & ILLEGAL:
            norm += exponential(improved(edge, factor, mixed) - largest)
    # 3. What is lacking.
    best, choice, beaten = -np.inf, np.int64(NONE), np.int64(NONE)
    for e in range(node.first, node.first + node.count):
        edge = item(tree.edges, e)
        if edge.marks & ILLEGAL or (edge.visits == 0 and e != untried):
            continue
        if is_lost(options, p, edge):
            beaten = np.int64(e)
            continue
        share = exponential(improved(edge, factor, mixed) - largest) / norm if norm > 0.0 else 0.0
        lack = share - edge.visits / (1.0 + total)
        if lack > best or choice == NONE:
            best, choice = lack, np.int64(e)
    return choice if choice != NONE else beaten


@helper
def begin_halving(slot: Any, considered: Any, count: Any) -> None:
    """Sequential halving of at most `considered` of `count` actions."""
    slot.sought = max(min(considered, count), 1)
    slot.halvings = 0
    while (1 << slot.halvings) < slot.sought:
        slot.halvings += 1
    slot.place, slot.level = 0, 0
    slot.sweeps = sweeps_of(slot)


@helper
def sweeps_of(slot: Any) -> Any:
    """How often every action of this round is visited: each round has an equal part of the simulations."""
    return max(slot.simulations // max(slot.halvings * slot.sought, 1), 1)


@helper
def go_on_halving(slot: Any) -> None:
    """One more action was visited."""
    slot.place += 1
    if slot.place == slot.sought:
        slot.place, slot.level, slot.sweeps = 0, slot.level + 1, slot.sweeps - 1
        if slot.sweeps == 0 and slot.sought > 1:
            slot.sought = max(slot.sought // 2, 2)
            slot.sweeps = sweeps_of(slot)


@helper
def choose_by_halving(tree: Any, node: Any, noise: Any) -> Any:
    """The highest g + ln prior + σ(q) of those with as many visits as this sweep begins with. What is proven to be lost
    leaves its visits to the others."""
    choice = highest_score(tree, node, noise, tree.slot.level, True)
    if choice == NONE:
        choice = highest_score(tree, node, noise, NONE, True)
    if choice == NONE:
        choice = highest_score(tree, node, noise, NONE, False)
    go_on_halving(tree.slot)
    return choice


@helper
def highest_score(tree: Any, node: Any, noise: Any, visits: Any, hoping: Any) -> Any:
    """The edge of the root of the highest g + ln prior + σ(q), of those with so many visits (NONE: any); `hoping`:
    that are not lost. NONE if there is none."""
    _, most, mixed, _ = survey(tree, node)
    factor, best, choice = factor_of(tree, most), -np.inf, np.int64(NONE)
    for e in range(node.count):
        edge = item(tree.edges, e)
        if visits != NONE and edge.visits != visits:
            continue
        if hoping and is_lost(tree.options, node.mover, edge):
            continue
        score = np.float64(item(noise, e).at) + improved(edge, factor, mixed)
        if score > best or choice == NONE:
            best, choice = score, np.int64(e)
    return choice
