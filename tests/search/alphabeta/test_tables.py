"""Alpha-beta that knows endings for certain. Interpreted, as far as that tells: what is compiled is the same text."""

import pytest

import zermelo
from tests.solve.graph_game import graph_game, solve_graph
from tests.solve.test_tables import node_state
from zermelo import GameError
from zermelo.compile.evaluator import HANDCRAFTED, UNKNOWN, consult
from zermelo.search.limits import Limits
from zermelo.search.registry import make_searcher
from zermelo.search.report import PROVEN
from zermelo.search.searcher import answer
from zermelo.solve.exact import Solver
from zermelo.solve.tables.build import build_tables

SEEDS = (14, 24)  # of graphs in which much is decided
NODES, FROM = 48, 36  # the last quarter begins there


@pytest.fixture(scope="module", params=[False, True], ids=["values", "plies"])
def folder(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("tables")
    for seed in SEEDS:
        build_tables(graph_game(seed), 2, folder=place / str(seed), with_plies=request.param)
    return place


def searching(game, folder, depth):
    """search(s): to this depth, by one and the same searcher with tables."""
    searcher = make_searcher(game, "alphabeta", tables=str(folder), table_mb=0.01, evaluator="handcrafted")
    return lambda s: answer(searcher, s, Limits(depth=depth))


def outside(game):
    """Nodes of the last quarter all of whose moves leave it, each with either player to move."""
    for node in range(FROM, NODES):
        for turn in (0, 1):
            s = node_state(game, node, turn)
            if node % 11 != 7 and not game.is_end(s) and all(game.succ(s, a).node < FROM for a in game.actions(s)):
                yield s


@pytest.mark.parametrize("seed", SEEDS)
def test_one_ply_above_the_tables_everything_is_proven(seed, folder):
    game, truth, seen = graph_game(seed), solve_graph(seed), 0
    search = searching(game, folder / str(seed), 1)
    for s in outside(game):
        found = search(s)
        value, plies = truth[s.node]
        assert found.value == (value if s.turn == 0 else -value)
        assert found.proof == PROVEN
        assert found.distance in (None, plies)
        seen += 1
    assert seen > 2


@pytest.mark.parametrize("seed", SEEDS)
def test_a_root_in_the_tables_gives_nothing_away(seed, folder):
    game, truth = graph_game(seed), solve_graph(seed)
    search = searching(game, folder / str(seed), 2)
    for node in range(FROM):
        s = node_state(game, node)
        if node % 11 == 7 or game.is_end(s):
            continue
        found = search(s)
        assert (found.value, found.proof) == (truth[node][0], PROVEN)
        after = game.succ(s, found.best)
        value = truth[after.node][0] * (1 if after.turn == s.turn else -1)
        assert value == truth[node][0]


@pytest.mark.parametrize("seed", SEEDS)
def test_solving_believes_them(seed, folder):
    game, truth = graph_game(seed), solve_graph(seed)
    solver = Solver(game, table_mb=0.01, tables=str(folder / str(seed)))
    for node in range(0, FROM, 5):
        s = node_state(game, node, 1)
        if node % 11 == 7 or game.is_end(s):
            continue
        found = solver.solve(s)
        assert found.value == -truth[node][0]
        assert found.nodes == 0
        for a in game.actions(s):
            after = game.succ(s, a)
            keeps = truth[after.node][0] * (1 if after.turn == 1 else -1) == truth[node][0]
            assert (a in found.best) == keeps


def test_with_plies_the_fastest_win_is_played(tmp_path):
    for seed in SEEDS:
        game, truth = graph_game(seed), solve_graph(seed)
        build_tables(game, 3, folder=tmp_path / str(seed), with_plies=True)
        search = searching(game, tmp_path / str(seed), 1)
        for node in range(NODES):
            s = node_state(game, node)
            if node % 11 == 7 or game.is_end(s) or truth[node][0] == 0:
                continue
            found = search(s)
            assert (found.value, found.distance) == truth[node]


def test_other_evaluators_know_nothing():
    assert consult(HANDCRAFTED, graph_game(0).start().record[0]) == UNKNOWN


def test_what_cannot_be_is_told(tmp_path):
    with pytest.raises(GameError, match="there are no tables of graph in"):
        zermelo.search(graph_game(0), depth=1, tables=str(tmp_path))
    with pytest.raises(GameError, match="does not number its endings"):
        zermelo.search(zermelo.load("tic-tac-toe", compiled=False), depth=1, tables="on")


@pytest.mark.slow
@pytest.mark.jit
def test_checkers_searches_with_three_pieces_known(tmp_path):
    game = zermelo.load("checkers")
    build_tables(game, 3, folder=tmp_path)
    s = game.parse("B:WK9:B1,K20")
    alone = zermelo.search(game, s, depth=3, evaluator="handcrafted")
    helped = zermelo.search(game, s, depth=3, tables=str(tmp_path), evaluator="handcrafted")
    assert helped.nodes <= alone.nodes
    assert zermelo.solve(game, s, tables=str(tmp_path)).value == 1
