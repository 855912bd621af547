"""Which child a simulation enters. All scores are from the mover's view, scaled by the range of payoffs to about 1.

    UCT    mean + c √(ln N / n)                                   every move once, then the optimist's choice
    RAVE   (1 − β) mean + β amaf + c √(ln N / n), β = √(k / (3N + k))   moves that were good later, early on
    PUCT   mean + c · prior · √N / (1 + n)                        a move nobody has tried has its parent's mean, less
                                                                  r √(the priors of those that were tried)

N is the node's visits, n the child's. Kocsis and Szepesvári 2006; Gelly and Silver 2007; Rosin 2011. What is proven
takes part: a mean never leaves its bounds, and a move that cannot be better than one already proven is not entered.

A choice is two children: the one to enter, and -1 or the proven one it stands in for. A proven child has nothing to
tell any more, so when it has the highest score, its value is what the nodes above are given, and the walk goes on into
the best of the others, to find out whether it can be proven to be better or worse.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.pointers import item
from zermelo.compile.random import uniform
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
    worst_worth,
    worth,
)

UCT, RAVE, PUCT = 0, 1, 2


@helper
def is_hopeless(players: Any, p: Any, child: Any, bound: Any, floor: Any) -> Any:
    """Forbidden, proven no better than `floor`, which another move is sure to reach, or proven the worst there is."""
    if child.marks & MARK_ILLEGAL:
        return True
    fence()
    most = most_worth(players, p, bound)
    return (most <= floor and least_worth(players, p, bound) < floor) or most <= worst_worth(players, p, bound)


@helper
def mean_worth(players: Any, p: Any, child: Any, bound: Any) -> Any:
    """The average for player `p`, within what is proven. The child has been visited."""
    mean = worth(players, p, child.total) / child.visits
    if child.marks & MARK_BOUNDED:
        fence()
        mean = min(max(mean, least_worth(players, p, bound)), most_worth(players, p, bound))
    return mean


@helper
def certain_floor(players: Any, node: Any, bound: Any) -> Any:
    """What the mover at `node` is sure of."""
    if node.marks & MARK_BOUNDED:
        fence()
        return least_worth(players, node.mover, bound)
    return -np.inf


@helper
def choose_uct(arena: Any, i: Any, scale: Any, options: Any) -> Any:
    """(child of node `i`, child it stands in for), or -1 if none is legal. `scale` is one over the range of payoffs."""
    nodes, bounds, players = arena.nodes, arena.bounds, arena.players
    node = item(nodes, i)
    p, first, count = node.mover, node.first, node.count
    floor = certain_floor(players, node, item(bounds, i))
    bonus = options.exploration * np.sqrt(np.log(max(node.visits, 1)))
    best, choice, best_open, open_choice = -np.inf, -1, -np.inf, -1
    for c in range(first, first + count):
        child = item(nodes, c)
        if child.marks != 0 and is_hopeless(players, p, child, item(bounds, c), floor):
            continue
        if child.visits == 0:
            return c, -1
        rarity = 1.0 / np.sqrt(child.visits)  # its square is one over the visits: one division instead of two
        if child.marks & MARK_BOUNDED:
            score = mean_worth(players, p, child, item(bounds, c)) * scale + bonus * rarity
        else:
            score = (worth(players, p, child.total) * scale * rarity + bonus) * rarity
        if score > best:
            best, choice = score, c
        if score > best_open and not child.marks & MARK_PROVEN:
            best_open, open_choice = score, c
    return (open_choice, choice) if options.solver and 0 <= open_choice != choice else (choice, -1)


@helper
def choose_rave(arena: Any, i: Any, scale: Any, options: Any) -> Any:
    """As `choose_uct`, with the all-moves-as-first value counting more while the node is young."""
    nodes, bounds, players = arena.nodes, arena.bounds, arena.players
    node = item(nodes, i)
    p, first, count = node.mover, node.first, node.count
    floor = certain_floor(players, node, item(bounds, i))
    bonus = options.exploration * np.sqrt(np.log(max(node.visits, 1)))
    beta = np.sqrt(options.equivalence / (3.0 * node.visits + options.equivalence))
    best, choice, best_open, open_choice = -np.inf, -1, -np.inf, -1
    for c in range(first, first + count):
        child, other = item(nodes, c), item(arena.amaf, c)
        if child.marks != 0 and is_hopeless(players, p, child, item(bounds, c), floor):
            continue
        if other.visits == 0.0 and child.visits == 0:
            return c, -1
        score = 0.0 if other.visits == 0.0 else other.total / other.visits
        if child.visits > 0:
            mean = mean_worth(players, p, child, item(bounds, c))
            score = mean if other.visits == 0.0 else (1.0 - beta) * mean + beta * score
        score = score * scale + bonus / np.sqrt(max(child.visits, 1))
        if score > best:
            best, choice = score, c
        if score > best_open and not child.marks & MARK_PROVEN:
            best_open, open_choice = score, c
    return (open_choice, choice) if options.solver and 0 <= open_choice != choice else (choice, -1)


@helper
def choose_puct(arena: Any, i: Any, scale: Any, options: Any) -> Any:
    """As `choose_uct`, by priors."""
    nodes, bounds, players = arena.nodes, arena.bounds, arena.players
    node = item(nodes, i)
    p, first, count = node.mover, node.first, node.count
    floor = certain_floor(players, node, item(bounds, i))
    bonus = options.exploration * np.sqrt(max(node.visits, 1))
    untried = worth(players, p, node.total) / max(node.visits, 1)
    if options.reduction > 0.0:
        tried = 0.0
        for c in range(first, first + count):
            if item(nodes, c).visits > 0:
                tried += item(arena.weight, c).part
        untried -= options.reduction * np.sqrt(tried) / scale
    best, choice, best_open, open_choice = -np.inf, -1, -np.inf, -1
    for c in range(first, first + count):
        child = item(nodes, c)
        if child.marks != 0 and is_hopeless(players, p, child, item(bounds, c), floor):
            continue
        mean = untried if child.visits == 0 else mean_worth(players, p, child, item(bounds, c))
        score = mean * scale + bonus * item(arena.weight, c).part / (1.0 + child.visits)
        if score > best:
            best, choice = score, c
        if score > best_open and not child.marks & MARK_PROVEN:
            best_open, open_choice = score, c
    return (open_choice, choice) if options.solver and 0 <= open_choice != choice else (choice, -1)


@helper
def choose_outcome(arena: Any, i: Any, random: Any, options: Any) -> Any:
    """At a chance node: a child, with its probability. The rarest seen of the others stands in for a proven one."""
    nodes, weight = arena.nodes, arena.weight
    node = item(nodes, i)
    first, end = node.first, node.first + node.count
    x, drawn = uniform(random), end - 1
    for c in range(first, end - 1):
        x -= item(weight, c).part
        if x < 0.0:
            drawn = c
            break
    if not (options.solver and item(nodes, drawn).marks & MARK_PROVEN):
        return drawn, -1
    most, choice = 0.0, -1
    for c in range(first, end):
        lack = item(weight, c).part / (1.0 + item(nodes, c).visits)
        if lack > most and not item(nodes, c).marks & MARK_PROVEN:
            most, choice = lack, c
    return (choice, drawn) if choice >= 0 else (drawn, -1)


@unit
def choose(arena: Any, i: Any, random: Any, options: Any) -> Any:
    """The child of node `i` to enter, or -1, and the one it stands in for, or -1."""
    if item(arena.nodes, i).mover == CHANCE:
        return choose_outcome(arena, i, random, options)
    least, most = arena.span.least, arena.span.most
    scale = 1.0 / (most - least) if most > least else 1.0
    if options.rule == PUCT:
        return choose_puct(arena, i, scale, options)
    if options.rule == RAVE:
        return choose_rave(arena, i, scale, options)
    return choose_uct(arena, i, scale, options)
