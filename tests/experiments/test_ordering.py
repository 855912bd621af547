from math import ceil, floor
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.experiments.leaf_trees import LeafTree
from zermelo.core.game import GameError
from zermelo.core.trace import Trace
from zermelo.experiments import run_ordering
from zermelo.experiments.ordering import count_leaves, pearl, visited_leaves
from zermelo.experiments.trees import grow, node_values, sort_moves
from zermelo.textbook import alphabeta, best_first, minimax, worst_first

shapes = st.sampled_from([(b, d) for b in range(2, 5) for d in range(1, 7) if b**d <= 130])


def levels(plies):
    return ("max", "min") * (plies // 2) + ("max",) * (plies % 2)


def textbook_leaves(leaves, order=None):
    game, trace = LeafTree(leaves, levels(leaves.ndim)), Trace()
    value = alphabeta(game, (), trace=trace, **({"order": order(game)} if order else {}))
    return value, trace.leaves


def nested(b, plies):
    """Leaves of which no order cuts any: the values of a node's children lie in disjoint intervals, worst first."""
    values = np.zeros((b,) * plies)
    for ply in range(plies):
        digit = np.arange(b) if ply % 2 == 0 else np.arange(b)[::-1]
        values += digit.reshape([b if axis == ply else 1 for axis in range(plies)]) * float(b) ** -(ply + 1)
    return values


# -- the kernel and the sorting, against the textbook ------------------------------------------------------------------


@given(shapes, st.integers(0, 2**32))
@settings(max_examples=300)
def test_leaves_and_value_are_the_textbooks(shape, seed):
    leaves = grow(*shape, 1, np.random.default_rng(seed))[0]
    value, visited = textbook_leaves(leaves)
    assert visited_leaves(leaves) == visited
    stack = np.empty((3, shape[1] + 1))
    assert count_leaves(leaves.ravel(), *shape, *stack, np.zeros(shape[1] + 1, np.int64)) == (visited, value)
    assert node_values(leaves, levels(shape[1]))[0] == value == minimax(LeafTree(leaves, levels(shape[1])), ())


@given(shapes, st.integers(0, 2**32))
@settings(max_examples=150)
def test_sorted_moves_are_the_textbooks_orders(shape, seed):
    leaves = grow(*shape, 1, np.random.default_rng(seed))[0]
    for best, by_value in ((True, best_first), (False, worst_first)):
        ordered = sort_moves(leaves, levels(shape[1]), best=best)
        assert sorted(ordered.ravel()) == sorted(leaves.ravel())
        _, visited = textbook_leaves(leaves, lambda game, by=by_value: by(game, lambda s: minimax(game, s)))
        assert visited_leaves(ordered) == visited


@pytest.mark.parametrize(("b", "d"), [(2, 1), (2, 9), (2, 12), (3, 7), (5, 5), (10, 4)])
def test_perfect_order_visits_the_minimal_tree(b, d):
    leaves = sort_moves(grow(b, d, 1, np.random.default_rng(b))[0], levels(d), best=True)
    assert visited_leaves(leaves) == b ** ceil(d / 2) + b ** floor(d / 2) - 1


@pytest.mark.parametrize(("b", "d"), [(2, 1), (2, 10), (3, 6), (7, 3)])
def test_at_worst_every_leaf_is_visited(b, d):
    assert visited_leaves(nested(b, d)) == b**d


def test_worst_first_to_one_round_cuts_nothing():
    leaves = grow(9, 2, 1, np.random.default_rng(3))[0]
    assert visited_leaves(sort_moves(leaves, levels(2), best=False)) == 81


@pytest.mark.jit
@pytest.mark.parametrize(("b", "d", "mean", "within"), [(3, 6, 248.2, 3.0), (5, 4, 227.7, 3.0), (20, 3, 2099, 25)])
def test_mean_leaves_in_random_order(b, d, mean, within):
    counts = [visited_leaves(leaves) for leaves in grow(b, d, 2_000, np.random.default_rng(1))]
    assert 2.5 * stdev(counts) / 2_000**0.5 < within
    assert fmean(counts) == pytest.approx(mean, abs=within)


@pytest.mark.parametrize(("b", "factor"), [(2, 1.618), (5, 3.080), (10, 5.064), (20, 8.425), (35, 12.83)])
def test_pearls_factor(b, factor):
    assert pearl(b) == pytest.approx(factor, abs=0.005)


# -- the experiment ----------------------------------------------------------------------------------------------------


def test_the_rows():
    found = run_ordering(3, 3, 10, seed=1)
    assert [row.rounds for row in found.rows] == [1, 2, 3]
    for row in found.rows:
        worst, random, best = found.expected(row.rounds)
        assert row.best == 2 * best - 1
        assert row.best <= row.random <= row.worst <= worst
        assert random == 3 ** (1.5 * row.rounds)
        factors = found.effective(row)
        assert factors == tuple(sorted(factors, reverse=True))
        assert factors[0] <= 3.0 + 1e-12
    assert found.rows[0].worst == 9


def test_the_same_seed_is_the_same_experiment():
    assert run_ordering(2, 3, 5, seed=7) == run_ordering(2, 3, 5, seed=7)
    assert run_ordering(2, 3, 5, seed=7) != run_ordering(2, 3, 5, seed=8)


def test_the_table():
    lines = run_ordering(2, 2, 4, seed=0).table().splitlines()
    assert len(lines) == 5
    assert lines[0] == "leaves alpha-beta visits, 2 moves a node, mean of 4 random trees (seed 0)"
    assert lines[2].split()[:3] == ["1", "4", "4"]
    assert "1.618 (Pearl)" in lines[-1]


def test_the_figure(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    path = run_ordering(2, 2, 4).figure(tmp_path / "ordering.png")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [p.name for p in tmp_path.iterdir()] == ["ordering.png"]  # nothing else is left behind
    with pytest.raises(GameError, match=r"\.png, \.svg or \.pdf"):
        run_ordering(2, 1, 2).figure(tmp_path / "ordering.txt")
    with pytest.raises(GameError, match="cannot be written"):
        run_ordering(2, 1, 2).figure(tmp_path / "no" / "ordering.png")


@pytest.mark.parametrize("arguments", [(1, 2, 3), (2, 0, 3), (2, 2, 1), (10, 9, 5)])
def test_what_is_refused(arguments):
    with pytest.raises(GameError):
        run_ordering(*arguments)
