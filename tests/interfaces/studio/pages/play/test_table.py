"""A visitor's table: what is typed, pasted and kept; bad input changes nothing."""

from __future__ import annotations

import json
import random

import pytest

from zermelo.core.game import CHANCE, GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.curve import draw_curve, share
from zermelo.interfaces.studio.pages.play.table import Table


@pytest.fixture
def table() -> Table:
    made = Table(Catalogue(), Bounds())
    made.begin("tic-tac-toe", seats=["human", "human"])
    return made


def play(table: Table, *cells: str) -> None:
    for cell in cells:
        action = table.click(cell)
        assert action is not None
        table.play(action)


def test_a_whole_game_by_clicks(table):
    play(table, "a1", "a2", "b1", "b2", "c1")
    assert table.session.result() == "player 0 wins"
    assert table.click("c3") is None
    assert len(table.values) == 6


def test_taking_back_and_going_back(table):
    play(table, "a1", "a2", "b1")
    table.take_back()
    assert table.session.moves() == ["a1", "a2"]
    table.look(1)
    assert table.here == 1
    assert table.click("b2") is None  # the past is looked at, not played in
    table.go_back(1)
    assert table.session.moves() == ["a1"]
    play(table, "c3")
    assert table.session.moves() == ["a1", "c3"]


def test_against_a_program_taking_back_passes_its_move(table):
    table.begin("tic-tac-toe", seats=["human", "random"])
    play(table, "a1")
    assert not table.is_visitors_turn
    table.play(table.history.actions()[0])
    table.take_back()
    assert table.session.moves() == []


def test_typed_moves(table):
    table.play(table.read(" b2 "))
    assert table.session.moves() == ["b2"]
    for text in ("b2", "zz", "", None, 7, "x" * 1000):
        with pytest.raises(GameError):
            table.read(text)
    assert table.session.moves() == ["b2"]


@pytest.mark.parametrize(
    ("title", "options", "seats", "position"),
    [
        ("no such game", None, None, None),
        ("../../etc/passwd", None, None, None),
        (None, None, None, None),
        (["chess"], None, None, None),
        ("chess", None, None, "not a position"),
        ("chess", None, None, "8/8/8/8/8/8/8/8 w - - 0 1"),
        ("chess", None, None, ["8"]),
        ("chess", None, ["human"], None),
        ("chess", None, "human,human", None),
        ("chess", None, ["human", "uci:/bin/sh"], None),
        ("connect-four", {"width": 10**9}, None, None),
        ("connect-four", {"width": float("nan")}, None, None),
        ("connect-four", {"depth": 3}, None, None),
        ("connect-four", {"compiled": True}, None, None),
        ("hex", {"size": 10**6}, None, None),
        ("connect-four", [1, 2], None, None),
    ],
)
def test_what_cannot_begin_changes_nothing(table, title, options, seats, position):
    play(table, "a1")
    with pytest.raises(GameError) as caught:
        table.begin(title, options, seats, position)
    assert "\n" not in str(caught.value)
    assert table.game.name == "tic-tac-toe"
    assert table.session.moves() == ["a1"]


def test_records_go_out_and_come_in(table):
    play(table, "a1", "a2", "b1")
    text = json.dumps(table.session.record())
    other = Table(Catalogue(), Bounds())
    other.begin("chess")
    other.take_record(other.read_record(text))
    assert other.session.moves() == ["a1", "a2", "b1"]
    assert other.session.seed == table.session.seed
    again = Table(Catalogue(), Bounds())
    again.restore(json.loads(json.dumps(table.kept())))
    assert again.session.moves() == ["a1", "a2", "b1"]
    assert again.session.players == ["human", "human"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "null",
        "[" * 5000,
        '{"game": "tic-tac-toe"}',
        '{"game":"tic-tac-toe","options":{},"players":[],"moves":["zz"],"payoffs":[],"reason":""}',
        '{"game":"tic-tac-toe","options":{},"players":[],"moves":[7],"payoffs":[],"reason":""}',
        '{"game":"/etc/passwd","options":{},"players":[],"moves":[],"payoffs":[],"reason":""}',
        '{"game":"tic-tac-toe","start":5,"options":{},"players":[],"moves":[],"payoffs":[],"reason":""}',
        '{"game":"connect-four","options":{"width":5000000},"players":[],"moves":[],"payoffs":[],"reason":""}',
        "x" * 300_000,
    ],
)
def test_a_bad_record_is_refused_in_a_sentence(table, text):
    play(table, "a1")
    with pytest.raises(GameError) as caught:
        table.take_record(table.read_record(text))
    assert "\n" not in str(caught.value)
    assert table.session.moves() == ["a1"]


def test_a_recorded_engine_does_not_sit_down(table):
    record = {**table.session.record(), "players": ["uci:/bin/sh", "human"]}
    table.take_record(record)
    assert table.session.players == ["human", "level=3"]


def test_the_board_shows_what_can_be_clicked(table):
    assert 'data-at="a1"' in table.board()
    assert table.buttons(table.board()) == []
    table.begin("chess", seats=["human", "human"], position="8/4P1k1/8/8/8/8/6K1/8 w - - 0 1")
    table.click("e7")
    table.click("e8")
    assert sorted(table.buttons(table.board())) == ["=B", "=N", "=Q", "=R"]


def test_nothing_a_visitor_clicks_breaks_it(table):
    for cell in (None, 7, [], {}, "nowhere", "a" * 100_000, "a1'\"<script>"):
        assert table.click(cell) is None
    table.look("x")
    table.look(True)
    table.look(10**9)
    table.look(-5)
    assert table.here == 0


def test_a_curve_has_a_point_for_every_judged_ply(table):
    drawn = draw_curve(table.game, [0.0, None, 0.5, -1.0], 2)
    assert drawn.count('class="dot') == 3
    assert drawn.count('data-at="') == 4
    assert share(table.game, 1) == 1.0
    assert share(table.game, -1) == 0.0
    assert share(table.game, 0) == share(table.game, float("nan")) == 0.5


@pytest.mark.parametrize("title", Catalogue().titles)
def test_every_game_can_be_sat_down_to(title):
    table = Table(Catalogue(), Bounds())
    table.begin(title)
    rng = random.Random(title)
    for _ in range(6):
        board = table.board()
        assert "<svg" in board or "<pre>" in board
        assert isinstance(table.buttons(board), list)
        if table.session.is_over:
            break
        chance = table.history.player() == CHANCE
        table.play(table.session.roll() if chance else rng.choice(list(table.history.actions())))
    again = Table(Catalogue(), Bounds())
    again.restore(json.loads(json.dumps(table.kept())))
    assert again.session.moves() == table.session.moves()
