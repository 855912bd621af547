"""One call for a match, one for a tournament; stopped from another thread, they say what there is."""

import os
import threading
import time
from pathlib import Path

import pytest

import zermelo
from zermelo.arena.match import Match, MatchResult, match
from zermelo.arena.tournament import tournament
from zermelo.core.game import GameError

MANY = 1_000_000


def workers():
    """Processes of ours that play games."""
    return [line for line in Path("/proc").glob("[0-9]*/cmdline") if is_worker(line)]


def is_worker(path):
    try:
        parent = (path.parent / "stat").read_text().rpartition(")")[2].split()[1]
        return b"zermelo.arena.worker" in path.read_bytes() and parent == str(os.getpid())
    except OSError:
        return False


def test_a_match_in_one_call():
    result = match("tic-tac-toe", "minimax", "random", games=20, openings=0, jobs=0)
    assert isinstance(result, MatchResult)
    assert (result.games, result.planned) == (20, 20)
    assert result.wins + result.draws == 20
    assert result.losses == 0
    assert result.interval[0] < result.score <= result.interval[1] <= 1
    assert result.elo_interval[0] < result.elo
    assert result.score == (result.wins + result.draws / 2) / 20
    assert [round(mean.value, 6) for mean in result.payoffs] == [result.wins / 20, -result.wins / 20]
    assert "minimax against random" in str(result)
    assert result.as_dict()["score"] == result.score


def test_a_game_made_here_is_played_here():
    """Nobody else could load it."""
    result = match(zermelo.load("nim", fruits=9), "random", "minimax:depth=9", games=6, openings=0)
    assert result.summary.plan.options == {"fruits": 9}
    assert result.wins == 0


def test_a_sequential_test_ends_a_match():
    result = match("nim", "minimax:depth=9", "random", games=MANY, openings=0, sprt=(0, 50), jobs=0)
    assert result.games < 1000
    assert "H1 accepted" in str(result)


def test_where_nobody_is_against_anybody_there_is_no_score():
    result = match("game-2048", "random", "random", games=2, jobs=0)
    assert not result.is_of_two
    assert len(result.payoffs) == 2
    assert "mean payoff" in str(result)
    with pytest.raises(GameError, match="two players"):
        _ = result.score


def test_a_tournament_in_one_call():
    result = tournament("tic-tac-toe", "random", "minimax", "minimax:depth=1", games=4, jobs=0)
    assert result.games == 12
    assert {one.player for one in result.standings} == {"random", "minimax", "minimax:depth=1"}
    assert result.standings[-1].player == "random"
    assert "3 players, 12 games" in str(result)


@pytest.mark.timed
@pytest.mark.parametrize("jobs", [0, 2], ids=["here", "workers"])
def test_a_match_is_stopped_from_another_thread(jobs):
    played = Match("nim", "random", "random", games=MANY, jobs=jobs)
    stopped = []

    def stop():
        stopped.append(time.monotonic())
        played.stop()

    def soon(match):
        if match.summary.games == 10:
            threading.Thread(target=stop).start()

    assert not played.play(soon)
    assert time.monotonic() - stopped[0] < 5
    assert not workers()
    assert 10 <= played.result().games < MANY


@pytest.mark.timed
def test_a_player_who_thinks_leaves_off():
    """The game in progress is not counted."""
    played = Match("tic-tac-toe", "montecarlo:seconds=60", "random", games=2, jobs=0)
    threading.Timer(0.5, played.stop).start()
    began = time.monotonic()
    assert not played.play()
    assert time.monotonic() - began < 45  # compiling included
    assert played.result().games == 0
