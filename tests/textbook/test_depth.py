import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.textbook.textbook_games import Rotation, Tree, end, some_policy, trees
from zermelo.core.game import CHANCE, GameError
from zermelo.core.trace import Trace
from zermelo.textbook import (
    alphabeta,
    expectimax,
    expectiminimax,
    limited_expectimax,
    limited_maxn,
    limited_minimax,
    maxn,
)


@pytest.mark.parametrize(
    ("players", "start", "depth", "count", "reached"),
    [
        (3, 0, 0, "plies", 0),
        (3, 0, 2, "plies", 2),
        (3, 1, 2, "plies", 3),
        (3, 0, 0, "rounds", 0),
        (3, 0, 1, "rounds", 3),
        (3, 0, 2, "rounds", 6),
        (3, 1, 1, "rounds", 3),
        (3, 2, 1, "rounds", 3),  # the last player's turn: the round ends at once
        (2, 0, 2, "rounds", 4),
        (1, 0, 2, "rounds", 2),
    ],
)
def test_plies_and_rounds(players, start, depth, count, reached):
    game = Rotation(players)
    everybody = {p: lambda s: "go" for p in range(1, players)}
    assert limited_minimax(game, start, depth, count=count) == reached
    assert limited_expectimax(game, start, depth, everybody, count=count) == reached
    assert limited_maxn(game, start, depth, lambda s: (s,) * players, count=count) == (reached,) * players
    assert alphabeta(game, start, depth=depth, count=count) == reached


def test_another_way_of_counting_is_refused():
    with pytest.raises(GameError, match="plies or in rounds"):
        limited_minimax(Rotation(), 0, 1, count="moves")


def test_a_chance_node_costs_nothing():
    tree = (CHANCE, (0.5, (0, end(1), end(2))), (0.5, (0, end(3), end(4))))
    assert limited_minimax(Tree(tree), tree, 1, evaluate=lambda s: 99) == 3
    assert limited_minimax(Tree(tree), tree, 0, evaluate=lambda s: 99) == 99


def test_the_end_counts_more_than_the_limit():
    assert limited_minimax(Tree(end(7)), end(7), 0, evaluate=lambda s: 99) == 7


def test_the_given_evaluation_stands_at_the_limit_and_nowhere_else():
    tree = (0, (1, end(1), end(9)), (1, end(2), end(3)), end(4))
    trace = Trace()
    assert limited_minimax(Tree(tree), tree, 1, evaluate=lambda s: 10 - s[1][1][0], trace=trace) == 9
    assert [(node.kind, node.value) for node in trace.visited[1:]] == [("cutoff", 9), ("cutoff", 8), ("end", 4)]


@given(trees(players=3), st.integers(0, 9))
def test_a_limit_beyond_the_end_changes_nothing(tree, seed):
    game = Tree(tree, players=3)
    policies = {p: some_policy(game, seed + p) for p in (1, 2)}
    assert limited_minimax(game, tree, 99) == expectiminimax(game, tree)
    assert limited_expectimax(game, tree, 99, policies) == expectimax(game, tree, policies)
    assert limited_maxn(game, tree, 99, lambda s: (0, 0, 0)) == maxn(game, tree)


@given(trees(), st.integers(0, 4))
def test_depth_limited_minimax_is_minimax_of_the_tree_cut_there(tree, depth):
    game = Tree(tree)

    def cut(s, d):
        if s[0] == "end":
            return s
        if d == 0:
            return end(game.evaluate(s))
        if s[0] == CHANCE:
            return (CHANCE, *((p, cut(c, d)) for p, c in s[1:]))
        return (s[0], *(cut(c, d - 1) for c in s[1:]))

    assert limited_minimax(game, tree, depth) == expectiminimax(game, cut(tree, depth))
