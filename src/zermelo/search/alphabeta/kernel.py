"""The alpha-beta search, compiled: principal variation search over any rules, with chance nodes in the same tree.

All values are from player 0's view; `sign` is +1 where MAX moves and -1 where MIN does, so that extra turns and teams
need nothing special. A node is asked for its value to a depth within a window (lo, hi), and answers three things:

    value        fail-soft: ≤ lo is an upper bound on the truth, ≥ hi a lower bound, between them it is the truth
    proven       whether no estimate had a part in it, so that it is true to any depth: as a lower bound, an upper, both
    depends_on   path dependence: the ply nearest the root whose position a repetition made the answer depend on,
                 or PATH_FREE

An answer that depends on a position above its own node is true on this path only, and is not kept in the table. Proven
values are moved toward zero by a step for each ply of distance to the end, so that a faster win is better; in the table
they are kept as seen from their own node.

The search is a walk over frames, one a ply, and not a recursive function, because the compiler takes minutes over the
types of one. Every step says whether it has put a question to a child, or has the node's answer:

    enter(ply)     a new node: over, known, in the table? else its first child
    resume(ply)    back from a child with its answer: the next child, or done

References: Knuth and Moore (1975); Marsland and Campbell (1982) for the scout windows; Heinz (1999) for null moves;
Weill (1996), ABDADA, and Kerrigan (2017), its simplification, for threads that leave each other's moves for later.
"""

from __future__ import annotations

import numpy as np

from zermelo.compile.dispatch import (
    NEVER,
    apply,
    assign,
    at,
    expand,
    has_chance,
    known_result,
    null_move,
    offers,
    over,
    player,
    repetition,
    search_key,
    side,
    threatened,
)
from zermelo.compile.evaluator import consult, estimate, expected
from zermelo.compile.kernel import kernel
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.search.alphabeta.abdada import FINISHED_BY, SPLIT_DEPTH, begin_share, end_share, is_busy, share_of
from zermelo.search.alphabeta.chance import first_outcome, next_outcome
from zermelo.search.alphabeta.nodes import (
    AFTER_NULL,
    CHANCES,
    MOVES,
    NORMAL,
    NULL,
    PATH_FREE,
    PROBE,
    PROVEN_EXACT,
    PROVEN_LOWER,
    PROVEN_UPPER,
    QUIET,
    UNPROVEN,
    answer,
    ask,
    proof_against,
    proof_of,
)
from zermelo.search.alphabeta.ordering import DEFERRED, KILLER, SCORED, pick_next, rank, remember
from zermelo.search.alphabeta.paths import decided_by_repetition, dependence_above, outlasts_paths
from zermelo.search.alphabeta.quiescence import enter_quiet, next_quiet
from zermelo.search.alphabeta.scores import ended, tabled, with_distance
from zermelo.search.alphabeta.table import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, probe, store
from zermelo.search.limits import STOP
from zermelo.search.report import MAX_PV

_LOGS = np.log(np.maximum(np.arange(64), 1))
REDUCTIONS = (0.4 + 0.45 * np.outer(_LOGS, _LOGS)).astype(np.int64)
WHOLE, SHALLOW, SCOUT = 0, 1, 2  # how a move is searched: whole window; null window, reduced or not


@kernel
def search(states, frames, work, table, control, evaluator, thread, base):
    """`walk`, for callers from Python."""
    walk(states, frames, work, table, control, evaluator, thread, base)


@helper
def walk(states, frames, work, table, control, evaluator, thread, base):
    """Answer the question that stands in frames[base]; the answer is in that frame, unless work[0].stopped."""
    w, ply = at(work, 0), base
    going_down = enter(states, frames, w, table, control, evaluator, thread, ply)
    while w.stopped == 0:
        if going_down:
            ply += 1
            going_down = enter(states, frames, w, table, control, evaluator, thread, ply)
        elif ply == base:
            return
        else:
            ply -= 1
            going_down = resume(states, frames, w, table, control, evaluator, ply)


@helper
def enter(states, frames, w, table, control, evaluator, thread, ply):
    """A new node. True: a child has been asked; False: the answer stands in the frame."""
    s, f = at(states, ply), at(frames, ply)
    f.pv_length = 0
    # 1. Is somebody asking us to stop?
    w.nodes += 1
    w.poll -= 1
    if w.poll <= 0 and heard_stop(w, control, thread):
        return False
    if f.mode == QUIET:
        return enter_quiet(states, frames, w, evaluator, ply)
    if w.goal != 0.0 and f.depth <= 0 and outlasts_paths(s):
        return enter_last(s, f, w, ply)
    # 2. Has the position stood before?
    if repetition(s) != NEVER and decided_by_repetition(states, frames, w, ply):
        return False
    # 3. Is it over, known, or too deep?
    p = player(s)
    if p == OVER:
        return answer(f, ended(s, w, ply), PROVEN_EXACT, PATH_FREE)
    if offers(s, "known_result") and w.use_known_result != 0 and known_result(s, w.known_result):
        value, plies = w.known_result[0], ply + w.known_result[1]
        return answer(f, with_distance(value, w.distance_step * plies), PROVEN_EXACT, PATH_FREE)
    if has_chance(s):
        mean = expected(evaluator, s)
        if mean == mean:
            return answer(f, mean, PROVEN_EXACT, PATH_FREE)
    elif w.goal == 0.0:
        known = consult(evaluator, s)
        if known >= 0:
            return answer(f, tabled(s, p, known, w, ply), PROVEN_EXACT, PATH_FREE)
    f.threatened = 0
    if offers(s, "threatened") and p != CHANCE and threatened(s):
        f.threatened = 1
        if w.use_extensions != 0 and ply < 2 * w.root_depth:
            f.depth += 1
    if f.depth <= 0 or ply + 3 >= len(states):
        if ply > w.deepest:
            w.deepest = ply
        if w.use_quiescence != 0 and offers(s, "noisy") and ply + 3 < len(states):
            return enter_quiet(states, frames, w, evaluator, ply)
        if over(s, f.moves):
            return answer(f, ended(s, w, ply), PROVEN_EXACT, PATH_FREE)
        if w.goal != 0.0:
            return not_yet(f, w, ply)
        return answer(f, float(estimate(evaluator, s)), UNPROVEN, PATH_FREE)
    if has_chance(s) and p == CHANCE:
        return first_outcome(states, frames, w, ply)
    # 4. What does the table know?
    f.sign = 1.0 if side(s, p) == 0 else -1.0
    f.key, f.tt_move = search_key(s), -1
    if w.use_table != 0 and decided_by_table(f, w, table, ply):
        return False
    # 5. The window as the side to move sees it.
    f.low, f.high = (f.lo, f.hi) if f.sign > 0.0 else (-f.hi, -f.lo)
    f.floor = f.low
    # 6. If even a free move for the other side leaves us above the window, a real move will too.
    if offers(s, "null_move") and may_pass(f, w) and f.sign * float(estimate(evaluator, s)) >= f.high:
        below = at(states, ply + 1)
        assign(below, s)
        if null_move(below):
            f.stage = NULL
            return ask(at(frames, ply + 1), f.lo, f.hi, f.depth - 3 - f.depth // 6, AFTER_NULL)
    return first_move(states, frames, w, table, control, evaluator, ply)


@helper
def resume(states, frames, w, table, control, evaluator, ply):
    """Back from a child, whose answer stands in its frame. True: a child has been asked; False: we have the answer."""
    f, c = at(frames, ply), at(frames, ply + 1)
    if f.stage == MOVES:
        return next_move(states, frames, w, table, control, evaluator, ply)
    if f.stage == QUIET:
        return next_quiet(states, frames, w, ply)
    if has_chance(at(states, ply)) and f.stage == CHANCES:
        return next_outcome(states, frames, w, ply)
    if f.sign * c.value >= f.high:
        w.null_cuts += 1
        # no more than the window asks for: what a free move allows is no result of the game
        return answer(f, f.sign * f.high, UNPROVEN, dependence_above(c.depends_on, ply))
    return first_move(states, frames, w, table, control, evaluator, ply)


@helper
def first_move(states, frames, w, table, control, evaluator, ply):
    """List the moves and put them in order; ask the first."""
    s, f, below = at(states, ply), at(frames, ply), at(states, ply + 1)
    p, f.count = expand(s, f.moves, f.chance)
    if p == OVER:
        return answer(f, ended(s, w, ply), PROVEN_EXACT, PATH_FREE)
    f.order[0] = 0.0
    if f.count > 1 and in_order(f, w):
        rank(s, below, f, at(frames, ply + 1).moves, w, evaluator)
    f.stage, f.tried, f.legal, f.best, f.choice = MOVES, 0, 0, -np.inf, -1
    f.best_proven, f.all_proven, f.children_depend_on = UNPROVEN, PROVEN_EXACT, PATH_FREE
    return ask_move(states, frames, w, table, control, evaluator, ply)


@helper
def ask_move(states, frames, w, table, control, evaluator, ply):
    """Ask about move number `tried`; when there is none, conclude."""
    s, f, below, c = at(states, ply), at(frames, ply), at(states, ply + 1), at(frames, ply + 1)
    while f.tried < f.count:
        if f.tried + 1 < f.count and in_order(f, w):
            pick_next(f, f.tried, f.count)
        a, order = f.moves[f.tried], f.order[f.tried]
        f.share = 0
        if w.use_abdada != 0 and f.depth >= SPLIT_DEPTH and f.mode != PROBE:
            f.share = share_of(f.key, a)
            if f.tried > 0 and order > DEFERRED and is_busy(control, f.share):
                f.order[f.tried] = DEFERRED + order * 1e-6
                continue
            begin_share(control, f.share)
        assign(below, s)
        apply(below, a)
        if f.legal == 0 or w.use_scout == 0:
            f.pass_ = WHOLE
            return ask_within(f, c, f.low, f.high, f.depth - 1)
        less = 0
        late = f.depth >= 3 and f.tried >= 3 and f.threatened == 0 and order < KILLER - 10.0
        if w.use_reductions != 0 and offers(s, "noisy") and late:
            less = reduction(f.depth, f.tried)
        w.reduced += 1 if less > 0 else 0
        f.pass_ = SHALLOW if less > 0 else SCOUT
        return ask_within(f, c, f.low, above(f.low), f.depth - 1 - less)
    if f.legal == 0:
        # every move is forbidden, which is no end that the rules know
        return answer(f, float(estimate(evaluator, s)), UNPROVEN, dependence_above(f.children_depend_on, ply))
    return conclude(s, f, w, table, ply)


@helper
def next_move(states, frames, w, table, control, evaluator, ply):
    """Take in the answer about a move; ask about it again, or about the next one."""
    f, c = at(frames, ply), at(frames, ply + 1)
    v = f.sign * c.value
    if v > f.low and f.pass_ == SHALLOW:
        f.pass_ = SCOUT
        return ask_within(f, c, f.low, above(f.low), f.depth - 1)
    if v > f.low and v < f.high and f.pass_ == SCOUT:
        w.re_searches += 1
        f.pass_ = WHOLE
        return ask_within(f, c, f.low, f.high, f.depth - 1)
    if f.share != 0:
        end_share(control, f.share)
    a, order = f.moves[f.tried], f.order[f.tried]
    f.tried += 1
    f.children_depend_on = min(f.children_depend_on, c.depends_on)
    if np.isnan(v):  # it would repeat a position, which is forbidden
        return ask_move(states, frames, w, table, control, evaluator, ply)
    f.legal += 1
    f.all_proven &= c.proven
    if v > f.best:
        f.best, f.choice, f.best_proven = v, a, c.proven
        if v > f.low:
            f.low = v
            update_pv(f, c, a)
            if v >= f.high:  # so good that the other side will not let it come to this
                w.cuts += 1
                w.first_cuts += 1 if f.legal == 1 else 0
                f.children_depend_on = c.depends_on
                if order < SCORED and order > -SCORED and in_order(f, w):
                    remember(f, w, a, f.sign, f.depth)
                return conclude(at(states, ply), f, w, table, ply)
    if f.mode == PROBE:
        return conclude(at(states, ply), f, w, table, ply)
    return ask_move(states, frames, w, table, control, evaluator, ply)


@helper
def conclude(s, f, w, table, ply):
    """The answer, and into the table with it, unless it is true on this path only."""
    failed = f.best <= f.floor
    at_least = f.best >= f.high or (f.mode == PROBE and not failed)
    proven = proof_of(f, not at_least and f.mode != PROBE)
    value, free = f.sign * f.best, f.children_depend_on >= ply
    if w.use_table != 0:
        kept_proof = proven if outlasts_paths(s) else UNPROVEN
        kept = with_distance(value, -w.distance_step * ply) if kept_proof != UNPROVEN else value
        if not free or (f.mode == PROBE and failed):  # one move that failed says nothing of the others
            if f.tt_move < 0:
                store(table, f.key, 0.0, f.choice, -1, BOUND_EXACT, UNPROVEN, w.generation)
        else:
            bound = BOUND_EXACT
            if at_least or failed:  # as player 0 sees it
                bound = BOUND_LOWER if at_least == (f.sign > 0.0) else BOUND_UPPER
            store(table, f.key, kept, f.choice, f.depth, bound, kept_proof, w.generation)
    return answer(f, value, proven, PATH_FREE if free else f.children_depend_on)


@helper
def decided_by_table(f, w, table, ply):
    """Does the table know enough of the position? Then the answer stands in the frame; if not, its move may."""
    w.probes += 1
    found, value, f.tt_move, known, bound, proven = probe(table, f.key)
    if not found:
        return False
    if proven != UNPROVEN:
        value = with_distance(value, w.distance_step * ply)
    deep = w.goal == 0.0 and (known == f.depth or (known > f.depth and w.use_deeper_entries != 0))
    enough = proven == PROVEN_EXACT and (w.goal == 0.0 or value <= f.lo or value >= f.hi)
    enough |= deep and bound == BOUND_EXACT
    enough |= value >= f.hi and (proven == PROVEN_LOWER or (deep and bound == BOUND_LOWER))
    enough |= value <= f.lo and (proven == PROVEN_UPPER or (deep and bound == BOUND_UPPER))
    if enough:
        w.hits += 1
        if f.tt_move >= 0:
            f.pv[0], f.pv_length = f.tt_move, 1
        answer(f, value, proven, PATH_FREE)
    return enough


# -- a search for the shortest win (shortest.py) -----------------------------------------------------------------------


@helper
def enter_last(s, f, w, ply):
    """The last ply of a search for the shortest win: is the game over?

    With nothing threatened nobody is stuck and lost (quiescence.py).
    """
    if player(s) != OVER and ((offers(s, "threatened") and not threatened(s)) or not over(s, f.moves)):
        return not_yet(f, w, ply)
    return answer(f, ended(s, w, ply), PROVEN_EXACT, PATH_FREE)


@helper
def not_yet(f, w, ply):
    """The game goes on: it is not won before the next ply. That needs no estimate, and is proven."""
    return answer(f, with_distance(w.goal, w.distance_step * (ply + 1)), proof_against(w.goal), PATH_FREE)


@helper
def in_order(f, w):
    """Does the order of the moves matter? Not for the last one of a search for the shortest win."""
    return w.goal == 0.0 or f.depth > 1


# -- small things ------------------------------------------------------------------------------------------------------


@helper
def heard_stop(w, control, thread):
    """Look at the stop flag every `interval` nodes, and at the limit of nodes exactly."""
    if w.nodes > w.limit or control[STOP] != 0 or (control[FINISHED_BY] != 0 and control[FINISHED_BY] != thread + 1):
        w.stopped = 1
    w.poll = max(1, min(w.interval, w.limit - w.nodes + 1))
    return w.stopped != 0


@helper
def may_pass(f, w):
    """Is a null move worth a try: a null window, some depth, no null move just before, nothing threatened?"""
    scouting = f.low > -np.inf and f.high <= above(f.low)
    return w.use_null_move != 0 and scouting and f.mode == NORMAL and f.depth >= 3 and f.threatened == 0


@helper
def ask_within(f, c, low, high, depth):
    """Ask a child within a window as the side to move here sees it."""
    if f.sign > 0.0:
        return ask(c, low, high, depth, NORMAL)
    return ask(c, -high, -low, depth, NORMAL)


@helper
def update_pv(f, c, action):
    """The principal variation from here: `action`, then the child's."""
    n = min(c.pv_length, MAX_PV - 1)
    f.pv[0], f.pv_length = action, n + 1
    for i in range(n):
        f.pv[i + 1] = c.pv[i]


@helper
def reduction(depth, tried):
    """How many plies less a late quiet move gets: more the deeper the search and the later the move."""
    return min(REDUCTIONS[min(depth, 63), min(tried, 63)], depth - 2)


@helper
def above(low):
    """A number just above a finite one: the far side of a null window."""
    return low + (abs(low) * 4.5e-16 + 1e-300)
