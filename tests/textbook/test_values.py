import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.textbook.textbook_games import Bins, CoinBins, TicTacToe, Tree, end, some_policy, trees
from zermelo.core.game import CHANCE, GameError
from zermelo.textbook import expectimax, expectiminimax, maxn, minimax, policy_value, uniform

# -- the three bins ----------------------------------------------------------------------------------------------------


def test_bin_a_against_the_random_opponent_is_worth_nothing():
    game = Bins()
    assert policy_value(game, (), {0: lambda s: "A", 1: uniform(game)}) == 0


def test_expectimax_against_the_random_opponent():
    game = Bins()
    assert expectimax(game, (), {1: uniform(game)}) == 5
    assert [expectimax(game, (b,), {1: uniform(game)}) for b in "ABC"] == [0, 2, 5]


def test_minimax():
    game = Bins()
    assert minimax(game, ()) == 1
    assert [minimax(game, (b,)) for b in "ABC"] == [-50, 1, -5]


@pytest.mark.parametrize(("shift", "bins"), [(-1, [-27.5, -24.5, -2]), (1, [-24.5, -2, -27.5])])
def test_expectiminimax_with_a_coin(shift, bins):
    game = CoinBins(shift)
    assert expectiminimax(game, ()) == -2
    assert [expectiminimax(game, (b,)) for b in "ABC"] == bins


def test_minimax_refuses_chance_and_says_what_takes_it():
    with pytest.raises(GameError, match="expectiminimax"):
        minimax(CoinBins(1), ())


# -- views and sides ---------------------------------------------------------------------------------------------------


def test_values_take_the_view_of_the_player_asked_for():
    game = Bins()
    everybody = {0: lambda s: "C", 1: uniform(game)}
    assert policy_value(game, (), everybody, player=0) == 5
    assert policy_value(game, (), everybody, player=1) == -5
    # the opponent as the agent: against a uniform choice of bin it does the best it can in each
    assert expectimax(game, (), {0: uniform(game)}, player=1) == pytest.approx((50 - 1 + 5) / 3)


def test_an_opponent_without_a_policy_is_an_error_and_not_a_friend():
    with pytest.raises(GameError, match="player 1 is to move and has no policy"):
        expectimax(Bins(), (), {})


def test_the_sign_follows_the_player_not_the_ply():
    twice = (0, (0, end(1), end(5)), (1, end(2), (1, end(9), end(3))))
    assert minimax(Tree(twice), twice) == 5


def test_side_0_is_max_and_all_others_are_min():
    tree = (0, (1, (2, end(1, 0, 0), end(4, 0, 0)), end(3, 0, 0)), (2, end(2, 0, 0), end(7, 0, 0)))
    assert minimax(Tree(tree, players=3), tree) == 2
    assert minimax(Tree(tree, players=3, teams=(0, 1, 0)), tree) == 7


def test_a_team_mate_without_a_policy_maximizes_with_the_agent():
    tree = (2, end(1, 0, 0), end(4, 0, 0))
    assert expectimax(Tree(tree, players=3, teams=(0, 1, 0)), tree, {}) == 4
    assert expectimax(Tree(tree, players=3, teams=(0, 1, 0)), tree, {2: lambda s: 0}) == 1


# -- max^n -------------------------------------------------------------------------------------------------------------

#            0                     player 2 picks at the bottom, then 1, then 0
#        /       \
#       1         1
#     /   \     /   \
#    2     2   2     2
THREE = (
    0,
    (1, (2, end(1, 2, 6), end(4, 3, 2)), (2, end(6, 1, 2), end(7, 4, 1))),
    (1, (2, end(5, 1, 1), end(1, 5, 2)), (2, end(7, 7, 1), end(5, 4, 5))),
)


def test_maxn_of_three_players():
    game = Tree(THREE, players=3)
    assert [maxn(game, s) for s in (THREE[1][1], THREE[1][2], THREE[2][1], THREE[2][2])] == [
        (1, 2, 6),
        (6, 1, 2),
        (1, 5, 2),
        (5, 4, 5),
    ]
    assert maxn(game, THREE[1]) == (1, 2, 6)
    assert maxn(game, THREE[2]) == (1, 5, 2)
    assert maxn(game, THREE) == (1, 2, 6)  # a tie for player 0: the first wins


def test_maxn_of_teams_maximizes_their_sum():
    game = Tree(THREE, players=3, teams=(0, 1, 0))  # 0 and 2 together
    # player 2 now maximizes u_0 + u_2: 7 or 6, 8 or 8 (the first); 6 or 3, 8 or 10
    assert maxn(game, THREE[1]) == (1, 2, 6)
    assert maxn(game, THREE[2]) == (5, 4, 5)
    assert maxn(game, THREE) == (5, 4, 5)


def test_maxn_takes_expectations_at_chance_nodes():
    tree = (CHANCE, (0.25, end(4, 0, 8)), (0.75, (1, end(0, 4, 0), end(8, 3, 0))))
    assert maxn(Tree(tree, players=3), tree) == (1, 3, 2)


@given(trees())
def test_maxn_of_a_zero_sum_game_of_two_is_minimax(tree):
    game = Tree(tree)
    value = expectiminimax(game, tree)
    assert maxn(game, tree) == pytest.approx((value, -value))


# -- relations ---------------------------------------------------------------------------------------------------------


@given(trees(chance=False))
def test_expectiminimax_without_chance_is_minimax(tree):
    assert expectiminimax(Tree(tree), tree) == minimax(Tree(tree), tree)


@given(trees(), st.integers(0, 9))
def test_min_is_the_worst_opponent_and_expectimax_the_best_answer(tree, seed):
    game = Tree(tree)
    mine, theirs = some_policy(game, seed), some_policy(game, seed + 10)
    exploiting = expectimax(game, tree, {1: theirs})
    assert expectiminimax(game, tree) <= exploiting + 1e-9
    assert policy_value(game, tree, {0: mine, 1: theirs}) <= exploiting + 1e-9


@given(trees(players=3), st.integers(0, 9))
def test_a_memo_changes_no_value(tree, seed):
    game = Tree(tree, players=3)
    policies = {p: some_policy(game, seed + p) for p in (1, 2)}
    assert maxn(game, tree, memo={}) == maxn(game, tree)
    assert expectiminimax(game, tree, memo={}) == expectiminimax(game, tree)
    assert expectimax(game, tree, policies, memo={}) == expectimax(game, tree, policies)


# -- tic-tac-toe -------------------------------------------------------------------------------------------------------


def test_the_tree_of_tic_tac_toe_has_549946_nodes_and_is_a_draw():
    game = TicTacToe()
    assert minimax(game, game.start()) == 0
    assert game.nodes == 549_946


def test_tic_tac_toe_has_5478_positions():
    game, memo = TicTacToe(), {}
    assert minimax(game, game.start(), memo=memo) == 0
    assert len(memo) == game.nodes == 5_478
    ends = [game.utility(s) for s in memo if game.is_end(s)]
    assert [ends.count(u) for u in (1, -1, 0)] == [626, 316, 16]
