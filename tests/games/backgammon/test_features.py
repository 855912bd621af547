"""What a network sees of backgammon: the units of both sides, shots counted by hand, mirrored positions seen alike."""

import numpy as np
import pytest

import zermelo
from zermelo.compile.dispatch import features, perspective
from zermelo.compile.kernel import kernel
from zermelo.core.game import CHANCE
from zermelo.games.backgammon.features import ESCAPES, MAX_ACTIVE, NUM_FEATURES, RAW, hitting_rolls, mirrored


@pytest.fixture(scope="module")
def game():
    return zermelo.load("backgammon")


@kernel
def compiled_features(states, index, value):
    return features(states[0], index, value)


def seen(record):
    index, value = np.zeros(MAX_ACTIVE, np.int64), np.zeros(MAX_ACTIVE, np.float32)
    n = features(record[0], index, value)
    assert 0 < n <= MAX_ACTIVE
    assert index[:n].min() >= 0
    assert index[:n].max() < NUM_FEATURES
    assert len(set(index[:n])) == n
    return dict(zip(index[:n].tolist(), value[:n].tolist(), strict=True))


def positions(game, count, seed):
    rng = np.random.default_rng(seed)
    s = game.start()
    while count:
        if game.is_end(s):
            s = game.start()
        s = game.succ(s, game.actions(s)[rng.integers(len(game.actions(s)))])
        if game.player(s) == CHANCE:
            count -= 1
            yield s


def test_the_start(game):
    s = game.succ(game.start(), 31)
    units = {i: v for i, v in seen(s.record).items() if i < RAW}
    expected = {}
    for base in (0, 96):
        expected |= {base + 4 * 23 + 1: 1.0}  # two on 24
        expected |= {base + 4 * 12 + 1: 1.0, base + 4 * 12 + 3: 1.0}  # five on 13
        expected |= {base + 4 * 7 + 1: 1.0, base + 4 * 7 + 2: 1.0}  # three on 8
        expected |= {base + 4 * 5 + 1: 1.0, base + 4 * 5 + 3: 1.0}  # five on 6
    assert units == {**expected, 196: 1.0}
    looks = seen(s.record)
    assert looks[RAW + 5] == pytest.approx(1.0)  # 167 pips
    assert RAW not in looks  # nothing to be hit


def test_both_sides_see_the_same_of_mirrored_positions(game):
    for s in positions(game, 40, 1):
        record = s.record
        turned = record.copy()
        turned[0]["points"] = record[0]["points"][::-1]
        turned[0]["turn"] = 1 - record[0]["turn"]
        assert perspective(turned[0]) == 1 - perspective(record[0])
        assert seen(turned) == seen(record)


@pytest.mark.jit
def test_compiled_features_are_the_interpreted_ones(game):
    index, value = np.zeros(MAX_ACTIVE, np.int64), np.zeros(MAX_ACTIVE, np.float32)
    for s in positions(game, 60, 2):
        n = compiled_features(s.record, index, value)
        assert dict(zip(index[:n].tolist(), value[:n].tolist(), strict=True)) == pytest.approx(seen(s.record))


# A lone attacker and a lone blot: the shots every player knows by heart, by distance.
@pytest.mark.parametrize(("away", "shots"), [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (12, 3)])
def test_shots_by_distance(away, shots):
    assert hitting_rolls(1 << 20, 0, 1 << (20 - away), 0) == shots


def test_shots_past_blocked_points_and_from_the_bar():
    # six away with the points between made by the other side: only a six hits, 11 rolls
    assert hitting_rolls(1 << 20, 0, 1 << 14, sum(1 << i for i in range(15, 20))) == 11
    # from the bar, a blot on 22 is hit by threes, 11 rolls, and by 2-1 and 1-1, entering on an open point
    assert hitting_rolls(1 << 25, 1, 1 << 22, 0) == 14
    # two on the bar: both dice are needed to enter, so no third checker hits
    assert hitting_rolls(1 << 25 | 1 << 10, 2, 1 << 4, 0) == 0
    assert hitting_rolls(1 << 25 | 1 << 10, 1, 1 << 4, 0) > 0


def test_escapes():
    assert ESCAPES[0] == 36
    assert ESCAPES[0b111111] == 0  # nobody passes a full prime
    assert ESCAPES[0b011111] == 11  # from the edge of five points: any six


def test_mirrored():
    assert mirrored(1 << 25 | 1 << 6) == 1 | 1 << 19
