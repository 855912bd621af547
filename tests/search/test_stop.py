"""stop(): from any thread, at any moment, with an answer, at once, and only for the search it is meant for."""

import random
import threading
import time

import pytest

import zermelo
from zermelo.players.player import first_choice
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.explain.explain import Explainer
from zermelo.search.limits import Limits
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.montecarlo import MonteCarlo
from zermelo.search.multiplayer.searcher import Multiplayer
from zermelo.search.searcher import answer
from zermelo.solve.exact import Solver, Unsolved

pytestmark = pytest.mark.timed

AT_ONCE = 0.020  # seconds of this process, from stop() to the last report
WALL = 3.0  # … and on the wall: the machine may be busy with other things

SEARCHES = {
    "alphabeta": AlphaBeta,
    "alphabeta, 2 threads": lambda game: AlphaBeta(game, threads=2),
    "mcts": MCTS,
    "maxn": lambda game: Multiplayer(game, "maxn"),
    "paranoid": lambda game: Multiplayer(game, "paranoid"),
    "best-reply": lambda game: Multiplayer(game, "best-reply"),
    "montecarlo": lambda game: MonteCarlo(game, paths=1 << 40),
}
GAMES = ("chess", "go", "backgammon")
FAST = [
    ("chess", "alphabeta"),
    ("chess", "alphabeta, 2 threads"),
    ("go", "mcts"),
    ("backgammon", "alphabeta"),
    ("backgammon", "montecarlo"),
    ("chinese-checkers", "paranoid"),
]


def latency(searcher, history, delay):
    """(seconds on the wall, seconds of this process's CPU) from a stop() after `delay` seconds to the answer."""
    called = []

    def stop():
        called[:] = time.perf_counter(), time.process_time()
        searcher.stop()

    reports = searcher.reports(history, Limits())
    timer = threading.Timer(delay, stop)
    timer.start()
    *_, last = reports
    now = time.perf_counter(), time.process_time()
    timer.join()
    assert last.stopped == "stop"
    assert last.best in history.actions()
    return now[0] - called[0], now[1] - called[1]


def warmed(name, search):
    """A searcher that has searched already: its memory is its own, and its code compiled."""
    game = zermelo.load(name)
    searcher, history = SEARCHES[search](game), first_choice(game)
    answer(searcher, history, Limits(seconds=0.3))
    return searcher, history


@pytest.mark.jit
@pytest.mark.parametrize(("name", "search"), FAST, ids=str)
def test_from_another_thread_at_once(name, search):
    searcher, history = warmed(name, search)
    for delay in (0.0, 0.001, 0.05, 0.2):
        wall, cpu = latency(searcher, history, delay)
        assert cpu < AT_ONCE * getattr(searcher, "threads", 1)
        assert wall < WALL


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("name", GAMES)
def test_a_thousand_times(name):
    """1,000 stops in each game, at random moments; the distribution is printed (pytest -s)."""
    draw, searches = random.Random(name), list(SEARCHES)
    times = {search: [] for search in searches}
    warm = {search: warmed(name, search) for search in searches}
    for number in range(1000):
        search = searches[number % len(searches)]
        times[search].append(latency(*warm[search], draw.expovariate(1 / 0.05)))
    print(f"\n{name:22}   milliseconds from stop() to the answer: wall median, 99 %, most; CPU median, 99 %, most")
    late = 0
    for search, both in times.items():
        columns = [sorted(1000 * one[k] for one in both) for k in (0, 1)]
        told = [
            f"{column[len(column) // 2]:6.1f} {column[-1 - len(column) // 100]:6.1f} {column[-1]:6.1f}"
            for column in columns
        ]
        print(f"{search:22} {'   '.join(told)}")
        threads = getattr(warm[search][0], "threads", 1)
        late += sum(min(wall, cpu) > AT_ONCE * threads for wall, cpu in both)
    assert late == 0


@pytest.fixture(params=["alphabeta", "mcts", "maxn", "montecarlo"])
def searcher(request):
    return SEARCHES[request.param](zermelo.load("connect-four"))


def test_before_the_first_iteration(searcher):
    """A search has begun when `reports` has returned, though nobody has looked at it yet."""
    reports = searcher.reports(None, Limits())
    searcher.stop()
    *_, last = reports
    assert last.stopped == "stop"
    assert last.best in range(7)


def test_between_two_iterations(searcher):
    reports = searcher.reports(None, Limits())
    first = next(reports)
    searcher.stop()
    *_, last = [first, *reports]
    assert last.stopped == "stop"
    assert last.best in range(7)


def test_without_a_search_it_does_nothing(searcher):
    searcher.stop()
    searcher.stop()
    assert answer(searcher, None, Limits(nodes=300)).stopped == "nodes"
    searcher.stop()  # too late for this one, and not meant for the next
    assert answer(searcher, None, Limits(nodes=300)).stopped == "nodes"


def test_it_never_leaks_into_the_next_search():
    """Somebody stops all the time; no search that was begun after the last stop() hears of it."""
    game = zermelo.load("connect-four")
    engine, done = AlphaBeta(game, table_mb=1), threading.Event()

    def pester():
        while not done.is_set():
            engine.stop()

    thread = threading.Thread(target=pester)
    thread.start()
    reasons = {answer(engine, None, Limits(nodes=20_000)).stopped for _ in range(50)}
    done.set()
    thread.join()
    assert "stop" in reasons
    engine.clear()
    assert answer(engine, None, Limits(depth=5)).stopped == "depth"


def test_a_search_that_is_left_is_not_the_next_one():
    engine = AlphaBeta(zermelo.load("connect-four"), table_mb=1)
    first = engine.reports(None, Limits())
    next(first)
    first.close()
    assert answer(engine, None, Limits(depth=4)).stopped == "depth"


def test_an_explanation_ends_with_what_is_known():
    game = zermelo.load("connect-four")
    explainer = Explainer(AlphaBeta(game, table_mb=1))
    threading.Timer(0.2, explainer.stop).start()
    told = explainer.explain(None, Limits(seconds=60))
    assert told.report.stopped == "stop"
    assert told.report.best in range(7)
    began = time.perf_counter()
    assert explainer.explain(None, Limits(depth=3)).report.stopped == "depth"
    assert time.perf_counter() - began < 30


def test_an_explanation_stopped_while_its_choice_is_shown():
    game = zermelo.load("connect-four")
    explainer = Explainer(AlphaBeta(game, table_mb=1))
    told = explainer.explain(None, Limits(depth=6), on_report=lambda report: explainer.stop())
    assert told.report.stopped == "stop"
    assert "stop" not in {one.name for one in told.alternatives}


def test_what_is_stopped_is_not_solved():
    solver = Solver(zermelo.load("random-tree", branching=30, depth=40), table_mb=1)
    solver.stop()  # without a position, nothing
    threading.Timer(0.2, solver.stop).start()
    with pytest.raises(Unsolved, match="stopped"):
        solver.solve(None, Limits(seconds=60))
