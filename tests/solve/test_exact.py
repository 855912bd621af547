"""Exact values that were published or computed elsewhere, and the refusal where there is none to be had."""

from functools import reduce
from operator import xor
from random import Random

import pytest

import zermelo
from zermelo.core.game import GameError
from zermelo.search.exhaustive import exhaustive

pytestmark = pytest.mark.jit


def moves(solution):
    return {solution.game.format_action(solution.state, a) for a in solution.best}


def test_tic_tac_toe_is_a_draw_by_every_first_move():
    solution = zermelo.solve(zermelo.load("tic-tac-toe"))
    assert solution.value == 0
    assert len(solution.best) == 9


@pytest.mark.parametrize(
    ("width", "height", "value"),
    [
        (4, 4, 0),
        (6, 4, -1),
        pytest.param(5, 4, 0, marks=pytest.mark.slow),
        pytest.param(5, 5, 0, marks=pytest.mark.slow),
        pytest.param(6, 5, 0, marks=pytest.mark.slow),
        pytest.param(7, 4, 0, marks=pytest.mark.slow),
        pytest.param(4, 5, 0, marks=pytest.mark.slow),
        pytest.param(5, 6, 0, marks=pytest.mark.slow),
    ],
)
def test_connect_four_boards(width, height, value):
    assert zermelo.solve(zermelo.load("connect-four", width=width, height=height), all_best=False).value == value


def test_the_moves_that_keep_the_value():
    game = zermelo.load("connect-four", width=4, height=4)
    rng = Random(1)
    for _ in range(12):
        history = zermelo.History(game)
        while len(history.moves) < 7:
            history.play(rng.choice(history.actions()))
            if history.is_over:
                history = zermelo.History(game)
        solution = zermelo.solve(game, history)
        truth = exhaustive(game, history.state)
        assert solution.value == truth.value
        as_good = {a for a in history.actions() if exhaustive(game, game.succ(history.state, a)).value == truth.value}
        assert set(solution.best) == as_good


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "value"), [("45461667", 1), ("35333571", -1), ("13333111", 0)], ids=["win", "loss", "draw"]
)
def test_the_fhourstones_positions(line, value):
    game = zermelo.load("connect-four")
    assert zermelo.solve(game, game.parse(line), all_best=False, table_mb=512).value == value


def test_four_by_four_othello_is_lost_by_eight():
    solution = zermelo.solve(zermelo.load("othello", size=4, score=True))
    assert solution.value == -8
    assert len(solution.best) == 4  # all first moves are the same by symmetry


def test_othello_endings():
    game = zermelo.load("othello", score=True)
    rng = Random(5)
    for empties in (14, 15, 16):
        history = zermelo.History(game)
        while len(history.moves) < 60 - empties:
            history.play(rng.choice(history.actions()))
            if history.is_over:
                history = zermelo.History(game)
        solution = zermelo.solve(game, history, all_best=False, seconds=120)
        line = history.copy()  # what both sides are told to play leads to what was promised
        while not line.is_over:
            line.play(zermelo.solve(game, line, all_best=False, table_mb=16).pv[0])
        assert line.utility(0) == solution.value


@pytest.mark.parametrize(
    ("pits", "seeds", "margin"),
    [
        (3, 3, 2),
        (4, 2, 6),
        pytest.param(2, 4, -10, marks=pytest.mark.slow),
        pytest.param(4, 3, 6, marks=pytest.mark.slow),
        pytest.param(5, 2, 2, marks=pytest.mark.slow),
        pytest.param(5, 1, 0, marks=pytest.mark.slow),
    ],
)
def test_kalah_margins(pits, seeds, margin):
    assert zermelo.solve(zermelo.load("kalah", pits=pits, seeds=seeds, score=True), all_best=False).value == margin


def test_hex_openings():
    solution = zermelo.solve(zermelo.load("hex", size=4))
    assert solution.value == 1
    assert moves(solution) == {"d1", "c2", "b3", "a4"}


def test_nim_is_won_unless_the_sum_is_zero():
    game = zermelo.load("nim-heaps")
    for heaps in ((1, 2, 3), (1, 4, 5), (2, 3, 5), (1, 1, 7), (3, 4, 6), (2, 4, 6)):
        state = game.parse(" ".join(map(str, heaps)))
        assert zermelo.solve(game, state).value == (1 if reduce(xor, heaps) else -1)


def test_chance_is_averaged():
    game = zermelo.load("random-tree", branching=3, depth=5, seed=4, chance=50)
    assert zermelo.solve(game).value == pytest.approx(exhaustive(game).value, abs=1e-9)


def test_where_a_repeated_position_is_forbidden():
    """On 2 × 2 points black leads by one. No entry of a table is proven there, so there is none."""
    assert zermelo.solve(zermelo.load("go", size=2, komi=0.5)).value == 1
    assert zermelo.solve(zermelo.load("go", size=2, komi=1.5)).value == -1


def test_what_cannot_be_solved_is_refused_in_a_sentence():
    with pytest.raises(GameError, match="not solved within the limits"):
        zermelo.solve(zermelo.load("connect-four"), nodes=30_000)
    with pytest.raises(GameError, match="not solved within the limits"):
        zermelo.solve(zermelo.load("connect-four"), seconds=0.5)
    game = zermelo.load("tic-tac-toe")
    with pytest.raises(GameError, match="over"):
        zermelo.solve(game, game.parse("xxx oo. ..."))
