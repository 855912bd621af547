"""Self-play with a search for every move, and targets from it: TD-leaf, and Samuel's way.

    position t ──search──→ move, and the line it expects: … → leaf t        V(leaf t) is the value of position t

    target "leaf"   V(leaf t) is moved towards the values of the positions that followed (TD-leaf: Baxter, Tridgell and
                    Weaver, Learning to play chess using temporal differences, 2000)
    target "root"   V(position t), as it stands, is moved towards what the search says of it, and of those that followed
                    (A. L. Samuel, Some studies in machine learning using the game of checkers, 1959)

The search is the full one without what changes values for speed's sake: no table (a line from a table is cut short), no
null move, no reductions. Where it ends with noisy actions, the leaf is where these come to rest.
For games without chance: with dice, the best successor's own value is learned from (selfplay.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.dispatch import (
    apply,
    assign,
    at,
    expand,
    noisy,
    offers,
    over,
    player,
    row,
    threatened,
)
from zermelo.compile.evaluator import estimate
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, uniform
from zermelo.compile.record_game import RecordGame
from zermelo.compile.repetition import PAST
from zermelo.compile.rules import helper
from zermelo.core.game import OVER, GameError
from zermelo.evaluate.network import outputs_of
from zermelo.learn.fitting import fit
from zermelo.learn.returns import lambda_returns, outputs_for
from zermelo.learn.selfplay import look
from zermelo.learn.trajectory import TOO_LONG, begin, forbidden, random_moves, remember, room_of, to_move
from zermelo.search.alphabeta.kernel import BUSY_SLOTS, walk
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
CUT, NOTHING = 1, 2  # trajectory.cut: what came later tells nothing about this position; it cannot be learned from
LONGEST_REST = 24  # noisy actions followed to where they come to rest


def make_search(game: RecordGame) -> tuple[Any, ...]:
    """What the search of one thread works in."""
    if game.variant.max_chance_outcomes:
        raise GameError(f"{game.name}: learning with look-ahead is for games without chance; use depth 0")
    space = make_workspace(game, OPTIONS)
    space.work[0]["interval"] = 1 << 40
    roots = np.zeros(game.variant.width, ROOT).view(np.recarray)
    return (*space, make_table(1e-6), new_control(BUSY_SLOTS), roots)


@helper
def ask_search(net: Any, trajectory: Any, search: Any, s: Any, n: Any, plies: Any, depth: Any) -> Any:
    """The place of the root move that the search finds best for `s`, whose n actions stand in row 0."""
    states, frames, work, table, control, roots = search
    w, out = at(work, 0), row(trajectory.moves, 0)
    assign(at(states, 0), s)
    w.stopped, w.poll, w.limit, w.past = 0, 1 << 40, 1 << 62, 0
    if len(trajectory.keys) > 1:  # repetition matters
        w.past = min(plies, PAST)
        for i in range(w.past):
            w.keys[i] = trajectory.keys[plies - w.past + i]
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
        hot = offers(leaf, "threatened") and threatened(leaf)
        if hot:
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


@helper
def play(net: Any, trajectory: Any, search: Any, random: Any, rates: Any, depth: Any, root: Any) -> Any:
    """One game; (positions on the trajectory, decisions, did it come to its end?)."""
    outputs = outputs_of(net)
    leaf, out = at(trajectory.states, room_of(trajectory) + 1), row(trajectory.moves, 0)
    s, opening = begin(trajectory), random_moves(random, rates.opening)
    t, plies, mover = 0, 0, -1
    while True:
        p, n = to_move(trajectory, s, plies, mover)
        if p == OVER:
            break
        if p == TOO_LONG:
            if np.isnan(rates.truncated_value):
                return max(t - 1, 0), plies, False
            trajectory.payoff[0] = rates.truncated_value
            break
        mover = p
        played = below(random, n)
        if plies >= opening:
            choice = ask_search(net, trajectory, search, s, n, plies, depth)
            if choice < 0:  # every move is forbidden: nobody has won
                trajectory.payoff[0] = 0.0
                break
            go_to_leaf(net, search, s, choice, leaf, row(trajectory.moves, 2))
            ends = over(leaf, row(trajectory.moves, 1))
            look(net, trajectory, leaf, 0)
            for k in range(outputs):
                x = trajectory.best[k]
                if root:
                    trajectory.nexts[t * outputs + k] = x
                elif t > 0 and trajectory.cut[t - 1] & CUT == 0:
                    trajectory.nexts[(t - 1) * outputs + k] = x
            if not (rates.epsilon > 0.0 and uniform(random) < rates.epsilon):
                played = choice
            trajectory.cut[t] = CUT if played != choice else 0
            if root:
                assign(at(trajectory.states, t), s)
                if offers(s, "threatened") and threatened(s):
                    trajectory.cut[t] |= NOTHING  # nobody ever judges it as it stands
            else:
                assign(at(trajectory.states, t), leaf)
                if ends:
                    trajectory.cut[t] |= NOTHING
                if played != choice:
                    for k in range(outputs):
                        trajectory.nexts[t * outputs + k] = trajectory.best[k]
            t += 1
        apply(s, out[played])
        if forbidden(trajectory, plies + 1, s):
            trajectory.payoff[0] = 0.0
            break
        plies += 1
        remember(trajectory, plies, s)
    if t > 0 and not root and trajectory.cut[t - 1] & CUT == 0:
        outputs_for(net, trajectory.payoff[0], trajectory.nexts, (t - 1) * outputs)
    return t, plies, True


@kernel
def play_and_learn_ahead(  # type: ignore[no-untyped-def]
    net, trajectory, search, random, rates, depth, root, seen, games, totals
):
    """Play `games` games with a look-ahead of `depth`, learning after each. totals: as for play_and_learn."""
    outputs = outputs_of(net)
    for _ in range(games):
        n, decisions, finished = play(net, trajectory, search, random, rates, depth, root)
        if n > 0:
            if root and finished and trajectory.cut[n - 1] & CUT == 0:
                # the last position: what the search says of it, and what the game came to
                outputs_for(net, trajectory.payoff[0], trajectory.best, 0)
                for k in range(outputs):
                    place = (n - 1) * outputs + k
                    trajectory.nexts[place] += np.float32(rates.lam) * (trajectory.best[k] - trajectory.nexts[place])
            lambda_returns(net, n, trajectory.nexts, trajectory.cut, rates.lam, rates.gamma, trajectory.target)
        for t in range(n - 1, -1, -1):
            if trajectory.cut[t] & NOTHING == 0:
                s = at(trajectory.states, t)
                totals[2] += fit(net, s, trajectory.target, t * outputs, rates.learning_rate, rates.squared_error, seen)
                totals[0] += 1
        totals[1] += decisions
        totals[3] += 0.0 if finished else 1.0
        totals[4] += trajectory.payoff[0]
