from math import ceil, floor, inf
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.textbook.textbook_games import Bins, TicTacToe, Tree, full_tree, trees
from zermelo.core.game import GameError
from zermelo.core.trace import Trace
from zermelo.textbook import (
    alphabeta,
    alphabeta_search,
    as_given,
    best_first,
    expectiminimax,
    limited_minimax,
    minimax,
    shuffled,
    worst_first,
)

FORMS = {"flag": alphabeta, "pair": lambda *args, **options: alphabeta_search(*args, **options).value}
form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
depths = st.one_of(st.just(inf), st.integers(0, 5))
counts = st.sampled_from(["plies", "rounds"])


def orders(game):
    return [as_given, best_first(game), worst_first(game), shuffled(7)]


def leaves(search, game, tree, **options):
    trace = Trace()
    search(game, tree, trace=trace, **options)
    return trace.leaves


# -- values ------------------------------------------------------------------------------------------------------------


@given(trees(leaves=40))
@settings(max_examples=1000)
def test_the_value_is_that_of_minimax(tree):
    game = Tree(tree)
    value = expectiminimax(game, tree)
    assert alphabeta(game, tree) == value
    assert alphabeta_search(game, tree).value == value


@given(trees(), depths, counts)
@settings(max_examples=300)
def test_whatever_the_order_and_the_limit(tree, depth, count):
    game = Tree(tree)
    value = limited_minimax(game, tree, depth, count=count)
    for order in orders(game):
        assert alphabeta(game, tree, depth=depth, count=count, order=order) == value
        assert alphabeta_search(game, tree, depth=depth, count=count, order=order).value == value


@given(trees(leaves=40), depths, st.tuples(st.integers(-10, 10), st.integers(-10, 10)).filter(lambda w: w[0] < w[1]))
@settings(max_examples=1000)
def test_fail_soft_values_are_bounds_for_any_window(tree, depth, window):
    game = Tree(tree)
    alpha, beta = window
    truth = limited_minimax(game, tree, depth)
    for search in FORMS.values():
        v = search(game, tree, depth=depth, alpha=alpha, beta=beta)
        if v <= alpha:
            assert truth <= v + 1e-9
        elif v >= beta:
            assert truth >= v - 1e-9
        else:
            assert truth == pytest.approx(v)


@given(trees(players=3), st.sampled_from([None, (0, 1, 0), (0, 1, 1)]))
def test_three_players_and_teams(tree, teams):
    game = Tree(tree, players=3, teams=teams)
    assert alphabeta(game, tree) == alphabeta_search(game, tree).value == expectiminimax(game, tree)


def test_an_empty_window_is_refused():
    for search in FORMS.values():
        with pytest.raises(GameError, match="empty window"):
            search(Bins(), (), alpha=3, beta=3)


# -- moves -------------------------------------------------------------------------------------------------------------


def test_the_move_of_the_bins():
    assert alphabeta_search(Bins(), ()) == (1, "B")
    assert alphabeta_search(Bins(), ("C",)) == (-5, -5)


@given(trees())
def test_the_move_is_the_first_of_the_best(tree):
    game = Tree(tree)
    value, action = alphabeta_search(game, tree)
    player = game.player(tree)
    if player < 0:
        assert action is None
    else:
        children = [expectiminimax(game, game.succ(tree, a)) for a in game.actions(tree)]
        assert action == children.index(value)


def test_tic_tac_toe_is_a_draw_and_a_line_is_found():
    game = TicTacToe()
    assert alphabeta(game, game.start()) == 0
    assert game.nodes < 549_946 / 10
    assert alphabeta_search(game, (0b011, 0b011000, 0)) == (1, 0b100)


# -- nodes -------------------------------------------------------------------------------------------------------------


@given(trees(leaves=40), depths, counts, st.integers(0, 9))
@settings(max_examples=300)
def test_both_forms_visit_the_same_nodes(tree, depth, count, seed):
    game = Tree(tree)
    seen = []
    for search in FORMS.values():
        trace = Trace()
        search(game, tree, depth=depth, count=count, order=shuffled(seed), trace=trace)
        seen.append(
            [(n.kind, n.state, n.action, n.alpha, n.beta, n.value, n.bound, n.pruned) for n in trace.root.walk()]
        )
    assert seen[0] == seen[1]


@form
@pytest.mark.parametrize(("b", "d"), [(2, 1), (2, 2), (2, 7), (3, 4), (3, 5), (4, 4), (6, 3), (10, 2), (1, 5)])
def test_perfect_order_visits_the_minimal_tree(form, b, d):
    tree = full_tree(b, d, Random(b * d))
    game = Tree(tree)
    memo = {}
    order = best_first(game, lambda s: minimax(game, s, memo=memo))
    assert leaves(form, game, tree, order=order) == b ** ceil(d / 2) + b ** floor(d / 2) - 1


@given(st.integers(2, 3), st.integers(2, 5), st.integers(0, 10**6))
@settings(max_examples=50)
def test_no_order_visits_less_than_the_minimal_tree_or_more_than_all(b, d, seed):
    tree = full_tree(b, d, Random(seed))
    game = Tree(tree)
    least = b ** ceil(d / 2) + b ** floor(d / 2) - 1
    exact = lambda s: minimax(game, s)  # noqa: E731
    counts = [leaves(alphabeta, game, tree, order=order) for order in (*orders(game), worst_first(game, exact))]
    assert all(least <= count <= b**d for count in counts)


def test_worst_first_to_depth_two_cuts_nothing():
    tree = full_tree(5, 2, Random(3))
    game = Tree(tree)
    assert leaves(alphabeta, game, tree, order=worst_first(game, lambda s: minimax(game, s))) == 25


@pytest.mark.parametrize(("b", "d", "mean", "trees_"), [(3, 6, 248.2, 150), (5, 4, 227.7, 150), (10, 3, 383.7, 60)])
def test_mean_leaves_in_random_order(b, d, mean, trees_):
    rng = Random(2024)
    counts = []
    for _ in range(trees_):
        tree = full_tree(b, d, rng)
        counts.append(leaves(alphabeta, Tree(tree), tree, order=shuffled(rng)))
    assert abs(fmean(counts) - mean) < 3.5 * stdev(counts) / trees_**0.5
