"""Quiescence: at the end of the depth, only noisy actions are followed, until the position can be judged as it stands.

Whoever moves may stand pat: take the estimate instead of any noisy action. Not where the mover is threatened: there all
actions are tried, and having none may mean that the game is over. In f.depth a quiet node counts down from zero.
"""

from __future__ import annotations

import numpy as np

from zermelo.compile.dispatch import (
    apply,
    assign,
    at,
    expand,
    has_chance,
    move_score,
    noisy,
    offers,
    over,
    player,
    side,
    threatened,
)
from zermelo.compile.evaluator import consult, estimate, expected
from zermelo.core.game import CHANCE, OVER
from zermelo.search.alphabeta.nodes import PATH_FREE, PROVEN_EXACT, QUIET, UNPROVEN, answer, ask, only_with, proof_of
from zermelo.search.alphabeta.ordering import pick_next
from zermelo.search.alphabeta.scores import ended, tabled

MAX_QUIET_PLIES = 24  # noisy plies in a row


@only_with("noisy")
def enter_quiet(states, frames, w, evaluator, ply):
    """A node below the depth. True: a child has been asked; False: the answer stands in the frame."""
    s, f = at(states, ply), at(frames, ply)
    w.quiet_nodes += 1
    if ply > w.deepest:
        w.deepest = ply
    p = player(s)
    if p == OVER:
        return answer(f, ended(s, w, ply), PROVEN_EXACT, PATH_FREE)
    if has_chance(s):
        mean = expected(evaluator, s)
        if mean == mean:
            return answer(f, mean, PROVEN_EXACT, PATH_FREE)
        if p == CHANCE:
            return answer(f, float(estimate(evaluator, s)), UNPROVEN, PATH_FREE)
    else:
        known = consult(evaluator, s)
        if known >= 0:
            return answer(f, tabled(s, p, known, w, ply), PROVEN_EXACT, PATH_FREE)
    f.sign = 1.0 if side(s, p) == 0 else -1.0
    f.low, f.high = (f.lo, f.hi) if f.sign > 0.0 else (-f.hi, -f.lo)
    f.threatened = 1 if offers(s, "threatened") and threatened(s) else 0
    f.stage, f.tried, f.best_proven = QUIET, 0, UNPROVEN
    f.all_proven = PROVEN_EXACT if f.threatened != 0 else UNPROVEN  # standing pat proves nothing
    if f.threatened != 0:
        p, f.count = expand(s, f.moves, f.chance)
        if p == OVER:
            return answer(f, ended(s, w, ply), PROVEN_EXACT, PATH_FREE)
        f.best = -np.inf
    else:
        if not offers(s, "threatened") and over(s, f.moves):  # may be stuck at any time
            return answer(f, ended(s, w, ply), PROVEN_EXACT, PATH_FREE)
        f.best = f.sign * float(estimate(evaluator, s))
        if f.best >= f.high:
            return answer(f, f.sign * f.best, UNPROVEN, PATH_FREE)
        f.low = max(f.low, f.best)
        f.count = noisy(s, f.moves)
    if f.depth <= -MAX_QUIET_PLIES or ply + 3 >= len(states):
        return answer(f, float(estimate(evaluator, s)), UNPROVEN, PATH_FREE)
    f.depth = min(f.depth, 0)
    for i in range(f.count):
        f.order[i] = float(move_score(s, f.moves[i]))
    return ask_quiet(states, frames, ply)


@only_with("noisy")
def ask_quiet(states, frames, ply):
    """Ask about noisy action number `tried`; when there is none worth asking about, answer."""
    s, f, below = at(states, ply), at(frames, ply), at(states, ply + 1)
    if f.tried < f.count:
        pick_next(f, f.tried, f.count)
        if f.threatened != 0 or f.order[f.tried] >= 0.0:
            assign(below, s)
            apply(below, f.moves[f.tried])
            lo, hi = (f.low, f.high) if f.sign > 0.0 else (-f.high, -f.low)
            return ask(at(frames, ply + 1), lo, hi, f.depth - 1, QUIET)
    return answer(f, f.sign * f.best, proof_of(f, True), PATH_FREE)


@only_with("noisy")
def next_quiet(states, frames, w, ply):
    """Take in the answer about a noisy action."""
    f, c = at(frames, ply), at(frames, ply + 1)
    v = f.sign * c.value
    f.tried += 1
    f.all_proven &= c.proven
    if v > f.best:
        f.best, f.best_proven = v, c.proven
        f.low = max(f.low, v)
        if v >= f.high:
            return answer(f, f.sign * v, proof_of(f, False), PATH_FREE)
    return ask_quiet(states, frames, ply)
