from functools import reduce
from operator import xor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, refusal
from zermelo.search.exhaustive import exhaustive
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.textbook import minimax

game = zermelo.load("nim-heaps")
few = st.lists(st.integers(0, 31), min_size=1, max_size=8)
memo = {}


def nim_sum(heaps):
    return reduce(xor, heaps, 0)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.integers(0, 1))
@settings(max_examples=150)
def test_the_nim_sum_decides(heaps, turn):
    s = game.parse(" ".join(map(str, heaps)) + f" : {turn}")
    mover = 1 if turn == 0 else -1
    assert minimax(game, s, memo=memo) == (mover if nim_sum(heaps) else -mover)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=3))
@settings(max_examples=40)
def test_compiled_searches_agree(heaps):
    s = game.parse(" ".join(map(str, heaps)))
    value = 1 if nim_sum(heaps) else -1
    assert exhaustive(game, s).value == value
    assert plain_alphabeta(game, s, depth=sum(heaps)).value == value


def test_the_only_good_move_of_3_4_5():
    s = game.start()
    good = [game.format_action(s, a) for a in game.actions(s) if minimax(game, game.succ(s, a), memo=memo) == 1]
    assert good == ["a-2"]


@given(few)
def test_a_move_to_nim_sum_zero_exists_exactly_when_it_is_not_zero(heaps):
    s = game.parse(" ".join(map(str, heaps)))
    zeros = [a for a in game.actions(s) if nim_sum(game.succ(s, a).heaps) == 0]
    assert bool(zeros) == (nim_sum(heaps) != 0)
    assert len(game.actions(s)) == sum(heaps)


@given(few, st.integers(0, 1), st.integers(0, 99))
@settings(max_examples=30)
def test_presentation_and_plain_python(heaps, turn, seed):
    game = zermelo.load("nim-heaps", heaps=heaps + [0] * (8 - len(heaps)), turn=turn)
    check_presentation(game, seed)
    check_interpreted(game, seed)


def test_moves_are_read_as_people_write_them():
    s = game.start()
    for text in ("c-2", "C 2", "c2", " c - 2 ", "c−2"):
        assert game.parse_action(s, text) == 66


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "not 0"), ("1 2 3 4 5 6 7 8 9", "not 9"), ("3 x", "heap b"), ("32", "heap a"), ("3 : 2", "not '2'")],
)
def test_bad_positions(text, why):
    assert why in refusal(game.parse, text)


def test_bad_moves_and_fields():
    s = game.start()
    assert "holds 3: 4 cannot be taken" in refusal(game.parse_action, s, "a-4")
    assert "heap d holds 0" in refusal(game.parse_action, s, "d-1")
    assert "as in c-2" in refusal(game.parse_action, s, "take two")
    assert "heap b cannot hold 99" in refusal(lambda: zermelo.load("nim-heaps", heaps=[1, 99, 0, 0, 0, 0, 0, 0]))


def test_the_drawings():
    assert game.text(game.start()) == "a  ● ● ●\nb  ● ● ● ●\nc  ● ● ● ● ●"
    assert game.text(game.parse("0")) == "no fruits left"
    assert drawn_cells(game, game.parse("1 0 2")) == {"a1", "c1", "c2"}
