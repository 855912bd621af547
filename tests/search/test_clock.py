"""Clocks: a fair share for every move, never more than there is, and a soft limit that looks at the best move."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo import GameError
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.clock import LEAST, MOST, Clock, TimeManager
from zermelo.search.limits import Limits
from zermelo.search.searcher import answer

pytestmark = pytest.mark.timed

seconds = st.floats(0.01, 1e5)


@given(seconds, st.floats(0, 100), st.none() | st.integers(1, 60))
def test_a_move_never_takes_more_than_there_is(left, increment, moves_to_go):
    clock = Clock(left, increment, moves_to_go)
    assert 0 < clock.soft <= clock.hard < clock.left


@given(seconds, st.floats(0, 5), st.none() | st.integers(1, 40))
def test_a_game_of_nothing_but_hard_moves_is_not_lost_on_time(left, increment, moves_to_go):
    moves = moves_to_go or 80
    for move in range(moves):
        clock = Clock(left, increment, None if moves_to_go is None else moves_to_go - move)
        left += increment - clock.hard
        assert left > 0


def test_more_time_is_more_time():
    assert Clock(60).soft < Clock(120).soft
    assert Clock(60).soft < Clock(60, increment=1).soft
    assert Clock(60, moves_to_go=40).soft < Clock(60, moves_to_go=10).soft
    assert Clock(60, moves_to_go=1).hard > 55  # then comes new time


@pytest.mark.parametrize(
    "wrong", [{"left": 0}, {"left": -1}, {"left": 60, "increment": -1}, {"left": 60, "moves_to_go": 0}]
)
def test_what_is_no_clock(wrong):
    with pytest.raises(GameError, match="clock"):
        Clock(**wrong)


def test_stable_ends_sooner_and_changing_later():
    def ends(best):
        """The seconds after which a search ends whose iterations take a second each."""
        manager = TimeManager(10.0)
        return next(n for n in range(1, 1000) if manager.is_enough(best(n), n))

    stable, once, changing = ends(lambda n: "a"), ends(lambda n: "a" if n < 4 else "b"), ends(lambda n: n)
    assert stable < once < changing
    assert 10 * LEAST <= stable < 10
    assert 10 < changing <= 10 * MOST + 1


def test_without_a_soft_limit_it_is_never_enough():
    assert not TimeManager(None).is_enough("a", 1e9)


def test_limits_take_the_least():
    clock = Clock(60)
    assert Limits(clock=clock).hard == clock.hard
    assert Limits(seconds=0.1, clock=clock).hard == 0.1
    assert Limits(soft_seconds=0.1, clock=clock).soft == 0.1
    assert Limits(clock=clock).is_timed
    assert not Limits(clock=clock).is_open
    assert Limits().is_open
    with pytest.raises(GameError, match="soft_seconds of a search must be a number above 0"):
        Limits(soft_seconds=0)


@pytest.mark.jit
def test_a_soft_limit_ends_between_two_iterations():
    engine = AlphaBeta(zermelo.load("connect-four"), table_mb=1)
    answer(engine, None, Limits(depth=1))
    reports = list(engine.reports(None, Limits(soft_seconds=0.05)))
    assert reports[-1].stopped == "seconds"
    assert (reports[-1].depth, reports[-1].best) == (reports[-2].depth, reports[-2].best)
    assert all(report.seconds < 0.05 * MOST for report in reports[:-2])
    assert reports[-2].seconds >= 0.05 * LEAST


@pytest.mark.jit
def test_a_search_by_the_clock():
    engine = AlphaBeta(zermelo.load("chess"))
    answer(engine, None, Limits(depth=1))
    clock, began = Clock(3.0), time.perf_counter()
    report = answer(engine, None, Limits(clock=clock))
    assert report.stopped == "seconds"
    assert time.perf_counter() - began < clock.hard + 1.5  # the machine may be busy
