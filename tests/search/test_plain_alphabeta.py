from math import ceil, floor, inf
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.search.kernel_oracles import traced, tree, trees
from zermelo.compile.rules import rules
from zermelo.core.game import OVER, GameError
from zermelo.search.exhaustive import exhaustive
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.textbook import alphabeta, alphabeta_search

bounds = st.floats(-1.1, 1.1)


@rules(name="flat-tree", players=2, max_actions=16)
class FlatTree:
    """Every leaf is worth 0, so that every order is perfect."""

    state = {"branching": "i1", "depth": "i1", "ply": "i1"}

    def start(s):
        pass

    def player(s):
        return OVER if s.ply == s.depth else s.ply % 2

    def actions(s, out):
        for i in range(s.branching):
            out[i] = i
        return s.branching

    def apply(s, action):
        s.ply += 1

    def utility(s, out):
        out[0] = 0
        out[1] = 0


# -- values and leaves, against the textbook ---------------------------------------------------------------------------


@given(trees(), st.integers(0, 6))
@settings(max_examples=1000)
def test_the_same_value_by_the_same_nodes(game, depth):
    found = plain_alphabeta(game, depth=depth)
    value, nodes, leaves = traced(alphabeta, game, depth=depth)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert (found.nodes, found.leaves) == (nodes, leaves)


@given(trees(chance=[0]), st.integers(0, 6))
@settings(max_examples=300)
def test_without_chance_plies_are_plies(game, depth):
    found = plain_alphabeta(game, depth=depth)
    value, nodes, leaves = traced(alphabeta, game, depth=depth)
    assert (found.value, found.nodes, found.leaves) == (value, nodes, leaves)
    assert (found.value, found.best) == alphabeta_search(game, game.start(), depth=depth)


@given(trees(), st.integers(0, 6))
@settings(max_examples=500)
def test_the_value_and_the_choice_are_those_of_all_nodes(game, depth):
    found, all_nodes = plain_alphabeta(game, depth=depth), exhaustive(game, depth=depth)
    assert found.value == pytest.approx(all_nodes.value, abs=1e-12)
    assert found.best == all_nodes.best
    assert found.nodes <= all_nodes.nodes


@given(trees(), st.integers(0, 6), st.tuples(bounds, bounds).filter(lambda w: w[0] < w[1]))
@settings(max_examples=1000)
def test_fail_soft_values_are_bounds_for_any_window(game, depth, window):
    truth = exhaustive(game, depth=depth).value
    found = plain_alphabeta(game, depth=depth, window=window)
    if found.value <= window[0]:
        assert truth <= found.value + 1e-12
    elif found.value >= window[1]:
        assert truth >= found.value - 1e-12
    else:
        assert truth == pytest.approx(found.value, abs=1e-12)
    assert found.leaves <= plain_alphabeta(game, depth=depth).leaves


@given(trees(), st.integers(0, 6), bounds)
@settings(max_examples=300)
def test_a_window_visits_the_nodes_the_textbook_visits(game, depth, alpha):
    found = plain_alphabeta(game, depth=depth, window=(alpha, alpha + 0.1))
    value, nodes, leaves = traced(alphabeta, game, depth=depth, alpha=alpha, beta=alpha + 0.1)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert (found.nodes, found.leaves) == (nodes, leaves)


@given(trees(), st.integers(0, 5))
@settings(max_examples=60)
def test_plain_python_finds_the_identical_result(game, depth):
    assert plain_alphabeta(game.interpreted, depth=depth) == plain_alphabeta(game, depth=depth)


def test_games_that_end_early():
    game = zermelo.load("tic-tac-toe")
    s = game.parse("x.. .o. ..x")
    found = plain_alphabeta(game, s, depth=9)
    assert (found.value, found.best) == alphabeta_search(game, s)


@pytest.mark.jit
def test_tic_tac_toe_is_a_draw():
    found = plain_alphabeta(zermelo.load("tic-tac-toe"), depth=9)
    assert found.value == 0
    assert found.nodes < 549_946 / 20


def test_teams_and_many_opponents():
    for name in ("partners", "pursuit"):
        game = zermelo.load(name)
        found = plain_alphabeta(game, depth=5)
        value, nodes, leaves = traced(alphabeta, game, depth=5)
        assert (found.value, found.nodes, found.leaves) == (value, nodes, leaves)


def test_what_is_refused():
    with pytest.raises(GameError, match="the depth must be"):
        plain_alphabeta(tree(), depth=-1)
    for window in ((0.0, 0.0), (inf, -inf)):
        with pytest.raises(GameError, match="empty"):
            plain_alphabeta(tree(), window=window)


# -- how many leaves ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("b", "d"), [(1, 9), (2, 1), (2, 9), (2, 12), (3, 7), (5, 5), (10, 4), (16, 3)])
def test_perfect_order_visits_the_minimal_tree(b, d):
    flat = FlatTree(branching=b, depth=d)
    assert plain_alphabeta(flat, depth=d).leaves == b ** ceil(d / 2) + b ** floor(d / 2) - 1


@pytest.mark.jit
@pytest.mark.parametrize(
    ("b", "d", "mean", "within", "seeds"),
    [(2, 10, 316.2, 2.0, 20_000), (5, 4, 227.7, 1.5, 5_000), (10, 3, 383.7, 3.0, 3_000), (10, 4, 1969, 30, 1_000)],
)
def test_mean_leaves_in_random_order(b, d, mean, within, seeds):
    """The order in which a tree of independent leaves is given is a random one."""
    counts = [plain_alphabeta(tree(branching=b, depth=d, seed=seed), depth=d).leaves for seed in range(seeds)]
    assert 3 * stdev(counts) / seeds**0.5 < within * 1.5  # there were enough trees to tell
    assert fmean(counts) == pytest.approx(mean, abs=within)
