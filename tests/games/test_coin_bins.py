import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, refusal
from zermelo.core.game import CHANCE
from zermelo.search.exhaustive import exhaustive
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.textbook import alphabeta_search, expectiminimax

GAMES = {shift: zermelo.load("coin-bins", shift=shift) for shift in ("left", "right")}
game = GAMES["left"]


@pytest.mark.parametrize(("shift", "best"), [("left", "C"), ("right", "B")])
def test_the_values_of_the_lecture(shift, best):
    game = GAMES[shift]
    s = game.start()
    assert expectiminimax(game, s) == -2
    found = alphabeta_search(game, s)
    assert (found.value, game.format_action(s, found.action)) == (-2, best)
    tree = exhaustive(game)
    assert (tree.value, game.format_action(s, tree.best), tree.nodes, tree.ends) == (-2, best, 22, 12)
    assert plain_alphabeta(game, depth=3).value == -2


@pytest.mark.parametrize(
    ("shift", "values"),
    [("left", {"A": -27.5, "B": -24.5, "C": -2}), ("right", {"A": -24.5, "B": -2, "C": -27.5})],
)
def test_every_bin(shift, values):
    game = GAMES[shift]
    assert {bin: expectiminimax(game, game.parse(f"{bin}?")) for bin in "ABC"} == values


def test_the_coin():
    s = game.parse("A?")
    assert game.player(s) == CHANCE
    assert game.chances(s) == [(0, 0.5), (1, 0.5)]
    assert [game.format(game.succ(s, a)) for a in game.actions(s)] == ["A", "C"]
    right = GAMES["right"]
    assert [right.format(right.succ(right.parse("C?"), a)) for a in (0, 1)] == ["C", "A"]


@given(st.sampled_from(list(GAMES)), st.integers(0, 99))
def test_presentation_and_plain_python(shift, seed):
    check_presentation(GAMES[shift], seed)
    check_interpreted(GAMES[shift], seed)


def test_bad_input():
    assert "shift must be 'left' or 'right'" in refusal(lambda: zermelo.load("coin-bins", shift="up"))
    assert "question mark" in refusal(game.parse, "?")
    assert "question mark" in refusal(game.parse, "A 50?")
    assert "not one of the bins" in refusal(game.parse, "x")
    assert "only heads or tails" in refusal(game.parse_action, game.parse("B?"), "edge")
    assert game.parse_action(game.parse("B?"), "Tails") == 1
    assert "0 to 3" in refusal(lambda: zermelo.load("coin-bins", moves=4))


def test_the_drawings():
    assert game.text(game.parse("B?")).splitlines() == [
        "     A        ▸B         C",
        " -50  50     1  3     -5  15",
        "the coin is in the air",
    ]
    assert {"A", "B", "C", "heads", "tails", "-50", "15"} <= drawn_cells(game, game.start())
