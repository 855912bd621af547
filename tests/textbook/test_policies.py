from collections import Counter
from random import Random

import pytest

from tests.textbook.textbook_games import Bins, CoinBins
from zermelo.core.game import GameError
from zermelo.textbook import distribution, sample, uniform
from zermelo.textbook.policies import odds


def test_uniform_gives_every_action_the_same_probability():
    assert uniform(Bins())(()) == pytest.approx({"A": 1 / 3, "B": 1 / 3, "C": 1 / 3})


def test_a_deterministic_policy_is_a_distribution_on_one_action():
    assert distribution(Bins(), lambda s: "B", ()) == {"B": 1.0}


def test_actions_never_played_are_left_out():
    assert distribution(Bins(), lambda s: {"A": 0.25, "B": 0.0, "C": 0.75}, ()) == {"A": 0.25, "C": 0.75}


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [("D", "not legal"), ({"A": 0.5, "B": 0.4}, "sum to 0.9"), ({"A": 1.5, "B": -0.5}, "negative"), ({}, "sum to 0")],
)
def test_a_bad_policy_is_refused(answer, complaint):
    with pytest.raises(GameError, match=complaint):
        distribution(Bins(), lambda s: answer, ())


def test_odds_are_natures_or_the_policys():
    game = CoinBins(-1)
    policies = {0: lambda s: "A"}
    assert odds(game, policies, ()) == {"A": 1.0}
    assert odds(game, policies, ("A",)) == {"heads": 0.5, "tails": 0.5}
    with pytest.raises(GameError, match="player 1 is to move and has no policy"):
        odds(game, policies, ("A", "heads", "A"))


def test_samples_come_as_often_as_they_should_and_from_the_seed():
    draws = [sample({"a": 0.2, "b": 0.8}, rng) for rng in [Random(1)] for _ in range(5000)]
    assert Counter(draws)["a"] / 5000 == pytest.approx(0.2, abs=0.03)
    again = Random(1)
    assert draws[:50] == [sample({"a": 0.2, "b": 0.8}, again) for _ in range(50)]
