"""The simulations of a Monte Carlo tree search: select, expand, sample, back up. Generic over rules.

`simulate` samples by rollouts. With an evaluator, `gather` collects leaves and `deliver` takes its answers: the kernel
stops in between, so that many positions are judged in one call, by whatever judges them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.dispatch import assign, at, evaluate_players, expand, has_chance, over, row, utility
from zermelo.compile.kernel import kernel
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.search.limits import STOP
from zermelo.search.mcts.backup import back_up, settle
from zermelo.search.mcts.descent import (
    KNOWN,
    STUCK,
    add_children,
    descend,
    known_to_rules,
)
from zermelo.search.mcts.rave import credit
from zermelo.search.mcts.tree import MARK_PROVEN, base, item, tail
from zermelo.search.playout import random_game

MOST_DEPTH = 512  # of the tree
ROW = MOST_DEPTH + 1  # steps of a path


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


@kernel
def simulate(  # type: ignore[no-untyped-def]
    nodes, bounds, weight, amaf, span, players, states, moves, chance, payoff, paths, keys, worker, random,
    epsilon, log, played, options, simulations, control,
):  # fmt: skip
    """Run `simulations` of states[0], whose node is options.root; fewer if it is proven or control says stop.

    states[1] and states[2] are scratch, and so are moves, chance, payoff, paths and what `keys` has after the game's.
    """
    nodes, bounds, weight, amaf = base(nodes), base(bounds), base(weight), base(amaf)
    span, path, keys, worker = item(base(span), 0), base(paths), row(keys, 0), item(base(worker), 0)
    options, played, players = item(base(options), 0), base(played), base(players)
    s, before = at(states, 1), at(states, 2)
    out, probability, payoff, random = row(moves, 0), row(chance, 0), row(payoff, 0), row(random, 0)
    values = len(item(nodes, 0).total)
    for _ in range(simulations):
        # 1. Down the tree.
        assign(s, at(states, 0))
        depth, where = descend(
            s, before, nodes, bounds, weight, amaf, span, players, worker, out, probability, payoff, path, keys, random,
            options,
        )  # fmt: skip
        leaf, news, plies = item(path, depth).node, False, 0
        # 2. What the leaf is worth: proven, known to the rules, or one game sampled from it.
        if where == KNOWN:
            read_proof(bounds, leaf, payoff)
            news = options.shared or worker.news or item(nodes, leaf).visits == 0  # proven by others, or on this walk
        elif depth > 0 and known_to_rules(s, out, nodes, bounds, leaf, payoff, options):
            read_proof(bounds, leaf, payoff)
            news = True
        elif where == STUCK:
            evaluate_players(s, payoff)
        else:
            plies, finished = random_game(s, out, probability, epsilon, random, options.plies, payoff, log)
            if not finished:
                evaluate_players(s, payoff)
            elif plies == 0:
                settle(nodes, bounds, leaf, payoff, 0)
                news = True
        widen(span, payoff, values)
        # 3. Back to the root.
        if log is not None:
            credit(players, nodes, amaf, path, depth, payoff, base(log), plies, played, options.mask)
        news = news and options.solver and options.first
        back_up(players, nodes, bounds, weight, path, depth, payoff, options.shared, news)
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


@kernel
def gather(  # type: ignore[no-untyped-def]
    nodes, bounds, weight, amaf, span, players, states, moves, chance, payoff, paths, keys, worker, random,
    leaves, depths, options, simulations, control,
):  # fmt: skip
    """Collect leaves to be judged: how many, their states in `leaves`, their paths in `paths`, ROW steps each.

    Walks that end at something proven are backed up at once. Stops when `leaves` is full, when a walk comes to a leaf
    that is waiting already, after `simulations` walks, or when control says so.
    """
    nodes, bounds, weight, amaf = base(nodes), base(bounds), base(weight), base(amaf)
    span, paths, keys, worker = item(base(span), 0), base(paths), row(keys, 0), item(base(worker), 0)
    options, players, before = item(base(options), 0), base(players), at(states, 2)
    out, probability, payoff, random = row(moves, 0), row(chance, 0), row(payoff, 0), row(random, 0)
    values, found = len(item(nodes, 0).total), 0
    for _ in range(simulations):
        s, path = at(states, 1), tail(paths, found * ROW)
        assign(s, at(states, 0))
        depth, where = descend(
            s, before, nodes, bounds, weight, amaf, span, players, worker, out, probability, payoff, path, keys, random,
            options,
        )  # fmt: skip
        leaf = item(path, depth).node
        is_end = where != KNOWN and over(s, out)
        news = is_end or (where != KNOWN and depth > 0 and known_to_rules(s, out, nodes, bounds, leaf, payoff, options))
        if where != KNOWN and where != STUCK and not news:
            waiting = False
            for slot in range(found):
                waiting = waiting or item(paths, slot * ROW + depths[slot]).node == leaf
            if waiting:
                retract(nodes, path, depth)
                break
            assign(at(leaves, found), s)
            depths[found] = depth
            found += 1
        else:
            if is_end:
                utility(s, payoff)
                settle(nodes, bounds, leaf, payoff, 0)
            elif where == STUCK:
                evaluate_players(s, payoff)
            elif where == KNOWN:
                read_proof(bounds, leaf, payoff)
            widen(span, payoff, values)
            news = news or worker.news or item(nodes, leaf).visits <= 1  # proven on this walk
            back_up(players, nodes, bounds, weight, path, depth, payoff, True, news and options.solver)
            worker.simulations += 1
        worker.deepest = max(worker.deepest, depth)
        if found == len(leaves) or item(nodes, options.root).marks & MARK_PROVEN or control[STOP] != 0:
            break
    return found


@kernel
def deliver(  # type: ignore[no-untyped-def]
    nodes, bounds, weight, amaf, span, players, states, moves, chance, payoff, paths, keys, worker, random,
    leaves, depths, options, found, judged, priors,
):  # fmt: skip
    """Back up what an evaluator says of the first `found` leaves, and give them children with its priors.

    `judged` is (≥ found, players), payoffs; `priors` (≥ found, width), of the legal moves in the rules' order.
    """
    nodes, bounds, weight, amaf = base(nodes), base(bounds), base(weight), base(amaf)
    span, paths, worker, options = item(base(span), 0), base(paths), item(base(worker), 0), item(base(options), 0)
    out, probability, payoff, players = row(moves, 0), row(chance, 0), row(payoff, 0), base(players)
    values = len(item(nodes, 0).total)
    for slot in range(found):
        s, path, depth = at(leaves, slot), tail(paths, slot * ROW), depths[slot]
        leaf = item(path, depth).node
        if item(nodes, leaf).first < 0 and depth < options.depth:
            p, n = expand(s, out, probability)
            first = worker.free
            grown = p != OVER and add_children(nodes, weight, amaf, worker, options, leaf, p, n, out, probability)
            if grown and not (has_chance(s) and p == CHANCE):
                total = 0.0
                for j in range(n):
                    total += max(priors[slot, j], 0.0)
                for j in range(n):
                    item(weight, first + j).part = max(priors[slot, j], 0.0) / total if total > 0.0 else 1.0 / n
        for q in range(len(payoff)):
            payoff[q] = judged[slot, q]
        widen(span, payoff, values)
        back_up(players, nodes, bounds, weight, path, depth, payoff, True, np.bool_(False))
        worker.simulations += 1
