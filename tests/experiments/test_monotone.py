import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.experiments.leaf_trees import LeafTree
from zermelo.core.game import GameError
from zermelo.experiments import run_monotone
from zermelo.experiments.monotone import CHANGES, root_moves
from zermelo.experiments.trees import grow, node_values
from zermelo.textbook import best_action, expectiminimax

CERTAIN, RISKY = ("max", "min", "max"), ("max", "chance", "min")


@given(st.integers(2, 4), st.integers(0, 2**32), st.sampled_from([CERTAIN, RISKY]), st.sampled_from(sorted(CHANGES)))
@settings(max_examples=100)
def test_the_moves_are_the_textbooks(b, seed, levels, change):
    trees = CHANGES[change](grow(b, 3, 4, np.random.default_rng(seed)))
    values = node_values(trees, levels)[0]
    for leaves, move, value in zip(trees, root_moves(trees, levels), values, strict=True):
        game = LeafTree(leaves, levels)
        assert expectiminimax(game, ()) == pytest.approx(value)
        assert best_action(game, (), lambda s, game=game: expectiminimax(game, s)) == move


@pytest.mark.parametrize("change", CHANGES)
def test_minimax_moves_alike_everywhere(change):
    """Not only at the root: at every node of a thousand trees."""
    levels = ("max", "min") * 2
    trees = grow(3, 4, 1000, np.random.default_rng(2))
    before, after = node_values(trees, levels), node_values(CHANGES[change](trees), levels)
    for ply, mover in enumerate(levels):
        choose = np.argmax if mover == "max" else np.argmin
        assert (choose(before[ply + 1], axis=-1) == choose(after[ply + 1], axis=-1)).all()


@pytest.mark.parametrize("change", CHANGES)
def test_the_changes_are_increasing(change):
    u = np.linspace(-1, 1, 10_001)
    assert (np.diff(CHANGES[change](u)) > 0).all()


def test_the_rows():
    found = run_monotone(trees=1_000)
    shares = {row.change: row for row in found.rows}
    assert all(row.minimax == 0 for row in found.rows)
    assert shares["3u + 2"].expectiminimax == 0
    for change in ("u³", "exp 2u", "tanh 3u"):
        assert shares[change].expectiminimax > 0.1
        assert shares[change].error == pytest.approx(0.014, abs=0.004)


def test_the_same_seed_is_the_same_experiment():
    assert run_monotone(trees=50, seed=3) == run_monotone(trees=50, seed=3)


def test_the_table():
    lines = run_monotone(2, 1, 100).table().splitlines()
    assert lines[0].startswith("share of 100 random trees")
    assert lines[2].split() == ["3u", "+", "2", "0.0%", "0.0%", "±", "0.0%"]
    assert len(lines) == 2 + len(CHANGES)


def test_the_figure(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    path = run_monotone(2, 1, 50).figure(tmp_path / "monotone.svg")
    assert "<svg" in path.read_text()
    assert [p.name for p in tmp_path.iterdir()] == ["monotone.svg"]


@pytest.mark.parametrize("arguments", [(1, 2, 3), (2, 0, 3), (2, 2, 0), (10, 3, 1000)])
def test_what_is_refused(arguments):
    with pytest.raises(GameError):
        run_monotone(*arguments)
