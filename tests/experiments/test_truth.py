"""Evaluations measured by the truth of endgame tables, on games small enough to count everything by hand."""

import csv
import io
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from tests.learn.heap import MOST, Heap
from tests.solve.graph_game import graph_game
from zermelo.core.game import OVER, GameError
from zermelo.evaluate.files import save_network
from zermelo.evaluate.network import make_network
from zermelo.experiments import run_truth
from zermelo.experiments.stakes import ByNetwork, choose, draw_stakes
from zermelo.experiments.truth import Row, Truth, together
from zermelo.solve.tables.build import build_tables
from zermelo.tables.sampling import position

HEAP = Heap(compiled=False)


class Divisible(NamedTuple):
    """Knows the heap; `sign` -1: believes the opposite."""

    sign: int

    def estimate(evaluator, s):
        return evaluator.sign * (1.0 if (s["left"] % 3 != 0) == (s["turn"] == 0) else -1.0)


@pytest.fixture(scope="module")
def heap_tables(tmp_path_factory):
    return build_tables(HEAP, MOST, folder=tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    return build_tables(graph_game(3, nodes=160), 3, folder=tmp_path_factory.mktemp("tables"))


def test_what_is_at_stake(graph):
    """All positions of a class, against the tables as Python reads them."""
    game, held = graph.game, graph.known()
    for header in graph.headers():
        expected = {}
        movers = 0
        for r in range(header.size):
            s = position(game, header.number, r)
            if s is None or game.player(s) == OVER:
                continue
            movers += 1
            worths = [found.value for found in graph.judge_actions(s).values()]
            if min(worths) < max(worths):
                expected[s.node] = worths
                assert max(worths) == graph.probe(s).value
        stakes = draw_stakes(game, held, header, 1000)
        assert stakes.looked_at == movers
        drawn = zip(stakes.states, stakes.worth, stakes.count, strict=True)
        assert {int(s["node"]): worth[:n].tolist() for s, worth, n in drawn} == expected
        assert stakes.best.tolist() == [max(expected[int(s["node"])]) for s in stakes.states]


def test_positions_follow_from_the_seed(graph):
    def drawn(seed):
        return draw_stakes(graph.game, graph.known(), graph.headers()[2], 3, seed).states["node"].tolist()

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def given_away(tables, evaluator, depth):
    """The moves of all classes that give something away, and how many there were."""
    wrong = found = 0
    for header in tables.headers():
        stakes = draw_stakes(HEAP, tables.known(), header, 10)
        if stakes.found:
            chosen = choose(HEAP, evaluator, stakes, depth)
            wrong += int((stakes.worth[np.arange(stakes.found), chosen] < stakes.best).sum())
            found += stakes.found
    return wrong, found


def test_who_knows_loses_nothing(heap_tables):
    at_stake = sum(left % 3 != 0 for left in range(2, MOST + 1))  # with one left there is one move
    assert given_away(heap_tables, Divisible(1), 0) == (0, at_stake)
    assert given_away(heap_tables, Divisible(-1), 0)[0] >= at_stake - 1  # but a heap of two is taken whole


def test_a_search_sees_what_is_near(heap_tables):
    blind = make_network(HEAP, ())
    blind.w[:] = 0
    for header in heap_tables.headers():
        stakes = draw_stakes(HEAP, heap_tables.known(), header, 10)
        if stakes.found and header.number <= 5:  # won in three plies
            assert stakes.worth[0, choose(HEAP, blind, stakes, 3)[0]] == 1
    assert given_away(heap_tables, blind, MOST)[0] == 0


class Judge:
    """In place of a network: says the truth, or likes the last move best."""

    def evaluate(self, states):
        first = [1.0 if (s["left"] % 3 != 0) == (s["turn"] == 0) else -1.0 for s in states]
        return np.stack([first, np.negative(first)], axis=1), np.tile([0.2, 0.8], (len(states), 1))


def test_networks_choose_by_value_and_by_policy(heap_tables):
    for header in heap_tables.headers():
        stakes = draw_stakes(HEAP, heap_tables.known(), header, 10)
        if not stakes.found:
            continue
        by_value = ByNetwork(Judge(), False).choose(HEAP, stakes)
        assert stakes.worth[0, by_value[0]] == 1
        assert ByNetwork(Judge(), True).choose(HEAP, stakes).tolist() == [1]


def test_an_experiment(heap_tables, tmp_path):
    net = make_network(HEAP, (), seed=1)
    net.w[: MOST + 1] = [-3.0 if left % 3 == 0 else 3.0 for left in range(MOST + 1)]  # it has learned the game
    folder = heap_tables.folder.parent
    save_network(tmp_path / "w", HEAP, net)

    def measure():
        return run_truth(HEAP, [str(tmp_path / "w")], (), (4, 5, 6, 8), positions=5, depths=(0, 1), folder=folder)

    found = measure()
    assert found.limits == [4, 5, 8]  # whoever has six left loses anyway
    assert found.evaluations == ["random", str(tmp_path / "w")]
    assert [(row.best, row.lost) for row in found.of_all_classes(8)] == [(0.5, 1.0), (1.0, 0.0), (1.0, 0.0)]
    assert "limit 8: 1 classes, 1 positions, 100.0% at stake, 1 drawn" in found.table()
    listed = list(csv.DictReader(io.StringIO(found.csv())))
    assert len(listed) == len(found.rows) == 3 * 2 * 3
    assert listed[0] | {"game": "heap", "limit": "4", "name": "all", "best": "0.5", "depth": "-1"} == listed[0]
    assert found == run_truth(
        HEAP, [str(tmp_path / "w")], limits=(4, 5, 6, 8), positions=5, depths=(0, 1), folder=folder
    )


def test_classes_count_by_what_is_at_stake_in_them():
    rows = [
        Row(4, "a", 1000, 0.5, 100, "x", 0, 0.9, 0.03, 0.1, 0.03),
        Row(4, "b", 3000, 0.5, 10, "x", 0, 0.5, 0.1, 0.6, 0.1),
    ]
    (both,) = together([[row] for row in rows])
    assert (both.name, both.positions, both.drawn, both.at_stake) == ("all", 4000, 110, 0.5)
    assert both.best == pytest.approx(0.6)
    assert both.lost == pytest.approx(0.475)
    assert both.best_error == pytest.approx(np.hypot(0.25 * 0.03, 0.75 * 0.1))


def test_a_figure(tmp_path):
    pytest.importorskip("matplotlib")
    rows = [
        Row(limit, name, 10, 0.5, 40, who, depth, 0.5 + depth / 9, 0.1, 0.2, 0.1)
        for limit in (3, 4)
        for name in ("all", "one")
        for who, depth in (("random", -1), ("x", 0), ("x", 1), ("net, value", 0))
    ]
    Truth("heap", "", 0, tuple(rows)).figure(tmp_path / "x.svg")
    drawn = (tmp_path / "x.svg").read_text()
    assert drawn.startswith("<?xml")


def test_what_cannot_be_measured(heap_tables, tmp_path):
    folder = heap_tables.folder.parent
    with pytest.raises(GameError, match="heap has no evaluation that could be measured: give --evaluator"):
        run_truth(HEAP, folder=folder)
    with pytest.raises(GameError, match="heap has no tables of exactly 99 here; there are those of 0, 1, 2"):
        run_truth(HEAP, ["handcrafted"], limits=(99,), folder=folder)
    with pytest.raises(GameError, match="there are no tables of heap in"):
        run_truth(HEAP, ["handcrafted"], folder=tmp_path)
    with pytest.raises(GameError, match="backgammon has chance"):
        run_truth(zermelo.load("backgammon", compiled=False), folder=folder)
    with pytest.raises(GameError, match="in none of these endings is anything at stake"):
        run_truth(HEAP, ["handcrafted"], limits=(3, 6), folder=folder)


def test_a_missing_class_is_named(tmp_path):
    tables = build_tables(HEAP, 5, folder=tmp_path)
    (tables.folder / "00003.wdl").unlink()
    with pytest.raises(GameError, match="a move out of '5 left' leads to an ending that has no table"):
        run_truth(HEAP, ["handcrafted"], folder=tmp_path)
