"""The record: its layout, what fields may be, and how interpreted rules see it."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.check.wrong_games import stones
from zermelo import load
from zermelo.compile.record import field_names, make_dtype, make_view, rows

KINDS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?")


def new(**fields):
    dtype = make_dtype(fields, "test")
    records = np.zeros(1, dtype)
    return records, make_view(dtype)(records[0])


# -- layout ------------------------------------------------------------------------------------------------------------


def test_widest_first_and_closed_by_the_tag():
    dtype = make_dtype({"turn": "i1", "mine": "u8", "board": ("i1", (9,)), "count": "i2"}, "game_abc")
    assert dtype.names == ("mine", "count", "turn", "board", "_game_abc")
    assert field_names(dtype) == ("mine", "count", "turn", "board")
    assert dtype.itemsize == 24
    assert dtype["_game_abc"].shape == (4,)


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.lists(st.integers(1, 5), max_size=2)), min_size=1, max_size=8))
def test_any_record_is_whole_words_without_gaps(kinds):
    fields = {f"f{i}": (kind, tuple(shape)) if shape else kind for i, (kind, shape) in enumerate(kinds)}
    dtype = make_dtype(fields, "tag")
    assert dtype.itemsize % 8 == 0
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize
    for name in field_names(dtype):
        assert dtype.fields[name][1] % dtype[name].base.itemsize == 0  # aligned
    assert sorted(field_names(dtype)) == sorted(fields)


def test_two_tags_are_two_types():
    assert make_dtype({"a": "i1"}, "x") != make_dtype({"a": "i1"}, "y")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "at least one field"),
        ({"a b": "i1"}, "not a Python name"),
        ({"for": "i1"}, "not a Python name"),
        ({7: "i1"}, "not a Python name"),
        ({"_a": "i1"}, "needs another name"),
        ({"game": "i1"}, "needs another name"),
        ({"record": "i1"}, "needs another name"),
        ({"key": "i1"}, "needs another name"),
        ({"a": "nonsense"}, "'nonsense' is not a kind"),
        ({"a": ("i1", (3, "x"))}, "is not a kind"),
        ({"a": ("i1", 3, 4)}, "is not a kind"),
        ({"a": "f8"}, "not an integer kind"),
        ({"a": "U5"}, "not an integer kind"),
        ({"a": ("i1", (0,))}, "at least 1"),
        ({"a": ("i1", -1)}, "at least 1"),
    ],
)
def test_fields_that_cannot_be(fields, words):
    with pytest.raises(ValueError, match=words):
        make_dtype(fields, "tag")


def test_a_length_may_be_a_plain_number():
    assert make_dtype({"a": ("i1", 3)}, "tag")["a"].shape == (3,)


# -- views -------------------------------------------------------------------------------------------------------------


def test_a_view_reads_and_writes_in_place():
    records, s = new(turn="i1", board=("i1", (3,)))
    s.turn = 1
    s.board[2] = -1
    assert records["turn"][0] == 1
    assert records["board"][0].tolist() == [0, 0, -1]


def test_small_fields_are_python_integers_that_do_not_overflow():
    _, s = new(turn="i1", board=("i1", (3,)), grid=("i2", (2, 2)))
    s.turn, s.board[0], s.grid[1, 0] = 100, 100, 30_000
    assert type(s.turn) is type(s.board[0]) is type(s.grid[1, 0]) is int
    assert s.turn * s.board[0] * s.grid[1, 0] == 300_000_000


def test_wide_fields_stay_unsigned_words():
    _, s = new(mine="u8", boards=("u8", (2,)))
    s.mine = (1 << 64) - 1
    s.boards[1] = np.uint64(1) << np.uint64(63)
    assert type(s.mine) is type(s.boards[1]) is np.uint64
    assert s.mine >> np.uint64(63) == 1
    assert s.boards[1] >> np.uint64(63) == 1


@pytest.mark.parametrize(("kind", "value"), [("i1", 128), ("i1", -129), ("u1", 256), ("u1", -1), ("i4", 1 << 31)])
def test_what_does_not_fit_is_refused(kind, value):
    _, s = new(a=kind, many=(kind, (2,)))
    with pytest.raises(OverflowError):
        s.a = value
    with pytest.raises(OverflowError):
        s.many[0] = value


def test_a_value_that_only_numpy_would_wrap_is_refused():
    _, s = new(a="i1", many=("i1", (2,)))
    with pytest.raises(OverflowError):
        s.a = np.int64(200)
    with pytest.raises(OverflowError):
        s.many[1] = np.int64(200)


def test_a_misspelt_field_is_refused():
    _, s = new(turn="i1")
    with pytest.raises(AttributeError):
        s.turm = 1
    with pytest.raises(AttributeError):
        s.turm  # noqa: B018


def test_out_of_bounds_is_refused():
    _, s = new(board=("i1", (3,)))
    with pytest.raises(IndexError):
        s.board[3] = 1


def test_an_array_field_can_be_written_at_once():
    records, s = new(board=("i1", (3,)))
    s.board = (1, 2, 3)
    assert records["board"][0].tolist() == [1, 2, 3]


def test_rows_are_records():
    table = rows(4, 7)
    assert table.shape == (4,)
    assert table[2]["at"].shape == (7,)


# -- states ------------------------------------------------------------------------------------------------------------


def test_states_are_values():
    game = stones()
    s = game.start()
    assert game.succ(s, 1) == game.succ(s, 1)
    assert hash(game.succ(s, 1)) == hash(game.succ(s, 1))
    assert game.succ(s, 1) != game.succ(s, 2)
    assert s.stones == 5
    record = s.record
    record["stones"] = 9
    assert s.stones == 5


def test_a_state_cannot_be_written():
    s = stones().start()
    with pytest.raises(AttributeError):
        s.stones = 3
    with pytest.raises(AttributeError, match="no field 'board'"):
        s.board  # noqa: B018


def test_states_of_two_games_are_never_equal():
    one, other = stones(), stones(start=lambda s: setattr(s, "stones", 5))
    assert one.start().record.tobytes() == other.start().record.tobytes()
    assert one.start() != other.start()


def test_a_state_survives_a_pickle():
    game = load("tic-tac-toe", compiled=False)
    s = game.succ(game.start(), 4)
    again = pickle.loads(pickle.dumps(s))
    assert again == s
    assert again.game.name == "tic-tac-toe"
    assert again.game.compiled is False


def test_positions_are_written_field_by_field_where_a_game_does_not_say_how():
    game = stones(state={"cells": ("i1", (2, 2))})
    text = "stones=3 turn=1 cells=1,2,3,4"
    assert game.format(game.parse(text)) == text
    for wrong in ("stones", "stone=3", "stones=x", "cells=1,2", "stones=300"):
        with pytest.raises(ValueError, match="stones:"):
            game.parse(wrong)
