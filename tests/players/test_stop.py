"""stop(): a player leaves off with the best move it has, and only in the choice that stop() is meant for."""

import threading
import time

import pytest

import zermelo
from zermelo.players.search_player import SearchPlayer
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.limits import Limits

pytestmark = pytest.mark.timed

LONG = (
    "alphabeta:seconds=60",
    "mcts:seconds=60",
    "maxn:seconds=60",
    "montecarlo:paths=1000000000",
    "level:10,seconds=60",
    "minimax:depth=40",
    "expectiminimax:depth=40",
)


@pytest.mark.parametrize("text", LONG)
def test_a_move_now(text):
    game = zermelo.load("connect-four")
    player = zermelo.player(text, game)
    player.prepare()
    threading.Timer(0.2, player.stop).start()
    began = time.perf_counter()
    assert player.choose(game.start()) in range(7)
    assert time.perf_counter() - began < 20
    assert player.report.stopped == "stop"


@pytest.mark.parametrize("text", [*LONG, "minimax:depth=30", "level=9", "level=3"])
def test_before_choose_but_after_begin(text):
    game = zermelo.load("tic-tac-toe").interpreted if "minimax" in text else zermelo.load("connect-four")
    player = zermelo.player(text, game)
    player.prepare()
    player.begin()
    player.stop()
    began = time.perf_counter()
    assert player.choose(game.start()) in game.actions(game.start())
    assert time.perf_counter() - began < 20


def test_without_a_choice_it_does_nothing():
    game = zermelo.load("connect-four")
    player = zermelo.player("alphabeta:depth=3", game)
    player.stop()
    player.choose(game.start())
    assert player.report.stopped == "depth"
    player.stop()  # too late for this one, and not meant for the next
    player.choose(game.start())
    assert player.report.stopped == "depth"


def test_a_stop_of_a_choice_that_failed_is_forgotten():
    game = zermelo.load("tic-tac-toe")
    player = zermelo.player("alphabeta:depth=3", game)
    player.begin()
    player.stop()
    with pytest.raises(zermelo.GameError, match="over"):
        player.choose(game.parse("xxx oo. ..."))
    player.choose(game.start())
    assert player.report.stopped == "depth"


def test_a_player_without_limits_ponders_until_it_is_stopped():
    game = zermelo.load("chess")
    player = SearchPlayer(game, "pondering", AlphaBeta(game), Limits())
    player.prepare()
    depths = []
    player.on_report = lambda report: depths.append(report.depth) if report.depth < 4 else player.stop()
    assert player.choose(game.start()) in game.actions(game.start())
    assert player.report.stopped == "stop"
    assert depths[:3] == [1, 2, 3]


def test_a_plain_player_stops_between_moves():
    """Plain Python: every root move is a search of its own."""
    game = zermelo.load("connect-four").interpreted
    player = zermelo.player("expectiminimax:depth=2", game)
    seen, below = [], player.below

    def counted(s, window):
        seen.append(s)
        player.stop()
        return below(s, window)

    player.below = counted
    assert player.choose(game.start()) == 0
    assert len(seen) == 1
    assert player.report.stopped == "stop"
