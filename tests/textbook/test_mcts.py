"""Monte Carlo tree search, plain: its rounds on the bins by hand, its books, and where it tends to."""

from math import inf, log, sqrt
from random import Random

import pytest

from tests.textbook.textbook_games import Bins, CoinBins
from zermelo.core.game import GameError
from zermelo.games.tree import TreeGame
from zermelo.textbook import expectiminimax, minimax
from zermelo.textbook.mcts import bound, chosen, mcts


def test_the_first_rounds_try_every_move_in_order_and_then_select_the_best_bound():
    steps = []
    mcts(Bins(), (), 4, 1, c=100.0, steps=steps)
    assert [step.path for step in steps if step.event == "expand"][:3] == [("A",), ("B",), ("C",)]
    select = next(step for step in steps if step.event == "select")
    means = {step.path[0]: step.utility for step in steps if step.event == "simulate" and step.number <= 3}
    for a, judged in select.bounds:
        assert judged == pytest.approx(means[a] + 100 * sqrt(log(3)))
    assert select.path == (max(means, key=means.get),)


def test_a_round_is_select_expand_simulate_and_then_backup_from_the_leaf_to_the_root():
    steps = []
    mcts(Bins(), (), 40, 3, c=140.0, steps=steps)
    for number in range(1, 41):
        events = [step.event for step in steps if step.number == number]
        down = events.index("simulate")
        assert events.count("simulate") == 1
        assert set(events[:down]) <= {"select", "expand"}
        assert events[:down].count("expand") <= 1
        backed = [step.path for step in steps if step.number == number and step.event == "backup"]
        assert backed == [backed[0][:i] for i in range(len(backed[0]), -1, -1)]


def test_visits_and_totals_add_up():
    root = mcts(CoinBins(-1), (), 300, 5, c=140.0)
    stack = [root]
    while stack:
        node = stack.pop()
        below = list(node.children.values())
        if below:
            assert node.visits - sum(child.visits for child in below) in (0, 1)  # the visit in which it was added
            stack += below
    assert root.visits == 300


def test_it_is_drawn_from_its_seed_and_takes_a_generator():
    first, again, other = (mcts(Bins(), (), 50, dice) for dice in (7, Random(7), 8))
    assert first.total == again.total != other.total


@pytest.mark.parametrize("game", [Bins(), CoinBins(-1), TreeGame("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")])
def test_it_tends_to_expectiminimax_and_finds_the_move(game):
    value = expectiminimax(game, ())
    root = mcts(game, (), 20_000, 11, c=60.0)
    assert root.mean == pytest.approx(value, abs=2.0)
    best = max(game.actions(()), key=lambda a: expectiminimax(game, game.succ((), a)))
    assert chosen(root) == (root.mean, best)


def test_at_min_nodes_the_smaller_mean_is_better():
    game = TreeGame("[[1, 9]]")
    root = mcts(game, (), 200, 1, c=4.0)
    node = root.children[0]
    assert node.best == 0
    assert node.children[0].visits > 3 * node.children[1].visits
    assert bound(game, node, 0, 0.0) == -1.0
    assert minimax(game, ()) == 1


def test_what_was_never_visited_has_no_bound_and_no_rounds_are_refused():
    game = TreeGame("[[1, 9]]")
    root = mcts(game, (), 1, 1)
    root.children[0].visits = 0
    assert bound(game, root, 0, 1.0) == inf
    with pytest.raises(GameError, match="at least one round"):
        mcts(game, (), 0, 1)


def test_a_game_that_is_over_has_its_utility_and_no_move():
    game = TreeGame("[[1, 9]]")
    assert chosen(mcts(game, (0, 1), 3, 1)) == (9.0, None)
