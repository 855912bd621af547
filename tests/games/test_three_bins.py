import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, refusal
from zermelo.search.exhaustive import exhaustive
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.textbook import best_action, expectimax, minimax, policy_value, uniform

game = zermelo.load("three-bins")
A, B, C = 0, 1, 2


def test_the_values_of_the_lecture():
    s = game.start()
    assert minimax(game, s) == 1
    assert best_action(game, s, lambda s: minimax(game, s)) == B
    assert expectimax(game, s, {1: uniform(game)}) == 5
    assert policy_value(game, s, {0: lambda s: A, 1: uniform(game)}) == 0
    assert policy_value(game, s, {0: lambda s: C, 1: uniform(game)}) == 5


def test_the_compiled_searches_agree():
    tree = exhaustive(game)
    assert (tree.value, tree.best, tree.nodes, tree.ends, tree.first, tree.second) == (1, B, 10, 6, 4, 2)
    found = plain_alphabeta(game, depth=2)
    assert (found.value, found.best, found.leaves) == (1, B, 5)  # after −5 nobody asks about the 15


@pytest.mark.parametrize(("text", "value"), [("A -50", -50), ("A 50", 50), ("B 1", 1), ("B 3", 3), ("C −5", -5)])
def test_payoffs(text, value):
    s = game.parse(text)
    assert (game.utility(s, 0), game.utility(s, 1)) == (value, -value)


@given(st.integers(0, 99))
def test_presentation_and_plain_python(seed):
    check_presentation(game, seed)
    check_interpreted(game, seed)


def test_moves_are_read_as_people_write_them():
    assert game.parse_action(game.start(), " b ") == B
    assert game.parse_action(game.parse("a"), "−50") == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [("D", "'D' is not one of the bins"), ("A 3", "-50 or 50, not '3'"), ("B 1 3", "not '1'"), ("B x", "not 'X'")],
)
def test_bad_positions(text, why):
    assert why in refusal(game.parse, text)


def test_bad_moves_and_fields():
    assert "only A or B or C" in refusal(game.parse_action, game.start(), "50")
    assert "over" in refusal(game.parse_action, game.parse("A 50"), "50")
    assert "before its turn" in refusal(lambda: zermelo.load("three-bins", bin=2))
    assert "0 to 2" in refusal(lambda: zermelo.load("three-bins", moves=1, bin=7))


def test_the_drawings():
    assert game.text(game.parse("C 15")) == "     A         B        ▸C\n -50  50     1  3    -5  [15]"
    for text in ("-", "A", "A 50"):
        assert drawn_cells(game, game.parse(text)) == {"A", "B", "C", "-50", "50", "1", "3", "-5", "15"}
