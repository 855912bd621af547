"""Whole searches written down, one node a line, so that a change of what a search does is a diff one can read.

Everything here is searched in plain Python: nothing is compiled, and nothing is rounded otherwise on another processor.

    alpha-beta   every node in the order it was entered, indented by its ply:
                 action, depth asked for, window, mode if not the usual one = value, what is proven, path dependence
    MCTS         every node that was visited, children in the arena's order:
                 action, visits, total of the payoffs, and what is proven of it
    forest       every action of a tree that was visited, in the rules' order:
                 action, visits, value and prior, whose move it is, and what is proven of it
"""

from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from tests.search.forest.judges import judge_of
from zermelo.batch.batch import make_batch
from zermelo.core.history import History
from zermelo.search.alphabeta import kernel, root
from zermelo.search.alphabeta.nodes import AFTER_NULL, NULL, PATH_FREE, PROBE, QUIET
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.forest import make_forest
from zermelo.search.forest.trees import ILLEGAL, PROVEN
from zermelo.search.limits import Limits
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.mcts.tree import MARK_BOUNDED, MARK_ILLEGAL, MARK_PROVEN
from zermelo.search.searcher import answer

MODES = {AFTER_NULL: " after null", PROBE: " probe", QUIET: " quiet"}
PROOFS = ("", " proven ≥", " proven ≤", " proven")


def number(x):
    return f"{float(x):.13g}"


def alphabeta_tree(game, state, depth, **settings):
    """Every node of every iteration of an alpha-beta search, and its report."""
    engine = AlphaBeta(game, table_mb=0.1, **settings)
    engine.make_ready(state if isinstance(state, History) else History(game, state))
    with recorded_nodes() as lines:
        report = answer(engine, state, Limits(depth=depth))
    return [*lines, summary(report)]


@contextmanager
def recorded_nodes():
    """Lines of the nodes that plain Python's alpha-beta enters from here on."""
    lines, waiting = [], {}  # of waiting nodes: the place in `lines`, by ply
    root_action, root_depth = [None], [0]
    enter, resume, apply = kernel.enter, kernel.resume, root.apply

    def entered(states, frames, w, table, control, evaluator, thread, ply):
        f = frames[ply]
        if ply == 1 and w.root_depth != root_depth[0]:
            root_depth[0] = w.root_depth
            lines.append(f"iteration {w.root_depth}")
        action = root_action[0] if ply == 1 else None if ply == 0 else action_of(frames[ply - 1])
        words = f"{action} depth {f.depth} [{number(f.lo)}, {number(f.hi)}]{MODES.get(int(f.mode), '')}"
        waiting[ply] = len(lines)
        lines.append("  " * ply + words)
        return answered(enter(states, frames, w, table, control, evaluator, thread, ply), f, ply)

    def resumed(states, frames, w, table, control, evaluator, ply):
        return answered(resume(states, frames, w, table, control, evaluator, ply), frames[ply], ply)

    def answered(asked, f, ply):
        if not asked:
            path = "" if f.depends_on == PATH_FREE else f" on this path from ply {f.depends_on}"
            lines[waiting.pop(ply)] += f" = {number(f.value)}{PROOFS[f.proven]}{path}"
        return asked

    def applied(s, action):
        root_action[0] = int(action)
        apply(s, action)

    with (
        patch.object(kernel, "enter", entered),
        patch.object(kernel, "resume", resumed),
        patch.object(root, "apply", applied),
    ):
        yield lines


def action_of(f):
    return "null" if f.stage == NULL else int(f.moves[f.tried])


def mcts_tree(game, state, simulations, **settings):
    """The tree after so many simulations, and the report."""
    search = MCTS(game, memory_mb=1, **settings)
    report = answer(search, state, Limits(nodes=simulations))
    return [*subtree(search.tree, search._at, 0), summary(report)]


def subtree(tree, i, ply):
    node, bound = tree.nodes[i], tree.bounds[i]
    if not node.visits and not node.marks:
        return
    words = f"{'  ' * ply}{node.action} visits {node.visits} total {numbers(node.total)}"
    if node.marks & MARK_ILLEGAL:
        words += " illegal"
    if node.marks & MARK_BOUNDED:
        words += f" bounds {numbers(bound.low)} … {numbers(bound.high)}"
    if node.marks & MARK_PROVEN:
        words += f" proven in {node.plies}"
    yield words
    if node.first >= 0:
        for child in range(node.first, node.first + node.count):
            yield from subtree(tree, child, ply + 1)


def forest_tree(game, state, simulations, settings):
    """One tree of a forest, and what is told of it."""
    forest = make_forest(make_batch(game, 1, state=state), simulations, settings)
    forest.search(judge_of(game))
    told = f"value {numbers(forest.value)}, policy {numbers(np.round(forest.policy, 5))}, chosen {forest.chosen[0]}"
    return [*edges_below(forest._trees, 0, 0), told]


def edges_below(trees, k, ply):
    node = trees.nodes[k]
    for edge in trees.edges[node.first : node.first + node.count]:
        if edge.visits or edge.marks:
            value = edge.total if edge.marks & PROVEN else edge.total / max(edge.visits, 1)
            words = f"{'  ' * ply}{edge.action} visits {edge.visits} value {number(value)} prior {edge.prior:.6g}"
            marks = " illegal" * bool(edge.marks & ILLEGAL) + " proven" * bool(edge.marks & PROVEN)
            yield f"{words} of {node.mover}{marks}"
        if edge.child:
            yield from edges_below(trees, int(edge.child), ply + 1)


def numbers(values):
    return " ".join(number(x) for x in np.ravel(values))


def summary(report):
    """One line: what the search says in the end."""
    values = numbers(report.values) if report.values else number(report.value)
    pv = " ".join(str(a) for a in report.pv)
    return f"{report.nodes} nodes, value {values}, {report.proof}, depth {report.depth}, pv {pv}"
