"""Matches that are killed: records stay readable, nothing is left hanging, and what was stopped goes on as if it had
not been."""

import os
import random
import signal
import time

import pytest

import zermelo
from tests.arena.processes import Marked
from zermelo.arena.match_runner import MatchRunner
from zermelo.arena.plan import make_plan
from zermelo.arena.records import read, replay

pytestmark = [
    pytest.mark.timed,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs signals and processes of POSIX"),
]
CLOCK = ("seconds", "used")


def games_of(records):
    return {r["number"]: {k: v for k, v in r.items() if k not in CLOCK} for r in records}


def fork_and_kill(work, seconds, number):
    """Run `work` in a copy of this process, and send it a signal after some seconds; its exit status."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            work()
            code = 0
        except KeyboardInterrupt:
            code = 130
        finally:
            os._exit(code)
    time.sleep(seconds)
    os.kill(child, number)
    return os.waitpid(child, 0)[1]


def kill_until_done(path, kills, seed, games):
    """A runner in one process, killed again and again, then finished."""
    game = zermelo.load("nim", fruits=12)
    plan = make_plan(game, ["random", "minimax:depth=3"], seed=seed)
    expected = games_of(MatchRunner(plan, games).records(game))  # compiles, too: the copies find it in memory
    draw = random.Random(seed)
    sizes = []
    for _ in range(kills):
        number = draw.choice((signal.SIGKILL, signal.SIGINT))
        work = lambda: [time.sleep(0.0005) for _ in MatchRunner(plan, games, path=path).records(game)]  # noqa: E731
        fork_and_kill(work, draw.random() * 0.06, number)
        if path.exists():
            found = games_of(read(path))
            assert found.items() <= expected.items()
            sizes.append(len(found))
    assert sizes == sorted(sizes)
    last = MatchRunner(plan, games, path=path)
    assert games_of(last.records(game)) == expected
    assert games_of(read(path)) == expected
    for record in read(path)[:: max(1, games // 20)]:
        replay(record, game)
    return sizes


def test_dozens_of_kills_in_the_middle_of_a_match(tmp_path):
    sizes = kill_until_done(tmp_path / "games.jsonl", kills=40, seed=1, games=600)
    assert len(set(sizes)) > 1  # it was stopped at different places, and went on


def arguments(path, games, *more):
    players = ("random", "minimax:depth=2")
    return ("match", "nim", *players, "-o", "fruits=15", "--games", games, "--jobs", 2, "--record", path, *more)


def one_kill(path, games, draw, more=()):
    """Start a match with workers, kill it or one of its workers at random, and see what is left."""
    running = Marked(*arguments(path, games, *more))
    time.sleep(draw.random() * 4)
    what = draw.choice(("int", "kill", "worker", "twice"))
    if what == "worker":
        for pid in running.workers()[:1]:
            os.kill(pid, signal.SIGKILL)
        time.sleep(draw.random())
        running.kill(signal.SIGINT)
    elif what == "twice":
        running.kill(signal.SIGINT)
        time.sleep(draw.random() * 0.1)
        running.kill(signal.SIGINT)
    else:
        running.kill(signal.SIGINT if what == "int" else signal.SIGKILL)
    code, _, err = running.end()
    assert running.left_behind() == []
    assert code in (0, 130, -signal.SIGKILL, -signal.SIGINT), err
    assert "Traceback" not in err or what == "twice"
    return read(path) if path.exists() else []


def test_a_match_with_workers_killed_and_resumed(tmp_path):
    path, draw = tmp_path / "games.jsonl", random.Random(8)
    for _ in range(4):
        one_kill(path, 4000, draw)
    finished = Marked(*arguments(path, 400))
    code, out, err = finished.end(120)
    assert code == 0, err
    assert "games" in out
    game = zermelo.load("nim", fruits=15)
    plan = make_plan(game, ["random", "minimax:depth=2"])
    expected = games_of(MatchRunner(plan, 400).records(game))
    assert {n: g for n, g in games_of(read(path)).items() if n < 400} == expected


@pytest.mark.slow
def test_many_hundreds_of_kills(tmp_path):
    for seed in range(18):
        kill_until_done(tmp_path / f"{seed}.jsonl", kills=50, seed=seed, games=1500)


@pytest.mark.slow
def test_a_hundred_kills_of_matches_with_workers(tmp_path):
    draw = random.Random(99)
    path = tmp_path / "games.jsonl"
    sizes = [len(one_kill(path, 500_000, draw)) for _ in range(60)]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 0


@pytest.mark.slow
@pytest.mark.jit
def test_kills_with_clocks_of_a_millisecond_and_tables_of_a_megabyte(tmp_path):
    pytest.importorskip("zermelo.search.alphabeta.searcher")
    draw = random.Random(7)
    path = tmp_path / "games.jsonl"
    players = ("alphabeta:seconds=0.001,table=1", "mcts:seconds=0.001,memory=1")
    match = ("match", "connect-four", *players, "--jobs", 2, "--record", path, "--margin", 30)
    code, _, err = Marked(*match, "--games", 2).end(600)  # compiles
    assert code == 0, err
    sizes = []
    for _ in range(40):
        running = Marked(*match, "--games", 100_000)
        time.sleep(2 + draw.random() * 4)
        running.kill(draw.choice((signal.SIGINT, signal.SIGKILL)))
        code, _, err = running.end()
        assert running.left_behind() == []
        assert code in (130, -signal.SIGKILL), err
        sizes.append(len(read(path)))
    assert sizes == sorted(sizes)
    games = read(path)
    assert {record["reason"] for record in games} == {"finished"}
    for record in games[::20]:
        replay(record)
