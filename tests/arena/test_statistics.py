"""Scores, Elo differences, intervals and sequential tests: known values, and simulations of what they promise."""

import math
import random
from statistics import NormalDist

import numpy as np
import pytest

from zermelo.arena.ratings import ratings
from zermelo.arena.statistics import SPRT, Z, compare, elo, expected_score, mean, wilson
from zermelo.arena.summary import format_mean


def singles(won, drawn, lost):
    return compare([1.0] * won + [0.5] * drawn + [0.0] * lost, 1)


def pair(probability, draws, draw):
    """The score of a pair of games."""
    return sum(_game(probability, draws, draw) for _ in range(2)) / 2


def _game(score, draws, draw):
    x = draw.random()
    return 0.5 if x < draws else float(x < draws + score - draws / 2)


def test_elo_and_its_inverse():
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(190.8485)
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0) == -math.inf
    assert elo(1) == math.inf
    for difference in (-700, -12.5, 0, 3, 400):
        assert elo(expected_score(difference)) == pytest.approx(difference)


def test_wilsons_interval():
    # textbook values: 10 of 10, and 50 of 100
    assert wilson(1.0, 10) == (pytest.approx(0.72246, abs=1e-4), 1.0)
    assert wilson(0.0, 10) == (0.0, pytest.approx(0.27754, abs=1e-4))
    assert wilson(0.5, 100) == (pytest.approx(0.40383, abs=1e-4), pytest.approx(0.59617, abs=1e-4))


def test_single_games_without_draws():
    seen = singles(60, 0, 40)
    assert seen.score == 0.6
    assert seen.elo == pytest.approx(70.4365, abs=1e-3)
    # the usual normal approximation gives 60 % ± 9.6 %, that is [+1, +143]
    assert seen.elo_low == pytest.approx(1, abs=5)
    assert seen.elo_high == pytest.approx(143, abs=10)
    assert seen.los == pytest.approx(NormalDist().cdf((60 - 40) / math.sqrt(100)), abs=0.002)


def test_draws_count_for_the_likelihood_of_superiority_as_usual():
    assert singles(30, 50, 20).los == pytest.approx(NormalDist().cdf(10 / math.sqrt(50)), abs=0.003)
    assert singles(0, 100, 0).los == 0.5


@pytest.mark.parametrize("games", [2, 10, 200])
def test_everything_won_or_lost_is_sane(games):
    won, lost = compare([1.0] * games), compare([0.0] * games)
    assert won.elo == math.inf == won.elo_high
    assert 0 < won.elo_low < 1500
    assert lost.elo_low == -math.inf
    assert lost.elo_high == pytest.approx(-won.elo_low)
    assert won.los > 0.97
    assert won.los + lost.los == pytest.approx(1)


def test_equal_pairs_are_not_certainty():
    few, many = compare([0.5] * 3), compare([0.5] * 300)
    assert few.elo == many.elo == 0
    assert few.elo_high > 50
    assert 1 < many.elo_high < 20


def test_no_games_say_nothing():
    seen = compare([])
    assert (seen.elo, seen.elo_low, seen.elo_high, seen.los) == (0, -math.inf, math.inf, 0.5)
    assert SPRT(0, 10).ratio(seen) == 0


def test_pairs_that_cancel_out_say_more_than_their_games():
    paired = compare([0.5] * 80 + [0.75] * 20, 2)  # whoever begins wins, nearly always
    apart = compare([1.0] * 110 + [0.0] * 90, 1)
    assert paired.score == apart.score == 0.55
    assert paired.elo_high - paired.elo_low < 0.5 * (apart.elo_high - apart.elo_low)


@pytest.mark.parametrize(
    ("score", "draws", "pairs"), [(0.5, 0.3, 50), (0.65, 0.1, 40), (0.9, 0.05, 30), (0.97, 0.0, 40)]
)
def test_the_interval_holds_the_truth_as_often_as_it_says(score, draws, pairs):
    draw = random.Random(17)
    held = 0
    for _ in range(800):
        seen = compare([pair(score, draws, draw) for _ in range(pairs)])
        held += seen.low <= score <= seen.high
    assert 0.925 <= held / 800 <= 0.98


def test_a_sequential_test_in_numbers():
    test = SPRT(0, 10)
    assert test.bound == pytest.approx(math.log(0.95 / 0.05))
    # the normal approximation, by hand: 1000 pairs, score 0.52, variance about 1/8
    scores = [1.0] * 270 + [0.5] * 500 + [0.0] * 230
    seen = compare(scores)
    variance = np.var(scores)
    s1 = expected_score(10)
    assert test.ratio(seen) == pytest.approx(1000 * (s1 - 0.5) * (2 * 0.52 - 0.5 - s1) / (2 * variance), rel=0.01)
    assert test.verdict(seen) is None
    assert test.verdict(compare(scores * 5)) == "elo1"
    assert test.verdict(compare([1 - x for x in scores] * 5)) == "elo0"


@pytest.mark.parametrize(("truth", "wrong"), [(0, "elo1"), (60, "elo0")])
def test_a_sequential_test_errs_as_seldom_as_it_says(truth, wrong):
    test, draw, mistakes, lengths = SPRT(0, 60), random.Random(5), 0, []
    runs = 250
    for _ in range(runs):
        scores, verdict = [], None
        while verdict is None and len(scores) < 2000:
            scores += [pair(expected_score(truth), 0.2, draw) for _ in range(4)]
            verdict = test.verdict(compare(scores))
        assert verdict is not None
        mistakes += verdict == wrong
        lengths.append(len(scores))
    assert mistakes / runs < 0.09
    assert np.mean(lengths) < 150  # a fixed number of games for the same errors needs about 190 pairs


def test_means_and_their_errors():
    assert mean([1, 2, 3, 4]).value == 2.5
    assert mean([1, 2, 3, 4]).error == pytest.approx(np.std([1, 2, 3, 4], ddof=1) / 2)
    assert mean([1, 2, 3, 4]).half == pytest.approx(Z * mean([1, 2, 3, 4]).error)
    assert math.isnan(mean([7]).error)
    assert math.isnan(mean([]).value)


# -- one scale for many ------------------------------------------------------------------------------------------------


def test_two_players_are_rated_as_their_score_says():
    points, games = np.array([[0, 750], [250, 0]], float), np.array([[0, 1000], [1000, 0]], float)
    first, second = ratings(points, games)
    assert first.elo - second.elo == pytest.approx(elo(0.75), abs=1)
    assert first.elo + second.elo == pytest.approx(0, abs=1e-6)
    # the difference's error is twice that of each, as they mirror each other
    assert 2 * first.half == pytest.approx((elo(0.75 + Z * math.sqrt(0.1875 / 1000)) - elo(0.75)), rel=0.05)


def test_ratings_are_found_again():
    truth, draw = np.array([-150.0, -20.0, 40.0, 130.0]), np.random.default_rng(3)
    inside = total = 0
    for _ in range(60):
        points, games = np.zeros((4, 4)), np.zeros((4, 4))
        for i in range(4):
            for j in range(i):
                won = draw.binomial(60, expected_score(truth[i] - truth[j]))
                points[i, j], points[j, i], games[i, j], games[j, i] = won, 60 - won, 60, 60
        found = ratings(points, games)
        inside += sum(abs(r.elo - t) <= r.half for r, t in zip(found, truth, strict=True))
        total += 4
    assert 0.9 <= inside / total <= 0.995


def test_somebody_who_won_everything_has_a_finite_rating():
    points, games = np.array([[0, 10, 10], [0, 0, 5], [0, 5, 0]], float), np.full((3, 3), 10.0)
    np.fill_diagonal(games, 0)
    best, *others = ratings(points, games)
    assert 150 < best.elo < 1000
    assert others[0].elo == pytest.approx(others[1].elo)
    assert best.half > others[0].half


def test_players_who_never_met():
    points, games = np.zeros((3, 3)), np.zeros((3, 3))
    assert [round(r.elo, 6) for r in ratings(points, games)] == [0, 0, 0]


def test_equal_results_are_no_certainty():
    """Rounding aside, all groups brought the same: no scatter says how far that can be trusted."""
    for values in ([0.0] * 10, [0.1 + 0.2, 0.3], [5.0, 5.0]):
        found = mean(values)
        assert math.isnan(found.error)
        assert found.is_always
        assert "±" not in format_mean(found)
        assert "the same every time" in format_mean(found)
    assert format_mean(mean([0.0, 1e-5])) == "+0.000 ± less than 0.001 (95 %)"
    assert format_mean(mean([0.0, 1.0])) == "+0.500 ± 0.980 (95 %)"
