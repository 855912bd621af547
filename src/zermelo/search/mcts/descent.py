"""One walk from the root to a leaf of the tree: choose, play, grow, and see whether the path repeats a position.

    root ── chosen ── chosen ── leaf ┄┄ rollout ┄┄ end
    path 0    path 1    path 2    path depth

A node is a leaf on its first visit; the second gives it children. Repetition counts over the positions of the game so
far and of the path (zermelo.compile.repetition): `keys` begins with those of the game, the root's last.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import (
    FORBIDDEN,
    NEVER,
    apply,
    assign,
    at,
    ending_pays,
    expand,
    has_chance,
    known_result,
    need_player,
    offers,
    over,
    player,
    repetition,
    repetition_key,
    row,
    side,
)
from zermelo.compile.evaluator import consult, expected
from zermelo.compile.overloads import overload
from zermelo.compile.pointers import base, item
from zermelo.compile.random import below
from zermelo.compile.repetition import ends_by_repetition, is_forbidden, repetition_payoff
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.search.mcts.backup import settle, tighten
from zermelo.search.mcts.choice import PUCT, RAVE, choose
from zermelo.search.mcts.tree import MARK_ILLEGAL, MARK_PROVEN, NO_CHILDREN, fence

LEAF, KNOWN, STUCK = 0, 1, 2  # where a walk ends: at a node to be sampled, a proven one, one without a legal move

OPTIONS = np.dtype(  # what does not change during a search
    [
        ("root", "i8"),  # its node
        ("rule", "i8"),  # UCT, RAVE or PUCT
        ("exploration", "f8"),
        ("equivalence", "f8"),  # RAVE's: simulations after which the two averages count alike
        ("reduction", "f8"),  # PUCT's: how much less than its parent's mean an untried move is given
        ("judges_chance", "i8"),  # PUCT's: is a leaf where nature moves judged too?
        ("solver", "i8"),
        ("first", "i8"),  # the first thread, which backs proofs up
        ("shared", "i8"),  # several walks at once: virtual losses
        ("weighted", "i8"),  # are there weights?
        ("depth", "i8"),  # of the tree, at most
        ("plies", "i8"),  # of a rollout, at most
        ("known", "i8"),  # keys of the game so far, the root's included
        ("last_mover", "i8"),  # the player who moved to the root, or CHANCE
        ("mask", "u8"),  # of RAVE's table
    ]
)
WORKER = np.dtype(  # one thread's part of the arena, and its counters
    [
        ("free", "i8"),  # the next free node
        ("end", "i8"),  # of its range
        ("simulations", "i8"),
        ("full", "i8"),  # leaves that found no room for children
        ("deepest", "i8"),  # leaf
        ("news", "i8"),  # a forbidden move was found on this walk
        ("_", "i8", (10,)),  # two cache lines: threads do not share one
    ]
)
STEP = np.dtype(  # of a path
    [
        ("node", "i8"),
        ("proven", "i8"),  # the child that the next node stands in for, or -1
        ("lost", "f8"),  # what the visit is counted as while it has not come back
    ]
)


class Walk(NamedTuple):
    """What one thread's walks work in, as compiled code hands it on: records and rows of its Workspace."""

    s: Any  # the state, from the root's to the leaf's
    before: Any  # the state before the last move
    out: Any  # actions or outcomes
    probability: Any
    payoff: Any
    keys: Any  # of the game so far, then of the path
    worker: Any
    random: Any


def walk_in(work: Any) -> Any:
    """A Workspace for compiled code (see `arena_of`)."""
    return Walk(
        at(work.states, 1),
        at(work.states, 2),
        row(work.moves, 0),
        row(work.chance, 0),
        row(work.payoff, 0),
        row(work.keys, 0),
        item(base(work.worker), 0),
        row(work.random, 0),
    )


@overload(walk_in, itself=True, inline="always")
def _walk_in(work: Any) -> Any:
    return walk_in


@helper
def add_children(arena: Any, walk: Any, options: Any, i: Any, p: Any, n: Any) -> Any:
    """Give node `i` its children, the n actions (or outcomes) of `p` in walk.out. False when the arena is full."""
    worker, out = walk.worker, walk.out
    first = worker.free
    if first + n > worker.end:
        worker.full += 1
        return False
    for j in range(n):
        child = item(arena.nodes, first + j)
        for q in range(len(child.total)):
            child.total[q] = 0.0
        child.action, child.visits, child.first, child.count = out[j], 0, NO_CHILDREN, 0
        child.plies, child.mover, child.marks = 0, 0, 0
        if options.weighted and p == CHANCE:
            item(arena.weight, first + j).part = walk.probability[j]
        if options.rule == RAVE:
            item(arena.amaf, first + j).total, item(arena.amaf, first + j).visits = 0.0, 0.0
    worker.free = first + n
    node = item(arena.nodes, i)
    node.count, node.mover = n, need_player(walk.s, p)
    fence()
    node.first = first
    return True


@helper
def grow(arena: Any, walk: Any, options: Any, i: Any) -> Any:
    """Give node `i`, where the walk stands, its children in random order. False if it has none or there is no room."""
    s, out = walk.s, walk.out
    p, n = expand(s, out, walk.probability)
    if p == OVER:
        return False
    if not (has_chance(s) and p == CHANCE):
        for j in range(n - 1, 0, -1):  # else the first in the rules' order would be everybody's first try
            k = below(walk.random, j + 1)
            out[j], out[k] = out[k], out[j]
    return add_children(arena, walk, options, i, p, n)


@helper
def judge_repetition(arena: Any, walk: Any, c: Any, top: Any, p: Any, last: Any) -> Any:
    """Player `p` (or CHANCE, and `last` before it) came to node `c` for the first time; keys[top] is its position.

    Draws and losses by repetition become proven ends; a forbidden move is marked, and the answer is False.
    """
    s, keys, payoff = walk.s, walk.keys, walk.payoff
    if is_forbidden(s, keys, top, p):
        child = item(arena.nodes, c)
        child.marks = child.marks | MARK_ILLEGAL
        return False
    if ends_by_repetition(s, keys, top):
        for q in range(len(payoff)):
            payoff[q] = repetition_payoff(s, q, last)
        settle(arena, c, payoff, 0)
    return True


@helper
def lose_for_now(arena: Any, child: Any, p: Any) -> Any:
    """Count a visit that has not come back yet as a loss for its mover, so that other walks look elsewhere."""
    span = arena.span
    child.visits += 1
    if p < 0 or not span.most > span.least:
        return 0.0
    loss = span.most if len(child.total) == 1 and item(arena.players, p).side != 0 else span.least
    child.total[0 if len(child.total) == 1 else p] += loss
    return loss


@helper
def known_to_rules(arena: Any, walk: Any, options: Any, i: Any) -> Any:
    """Do the rules know the result here, which they must not be asked after the end? Then node `i` is proven."""
    s, result = walk.s, walk.payoff
    if not offers(s, "known_result") or not options.solver or len(item(arena.nodes, i).total) != 1 or len(result) < 2:
        return False
    if over(s, walk.out) or not known_result(s, result):
        return False
    settle(arena, i, result, np.int64(result[1]))
    return True


@helper
def known_to_tables(arena: Any, walk: Any, options: Any, i: Any, endings: Any) -> Any:
    """Do tables know what the position is worth? Then node `i` is proven. Without any, the compiler leaves this out."""
    s, payoff = walk.s, walk.payoff
    if not options.solver or len(item(arena.nodes, i).total) != 1 or len(payoff) < 2:
        return False
    if has_chance(s):
        mean = expected(endings, s)
        if np.isnan(mean):
            return False
        payoff[0] = mean
        settle(arena, i, payoff, 0)
        return True
    known = consult(endings, s)
    if known < 0:
        return False
    p = player(s)
    if p == OVER:
        return False
    won, plies = known & 3, known >> 2
    payoff[0] = 0.0 if won == 0 else ending_pays(s) if (won == 1) == (side(s, p) == 0) else -ending_pays(s)
    settle(arena, i, payoff, plies)
    return True


@helper
def passes(s: Any, options: Any) -> Any:
    """Does a walk go on here though nobody has judged the node: nature moves, and the evaluator is not asked?"""
    return has_chance(s) and not options.judges_chance and player(s) == CHANCE


@helper
def descend(arena: Any, walk: Any, path: Any, options: Any) -> Any:
    """Walk from the root, whose state is walk.s, to a leaf, whose state that then is: (depth, LEAF, KNOWN or STUCK)."""
    nodes, s, worker = arena.nodes, walk.s, walk.worker
    i, depth, last = options.root, 0, options.last_mover
    item(path, 0).node = i
    worker.news = 0
    if options.shared:
        item(nodes, i).visits += 1
    visited = 1 if options.shared else 0  # visits of a node that nobody has come back from
    while True:
        node = item(nodes, i)
        if node.marks & MARK_PROVEN:
            return depth, KNOWN
        # 1. A leaf stays one, or gets children.
        if node.first < 0:
            is_waiting = options.rule == PUCT and not passes(s, options)
            if is_waiting or (options.rule != PUCT and depth > 0 and node.visits <= visited) or depth >= options.depth:
                return depth, LEAF
            if not grow(arena, walk, options, i):
                return depth, LEAF
        # 2. Choose, and play.
        c, proven = choose(arena, i, walk.random, options)
        if c < 0:
            return depth, STUCK
        p, child = node.mover, item(nodes, c)
        if repetition(s) == FORBIDDEN:
            assign(walk.before, s)
        apply(s, child.action)
        # 3. Repetition is a matter of the path, and a node has one path: its first visit tells.
        if repetition(s) != NEVER:
            top = options.known + depth
            walk.keys[top] = repetition_key(s)
            if p >= 0:
                last = p
            if child.visits == 0 and not judge_repetition(arena, walk, c, top, p, last):
                assign(s, walk.before)
                if options.solver and options.first:  # one move less: that may prove something
                    worker.news = 1
                    tighten(arena, i)
                continue
        # 4. One ply deeper.
        item(path, depth).proven = proven
        depth += 1
        item(path, depth).node = c
        if options.shared:
            item(path, depth).lost = lose_for_now(arena, child, p)
        i = c
