"""The engine from outside: limits, threads, reports."""

import math
import subprocess
import sys
import time

import pytest

import zermelo
from zermelo import OVER, rules
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.limits import Limits
from zermelo.search.report import EXACT, PROVEN
from zermelo.search.searcher import answer

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def chess():
    return zermelo.load("chess")


@pytest.fixture(scope="module")
def engine(chess):
    return AlphaBeta(chess, table_mb=16)


@pytest.mark.timed
def test_time_is_kept(chess, engine):
    engine.make_ready(zermelo.History(chess))
    for seconds in (0.001, 0.05, 0.3):
        began = time.perf_counter()
        report = answer(engine, chess.start(), Limits(seconds=seconds))
        took = time.perf_counter() - began
        assert report.best in chess.actions(chess.start())
        assert report.stopped == "seconds"
        assert took < seconds + 1.0  # 0.05 on a machine that does nothing else


def test_reports_grow_deeper_and_tell_all(chess, engine):
    engine.clear()
    reports = list(engine.reports(chess.start(), Limits(depth=6)))
    assert [r.depth for r in reports] == [1, 2, 3, 4, 5, 6, 6]
    last = reports[-1]
    assert last.stopped == "depth"
    assert {move.action for move in last.moves} == set(chess.actions(chess.start()))
    assert last.moves[0].action == last.best == last.pv[0]
    assert last.moves[0].bound == EXACT
    assert last.branching is not None
    assert last.table_use is not None
    assert 0 < last.counters["first_cuts"] <= last.counters["cuts"] <= last.nodes
    words = last.pv_text().split()
    history = zermelo.History(chess)
    for word in words:
        history.play(chess.parse_action(history.state, word))
    assert last.as_dict()["best"] == words[0]


@pytest.mark.timed
def test_a_reader_who_leaves_stops_the_search(chess, engine):
    reports = engine.reports(chess.start(), Limits(seconds=60))
    next(reports)
    began = time.perf_counter()
    reports.close()
    assert time.perf_counter() - began < 5


def test_two_threads_agree_with_one(chess):
    mate = chess.parse("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    for threads in (1, 2):
        report = answer(AlphaBeta(chess, threads=threads, table_mb=16), mate, Limits(depth=4))
        assert chess.format_action(mate, report.best) == "Qxf7#"
        assert (report.value, report.proof, report.distance) == (1, PROVEN, 1)


@pytest.mark.parametrize(
    ("fen", "plies", "first"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1, "Rd8#"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "Ra6"),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 5, "Ra6+"),
        ("8/8/8/8/8/5k2/6q1/7K w - - 0 1", 0, ""),
    ],
)
def test_mates(chess, engine, fen, plies, first):
    state = chess.parse(fen)
    if plies == 0:
        with pytest.raises(zermelo.GameError, match="over"):
            answer(engine, state, Limits(depth=3))
        return
    engine.clear()
    report = answer(engine, state, Limits(depth=12, seconds=60))
    assert chess.format_action(state, report.best) == first
    assert (report.value, report.proof, report.distance) == (1, PROVEN, plies)


def test_a_won_ending_is_won(chess, engine):
    """King and queen against king: every move of the search brings the mate nearer, through the table of the last."""
    engine.clear()
    history = zermelo.History(chess, chess.parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1"))
    for _ in range(60):
        if history.is_over:
            break
        history.play(answer(engine, history, Limits(nodes=60_000)).best)
    assert history.is_over
    assert history.utility(0) == 1


CTRL_C = """
import os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
import zermelo
from zermelo import OVER, rules
game = zermelo.load("connect-four")
zermelo.search(game, depth=1)  # compiled
stamp = []
def press():
    stamp.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.5, press).start()
try:
    zermelo.search(game, seconds=60)
except KeyboardInterrupt:
    took = time.perf_counter() - stamp[0]
    time.sleep(0.5)  # the timer's thread ends by itself
    print("interrupted", threading.active_count(), took < 2)
"""


@pytest.mark.timed
def test_ctrl_c_in_a_script_is_pythons_own_and_leaves_no_search_behind():
    done = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["interrupted", "1", "True"]


@rules(name="unjudged", players=2, max_actions=2)
class Unjudged:
    """Judges with no number."""

    state = {"plies": "i1"}

    def start(s):
        s.plies = 0

    def player(s):
        return OVER if s.plies == 12 else s.plies & 1

    def actions(s, out):
        out[0], out[1] = 0, 1
        return 2

    def apply(s, action):
        s.plies += 1

    def utility(s, out):
        out[0], out[1] = 1, -1

    def evaluate(s):
        return 0.0 * math.inf


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.jit)])
def test_positions_judged_as_no_number_are_told_of(compiled):
    with pytest.raises(zermelo.RulesError, match="unjudged: a position is judged as NaN"):
        zermelo.search(Unjudged(compiled=compiled), depth=5)
