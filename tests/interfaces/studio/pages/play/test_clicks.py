"""From clicks to moves, in the games whose clicks are not plain."""

from __future__ import annotations

import random

import pytest

import zermelo
from zermelo.core.game import CHANCE, Marks
from zermelo.core.history import History
from zermelo.core.registry import games
from zermelo.interfaces.studio.pages.play.clicks import ClickSequence

PLAIN = [name for name in games() if name not in ("tree",)]


def at(name: str, position: str | None = None, **options) -> History:
    game = zermelo.load(name, compiled=False, **options)
    return History(game, None if position is None else game.parse(position))


def test_promotion_asks_for_the_piece():
    history = at("chess", "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1")
    clicks = ClickSequence(history)
    assert clicks.click("e7") is None
    assert clicks.next == ("e8",)
    assert clicks.click("e8") is None
    assert set(clicks.next) == {"=Q", "=R", "=B", "=N"}
    action = clicks.click("=N")
    assert history.game.format_action(history.state, action) == "e8=N+"


def test_another_piece_may_be_taken_up_and_put_down():
    clicks = ClickSequence(at("chess"))
    clicks.click("e2")
    assert set(clicks.next) == {"e3", "e4"}
    clicks.click("g1")
    assert set(clicks.next) == {"f3", "h3"}
    clicks.click("g1")
    assert clicks.cells == ()
    clicks.click("e5")
    assert clicks.cells == ()


def test_a_double_jump_is_clicked_square_by_square():
    history = at("checkers", "B:W18,27:B3,14")
    clicks = ClickSequence(history)
    jumps = [way for way, _ in clicks.ways if len(way) == 3]
    assert jumps, [way for way, _ in clicks.ways]
    here, over, there = jumps[0]
    assert clicks.click(here) is None
    assert clicks.click(over) is None
    drawn = history.game.hook("halfway")(history.state, clicks.cells, Marks())
    assert drawn.count('class="rim white"') == 1  # one of the two is off the board
    assert clicks.click(there) is not None


def test_backgammon_steps_may_be_taken_in_any_order():
    history = at("backgammon", "4HPwATDgc/ABMA:0:31")
    clicks = ClickSequence(history)
    first = ["8", "5", "6", "5"]
    second = ["6", "5", "8", "5"]
    played = []
    for cells in (first, second):
        clicks = ClickSequence(history)
        for cell in cells[:-1]:
            assert clicks.click(cell) is None
        played.append(clicks.click(cells[-1]))
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
    assert {way[0] for way, _ in ClickSequence(history).ways} <= {"bar", "pass"}


def test_any_cell_of_a_column_takes_the_disc():
    history = at("connect-four")
    clicks = ClickSequence(history)
    assert clicks.targets == ("a1", "b1", "c1", "d1", "e1", "f1", "g1")
    assert clicks.click("c6") == clicks.click("c1") is not None


@pytest.mark.parametrize("name", PLAIN)
def test_every_move_of_a_random_game_can_be_clicked(name):
    history = at(name)
    rng = random.Random(name)
    for _ in range(12):
        if history.is_over:
            break
        if history.game.player(history.state) != CHANCE:
            clicks = ClickSequence(history)
            assert {a for _, a in clicks.ways} == set(history.actions())
            way, wanted = rng.choice(clicks.ways)
            found = [clicks.click(cell) for cell in way]
            assert found[-1] == wanted or wanted in clicks.complete
            drawn = history.game.svg(history.state)
            on_board = [cell for cell in way if f'data-at="{cell}"' in drawn]
            assert on_board or len(way) == 1  # what is not drawn is shown as a button
        history.play(rng.choice(list(history.actions())))
