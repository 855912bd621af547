from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.textbook.textbook_games import Bins, CoinBins, TicTacToe, Tree, end, some_policy, trees
from zermelo.textbook import (
    best_action,
    expectimax,
    expectimax_policy,
    expectiminimax,
    greedy,
    limited_minimax,
    maxn,
    maxn_policy,
    minimax,
    minimax_policy,
    optimal_path,
    policy_value,
    uniform,
)


def test_the_four_meetings_of_policies_in_the_bins():
    game = Bins()
    pi_max = pi_min = minimax_policy(game)
    random = uniform(game)
    pi_expectimax = expectimax_policy(game, {1: random})
    assert pi_max(()) == "B"
    assert pi_expectimax(()) == "C"
    assert [pi_min((b,)) for b in "ABC"] == [-50, 1, -5]
    assert policy_value(game, (), {0: pi_max, 1: pi_min}) == 1
    assert policy_value(game, (), {0: pi_max, 1: random}) == 2
    assert policy_value(game, (), {0: pi_expectimax, 1: random}) == 5
    assert policy_value(game, (), {0: pi_expectimax, 1: pi_min}) == -5


@pytest.mark.parametrize(("shift", "bin_"), [(-1, "C"), (1, "B")])
def test_the_best_bin_under_a_coin(shift, bin_):
    assert minimax_policy(CoinBins(shift))(()) == bin_


def test_ties_go_to_the_first_action():
    tree = (0, end(1), end(2), end(2))
    game = Tree(tree)
    assert minimax_policy(game)(tree) == 1
    assert maxn_policy(game)(tree) == 1
    assert best_action(game, tree, lambda s: 0.0) == 0


def test_optimal_path():
    assert optimal_path(Bins(), (), minimax_policy(Bins())) == ["B", 1]
    assert optimal_path(CoinBins(-1), (), minimax_policy(CoinBins(-1))) == ["C"]  # the coin is nobody's choice
    assert len(optimal_path(TicTacToe(), (0, 0, 0), minimax_policy(TicTacToe()))) == 9


def test_greedy_for_another_player_sees_the_other_side_as_min():
    game = Bins()
    against = expectimax_policy(game, {0: uniform(game)}, player=1)
    assert [against((b,)) for b in "ABC"] == [-50, 1, -5]
    pessimist = greedy(game, lambda s: -minimax(game, s), player=1)
    assert pessimist(()) == "B"


@given(trees(chance=False, leaves=40), st.integers(0, 99))
@settings(max_examples=200)
def test_the_chain_of_inequalities(tree, seed):
    """V(π_exptmax, π_min) ≤ V(π_max, π_min) ≤ V(π_max, π) ≤ V(π_exptmax, π), and where equality must hold."""
    game = Tree(tree)
    pi = some_policy(game, seed)
    pi_max = pi_min = minimax_policy(game)
    pi_expectimax = expectimax_policy(game, {1: pi})
    chain = [
        policy_value(game, tree, {0: mine, 1: theirs})
        for mine, theirs in [(pi_expectimax, pi_min), (pi_max, pi_min), (pi_max, pi), (pi_expectimax, pi)]
    ]
    assert all(x <= y + 1e-9 for x, y in pairwise(chain))
    assert chain[1] == pytest.approx(minimax(game, tree))
    assert chain[3] == pytest.approx(expectimax(game, tree, {1: pi}))


@given(trees(), st.integers(0, 99))
def test_the_chain_of_inequalities_with_chance(tree, seed):
    game = Tree(tree)
    pi = some_policy(game, seed)
    pi_max = pi_min = minimax_policy(game)
    pi_expectimax = expectimax_policy(game, {1: pi})
    value = expectiminimax(game, tree)
    assert policy_value(game, tree, {0: pi_max, 1: pi_min}) == pytest.approx(value)
    assert policy_value(game, tree, {0: pi_expectimax, 1: pi_min}) <= value + 1e-9
    assert value <= policy_value(game, tree, {0: pi_max, 1: pi}) + 1e-9
    assert policy_value(game, tree, {0: pi_max, 1: pi}) <= policy_value(game, tree, {0: pi_expectimax, 1: pi}) + 1e-9


@given(trees(players=3))
def test_the_policy_of_maxn_reaches_its_values(tree):
    game = Tree(tree, players=3, teams=(0, 1, 0))
    policy = maxn_policy(game)
    reached = [policy_value(game, tree, dict.fromkeys(range(3), policy), player=p) for p in range(3)]
    assert reached == pytest.approx(maxn(game, tree))


def test_a_shallow_search_makes_a_policy_too():
    game = TicTacToe()
    careful = greedy(game, lambda s: limited_minimax(game, s, 2))
    to_block = (0b000000001, 0b000011000, 1)  # player 1 must answer two of player 0's in a row
    assert careful(to_block) == 0b000100000
