import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, refusal
from zermelo.search.exhaustive import exhaustive
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.textbook import minimax

game = zermelo.load("nim")


def test_the_start_is_a_field():
    assert game.start().fruits == 7
    assert zermelo.load("nim", fruits=12).start().fruits == 12
    assert zermelo.load("nim", fruits=12).variant is game.variant  # nothing to compile anew


@pytest.mark.parametrize("fruits", range(1, 22))
def test_multiples_of_three_are_lost(fruits):
    game = zermelo.load("nim", fruits=fruits)
    tree = exhaustive(game)
    assert tree.value == (-1 if fruits % 3 == 0 else 1)
    assert plain_alphabeta(game, depth=fruits).value == tree.value
    if fruits % 3:
        assert tree.best == fruits % 3


@pytest.mark.parametrize("fruits", range(1, 20))
def test_games_are_counted_by_fibonacci(fruits):
    a, b = 1, 1
    for _ in range(fruits - 1):
        a, b = b, a + b
    assert exhaustive(zermelo.load("nim", fruits=fruits)).ends == b


def test_the_view_is_player_0s():
    assert minimax(game, game.parse("3 : 1")) == 1
    assert game.utility(game.parse("0 : 1"), 0) == 1
    assert game.utility(game.parse("0"), 0) == -1
    assert game.utility(game.parse("0"), 1) == 1


@given(st.integers(0, 130), st.integers(0, 1), st.integers(0, 99))
@settings(max_examples=20)
def test_presentation_and_plain_python(fruits, turn, seed):
    game = zermelo.load("nim", fruits=fruits, turn=turn)
    check_presentation(game, seed)
    check_interpreted(game, seed)


@pytest.mark.parametrize("text", ["", "x", "-1", "7.5", "99999", "7 : 2", "7 :", "7 1"])
def test_bad_positions(text):
    refusal(game.parse, text)


def test_bad_moves_and_fields():
    assert "legal are: 1, 2" in refusal(game.parse_action, game.start(), "3")
    assert "-1 fruits" in refusal(lambda: zermelo.load("nim", fruits=-1))
    assert "player 5" in refusal(lambda: zermelo.load("nim", turn=5))
    assert "no option 'apples'" in refusal(lambda: zermelo.load("nim", apples=3))


def test_the_drawings():
    assert game.text(game.start()) == "● ● ● ● ● ● ●"
    assert game.text(game.parse("0")) == "no fruits left"
    assert game.text(game.parse("100")).startswith("40 and ●")
    assert drawn_cells(game, game.start()) == set("1234567")
    assert len(drawn_cells(game, game.parse("1000"))) == 60
