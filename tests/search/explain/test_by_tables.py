"""Explanations of positions that endgame tables know, on graphs whose truth is found out another way."""

import json

import pytest

from tests.solve.graph_game import graph_game, solve_graph
from tests.solve.test_tables import node_state
from tests.solve.test_verdict import truth_of_actions
from zermelo.search.explain.explain import explain
from zermelo.search.explain.explanation import TABLE
from zermelo.solve.tables.build import build_tables

SEED = 19
LIMITS = {"depth": 2, "evaluator": "handcrafted"}


@pytest.fixture(scope="module")
def graph():
    return graph_game(SEED)


@pytest.fixture(scope="module")
def with_plies(graph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    build_tables(graph, 3, with_plies=True, folder=folder)
    return folder


@pytest.fixture(scope="module")
def without_plies(graph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    build_tables(graph, 3, folder=folder)
    return folder


def inner_nodes(graph, moves=2):
    """Positions of the graph with so many moves at least, and what they are worth to whoever moves."""
    solved = solve_graph(SEED)
    states = [(node_state(graph, node, node % 2), worth) for node, worth in solved.items()]
    return [(s, worth) for s, worth in states if not graph.is_end(s) and len(graph.actions(s)) >= moves]


def test_every_value_and_distance_is_the_tables_own(graph, with_plies):
    solved, several = solve_graph(SEED), 0
    for s, (value, plies) in inner_nodes(graph)[:12]:
        told = explain(graph, s, tables=str(with_plies), **LIMITS)
        truth = truth_of_actions(graph, solved, s)
        assert told.proof == TABLE
        assert told.value == value
        assert told.report.distance == (plies if value else None)
        assert {one.action: (one.value, one.distance) for one in told.alternatives} == truth
        assert {one.proof for one in told.alternatives} == {TABLE}
        assert all(one.distance_exact for one in told.alternatives if one.distance is not None)
        perfect = {one.action for one in told.alternatives if one.is_perfect}
        assert perfect == {*told.verdict.perfect}
        assert told.report.best in perfect
        assert told.as_good == tuple(
            one.name for one in told.alternatives if one.is_perfect and one.action != told.report.best
        )
        several += bool(told.as_good)
        if value:
            assert len(told.pv) == min(plies, 24)
        assert told.is_complete
        assert json.loads(json.dumps(told.as_dict()))["alternatives"][0]["proof"] == "table"
    assert several


def test_the_words_say_whose_values_they_are(graph, with_plies):
    (s, _), *_ = [one for one in inner_nodes(graph) if one[1][0] == 1 and one[1][1] > 1]
    told = explain(graph, s, tables=str(with_plies), **LIMITS)
    words = told.text()
    assert f"(by the endgame tables, won in {told.report.distance} plies)" in words
    assert "The moves, by the endgame tables" in words
    assert "by tables" in words
    (s, _), *_ = [
        one for one in inner_nodes(graph)
        if one[1][0] == 0 and len(explain(graph, one[0], tables=str(with_plies), **LIMITS).as_good) > 0
    ]  # fmt: skip
    drawn = explain(graph, s, tables=str(with_plies), **LIMITS)
    assert f"equally good, by the endgame tables: {', '.join(drawn.as_good)}" in drawn.text()
    assert drawn.as_dict()["as_good"] == list(drawn.as_good)


def test_what_is_not_known_is_said(graph, without_plies):
    (s, _), *_ = [one for one in inner_nodes(graph) if one[1][0] == 1 and one[1][1] > 3]
    told = explain(graph, s, tables=str(without_plies), **LIMITS)
    assert (told.proof, told.value, told.report.distance) == (TABLE, 1, None)
    assert "the tables do not say how soon" in told.text()


def test_without_tables_nothing_is_said_of_them(graph):
    (s, _), *_ = inner_nodes(graph)
    told = explain(graph, s, **LIMITS)
    assert (told.verdict, told.as_good) == (None, ())
    assert "table" not in told.text().replace("answered by the table", "")


def test_moves_into_what_tables_know_are_told_as_theirs(graph, tmp_path):
    build_tables(graph, 2, with_plies=True, folder=tmp_path)  # without the last quarter
    solved, partly = solve_graph(SEED), 0
    for s, _ in inner_nodes(graph)[-12:]:
        told = explain(graph, s, tables=str(tmp_path), **LIMITS)
        truth = truth_of_actions(graph, solved, s)
        tabled = {one.action: (one.value, one.distance) for one in told.alternatives if one.proof == TABLE}
        assert tabled == {a: truth[a] for a in tabled}
        assert (told.proof == TABLE) == (told.verdict is not None) == (len(tabled) == len(truth))
        partly += 0 < len(tabled) < len(truth)
    assert partly
