"""What happens to tree i of a forest. One body for both devices: cores.py loops over it, card.py gives it a thread.

    prepare    an empty tree, and how many simulations it is to make
    descend    walk from the root to a leaf; an end is backed up at once, anything else is shown to the judge
    grow       give the leaf that waits the judge's priors, and back its value up
    conclude   write what the search found

Only `descend` calls the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.batch.bodies import forbids, list_legal, tracks
from zermelo.compile.dispatch import (
    actions,
    apply,
    assign,
    chances,
    has_chance,
    known_result,
    need_player,
    offers,
    planes,
    player,
    policy_index,
    repetition_key,
    stuck_ends,
    utility,
)
from zermelo.compile.overloads import overload
from zermelo.compile.pointers import item, tail
from zermelo.compile.random import pick
from zermelo.compile.repetition import ends_by_repetition, is_forbidden, repetition_payoff
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.search.forest.arithmetic import draw_gumbel, draw_log_gamma, exponential, logarithm, times
from zermelo.search.forest.choice import NONE, begin_halving, choose
from zermelo.search.forest.settings import GUMBEL
from zermelo.search.forest.trees import IDLE, ILLEGAL, NOWHERE, PROVEN, WAITING
from zermelo.search.forest.values import Tree, back_up, first_paid, set_payoff, worth


@helper
def prepare(i: Any, trees: Any, each: Any) -> None:
    """Nothing is known, and so many simulations are to be made (below 0: none, and the root is not judged either)."""
    slot, options, told = item(trees.slots, i), item(trees.options, 0), tail(trees.told, 2 * i)
    slot.nodes, slot.edges, slot.status, slot.full, slot.deepest, slot.fault, slot.busy = 0, 0, IDLE, 0, 0, 0, 0
    slot.simulations, slot.left, slot.row = item(told, 0).at, item(told, 0).at + 1, item(told, 1).at
    slot.chosen = 0
    finite = options.most - options.least < np.inf
    slot.least = options.least if finite else np.inf
    slot.most = options.most if finite else -np.inf


# -- down --------------------------------------------------------------------------------------------------------------


@helper
def descend(i: Any, games: Any, trees: Any, sight: Any, work: Any) -> None:
    """One walk of tree i, whose root is game i."""
    slot, options = item(trees.slots, i), item(trees.options, 0)
    nodes, edges = tail(trees.nodes, i * options.nodes), tail(trees.edges, i * options.edges)
    paid = tail(trees.paid, first_paid(i, options, len(item(nodes, 0).total)))
    tree = Tree(slot, nodes, edges, paid, options)
    slot.status = IDLE
    if slot.left <= 0:
        return
    if slot.nodes > 0 and item(nodes, 0).marks & PROVEN:
        return  # what is left is decided
    slot.left -= 1
    assign(work.state, item(games.states, i))
    if slot.nodes == 0:
        plant(i, games, sight, tree, work)
    else:
        walk(i, games, trees, sight, tree, work)
    if slot.status == WAITING:
        show(work.state, item(sight.seen, slot.row))


@helper
def plant(i: Any, games: Any, sight: Any, tree: Any, work: Any) -> None:
    """The root: where game i stands, with its legal actions. Nothing grows from a game that is over."""
    slot, game = tree.slot, item(games.slots, i)
    n = list_legal(i, games, work)
    if n == 0:
        slot.left = 0
        return
    if tracks(games, work.state):
        of_game, keys = item(games.keys, i).at, item(sight.keys, i).at
        slot.top = item(games.notes, i).top
        for k in range(slot.top + 1):
            keys[k] = of_game[k]
    slot.edge, slot.parent = NOWHERE, NOWHERE
    wait_for_judge(tree, work, np.int64(game.player), n, NOWHERE, 0, True)


@helper
def wait_for_judge(tree: Any, work: Any, p: Any, n: Any, e: Any, parent: Any, stored: Any) -> None:
    """The work's state is to be judged; if it is `stored` and there is room, it gets a node and its n actions."""
    slot = tree.slot
    slot.status, slot.mover, slot.edge, slot.parent, slot.leaf = WAITING, need_player(work.state, p), e, parent, NOWHERE
    if stored:
        slot.leaf = add_node(tree, work, p, n, e, parent)
    if slot.leaf == NOWHERE:
        slot.full += 1


@helper
def add_node(tree: Any, work: Any, p: Any, n: Any, e: Any, parent: Any) -> Any:
    """A node below edge `e` of node `parent` for the work's state, with the n actions or outcomes that it lists; its
    number, or NOWHERE if there is no room."""
    slot, options = tree.slot, tree.options
    if slot.nodes >= options.nodes or slot.edges + n > options.edges:
        return np.int64(NOWHERE)
    k, first = np.int64(slot.nodes), np.int64(slot.edges)
    slot.nodes, slot.edges = k + 1, first + n
    for j in range(n):
        edge, a = item(tree.edges, first + j), work.actions[j]
        edge.action, edge.total, edge.visits, edge.child, edge.marks = a, 0.0, 0, 0, 0
        edge.policy, edge.prior = j, 0.0
        if has_chance(work.state) and p == CHANCE:
            edge.prior = work.probability[j]
        elif options.numbered != 0:
            edge.policy = policy_index(work.state, a)
    node = item(tree.nodes, k)
    node.visits, node.first, node.count, node.edge = 0, first, n, e
    node.judged, node.parent, node.mover, node.marks = 0.0, max(parent, 0), p, 0
    for q in range(len(node.total)):
        node.total[q] = 0.0
    if e != NOWHERE:
        item(tree.edges, e).child = k
    return k


@helper
def walk(i: Any, games: Any, trees: Any, sight: Any, tree: Any, work: Any) -> None:
    """Choose and play until a leaf is found: one that waits for the judge, or an end, which is backed up."""
    slot, s, k, depth, last = tree.slot, work.state, np.int64(0), np.int64(0), np.int64(item(games.notes, i).mover)
    noise = tail(trees.noise, i * tree.options.width)
    while True:
        node = item(tree.nodes, k)
        p = np.int64(node.mover)
        # 1. Choose. What is proven need not be played.
        e = choose(tree, k, noise)
        if e == NONE:  # every action repeats a position
            end_here(tree, work, np.int64(node.edge), np.int64(node.parent))
            return
        edge = item(tree.edges, e)
        if edge.marks & PROVEN and tree.options.proofs != 0:
            value = edge.total
            set_payoff(slot, value if p == CHANCE or tree.options.side[p] == 0 else -value)
            back_up(tree, NOWHERE, e, k, True)
            return
        # 2. Play.
        if forbids(games, s):
            assign(work.before, s)
        apply(s, edge.action)
        depth += 1
        if p != CHANCE:
            last = p
        # 3. Repetition is a matter of the path, and an edge has one path: it is looked at while there is no node.
        if tracks(games, s) and slot.top + depth < len(item(sight.keys, i).at):
            keys, top = item(sight.keys, i).at, slot.top + depth
            keys[top] = repetition_key(s)
            if edge.child == 0:
                if is_forbidden(s, keys, top, p):
                    edge.marks = edge.marks | ILLEGAL
                    assign(s, work.before)
                    depth -= 1
                    continue
                if ends_by_repetition(s, keys, top):
                    for q in range(len(slot.payoff)):
                        slot.payoff[q] = repetition_payoff(s, q, last)
                    back_up(tree, NOWHERE, e, k, len(node.total) == 1)
                    return
        slot.deepest = max(slot.deepest, depth)
        # 4. One ply deeper.
        if edge.child != 0:
            k = np.int64(edge.child)
            continue
        k = reach(tree, work, e, k)
        if k == NOWHERE:
            return


@helper
def reach(tree: Any, work: Any, e: Any, parent: Any) -> Any:
    """The work's state has no node yet, and edge `e` of node `parent` leads to it. At a chance node: the node it gets
    now, to go on from. Elsewhere NOWHERE: it is an end and backed up, or waits for the judge. Where there is no room
    for a chance node, outcomes are drawn until somebody moves, and what comes then is not stored."""
    s, stored = work.state, True
    p = np.int64(player(s))
    while has_chance(s) and p == CHANCE:
        n = np.int64(chances(s, work.actions, work.probability))
        k = add_node(tree, work, p, n, e, parent) if stored else np.int64(NOWHERE)
        if k != NOWHERE:
            return k
        stored = False
        apply(s, work.actions[pick(tree.slot.random, work.probability, n)])
        p = np.int64(player(s))
    n = np.int64(0)
    if p != OVER:
        n = np.int64(actions(s, work.actions))
    if p == OVER or (stuck_ends(s) and n == 0):
        payoff_of_end(tree, work)
        back_up(tree, NOWHERE, e, parent, stored and len(item(tree.nodes, 0).total) == 1)
    elif is_known(tree, work):
        back_up(tree, NOWHERE, e, parent, stored)
    else:
        wait_for_judge(tree, work, p, n, e, parent, stored)
    return np.int64(NOWHERE)


@helper
def is_known(tree: Any, work: Any) -> Any:
    """Do the rules know the result, of a game of two? Then it is the slot's payoff."""
    slot = tree.slot
    if not offers(work.state, "known_result") or len(slot.payoff) != 2 or len(item(tree.nodes, 0).total) != 1:
        return False
    if tree.options.proofs == 0 or not known_result(work.state, work.payoff):
        return False
    set_payoff(slot, work.payoff[0])
    return True


@helper
def payoff_of_end(tree: Any, work: Any) -> None:
    utility(work.state, work.payoff)
    for q in range(len(tree.slot.payoff)):
        tree.slot.payoff[q] = work.payoff[q]


@helper
def end_here(tree: Any, work: Any, e: Any, parent: Any) -> None:
    """Nothing may be played at the node below edge `e`: the game counts as it stands."""
    payoff_of_end(tree, work)
    back_up(tree, NOWHERE, e, parent, len(item(tree.nodes, 0).total) == 1)


def show(s: Any, target: Any) -> None:
    """What the judge sees of a state, in its place: planes, or the record itself."""
    if "at" in target.dtype.names:
        planes(s, target.at)
    else:
        assign(target, s)


@overload(show)
def _show(s: Any, target: Any) -> Any:
    if "at" in target.fields:
        return lambda s, target: planes(s, target.at)
    return lambda s, target: assign(target, s)


# -- up ----------------------------------------------------------------------------------------------------------------


@helper
def grow(i: Any, trees: Any, each: Any) -> None:
    """The judge has answered, with `each` values a leaf."""
    slot, options = item(trees.slots, i), item(trees.options, 0)
    if slot.status != WAITING:
        return
    slot.status = IDLE
    nodes, edges = tail(trees.nodes, i * options.nodes), tail(trees.edges, i * options.edges)
    paid = tail(trees.paid, first_paid(i, options, len(item(nodes, 0).total)))
    tree = Tree(slot, nodes, edges, paid, options)
    read_values(slot, tail(trees.values, slot.row * each), each)
    leaf = np.int64(slot.leaf)
    if leaf != NOWHERE:
        node = item(nodes, leaf)
        node.judged = worth(options, node.mover, slot.payoff, len(node.total))
        set_priors(tree, node, tail(trees.logits, slot.row * options.numbers))
        if leaf == 0:
            tell_raw(i, trees, tree)
            if options.kind == GUMBEL:
                begin_halving(slot, options.considered, node.count)
                add_gumbels(i, trees, tree)
            elif options.share > 0.0:
                add_dirichlet(i, trees, tree)
    back_up(tree, leaf, np.int64(slot.edge), np.int64(slot.parent), False)


@helper
def read_values(slot: Any, said: Any, each: Any) -> None:
    """The payoffs that the judge expects: the mover's and then the next players', or, of a game of one or of two, the
    mover's alone."""
    players = len(slot.payoff)
    if each == 1:
        for q in range(players):
            slot.payoff[q] = np.float64(item(said, 0).at) if q == slot.mover else -np.float64(item(said, 0).at)
    else:
        for q in range(players):
            slot.payoff[(slot.mover + q) % players] = np.float64(item(said, q).at)
    for q in range(players):
        if not -np.inf < slot.payoff[q] < np.inf:
            slot.payoff[q] = 0.0
            slot.fault = 1


@helper
def set_priors(tree: Any, node: Any, logits: Any) -> None:
    """The softmax of the logits over the node's actions, or its logarithm."""
    largest, total = -np.inf, 0.0
    for e in range(node.first, node.first + node.count):
        logit = np.float64(item(logits, item(tree.edges, e).policy).at)
        if not logit < np.inf:
            tree.slot.fault = 1
        largest = max(largest, logit)
    if not -np.inf < largest < np.inf:
        largest = 0.0
    for e in range(node.first, node.first + node.count):
        edge = item(tree.edges, e)
        lead = np.float64(item(logits, edge.policy).at) - largest
        edge.prior = exponential(lead)
        total += np.float64(edge.prior)
    log_total = logarithm(total) if total > 0.0 else 0.0
    for e in range(node.first, node.first + node.count):
        edge = item(tree.edges, e)
        if not total > 0.0:
            edge.prior = -logarithm(np.float64(node.count)) if tree.options.kind == GUMBEL else 1.0 / node.count
        elif tree.options.kind == GUMBEL:
            edge.prior = max(np.float64(item(logits, edge.policy).at) - largest - log_total, LEAST_LOG)
        else:
            edge.prior = np.float64(edge.prior) / total


LEAST_LOG = -1e30  # of a prior of 0


@helper
def probability(tree: Any, edge: Any) -> Any:
    """The prior as a probability."""
    prior = np.float64(edge.prior)
    return exponential(prior) if tree.options.kind == GUMBEL else prior


@helper
def tell_raw(i: Any, trees: Any, tree: Any) -> None:
    """What the judge says of the root."""
    node = item(tree.nodes, 0)
    for e in range(node.count):
        edge = item(tree.edges, e)
        item(trees.raw_policy, i * tree.options.numbers + edge.policy).at = probability(tree, edge)
    for q in range(len(tree.slot.payoff)):
        item(trees.raw_value, i * len(tree.slot.payoff) + q).at = tree.slot.payoff[q]


@helper
def add_gumbels(i: Any, trees: Any, tree: Any) -> None:
    """Noise of the root's actions: with it, the best of the logits is a draw from the policy."""
    noise = tail(trees.noise, i * tree.options.width)
    for j in range(item(tree.nodes, 0).count):
        item(noise, j).at = tree.options.gumbel * draw_gumbel(tree.slot.random)


@helper
def add_dirichlet(i: Any, trees: Any, tree: Any) -> None:
    """Noise mixed into the root's priors."""
    noise, share, total = tail(trees.noise, i * tree.options.width), tree.options.share, 0.0
    largest = -np.inf
    for j in range(item(tree.nodes, 0).count):
        item(noise, j).at = draw_log_gamma(tree.slot.random, tree.options.alpha)
        largest = max(largest, np.float64(item(noise, j).at))
    for j in range(item(tree.nodes, 0).count):
        item(noise, j).at = exponential(np.float64(item(noise, j).at) - largest)
        total += np.float64(item(noise, j).at)
    for j in range(item(tree.nodes, 0).count):
        edge = item(tree.edges, j)
        edge.prior = times(1.0 - share, np.float64(edge.prior)) + times(share, np.float64(item(noise, j).at) / total)
