"""Campaigns: many processes, records that are gone on with, workers that die."""

import threading
import time
from pathlib import Path

import pytest

import zermelo
from zermelo import GameError
from zermelo.arena import worker
from zermelo.arena.match_runner import MatchRunner
from zermelo.arena.plan import make_plan
from zermelo.arena.records import read

DEADLY = Path(__file__).with_name("deadly.py")
CLOCK = ("seconds", "used")


def games_of(records):
    """What was played, whatever the clock said."""
    return {r["number"]: {k: v for k, v in r.items() if k not in CLOCK} for r in records}


@pytest.fixture(scope="module")
def nim():
    return zermelo.load("nim", fruits=9)


def plan_of(game, **settings):
    return make_plan(game, ["random", "minimax:depth=2"], **settings)


def test_workers_play_what_this_process_plays(nim):
    plan = plan_of(nim)
    here = games_of(MatchRunner(plan, 40).records(nim))
    there = games_of(MatchRunner(plan, 40, jobs=2).records())
    assert here == there
    assert sorted(here) == list(range(40))


def test_games_are_rounded_up_to_whole_groups(nim):
    assert MatchRunner(plan_of(nim), 3).games == 4
    for wrong in (0, -1, 10**9):
        with pytest.raises(GameError, match="number of games must be"):
            MatchRunner(plan_of(nim), wrong)


def test_a_stopped_match_goes_on(nim, tmp_path):
    path, plan = tmp_path / "games.jsonl", plan_of(nim)
    stopped = MatchRunner(plan, 30, path=path).records(nim)
    for _ in range(11):
        next(stopped)
    stopped.close()
    assert len(read(path)) == 11
    rest = MatchRunner(plan, 30, path=path)
    games = list(rest.records(nim))
    assert rest.resumed == 11
    assert games_of(games) == games_of(MatchRunner(plan, 30).records(nim)) == games_of(read(path))
    more = MatchRunner(plan, 40, path=path)
    assert len(list(more.records(nim))) == 40
    assert more.resumed == 30
    fewer = MatchRunner(plan, 10, path=path)
    assert len(list(fewer.records(nim))) == fewer.resumed == 10


def test_another_match_in_the_file_is_refused(nim, tmp_path):
    path = tmp_path / "games.jsonl"
    list(MatchRunner(plan_of(nim), 2, path=path).records(nim))
    before = path.read_bytes()
    for other in (plan_of(nim, seed=1), make_plan(nim, ["random", "random"])):
        with pytest.raises(GameError, match="holds another match"):
            list(MatchRunner(other, 2, path=path).records(nim))
    assert path.read_bytes() == before


def test_what_is_wrong_with_a_player_is_told_before_the_first_game(nim):
    with pytest.raises(GameError, match="nim has no moves that a UCI engine would understand"):
        list(MatchRunner(make_plan(nim, ["random", "uci:true"]), 2, jobs=1).records())


def deadly_plan(name, *players):
    origin = f"{DEADLY}:{name}"
    return make_plan(zermelo.load(origin), list(players), opening=0, origin=origin)


@pytest.mark.timed
def test_a_player_that_kills_its_process_loses():
    plan = deadly_plan("Deadly", "random", "minimax:depth=1")
    found = sorted(MatchRunner(plan, 4, jobs=2).records(), key=lambda r: r["number"])
    assert [r["reason"] for r in found] == ["failed"] * 4
    assert [r["fault"]["seat"] for r in found] == [1, 0, 1, 0]
    assert all(r["fault"]["details"] == "its process died" and r["moves"] for r in found)
    assert [r["payoffs"] for r in found] == [[1.0, -1.0], [-1.0, 1.0]] * 2


@pytest.mark.timed
def test_workers_that_all_die_at_once_are_an_error():
    with pytest.raises(GameError, match="the processes that play the games die"):
        list(MatchRunner(deadly_plan("Stillborn", "random", "minimax:depth=1"), 4, jobs=1).records())


@pytest.mark.timed
def test_closing_a_match_ends_its_workers(nim):
    records = MatchRunner(plan_of(nim), 100_000, jobs=2).records()
    next(records)
    pool = records.gi_yieldfrom.gi_yieldfrom.gi_frame.f_locals["self"]
    processes = [worker.process for worker in pool._workers]
    assert len(processes) == 2
    records.close()
    assert all(process.returncode is not None for process in processes)  # ended and reaped


@pytest.mark.timed
def test_a_player_that_never_answers_is_given_up(monkeypatch):
    said, over = [], threading.Event()
    monkeypatch.setattr(worker, "HANGS", 0.1)
    monkeypatch.setattr(worker, "end_group", over.set)

    class Line:
        def send(self, message):
            said.append(message)

    watchdog = worker.Watchdog(Line(), margin=0.1)
    watchdog.begins(1, 0.1, lambda fault: {"fault": fault})
    time.sleep(0.05)
    watchdog.ends()  # in time
    assert not over.wait(1.5)
    watchdog.begins(1, 0.1, lambda fault: {"fault": fault})
    assert over.wait(10)
    seat, reason, details = said[0]["record"]["fault"]
    assert (seat, reason) == (1, "overstepped time")
    assert "no move after" in details
    watchdog.ends()


@pytest.mark.timed
def test_a_careful_game_says_who_is_thinking(monkeypatch):
    said = []

    class Line:
        def send(self, message):
            said.append(message)

    watchdog = worker.Watchdog(Line(), margin=0.1)
    watchdog.careful = True
    watchdog.begins(0, None, lambda fault: {"fault": fault})
    assert said == [{"if_lost": {"fault": (0, "failed", "its process died")}}]
