import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, payoffs, refusal
from zermelo.core.game import OVER
from zermelo.search.exhaustive import exhaustive
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.textbook import alphabeta, maxn, minimax

game = zermelo.load("pursuit")


def value(**options):
    game = zermelo.load("pursuit", **options)
    return minimax(game, game.start(), memo={})


def test_players_and_teams():
    assert (game.players, game.teams) == (3, (0, 1, 1))
    assert zermelo.load("pursuit", hunters=4).teams == (0, 1, 1, 1, 1)
    s = game.start()
    turns = []
    for _ in range(7):
        turns.append(game.player(s))
        s = game.succ(s, game.actions(s)[0])
    assert turns == [0, 1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize(("rows", "cols", "enough"), [(3, 3, 4), (3, 4, 5)])
def test_two_hunters_catch_the_runner_in_time(rows, cols, enough):
    assert value(rows=rows, cols=cols, rounds=enough) == -1
    assert value(rows=rows, cols=cols, rounds=enough - 1) == 1


@pytest.mark.parametrize("rounds", [3, 10, 20])
def test_one_hunter_never_does(rounds):
    assert value(hunters=1, rounds=rounds) == 1


def test_on_a_path_one_hunter_is_enough():
    assert value(rows=1, cols=6, hunters=1, rounds=5) == -1


def test_searches_agree():
    short = zermelo.load("pursuit", rows=2, cols=3, rounds=3)
    s = short.start()
    tree = exhaustive(short)
    assert tree.value == minimax(short, s) == alphabeta(short, s) == plain_alphabeta(short, depth=9).value
    assert maxn(short, s) == (tree.value, -tree.value / 2, -tree.value / 2)


@pytest.mark.parametrize(("text", "paid"), [("b2 b2,a1 0 3", -1), ("b2 a1,b2 2 3", -1), ("b2 a1,c1 0 0", 1)])
def test_the_end(text, paid):
    s = game.parse(text)
    assert game.player(s) == OVER
    assert payoffs(game, s) == [paid, -paid / 2, -paid / 2]


def test_steps():
    s = game.parse("b2 d1,d1 0 5")
    assert [game.format_action(s, a) for a in game.actions(s)] == ["b3", "a2", "b2", "c2", "b1"]
    corner = game.parse("a3 d1,d1 0 5")
    assert [game.format_action(corner, a) for a in game.actions(corner)] == ["a3", "b3", "a2"]
    assert game.succ(game.parse("a3 b1,d1 2 5"), 11).rounds == 4


@given(st.sampled_from([(3, 4, 2), (1, 5, 3)]), st.integers(0, 99))
@settings(max_examples=20)
def test_presentation_and_plain_python(shape, seed):
    game = zermelo.load("pursuit", rows=shape[0], cols=shape[1], hunters=shape[2])
    check_presentation(game, seed)
    check_interpreted(game, seed)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a3", "is not runner, hunters"),
        ("a3 d1 0 5", "there are 2 hunters here, not the 1"),
        ("a3 d1,e1 0 5", "'e1' is not a cell from a1 to d3"),
        ("a3 d1,d1 3 5", "there is no player 3"),
        ("a3 d1,d1 0 101", "at most 100 rounds"),
        ("a3 d1,d1 1 0", "not over"),
    ],
)
def test_bad_positions(text, why):
    assert why in refusal(game.parse, text)


def test_bad_moves_and_fields():
    assert "not a cell" in refusal(game.parse_action, game.start(), "z9")
    assert "not a legal move" in refusal(game.parse_action, game.start(), "c1")
    assert game.parse_action(game.start(), " B3 ") == 1
    assert "outside" in refusal(lambda: zermelo.load("pursuit", runner=12))
    assert "1 to 8 hunters" in refusal(lambda: zermelo.load("pursuit", hunters=9))
    assert "1 to 11 rows" in refusal(lambda: zermelo.load("pursuit", rows=0))


def test_the_drawings():
    assert game.text(game.parse("b3 b2,d1 0 5")) == "3 . R . .\n2 . 1 . .\n1 . . . 2\n  a b c d"
    assert game.text(game.parse("b3 b3,b3 0 5")).splitlines()[0] == "3 . × . ."
    assert game.text(game.start()).splitlines()[2] == "1 . . . +"
    assert drawn_cells(game, game.start()) == {c + r for c in "abcd" for r in "123"}


def test_a_network_sees_the_hunters_in_the_order_in_which_they_move():
    runner, next_hunter, last_hunter, before, rounds = game.planes(game.parse("b2 d1,a1 2 4"))
    assert [np.argwhere(plane).tolist() for plane in (runner, next_hunter, last_hunter)] == [
        [[1, 1]],
        [[2, 0]],
        [[2, 3]],
    ]
    assert (before == 1).all()
    assert (rounds == 4).all()
    assert not game.planes(game.start())[3].any()
