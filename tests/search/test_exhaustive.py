import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.search.kernel_oracles import traced, tree, trees
from zermelo.core.game import CHANCE, GameError
from zermelo.search.exhaustive import exhaustive, positions, positions_by_ply
from zermelo.textbook import best_action, expectiminimax, limited_minimax, minimax

same = pytest.approx  # averages are added up in another order than the textbook's sum() may take


# -- tic-tac-toe, whose counts are known -------------------------------------------------------------------------------


@pytest.mark.jit
def test_every_game_of_tic_tac_toe():
    found = exhaustive(zermelo.load("tic-tac-toe"))
    assert found.value == 0
    assert (found.ends, found.nodes) == (255_168, 549_946)
    assert (found.first, found.second, found.even) == (131_184, 77_904, 46_080)


@pytest.mark.jit
def test_every_position_of_tic_tac_toe():
    game = zermelo.load("tic-tac-toe")
    assert positions(game) == 5_478
    by_ply = positions_by_ply(game, 9)
    assert by_ply == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert sum(by_ply) == 5_478


def test_a_win_in_one():
    game = zermelo.load("tic-tac-toe")
    s = game.parse("xx. oo. ...")
    assert exhaustive(game, s).value == 1
    assert game.format_action(s, exhaustive(game, s).best) == "c3"
    assert exhaustive(game, game.parse("xx. oo. x..")).value == -1  # noughts to move


# -- against the textbook, on random trees -----------------------------------------------------------------------------


@given(trees())
@settings(max_examples=1500)
def test_the_value_is_the_textbooks(game):
    found = exhaustive(game)
    assert found.value == same(expectiminimax(game, game.start()), abs=1e-12)
    assert found.cutoffs == 0
    assert found.ends == game.start().branching ** game.start().depth
    assert found.first + found.second + found.even == found.ends


@given(trees(), st.integers(0, 5))
@settings(max_examples=800)
def test_a_depth_limit(game, depth):
    found = exhaustive(game, depth=depth)
    value, nodes, leaves = traced(limited_minimax, game, depth=depth)
    assert found.value == same(value, abs=1e-12)
    assert (found.nodes, found.ends + found.cutoffs) == (nodes, leaves)


@given(trees(chance=[0]), st.integers(0, 5))
@settings(max_examples=400)
def test_without_chance_plies_are_plies(game, depth):
    assert exhaustive(game, depth=depth).value == limited_minimax(game, game.start(), depth)
    assert exhaustive(game).value == minimax(game, game.start())


@given(trees())
@settings(max_examples=300)
def test_the_choice_is_the_first_of_the_best(game):
    s = game.start()
    if game.is_end(s) or game.player(s) == CHANCE:
        assert exhaustive(game).best is None
    else:
        assert exhaustive(game).best == best_action(game, s, lambda s: exhaustive(game, s).value)


@given(trees(), st.one_of(st.none(), st.integers(0, 5)))
@settings(max_examples=60)
def test_plain_python_gives_the_identical_tree(game, depth):
    assert exhaustive(game.interpreted, depth=depth) == exhaustive(game, depth=depth)


@given(st.integers(0, 2**32), st.sampled_from([0, 30]))
@settings(max_examples=60)
def test_three_players(seed, chance):
    game = tree(players=3, branching=3, depth=4, seed=seed, chance=chance)
    assert exhaustive(game).value == same(expectiminimax(game, game.start()), abs=1e-12)


def test_teams():
    game = zermelo.load("partners")
    assert exhaustive(game).value == minimax(game, game.start())


# -- refusals ----------------------------------------------------------------------------------------------------------


def test_what_is_refused():
    with pytest.raises(GameError, match="the depth must be"):
        exhaustive(tree(), depth=-1)


@pytest.mark.jit  # in plain Python it takes a minute to find out
def test_games_that_may_last_for_ever_are_refused():
    with pytest.raises(GameError, match="give a depth"):
        exhaustive(zermelo.load("pig"))  # whose games may last for ever


@pytest.mark.jit
def test_lines_longer_than_the_first_stack_are_followed_to_their_end():
    assert exhaustive(zermelo.load("nim", fruits=300), depth=2).nodes == 7
    fruits = zermelo.load("nim", fruits=24)
    assert exhaustive(fruits).value == -1  # a multiple of three is lost
    assert positions(zermelo.load("nim", fruits=300)) == 2 * 300


def test_depth_zero_evaluates_the_root():
    game = tree(seed=5)
    found = exhaustive(game, depth=0)
    assert (found.value, found.best, found.nodes, found.cutoffs) == (game.evaluate(game.start()), None, 1, 1)
