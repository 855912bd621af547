from math import inf, sqrt
from random import Random

import pytest

from tests.textbook.textbook_games import BINS, Bins, CoinBins
from zermelo.core.game import GameError
from zermelo.textbook import average, average_paths, monte_carlo, policy_value, sample_path, uniform

TEN = [1, 3, 50, 50, 50, -50, -50, 50, 15, -5]  # the ends of ten random paths through the bins


def test_ten_given_paths_average_11_4():
    paths = [(next(b for b in BINS if u in BINS[b]), u) for u in TEN]
    mean, error, n = average_paths(Bins(), (), paths)
    assert (mean, n) == (pytest.approx(11.4), 10)
    assert error == pytest.approx(sqrt(sum((u - 11.4) ** 2 for u in TEN) / 9 / 10))
    assert average_paths(Bins(), (), paths, player=1).mean == pytest.approx(-11.4)


def test_a_scripted_generator_gives_the_same_ten_paths():
    """random.choices takes one number of the generator for each draw: a scripted one decides every move."""
    bins = list(BINS)

    class Script(Random):
        def random(self):
            return script.pop(0)

    script = []
    for u in TEN:
        b = next(b for b in bins if u in BINS[b])
        script += [(bins.index(b) + 0.5) / 3, (BINS[b].index(u) + 0.5) / 2]
    game = Bins()
    estimate = monte_carlo(game, (), {0: uniform(game), 1: uniform(game)}, 10, Script())
    assert estimate.mean == pytest.approx(11.4)
    assert script == []


def test_the_error_of_one_path_is_unknown_and_of_none_there_is_no_average():
    assert average([3]) == (3, inf, 1)
    with pytest.raises(GameError, match="nothing to average"):
        average([])


def test_the_average_tends_to_the_value_of_the_policies():
    game = CoinBins(-1)
    policies = {0: lambda s: {"B": 0.5, "C": 0.5}, 1: uniform(game)}
    truth = policy_value(game, (), policies)
    estimate = monte_carlo(game, (), policies, 3000, 5)
    assert abs(estimate.mean - truth) < 3 * estimate.error
    assert monte_carlo(game, (), policies, 300, 5).error == pytest.approx(estimate.error * sqrt(10), rel=0.2)


def test_the_same_seed_gives_the_same_estimate():
    game = Bins()
    policies = {0: uniform(game), 1: uniform(game)}
    assert monte_carlo(game, (), policies, 50, 1) == monte_carlo(game, (), policies, 50, Random(1))
    assert monte_carlo(game, (), policies, 50, 1) != monte_carlo(game, (), policies, 50, 2)


def test_a_path_holds_every_action_and_outcome_to_the_end():
    game = CoinBins(1)
    path = sample_path(game, (), {0: lambda s: "A", 1: lambda s: min(game.actions(s))}, Random(1))
    assert path[0] == "A"
    assert (path[1], path[2]) in {("heads", -50), ("tails", 1)}
