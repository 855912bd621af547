"""The traces the algorithms leave: golden trees, and what must hold in every one."""

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.textbook.textbook_games import Bins, CoinBins, TicTacToe, Tree, end, some_policy, trees
from zermelo.core.trace import Trace
from zermelo.textbook import (
    alphabeta,
    alphabeta_search,
    best_first,
    expectimax,
    expectiminimax,
    limited_minimax,
    maxn,
    minimax,
    policy_value,
    uniform,
)


def drawn(node, depth=0):
    """A trace as lines, to be compared at a glance."""
    window = "" if node.alpha is None else f" [{node.alpha:g}, {node.beta:g}] → [{node.alpha_out:g}, {node.beta_out:g}]"
    sign = {"exact": "=", "lower": "≥", "upper": "≤"}[node.bound]
    shown = f"✂ {node.pruned}" if node.pruned else f"{sign} {node.value:g}{window}"
    lines = [f"{'  ' * depth}{node.action or 'root'} {node.kind} {shown}"]
    return lines + [line for child in node.children for line in drawn(child, depth + 1)]


def test_golden_minimax_of_the_bins():
    trace = Trace()
    assert minimax(Bins(), (), trace=trace) == 1
    assert drawn(trace.root) == [
        "root max = 1",
        "  A min = -50",
        "    -50 end = -50",
        "    50 end = 50",
        "  B min = 1",
        "    1 end = 1",
        "    3 end = 3",
        "  C min = -5",
        "    -5 end = -5",
        "    15 end = 15",
    ]
    assert [node.action for node in trace.root.best_path()] == ["", "B", "1"]
    assert [node.order for node in trace.root.walk()] == list(range(10))


@pytest.mark.parametrize("search", [alphabeta, alphabeta_search])
def test_golden_alphabeta_with_cuts_on_either_side(search):
    """A value that only equals the bound is cut as well."""
    tree = (0, (1, (0, end(1), end(2)), (0, end(3), end(4)), (0, end(2), end(8))), (1, end(2), end(9)))
    trace = Trace()
    search(Tree(tree), tree, trace=trace)
    assert drawn(trace.root) == [
        "root max = 2 [-inf, inf] → [2, inf]",
        "  0 min = 2 [-inf, inf] → [-inf, 2]",
        "    0 max = 2 [-inf, inf] → [2, inf]",
        "      0 end = 1 [-inf, inf] → [-inf, inf]",
        "      1 end = 2 [1, inf] → [1, inf]",
        "    1 max ≥ 3 [-inf, 2] → [3, 2]",
        "      0 end = 3 [-inf, 2] → [-inf, 2]",
        "      1 end ✂ β-cut: 3 ≥ β = 2",
        "    2 max ≥ 2 [-inf, 2] → [2, 2]",
        "      0 end = 2 [-inf, 2] → [-inf, 2]",
        "      1 end ✂ β-cut: 2 ≥ β = 2",
        "  1 min ≤ 2 [2, inf] → [2, 2]",
        "    0 end = 2 [2, inf] → [2, inf]",
        "    1 end ✂ α-cut: 2 ≤ α = 2",
    ]


def test_golden_steps():
    tree = (0, end(3), (1, end(1), end(2)))
    trace = Trace()
    alphabeta_search(Tree(tree), tree, trace=trace)
    steps = [
        (s.event, s.node.action or "root", s.alpha, s.beta, s.value, s.child and s.child.action) for s in trace.steps
    ]
    assert steps == [
        ("enter", "root", -inf, inf, None, None),
        ("enter", "0", -inf, inf, None, None),
        ("leave", "0", -inf, inf, 3, None),
        ("update", "root", 3, inf, 3, "0"),
        ("enter", "1", 3, inf, None, None),
        ("enter", "0", 3, inf, None, None),
        ("leave", "0", 3, inf, 1, None),
        ("update", "1", 3, 1, 1, "0"),
        ("prune", "1", None, None, None, "1"),
        ("leave", "1", 3, 1, 1, None),
        ("update", "root", 3, inf, 3, "1"),
        ("leave", "root", 3, inf, 3, None),
    ]


def test_a_policy_makes_a_chance_node_with_its_probabilities_on_the_edges():
    game = Bins()
    trace = Trace()
    policy_value(game, (), {0: lambda s: "B", 1: uniform(game)}, trace=trace)
    root = trace.root
    assert (root.kind, root.player, root.value) == ("chance", 0, 2)
    assert [(c.action, c.probability, c.pruned) for c in root.children] == [
        ("B", 1.0, ""),
        ("A", None, "probability 0"),
        ("C", None, "probability 0"),
    ]
    assert [(c.kind, c.probability) for c in root.children[0].children] == [("end", 0.5), ("end", 0.5)]


def test_expectimax_marks_the_agent_as_max_and_the_others_as_chance():
    game = Bins()
    trace = Trace()
    expectimax(game, (), {1: uniform(game)}, trace=trace)
    assert [(n.kind, n.value) for n in trace.root.walk() if not n.is_leaf] == [
        ("max", 5),
        ("chance", 0),
        ("chance", 2),
        ("chance", 5),
    ]
    assert trace.root.best.action == "C"


def test_the_coin_has_its_probabilities():
    trace = Trace()
    expectiminimax(CoinBins(-1), (), trace=trace)
    coin = trace.root.best
    assert (coin.kind, coin.value, coin.best) == ("chance", -2, None)
    assert [(c.action, c.probability, c.value) for c in coin.children] == [("heads", 0.5, -5), ("tails", 0.5, 1)]


def test_maxn_has_a_number_for_each_player():
    tree = (0, (1, end(1, 2, 3), end(3, 1, 2)), end(2, 2, 2))
    trace = Trace()
    maxn(Tree(tree, players=3), tree, trace=trace)
    assert [(n.kind, n.value) for n in trace.visited] == [
        ("player", (2, 2, 2)),
        ("player", (1, 2, 3)),
        ("end", (1, 2, 3)),
        ("end", (3, 1, 2)),
        ("end", (2, 2, 2)),
    ]
    assert trace.root.best is trace.root.children[1]


def test_a_state_found_in_the_memo_has_no_children():
    same = (1, end(1), end(2))
    tree = (0, same, same)
    trace = Trace()
    assert minimax(Tree(tree), tree, memo={}, trace=trace) == 1
    assert [(c.kind, c.value, len(c.children)) for c in trace.root.children] == [("min", 1, 2), ("min", 1, 0)]


def test_pruned_children_know_what_they_would_have_been():
    tree = (0, end(3), (1, end(1), (0, end(5), end(6)), end(2)))
    for depth, kinds in [(inf, ["end", "max", "end"]), (2, ["end", "cutoff", "end"])]:
        trace = Trace()
        alphabeta(Tree(tree), tree, depth=depth, trace=trace)
        cut = trace.root.children[1]
        assert [c.kind for c in cut.children] == kinds
        assert [bool(c.pruned) for c in cut.children] == [False, True, True]
        assert [c.state for c in cut.children] == list(tree[2][1:])


def test_a_trace_holds_one_search():
    trace = Trace()
    minimax(Bins(), (), trace=trace)
    with pytest.raises(ValueError, match="one search"):
        minimax(Bins(), (), trace=trace)


def test_tracing_looks_at_the_same_nodes():
    """The first plies of tic-tac-toe: 1 + 9 + 72 + 504 nodes."""
    trace = Trace()
    limited_minimax(TicTacToe(), (0, 0, 0), 3, trace=trace)
    assert len(trace.visited) == 586
    assert trace.leaves == 504


@given(trees(players=3), st.integers(0, 9))
def test_in_every_trace_the_running_value_ends_as_the_value(tree, seed):
    game = Tree(tree, players=3, teams=(0, 1, 0))
    policies = {p: some_policy(game, seed + p) for p in range(3)}
    traces = [Trace() for _ in range(5)]
    results = [
        policy_value(game, tree, policies, trace=traces[0]),
        expectimax(game, tree, {1: policies[1]}, trace=traces[1]),
        expectiminimax(game, tree, trace=traces[2]),
        alphabeta(game, tree, order=best_first(game), trace=traces[3]),
        maxn(game, tree, trace=traces[4]),
    ]
    for trace, result in zip(traces, results, strict=True):
        assert trace.root.value == result
        last = {id(step.node): step.value for step in trace.steps if step.event == "update"}
        for node in trace.visited:
            assert node.value == pytest.approx(last.get(id(node), node.value))
            assert node.best is None or node.best.value == node.value


@given(trees(leaves=40))
@settings(max_examples=300)
def test_every_node_is_visited_or_pruned_and_every_bound_is_true(tree):
    game = Tree(tree)
    trace = Trace()
    alphabeta(game, tree, trace=trace)
    for node in trace.root.walk():
        if node.pruned:
            assert node.value is None
            assert node.order is None
            continue
        assert sorted(int(c.action) for c in node.children) == list(game.actions(node.state))
        truth = expectiminimax(game, node.state)
        if node.bound == "exact":
            assert node.value == pytest.approx(truth)
        else:
            assert truth >= node.value - 1e-9 if node.bound == "lower" else truth <= node.value + 1e-9
