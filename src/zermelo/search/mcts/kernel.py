"""The simulations of a Monte Carlo tree search: select, expand, sample, back up. Generic over rules.

`simulate` samples by rollouts. With an evaluator, `gather` collects leaves and `deliver` takes its answers: the kernel
stops in between, so that many positions are judged in one call, by whatever judges them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.batch.random_game import random_game
from zermelo.compile.dispatch import assign, at, evaluate_players, expand, has_chance, over, utility
from zermelo.compile.kernel import kernel
from zermelo.compile.pointers import base, item, tail
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.search.limits import STOP
from zermelo.search.mcts.backup import back_up, settle
from zermelo.search.mcts.descent import (
    KNOWN,
    LEAF,
    STUCK,
    add_children,
    descend,
    known_to_rules,
    known_to_tables,
    walk_in,
)
from zermelo.search.mcts.rave import credit
from zermelo.search.mcts.tree import MARK_PROVEN, arena_of

MOST_DEPTH = 512  # of the tree
ROW = MOST_DEPTH + 1  # steps of a path


class Rollouts(NamedTuple):
    """How simulations are played on from a leaf, and what RAVE keeps of them."""

    epsilon: Any  # None: at random (see random_game)
    log: Any  # (plies,) PLAYED, where a rollout writes its moves; None without RAVE
    played: Any  # (slots + 1,) SLOT, where they are looked up


@helper
def widen(span: Any, payoff: Any, values: Any) -> None:
    """The range of payoffs takes in those just seen."""
    for q in range(values):
        if payoff[q] < span.least:
            span.least = payoff[q]
        if payoff[q] > span.most:
            span.most = payoff[q]


@helper
def read_proof(bounds: Any, i: Any, payoff: Any) -> None:
    """The payoffs of a proven node; where only player 0's is kept, a second player gets the opposite."""
    bound = item(bounds, i)
    for q in range(len(payoff)):
        payoff[q] = bound.low[q] if len(bound.low) > 1 or q == 0 else -bound.low[0]


@helper
def credit_moves(
    arena: Any, path: Any, depth: Any, payoff: Any, log: Any, plies: Any, played: Any, options: Any
) -> None:
    """RAVE's share of a simulation; without a log there is none, and the compiler leaves this out."""
    if log is not None:
        credit(arena, path, depth, payoff, base(log), plies, base(played), options.mask)


@helper
def is_known(arena: Any, walk: Any, options: Any, leaf: Any, endings: Any) -> Any:
    """Do the rules or tables know what the position is worth? Then its node is proven."""
    return known_to_rules(arena, walk, options, leaf) or known_to_tables(arena, walk, options, leaf, endings)


@kernel
def simulate(tree, work, rollouts, endings, options, simulations, control):  # type: ignore[no-untyped-def]
    """Run `simulations` of work.states[0], whose node is options.root; fewer if it is proven or control says stop.

    `endings` is an evaluator that is asked what it knows for certain (evaluate/tabled.py).
    """
    arena, walk, path, options = arena_of(tree), walk_in(work), base(work.paths), item(base(options), 0)
    nodes, s, payoff, worker = arena.nodes, walk.s, walk.payoff, walk.worker
    epsilon, log, played = rollouts
    values = len(item(nodes, 0).total)
    for _ in range(simulations):
        # 1. Down the tree.
        assign(s, at(work.states, 0))
        depth, where = descend(arena, walk, path, options)
        leaf, news, plies = item(path, depth).node, False, 0
        # 2. What the leaf is worth: proven, known to the rules, or one game sampled from it.
        if where == KNOWN:
            read_proof(arena.bounds, leaf, payoff)
            news = options.shared or worker.news or item(nodes, leaf).visits == 0  # proven by others, or on this walk
        elif depth > 0 and is_known(arena, walk, options, leaf, endings):
            read_proof(arena.bounds, leaf, payoff)
            news = True
        elif where == STUCK:
            evaluate_players(s, payoff)
        else:
            plies, finished = random_game(
                s, walk.out, walk.probability, epsilon, walk.random, options.plies, payoff, log
            )
            if not finished:
                evaluate_players(s, payoff)
            elif plies == 0:
                settle(arena, leaf, payoff, 0)
                news = True
        widen(arena.span, payoff, values)
        # 3. Back to the root.
        credit_moves(arena, path, depth, payoff, log, plies, played, options)
        back_up(arena, path, depth, payoff, options.shared, news and options.solver and options.first)
        worker.simulations += 1
        worker.deepest = max(worker.deepest, depth)
        if item(nodes, options.root).marks & MARK_PROVEN or control[STOP] != 0:
            break


@helper
def retract(nodes: Any, path: Any, depth: Any) -> None:
    """Take a walk back that came to nothing new."""
    for d in range(depth + 1):
        node = item(nodes, item(path, d).node)
        node.visits -= 1
        if d > 0:
            mover = item(nodes, item(path, d - 1).node).mover
            if mover >= 0:
                node.total[0 if len(node.total) == 1 else mover] -= item(path, d).lost


@helper
def is_waiting(paths: Any, depths: Any, found: Any, leaf: Any) -> Any:
    """Is `leaf` one of those that wait to be judged?"""
    waiting = False
    for slot in range(found):
        waiting = waiting or item(paths, slot * ROW + depths[slot]).node == leaf
    return waiting


@kernel
def gather(tree, work, leaves, depths, endings, options, simulations, control):  # type: ignore[no-untyped-def]
    """Collect leaves to be judged: how many, their states in `leaves`, their paths in work.paths, ROW steps each.

    Walks that end at something proven are backed up at once. Stops when `leaves` is full, when a walk comes to a leaf
    that is waiting already, after `simulations` walks, or when control says so.
    """
    arena, walk, paths, options = arena_of(tree), walk_in(work), base(work.paths), item(base(options), 0)
    nodes, s, payoff, worker = arena.nodes, walk.s, walk.payoff, walk.worker
    values, found = len(item(nodes, 0).total), 0
    for _ in range(simulations):
        # 1. Down the tree.
        path = tail(paths, found * ROW)
        assign(s, at(work.states, 0))
        depth, where = descend(arena, walk, path, options)
        leaf = item(path, depth).node
        is_end = where != KNOWN and over(s, walk.out)
        news = is_end or (where != KNOWN and depth > 0 and is_known(arena, walk, options, leaf, endings))
        if where == LEAF and not news:
            # 2. A leaf that somebody has to judge.
            if is_waiting(paths, depths, found, leaf):
                retract(nodes, path, depth)
                break
            assign(at(leaves, found), s)
            depths[found] = depth
            found += 1
        else:
            # 3. One whose worth is known: back to the root at once.
            if is_end:
                utility(s, payoff)
                settle(arena, leaf, payoff, 0)
            elif where == STUCK:
                evaluate_players(s, payoff)
            elif where == KNOWN:
                read_proof(arena.bounds, leaf, payoff)
            widen(arena.span, payoff, values)
            news = news or worker.news or item(nodes, leaf).visits <= 1  # proven on this walk
            back_up(arena, path, depth, payoff, True, news and options.solver)
            worker.simulations += 1
        worker.deepest = max(worker.deepest, depth)
        if found == len(leaves) or item(nodes, options.root).marks & MARK_PROVEN or control[STOP] != 0:
            break
    return found


@helper
def set_priors(weight: Any, first: Any, n: Any, priors: Any, slot: Any) -> None:
    """The priors of n children from `first` on: row `slot` of `priors`, made to sum to 1; all alike where it is 0."""
    total = 0.0
    for j in range(n):
        total += max(priors[slot, j], 0.0)
    for j in range(n):
        item(weight, first + j).part = max(priors[slot, j], 0.0) / total if total > 0.0 else 1.0 / n


@kernel
def deliver(tree, work, leaves, depths, options, found, judged, priors):  # type: ignore[no-untyped-def]
    """Back up what an evaluator says of the first `found` leaves, and give them children with its priors.

    `judged` is (≥ found, players), payoffs; `priors` (≥ found, width), of the legal moves in the rules' order.
    """
    arena, walk, paths, options = arena_of(tree), walk_in(work), base(work.paths), item(base(options), 0)
    payoff, worker = walk.payoff, walk.worker
    values = len(item(arena.nodes, 0).total)
    for slot in range(found):
        s, path, depth = at(leaves, slot), tail(paths, slot * ROW), depths[slot]
        leaf = item(path, depth).node
        if item(arena.nodes, leaf).first < 0 and depth < options.depth:
            p, n = expand(s, walk.out, walk.probability)
            first = worker.free
            grown = p != OVER and add_children(arena, walk, options, leaf, p, n)
            if grown and not (has_chance(s) and p == CHANCE):
                set_priors(arena.weight, first, n, priors, slot)
        for q in range(len(payoff)):
            payoff[q] = judged[slot, q]
        widen(arena.span, payoff, values)
        back_up(arena, path, depth, payoff, True, np.bool_(False))
        worker.simulations += 1
