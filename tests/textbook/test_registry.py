"""The textbook's algorithms by name."""

import pytest

import zermelo
from zermelo import GameError
from zermelo.interfaces.cli.explain import Algorithm
from zermelo.textbook.registry import ALGORITHMS, TooLarge, run_traced, suitable


def test_the_command_line_knows_them_all():
    assert {algorithm.value for algorithm in Algorithm} == set(ALGORITHMS)


@pytest.mark.parametrize("depth", [None, 9])
def test_to_the_end_and_to_a_depth_they_agree(depth):
    game = zermelo.load("tic-tac-toe", compiled=False)
    s = game.parse("xo. .x. o..")
    values = {name: run_traced(game, s, name, depth).value for name in ("minimax", "expectiminimax", "alphabeta")}
    assert len(set(values.values())) == 1
    found = run_traced(game, s, "alphabeta", depth)
    assert found.cuts > 0
    assert found.leaves_pruned > 0
    assert found.pv[0] == found.best


@pytest.mark.parametrize(
    ("name", "options", "algorithm"),
    [("three-bins", {}, "minimax"), ("coin-bins", {}, "expectiminimax"), ("random-tree", {"players": 3}, "maxn")],
)
def test_what_a_game_calls_for(name, options, algorithm):
    game = zermelo.load(name, **options, compiled=False)
    assert suitable(game, game.start()) == algorithm


def test_what_there_is_not():
    game = zermelo.load("tic-tac-toe", compiled=False)
    with pytest.raises(GameError, match="no algorithm 'mini'; it has: minimax"):
        run_traced(game, game.start(), "mini")
    with pytest.raises(TooLarge, match="more than 10 nodes"):
        run_traced(game, game.start(), "minimax", most=10)
