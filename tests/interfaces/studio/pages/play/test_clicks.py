"""From clicks to moves, in the games whose clicks are not plain."""

from __future__ import annotations

import random

import pytest

import zermelo
from zermelo.core.game import CHANCE, Marks
from zermelo.core.history import History
from zermelo.core.registry import games
from zermelo.interfaces.studio.pages.play.clicks import Touch
from zermelo.players.hooks import hook

PLAIN = [name for name in games() if name not in ("tree",)]


def at(name: str, position: str | None = None, **options) -> History:
    game = zermelo.load(name, compiled=False, **options)
    return History(game, None if position is None else game.parse(position))


def test_promotion_asks_for_the_piece():
    history = at("chess", "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1")
    touch = Touch(history)
    assert touch.click("e7") is None
    assert touch.next == ("e8",)
    assert touch.click("e8") is None
    assert set(touch.next) == {"=Q", "=R", "=B", "=N"}
    action = touch.click("=N")
    assert history.game.format_action(history.state, action) == "e8=N+"


def test_another_piece_may_be_taken_up_and_put_down():
    touch = Touch(at("chess"))
    touch.click("e2")
    assert set(touch.next) == {"e3", "e4"}
    touch.click("g1")
    assert set(touch.next) == {"f3", "h3"}
    touch.click("g1")
    assert touch.cells == ()
    touch.click("e5")
    assert touch.cells == ()


def test_a_double_jump_is_clicked_square_by_square():
    history = at("checkers", "B:W18,27:B3,14")
    touch = Touch(history)
    jumps = [way for way, _ in touch.ways if len(way) == 3]
    assert jumps, [way for way, _ in touch.ways]
    here, over, there = jumps[0]
    assert touch.click(here) is None
    assert touch.click(over) is None
    drawn = hook(history.game, "halfway")(history.state, touch.cells, Marks())
    assert drawn.count('class="rim white"') == 1  # one of the two is off the board
    assert touch.click(there) is not None


def test_backgammon_steps_may_be_taken_in_any_order():
    history = at("backgammon", "4HPwATDgc/ABMA:0:31")
    touch = Touch(history)
    first = ["8", "5", "6", "5"]
    second = ["6", "5", "8", "5"]
    played = []
    for cells in (first, second):
        touch.drop()
        for cell in cells[:-1]:
            assert touch.click(cell) is None
        played.append(touch.click(cells[-1]))
    assert played[0] == played[1] is not None
    assert history.game.format_action(history.state, played[0]) == "8/5 6/5"


def test_a_checker_on_the_bar_enters_first():
    game = zermelo.load("backgammon", compiled=False)
    history = History(game)
    rng = random.Random(5)
    while not (history.player() >= 0 and history.state.points[history.state.turn][25] > 0):
        if history.is_over:
            history = History(game)
        history.play(rng.choice(list(history.actions())))
    assert {way[0] for way, _ in Touch(history).ways} <= {"bar", "pass"}


def test_any_cell_of_a_column_takes_the_disc():
    history = at("connect-four")
    touch = Touch(history)
    assert touch.targets == ("a1", "b1", "c1", "d1", "e1", "f1", "g1")
    assert touch.click("c6") == touch.click("c1") is not None


@pytest.mark.parametrize("name", PLAIN)
def test_every_move_of_a_random_game_can_be_clicked(name):
    history = at(name)
    rng = random.Random(name)
    for _ in range(12):
        if history.is_over:
            break
        if history.game.player(history.state) != CHANCE:
            touch = Touch(history)
            assert {a for _, a in touch.ways} == set(history.actions())
            way, wanted = rng.choice(touch.ways)
            found = [touch.click(cell) for cell in way]
            assert found[-1] == wanted or wanted in touch.complete
            drawn = history.game.svg(history.state)
            on_board = [cell for cell in way if f'data-at="{cell}"' in drawn]
            assert on_board or len(way) == 1  # what is not drawn is shown as a button
        history.play(rng.choice(list(history.actions())))
