"""Rote learning: what is remembered, refreshed, forgotten; and that a search sees further by it."""

import numpy as np
import pytest

import zermelo
from zermelo import GameError
from zermelo.compile.dispatch import at
from zermelo.compile.evaluator import Constant, estimate
from zermelo.compile.kernel import kernel
from zermelo.evaluate.rote import FADING, NEW, OLDEST, WAYS, Rote, find, grow_older, make_rote, remember


@pytest.fixture
def rote():
    return make_rote(Constant(0.25), 64)


def keep(rote, k, value, depth):
    with np.errstate(over="ignore"):
        remember(at(rote.memory, 0), np.uint64(k), value, depth)


def place_of(rote, k):
    with np.errstate(over="ignore"):
        return find(at(rote.memory, 0), np.uint64(k))


def older(rote):
    return grow_older.py_func(rote.memory) if hasattr(grow_older, "py_func") else grow_older(rote.memory)


def test_what_is_not_remembered_is_judged_by_the_inner_evaluator(rote):
    game = zermelo.load("tic-tac-toe")
    s = game.start()
    assert estimate(rote, s.record[0]) == 0.25
    keep(rote, game.key(s), -0.5, 3)
    assert estimate(rote, s.record[0]) == pytest.approx(-0.5 * FADING)
    assert (rote.memory[0]["asked"], rote.memory[0]["found"]) == (2, 1)
    after = game.succ(s, game.actions(s)[0])
    assert estimate(rote, after.record[0]) == 0.25


def test_a_deeper_search_replaces_a_shallower_one_and_not_the_other_way_round(rote):
    keep(rote, 7, 0.5, 3)
    keep(rote, 7, 0.9, 2)
    assert rote.memory[0]["value"][place_of(rote, 7)] == pytest.approx(0.5 * FADING)
    keep(rote, 7, 0.1, 3)  # a later search of the same depth knows more
    assert rote.memory[0]["value"][place_of(rote, 7)] == pytest.approx(0.1 * FADING)
    assert rote.size == 1


def test_of_two_ways_to_the_same_end_the_shorter_looks_better(rote):
    """A value that has been remembered twice on its way is nearer zero than one remembered once."""
    keep(rote, 1, 1.0, 3)
    once = rote.memory[0]["value"][place_of(rote, 1)]
    keep(rote, 2, once, 3)
    assert 0 < rote.memory[0]["value"][place_of(rote, 2)] < once < 1


def test_use_refreshes_and_age_forgets(rote):
    game = zermelo.load("tic-tac-toe")
    s = game.start()
    used, unused = game.key(s), 12345
    for k in (used, unused):
        keep(rote, k, 0.5, 1)
    ages = rote.memory[0]["age"]
    assert ages[place_of(rote, used)] == NEW
    for _ in range(OLDEST - NEW - 1):
        assert older(rote) == 2
    estimate(rote, s.record[0])
    assert ages[place_of(rote, used)] == (OLDEST - 1) // 2
    assert older(rote) == 1
    assert place_of(rote, unused) == -1
    assert place_of(rote, used) >= 0


def test_where_there_is_no_room_the_least_depth_makes_way():
    rote = make_rote(Constant(), WAYS)
    for k, depth in zip(range(1, WAYS + 1), (5, 2, 7, 3), strict=True):
        keep(rote, k, 0.5, depth)
    keep(rote, 99, 0.5, 1)
    assert [place_of(rote, k) >= 0 for k in (1, 2, 3, 4, 99)] == [True, False, True, True, True]
    assert rote.size == WAYS


def test_a_memory_can_be_kept_and_given_back(rote):
    for k in range(1, 30):
        keep(rote, k * 0x9E3779B97F4A7C15 % 2**64, k / 30, k)
    again = make_rote(Constant(), 64)
    again.restore(rote.arrays())
    for column in ("key", "value", "depth", "age"):
        used = rote.memory[0]["depth"] > 0
        assert (again.memory[0][column][used] == rote.memory[0][column][used]).all()
    assert again.size == rote.size > 0


def test_a_memory_of_another_size_is_refused(rote):
    larger = make_rote(Constant(), 1024)
    keep(larger, 2**64 - 1, 0.5, 1)
    with pytest.raises(GameError, match="not a memory with room for 64 positions"):
        rote.restore(larger.arrays())
    with pytest.raises(GameError, match="not a memory"):
        rote.restore({})
    with pytest.raises(GameError, match="room for 4 to"):
        make_rote(Constant(), 2)


@kernel
def judge(states, rote):
    return estimate(rote, states[0])


@kernel
def learn(states, rote, k, value, depth):
    remember(at(rote.memory, 0), k, value, depth)
    return find(at(rote.memory, 0), k)


@pytest.mark.jit
def test_compiled_and_interpreted_remember_the_same():
    game = zermelo.load("tic-tac-toe")
    one, other = make_rote(Constant(0.5), 64), make_rote(Constant(0.5), 64)
    s = game.start()
    for step in range(9):
        k = np.uint64(game.key(s))
        assert judge(s.record, one) == judge.py_func(s.record[:], other) == 0.5
        with np.errstate(over="ignore"):
            assert learn(s.record, one, k, step / 10, 1) == learn.py_func(s.record, other, k, step / 10, 1)
            assert judge(s.record, one) == judge.py_func(s.record, other) == pytest.approx(FADING * step / 10)
        if game.is_end(s):
            break
        s = game.succ(s, game.actions(s)[0])
    assert (one.memory[0]["value"] == other.memory[0]["value"]).all()
    assert grow_older(one.memory) == grow_older.py_func(other.memory)


def test_another_thread_shares_the_memory(rote):
    twin = rote.private()
    keep(twin, 5, 0.5, 1)
    assert isinstance(twin, Rote)
    assert place_of(rote, 5) >= 0
