"""A UCI engine as a player: a fake one with every vice, and Debian's stockfish where it is installed."""

import os
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

import zermelo
from zermelo import GameError, History
from zermelo.arena.match_runner import MatchRunner
from zermelo.arena.plan import make_plan

pytest.importorskip("chess", reason="the fake engine is made of python-chess")
FAKE = Path(__file__).with_name("fake_engine.py")
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


@pytest.fixture
def chess():
    return zermelo.load("chess").interpreted


@pytest.fixture
def engine(tmp_path):
    """Makes the path of a fake engine with a vice."""

    def make(vice=""):
        path = tmp_path / f"fake-{vice or 'good'}"
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" {vice}\n')
        path.chmod(0o755)
        return path

    return make


def is_gone(pid):
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("delay", [None, 0.3])
def test_an_engine_is_told_to_stop(chess, engine, delay):
    player = zermelo.player(f"uci:{engine('thinks')},depth=99", chess)
    player.begin()
    if delay is None:
        player.stop()
    else:
        threading.Timer(delay, player.stop).start()
    assert chess.format_action(chess.start(), player.choose(chess.start())) == "h4"  # the last in the alphabet
    player.close()


def test_a_game_in_progress_is_told_and_a_move_comes_back(chess, engine):
    player = zermelo.player(f"uci:{engine()},seconds=0.05,elo=1500,table=8", chess)
    history = History(chess)
    for text in ("e4", "e5", "Nf3"):
        history.play(chess.parse_action(history.state, text))
    assert chess.format_action(history.state, player.choose(history)) == "a5"  # the first in the alphabet
    assert chess.format_action(chess.start(), player.choose(chess.start())) == "a3"
    mate_in_none = chess.parse("7k/8/8/8/8/8/8/K6R b - - 0 1")
    assert chess.format_action(mate_in_none, player.choose(mate_in_none)) == "Kg7"
    assert "depth 1" in player.info
    pid = player._engine.process.pid
    player.close()
    assert is_gone(pid)
    player.close()


@pytest.mark.parametrize(
    ("vice", "words"),
    [
        ("dead", "ended with exit code 3"),
        ("crash", "ended with exit code 7"),
        ("garbage", "which is no move here"),
        ("silent-word", "answered '', which is no move here"),
        ("illegal", "answered 'e2e5', which is no move here"),
        ("hang", "gave no answer within 0.6 seconds"),
    ],
)
def test_vices_are_told_in_one_sentence(chess, engine, vice, words):
    player = zermelo.player(f"uci:{engine(vice)},seconds=0.1,patience=0.5", chess)
    with pytest.raises(GameError) as told:
        player.choose(chess.start())
    assert words in str(told.value)
    assert "\n" not in str(told.value)
    player.close()


def test_an_engine_that_will_not_quit_is_ended(chess, engine):
    player = zermelo.player(f"uci:{engine('stubborn')},seconds=0.05", chess)
    player.choose(chess.start())
    pid = player._engine.process.pid
    player.close()
    assert is_gone(pid)


def test_a_hanging_engine_is_ended_and_started_again(chess, engine):
    player = zermelo.player(f"uci:{engine('crash-later')},seconds=0.05", chess)
    player.choose(chess.start())
    first = player._engine.process.pid
    with pytest.raises(GameError, match="ended with exit code 7"):
        player.choose(chess.parse("7k/8/8/8/8/8/8/K6R b - - 0 30"))
    assert is_gone(first)
    player.reset(1)
    assert player.choose(chess.start()) is not None
    player.close()


def test_what_an_engine_cannot_do(chess, engine):
    for text, words in (
        (f"uci:{engine()},elo=900", "takes a UCI_Elo from 1000 to 2000, not 900"),
        (f"uci:{engine()},table=100", "takes a Hash from 1 to 64"),
        (f"uci:{engine()},threads=2", "has no option Threads"),
    ):
        with pytest.raises(GameError, match=words):
            zermelo.player(text, chess).choose(chess.start())


def test_no_such_engine(chess, tmp_path):
    with pytest.raises(GameError, match="no engine 'no-such-engine' is installed"):
        zermelo.player("uci:no-such-engine", chess)
    with pytest.raises(GameError, match="there is no program"):
        zermelo.player(f"uci:{tmp_path}/nothing", chess)
    (tmp_path / "text").write_text("not a program")
    with pytest.raises(GameError, match="there is no program"):
        zermelo.player(f"uci:{tmp_path}/text", chess)


def test_a_game_without_uci_moves():
    with pytest.raises(GameError, match="othello has no moves that a UCI engine would understand"):
        zermelo.player("uci:true", zermelo.load("othello"))


def test_a_match_goes_on_after_an_engine_failed(chess, engine):
    plan = make_plan(
        chess, [f"uci:{engine('crash-later')},seconds=0.05", "random"], opening=0, origin="chess", options={}
    )
    found = list(MatchRunner(plan, 2).records(chess))
    assert [record["reason"] for record in found] == ["failed", "failed"]
    assert [record["fault"]["seat"] for record in found] == [0, 1]
    assert [record["payoffs"] for record in found] == [[-1.0, 1.0], [1.0, -1.0]]
    assert "exit code 7" in found[0]["fault"]["details"]
    assert all(len(record["moves"]) >= 4 for record in found)


@pytest.mark.skipif(STOCKFISH is None, reason="Debian's package stockfish is not installed")
def test_stockfish_plays(chess):
    player = zermelo.player("uci:stockfish,elo=1800,seconds=0.05", chess)
    mate = chess.parse("6k1/5ppp/8/8/8/8/8/K6R w - - 0 1")
    strong = zermelo.player("uci:stockfish,depth=4", chess)
    assert chess.format_action(chess.start(), player.choose(chess.start()))
    back_rank = chess.parse("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1")
    assert chess.format_action(back_rank, strong.choose(back_rank)) == "Re8#"
    with pytest.raises(GameError, match="takes a UCI_Elo from"):
        zermelo.player("uci:stockfish,elo=100", chess).choose(mate)
    for one in (player, strong):
        one.close()
