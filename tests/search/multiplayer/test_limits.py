"""When the search for many players ends, and the estimates its leaves have in the package's games."""

import threading
import time
from random import Random

import pytest

import zermelo
from tests.search.kernel_oracles import tree
from tests.search.multiplayer.oracles import judged
from zermelo.search.limits import Limits
from zermelo.search.multiplayer.searcher import KINDS, Multiplayer
from zermelo.search.searcher import answer

pytestmark = pytest.mark.timed


@pytest.mark.jit
@pytest.mark.parametrize("kind", KINDS)
def test_seconds(kind):
    game = zermelo.load("chinese-checkers")
    searcher = Multiplayer(game, kind)
    answer(searcher, game.start(), Limits(depth=1))  # compiles
    began = time.perf_counter()
    found = list(searcher.reports(game.start(), Limits(seconds=0.3)))
    assert time.perf_counter() - began < 1.5  # the machine may be busy
    assert found[-1].stopped == "seconds"
    assert [r.depth for r in found[:-1]] == list(range(1, len(found)))
    assert found[-1].depth == found[-2].depth
    assert found[-1].best == found[-2].best
    assert found[-1].branching > 1
    assert found[-1].nodes_per_second > 10_000
    assert found[-1].deepest == found[-1].depth


@pytest.mark.jit
@pytest.mark.parametrize("kind", KINDS)
def test_a_millisecond_and_a_node_are_enough_for_a_legal_move(kind):
    game = zermelo.load("chinese-checkers")
    for limits in (Limits(seconds=0.001), Limits(nodes=1), Limits(nodes=5), Limits(seconds=1e-9)):
        found = answer(Multiplayer(game, kind), game.start(), limits)
        assert found.best in game.actions(game.start())
        assert found.stopped in ("seconds", "nodes")
        assert found.pv[0] == found.best


def test_nodes():
    game = tree(players=3, branching=4, depth=8)
    found = answer(Multiplayer(game), game.start(), Limits(nodes=700))
    assert (found.stopped, found.nodes) == ("nodes", 700)
    assert found.depth == 4  # 4 + 20 + 84 + 340 nodes, and 1364 would be next


@pytest.mark.jit
def test_stop_ends_the_search_with_its_last_answer():
    game = zermelo.load("chinese-checkers")
    searcher = Multiplayer(game, "paranoid")
    answer(searcher, game.start(), Limits(depth=1))
    threading.Timer(0.3, searcher.stop).start()
    found = answer(searcher, game.start(), Limits(seconds=60))
    assert found.stopped == "stop"
    assert found.depth >= 1
    assert found.seconds < 20


@pytest.mark.jit
def test_leaving_a_search_early_ends_it():
    game = zermelo.load("chinese-checkers")
    running = Multiplayer(game, "best-reply").reports(game.start(), Limits(seconds=60))
    next(running)
    threads = threading.active_count()
    running.close()
    assert threading.active_count() < threads


# -- the estimates of the package's games ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [("chinese-checkers", {}), ("chinese-checkers", {"players": 6}), ("partners", {}), ("pursuit", {"hunters": 3}),
     ("pac-man", {"layout": "medium"})],
    ids=str,
)  # fmt: skip
def test_estimates_sum_to_zero_like_the_payoffs(name, options):
    game = zermelo.load(name, **options, compiled=False)
    rng, s, plies = Random(name), game.start(), 0
    while not game.is_end(s) and plies < 60:
        values = judged(game, s)
        assert sum(values) == pytest.approx(0, abs=1e-9 * max(1, *map(abs, values)))
        for p, value in enumerate(values):
            assert value == pytest.approx(
                values[[game.side(q) for q in range(game.players)].index(game.side(p))]
            )  # a team's
        s, plies = game.succ(s, rng.choice(game.actions(s))), plies + 1


@pytest.mark.jit
def test_estimates_in_chinese_checkers_are_expected_payoffs():
    game = zermelo.load("chinese-checkers")
    s, rng = game.start(), Random(1)
    for _ in range(90):
        values = judged(game, s)
        assert all(-0.5 < value < 1 for value in values)
        s = game.succ(s, rng.choice(game.actions(s)))
    fast, plain = (answer(Multiplayer(g), s, Limits(depth=1)) for g in (game, game.interpreted))
    assert fast.values == pytest.approx(plain.values, abs=1e-9)
    assert fast.best == plain.best
