"""The game a visitor plays: what is typed, pasted and kept; bad input changes nothing."""

from __future__ import annotations

import json
import random

import pytest

from zermelo.core.game import CHANCE, GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.play.curve import draw_curve, share
from zermelo.interfaces.studio.pages.play.played_game import PlayedGame


@pytest.fixture
def played() -> PlayedGame:
    made = PlayedGame(Catalogue(), Bounds())
    made.begin("tic-tac-toe", seats=["human", "human"])
    return made


def play(played: PlayedGame, *cells: str) -> None:
    for cell in cells:
        action = played.click(cell)
        assert action is not None
        played.play(action)


def test_a_whole_game_by_clicks(played):
    play(played, "a1", "a2", "b1", "b2", "c1")
    assert played.session.result() == "player 0 wins"
    assert played.click("c3") is None
    assert len(played.judgements.values) == 6


def test_taking_back_and_going_back(played):
    play(played, "a1", "a2", "b1")
    played.take_back()
    assert played.session.moves() == ["a1", "a2"]
    played.look(1)
    assert played.here == 1
    assert played.click("b2") is None  # the past is looked at, not played in
    played.go_back(1)
    assert played.session.moves() == ["a1"]
    play(played, "c3")
    assert played.session.moves() == ["a1", "c3"]


def test_against_a_program_taking_back_passes_its_move(played):
    played.begin("tic-tac-toe", seats=["human", "random"])
    play(played, "a1")
    assert not played.is_visitors_turn
    played.play(played.history.actions()[0])
    played.take_back()
    assert played.session.moves() == []


def test_typed_moves(played):
    played.play(played.read(" b2 "))
    assert played.session.moves() == ["b2"]
    for text in ("b2", "zz", "", None, 7, "x" * 1000):
        with pytest.raises(GameError):
            played.read(text)
    assert played.session.moves() == ["b2"]


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
def test_what_cannot_begin_changes_nothing(played, title, options, seats, position):
    play(played, "a1")
    with pytest.raises(GameError) as caught:
        played.begin(title, options, seats, position)
    assert "\n" not in str(caught.value)
    assert played.game.name == "tic-tac-toe"
    assert played.session.moves() == ["a1"]


def test_records_go_out_and_come_in(played):
    play(played, "a1", "a2", "b1")
    text = json.dumps(played.session.record())
    other = PlayedGame(Catalogue(), Bounds())
    other.begin("chess")
    other.take_record(other.read_record(text))
    assert other.session.moves() == ["a1", "a2", "b1"]
    assert other.session.seed == played.session.seed
    again = PlayedGame(Catalogue(), Bounds())
    again.restore(json.loads(json.dumps(played.kept())))
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
def test_a_bad_record_is_refused_in_a_sentence(played, text):
    play(played, "a1")
    with pytest.raises(GameError) as caught:
        played.take_record(played.read_record(text))
    assert "\n" not in str(caught.value)
    assert played.session.moves() == ["a1"]


def test_a_recorded_engine_does_not_sit_down(played):
    record = {**played.session.record(), "players": ["uci:/bin/sh", "human"]}
    played.take_record(record)
    assert played.session.players == ["human", "level=3"]


def test_the_board_shows_what_can_be_clicked(played):
    assert 'data-at="a1"' in played.board()
    assert played.buttons(played.board()) == []
    played.begin("chess", seats=["human", "human"], position="8/4P1k1/8/8/8/8/6K1/8 w - - 0 1")
    played.click("e7")
    played.click("e8")
    assert sorted(played.buttons(played.board())) == ["=B", "=N", "=Q", "=R"]


def test_nothing_a_visitor_clicks_breaks_it(played):
    for cell in (None, 7, [], {}, "nowhere", "a" * 100_000, "a1'\"<script>"):
        assert played.click(cell) is None
    played.look("x")
    played.look(True)
    played.look(10**9)
    played.look(-5)
    assert played.here == 0


def test_a_curve_has_a_point_for_every_judged_ply(played):
    drawn = draw_curve(played.game, [0.0, None, 0.5, -1.0], 2)
    assert drawn.count('class="dot') == 3
    assert drawn.count('data-at="') == 4
    assert share(played.game, 1) == 1.0
    assert share(played.game, -1) == 0.0
    assert share(played.game, 0) == share(played.game, float("nan")) == 0.5


@pytest.mark.parametrize("title", Catalogue().titles)
def test_every_game_can_be_sat_down_to(title):
    played = PlayedGame(Catalogue(), Bounds())
    played.begin(title)
    rng = random.Random(title)
    for _ in range(6):
        board = played.board()
        assert "<svg" in board or "<pre>" in board
        assert isinstance(played.buttons(board), list)
        if played.session.is_over:
            break
        chance = played.history.player() == CHANCE
        played.play(played.session.roll() if chance else rng.choice(list(played.history.actions())))
    again = PlayedGame(Catalogue(), Bounds())
    again.restore(json.loads(json.dumps(played.kept())))
    assert again.session.moves() == played.session.moves()
