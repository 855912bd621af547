from itertools import pairwise
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, payoffs, random_states, refusal
from zermelo.core.game import CHANCE, OVER
from zermelo.search.exhaustive import exhaustive, positions_by_ply
from zermelo.search.playout import playouts


def tree(**fields):
    return zermelo.load("random-tree", **fields)


def leaves(game, s=None):
    """The payoffs of player 0 at all leaves, from the left."""
    s = s or game.start()
    if game.is_end(s):
        return [game.utility(s)]
    return [u for a in game.actions(s) for u in leaves(game, game.succ(s, a))]


def test_nothing_is_compiled_anew():
    assert tree(branching=2, depth=9, seed=5, chance=10, extra=3).variant is tree().variant
    assert tree(players=3).variant is not tree().variant


@pytest.mark.parametrize(("b", "d"), [(1, 5), (2, 7), (5, 3), (64, 2), (3, 0)])
def test_the_shape(b, d):
    found = exhaustive(tree(branching=b, depth=d))
    assert found.ends == b**d
    assert found.nodes == sum(b**i for i in range(d + 1))
    assert positions_by_ply(tree(branching=b, depth=d), d) == [b**i for i in range(d + 1)]


def test_a_seed_is_a_tree():
    assert leaves(tree(seed=1)) == leaves(tree(seed=1))
    assert not set(leaves(tree(seed=1))) & set(leaves(tree(seed=2)))
    assert exhaustive(tree()).value == pytest.approx(-0.08935607610840646, abs=1e-15)  # seed 0, on any machine


def test_payoffs_are_uniform_and_independent():
    u = np.array(leaves(tree(branching=8, depth=5, seed=3)))  # 32,768 of them
    assert np.abs(u).max() < 1
    assert len(set(u.tolist())) == len(u)
    counts = np.histogram(u, 64, (-1, 1))[0]
    assert ((counts - 512) ** 2 / 512).sum() < 110  # chi-squared with 63 degrees of freedom: p = 0.0002
    for lag in (1, 2, 8, 64, 4096):  # brothers, cousins, …
        assert abs(np.corrcoef(u[:-lag], u[lag:])[0, 1]) < 0.02
    v = np.array(leaves(tree(branching=8, depth=5, seed=4)))
    assert abs(np.corrcoef(u, v)[0, 1]) < 0.02


def test_payoffs_of_two_sum_to_zero_and_of_three_do_not():
    game = tree(depth=2)
    s = random_states(game, 0)[-1]
    assert sum(payoffs(game, s)) == 0
    assert game.zero_sum
    three = tree(players=3, depth=2)
    assert len(set(payoffs(three, random_states(three, 0)[-1]))) == 3
    assert not three.zero_sum


def test_the_players_take_turns():
    for players in (2, 3):
        game = tree(players=players, depth=7)
        assert [game.player(s) for s in random_states(game, 1)] == [i % players for i in range(7)] + [OVER]


def test_shares_of_chance_nodes_and_of_extra_turns():
    kinds, again = [], []
    for seed in range(400):
        states = random_states(tree(branching=2, depth=12, seed=seed, chance=30, extra=20), seed)
        for s, after in pairwise(states):
            kinds.append(s.game.player(s) == CHANCE)
            again.append(s.turn == after.turn)
            assert not kinds[-1] or again[-1]  # nature leaves the turn where it was
    assert fmean(kinds) == pytest.approx(0.3, abs=0.03)
    assert fmean(again) == pytest.approx(0.3 + 0.7 * 0.2, abs=0.03)


def test_probabilities():
    game = tree(branching=5, chance=100)
    for s in random_states(game, 0)[:-1]:
        shares = [p for _, p in game.chances(s)]
        assert sum(shares) == pytest.approx(1)
        assert all(p > 0 for p in shares)
    assert len(set(shares)) > 1


@pytest.mark.jit
def test_the_mean_of_random_games_is_that_of_the_leaves():
    game = tree(branching=4, depth=3, seed=9)
    played = playouts(game, 200_000)
    assert abs(played.mean[0] - fmean(leaves(game))) < 5 * played.error[0]


@given(
    st.integers(1, 4),
    st.integers(0, 4),
    st.integers(0, 2**64 - 1),
    st.integers(0, 100),
    st.integers(0, 100),
    st.sampled_from([2, 3]),
)
@settings(max_examples=60)
def test_presentation_and_plain_python(b, d, seed, chance, extra, players):
    game = tree(branching=b, depth=d, seed=seed, chance=chance, extra=extra, players=players)
    check_presentation(game, seed)
    check_interpreted(game, seed)


def test_bad_fields():
    assert "branching must be 1 to 64, not 65" in refusal(lambda: tree(branching=65))
    assert "branching must be 1 to 64, not 0" in refusal(lambda: tree(branching=0))
    assert "depth must be 0 to 64" in refusal(lambda: tree(depth=65))
    assert "percentages" in refusal(lambda: tree(chance=101))
    assert "depth cannot be 999" in refusal(lambda: tree(depth=999))
    assert "players must be 2 to 64" in refusal(lambda: tree(players=1))
    assert "no player 2" in refusal(lambda: tree(turn=2))
    assert "is not one of" in refusal(tree().parse, "width=3")


def test_the_drawings():
    small, large = tree(branching=2, depth=2), tree(branching=9, depth=9)
    assert small.text(small.start()).splitlines()[0] == "▲"
    assert large.text(large.start()) == "tree 0: 9 moves a node, ply 0 of 9, player 0 moves"
    assert small.svg(small.start()).startswith("<svg")
    assert large.svg(large.start()) is None
