"""Self-play with a search for every move, and targets from it: TD-leaf, and Samuel's way.

    position t ──search──→ move, and the line it expects: … → leaf t        V(leaf t) is the value of position t

    target "leaf"   V(leaf t) is moved towards the values of the positions that followed (TD-leaf: Baxter, Tridgell and
                    Weaver, Learning to play chess using temporal differences, 2000)
    target "root"   V(position t), as it stands, is moved towards what the search says of it, and of those that followed
                    (A. L. Samuel, Some studies in machine learning using the game of checkers, 1959)

The search is the full one without what changes values for speed's sake: no table (a line from a table is cut short), no
null move, no reductions. Where it ends with noisy actions, the leaf is where these come to rest.
For games without chance: with dice, the best successor's own value is learned from (td.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import (
    FORBIDDEN,
    apply,
    assign,
    at,
    expand,
    noisy,
    offers,
    over,
    player,
    repetition,
    row,
    threatened,
)
from zermelo.compile.evaluator import estimate
from zermelo.compile.random import below, uniform
from zermelo.compile.record_game import RecordGame
from zermelo.compile.repetition import PAST
from zermelo.compile.rules import helper
from zermelo.core.game import GameError
from zermelo.evaluate.network import outputs_of
from zermelo.learn.gradient import fit
from zermelo.learn.returns import lambda_returns, outputs_for
from zermelo.learn.successors import look
from zermelo.learn.td import settle
from zermelo.learn.trajectory import forbidden, random_moves, room_of
from zermelo.search.alphabeta.abdada import BUSY_SLOTS
from zermelo.search.alphabeta.kernel import walk
from zermelo.search.alphabeta.nodes import QUIET, ask, only_with
from zermelo.search.alphabeta.root import search_root
from zermelo.search.alphabeta.table import make_table
from zermelo.search.alphabeta.workspace import ROOT, Options, make_workspace
from zermelo.search.limits import new_control

OPTIONS = Options(
    table=False,
    null_move=False,
    reductions=False,
    extensions=False,
    deeper_entries=False,
    distance=False,
    prove=False,
    abdada=False,
)
CUT, NOTHING = 1, 2  # notes.cut: what came later tells nothing about it; it cannot be learned from
LONGEST_REST = 24  # noisy actions followed to where they come to rest


def refuse_chance(game: RecordGame) -> None:
    if game.variant.max_chance_outcomes:
        raise GameError(f"{game.name}: learning with look-ahead is for games without chance; use depth 0")


def make_search(game: RecordGame) -> tuple[Any, ...]:
    """What the search of one thread works in. What it learns of good moves decides between equal ones, so that a round
    that must not depend on the round before begins with a new one."""
    refuse_chance(game)
    space = make_workspace(game, OPTIONS)
    space.work[0]["interval"] = 1 << 40
    roots = np.zeros(game.variant.width, ROOT).view(np.recarray)
    return (*space, make_table(1e-6), new_control(BUSY_SLOTS), roots)


@helper
def ask_search(net: Any, trajectory: Any, search: Any, s: Any, n: Any, depth: Any) -> Any:
    """The place of the root move that the search finds best for `s`, whose n actions stand in row 0."""
    g = at(trajectory.notes, 0)
    states, frames, work, table, control, roots = search
    w, out = at(work, 0), row(trajectory.moves, 0)
    assign(at(states, 0), s)
    w.stopped, w.poll, w.limit, w.past = 0, 1 << 40, 1 << 62, 0
    if len(g.keys) > 1:  # repetition matters
        w.past = min(g.top, PAST)
        for i in range(w.past):
            w.keys[i] = g.keys[g.top - w.past + i]
    for i in range(n):
        r = at(roots, i)
        r.move, r.nodes, r.searched, r.pv_length = out[i], 0, 0, 0
    _, choice, _ = search_root(states, frames, work, table, control, net, 0, depth, -np.inf, np.inf, roots[:n], False)
    return choice


@helper
def go_to_leaf(net: Any, search: Any, s: Any, choice: Any, leaf: Any, out: Any) -> None:
    """Make `leaf` the position whose value the search gave `s`."""
    r = at(search[5], choice)
    assign(leaf, s)
    for i in range(r.pv_length):
        if over(leaf, out):
            return
        apply(leaf, r.pv[i])
    if not over(leaf, out):
        come_to_rest(search[0], net, search, leaf, out)


@only_with("noisy")
def come_to_rest(states, net, search, leaf, out):  # type: ignore[no-untyped-def]
    """Follow the noisy actions that the search would follow, until it would rather judge the position as it stands."""
    _, frames, work, table, control, _ = search
    below_, w = at(states, 1), at(work, 0)
    for _ in range(LONGEST_REST):
        p = player(leaf)
        if p < 0:  # nobody's turn
            return
        sign = 1.0 if p == 0 else -1.0
        is_threatened = offers(leaf, "threatened") and threatened(leaf)
        if is_threatened:
            _, count = expand(leaf, out, out)
            best = -np.inf
        else:
            best = sign * float(estimate(net, leaf))
            count = noisy(leaf, out)
        choice = -1
        for i in range(count):
            assign(below_, leaf)
            apply(below_, out[i])
            f = at(frames, 1)
            ask(f, -np.inf, np.inf, -1, QUIET)
            w.stopped = 0
            walk(states, frames, work, table, control, net, 0, 1)
            if sign * f.value > best:
                best, choice = sign * f.value, i
        if choice < 0:
            return
        apply(leaf, out[choice])


class TDLeaf(NamedTuple):
    net: Any
    search: Any
    hyper: Any
    depth: Any
    root: Any  # learn the value of the position itself, not of the leaf
    seen: Any  # a rate for every weight, or none
    totals: Any

    def game_begins(learner, trajectory: Any, random: Any) -> None:
        at(trajectory.notes, 0).opening = random_moves(random, learner.hyper.opening)

    def choose_move(learner, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        g, hyper = at(trajectory.notes, 0), learner.hyper
        place = below(random, n)
        if g.plies >= g.opening:
            choice = ask_search(learner.net, trajectory, learner.search, s, n, learner.depth)
            if choice < 0:
                return -1
            leaf = at(trajectory.states, room_of(trajectory) + 1)
            go_to_leaf(learner.net, learner.search, s, choice, leaf, row(trajectory.moves, 2))
            if not (hyper.epsilon > 0.0 and uniform(random) < hyper.epsilon):
                place = choice
            keep(learner, trajectory, s, leaf, place != choice)
        return allowed(trajectory, s, place)

    def game_ends(learner, trajectory: Any, truncated: Any) -> Any:
        g = at(trajectory.notes, 0)
        net, hyper, sums, outputs = learner.net, learner.hyper, at(learner.totals, 0), outputs_of(learner.net)
        finished = settle(learner, trajectory, truncated)
        n = g.length
        if not finished:
            n = max(n - 1, 0)
        elif n > 0 and g.cut[n - 1] & CUT == 0:
            outputs_for(net, g.payoff[0], g.best, 0)
            for k in range(outputs):
                place = (n - 1) * outputs + k
                if learner.root:  # the last position: what the search says of it, and what the game came to
                    g.nexts[place] += np.float32(hyper.lam) * (g.best[k] - g.nexts[place])
                else:
                    g.nexts[place] = g.best[k]
        if n > 0:
            lambda_returns(
                net,
                n,
                g.nexts,
                g.cut,
                hyper.lam,
                hyper.gamma,
                g.target,
            )
        for t in range(n - 1, -1, -1):
            if g.cut[t] & NOTHING == 0:
                s, place = at(trajectory.states, t), t * outputs
                sums.error += fit(
                    net,
                    s,
                    g.target,
                    place,
                    hyper.learning_rate,
                    hyper.squared_error,
                    learner.seen,
                )
                sums.positions += 1
        return finished


@helper
def keep(learner: Any, trajectory: Any, s: Any, leaf: Any, explored: Any) -> None:
    """The position `s`, or the leaf its search ended in, joins the trajectory."""
    g, root, outputs = at(trajectory.notes, 0), learner.root, outputs_of(learner.net)
    t, ends = g.length, over(leaf, row(trajectory.moves, 1))
    look(learner.net, trajectory, leaf, 0)
    for k in range(outputs):
        x = g.best[k]
        if root:
            g.nexts[t * outputs + k] = x
        elif t > 0 and g.cut[t - 1] & CUT == 0:
            g.nexts[(t - 1) * outputs + k] = x
    g.cut[t] = CUT if explored else 0
    if root:
        assign(at(trajectory.states, t), s)
        if offers(s, "threatened") and threatened(s):
            g.cut[t] |= NOTHING  # nobody ever judges it as it stands
    else:
        assign(at(trajectory.states, t), leaf)
        if ends:
            g.cut[t] |= NOTHING
        if explored:
            for k in range(outputs):
                g.nexts[t * outputs + k] = g.best[k]
    g.length = t + 1


@helper
def allowed(trajectory: Any, s: Any, place: Any) -> Any:
    """The place, or -1 if repetition forbids the action there, which was not chosen by a search."""
    if repetition(s) == FORBIDDEN:
        child = at(trajectory.states, room_of(trajectory) + 1)
        assign(child, s)
        apply(child, row(trajectory.moves, 0)[place])
        if forbidden(trajectory, child):
            return -1
    return place
