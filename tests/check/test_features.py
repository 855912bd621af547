"""What rules offer a learner, deliberately wrong: `check` finds it, with the shortest moves that show it."""

import pytest

from tests.check.wrong_games import stones
from zermelo.check import KINDS, check_game

FAST = {"games": 20, "seconds": 10}
LEARNED = {"num_features": 6, "max_active_features": 2, "utility_values": (-1, 1), "policy_size": 2}


def features(s, index, value):
    """How many stones there are, and half of a feature for an odd number of them."""
    index[0], value[0] = s.stones, 1
    if s.stones % 2 == 0:
        return 1
    index[1], value[1] = 0, 0.5
    return 2


def perspective(s):
    return s.turn


def policy_index(s, action):
    return action - 1


RIGHT = {"features": features, "perspective": perspective, "policy_index": policy_index}


def learned(compiled=False, declared=None, **functions):
    return stones(compiled, declared={**LEARNED, **(declared or {})}, **{**RIGHT, **functions})


def only(game):
    faults = check_game(game, **FAST).faults
    assert len(faults) == 1, "\n".join(map(str, faults))
    assert faults[0].kind in KINDS
    return faults[0]


@pytest.mark.jit
def test_right_features_have_no_fault():
    report = check_game(learned(compiled=True), **FAST)
    assert report.ok, str(report)
    assert report.is_compiled


def too_high(s, index, value):
    index[0], value[0] = s.stones + 3, 1
    return 1


def below_zero(s, index, value):
    index[0], value[0] = s.stones - 4, 1
    return 1


def too_many(s, index, value):
    for i in range(s.stones - 2):
        index[i], value[i] = i, 1
    return max(0, s.stones - 2)


def says_too_many(s, index, value):
    return 3 if s.stones == 3 else 0


def no_number(s, index, value):
    index[0], value[0] = 1, float("nan") if s.stones == 4 else 1.0
    return 1


def forgets_the_value(s, index, value):
    index[0] = s.stones
    if s.stones != 4:
        value[0] = 1
    return 1


def forgets_the_number(s, index, value):
    value[0] = 1
    if s.stones != 4:
        index[0] = s.stones
    return 1


def changes(s, index, value):
    s.stones -= 1
    return 0


def says_nothing(s, index, value):
    return None


@pytest.mark.parametrize(
    ("function", "kind", "moves", "words"),
    [
        (too_high, "features", (), "number 8, but num_features says 0 to 5"),
        (below_zero, "features", ("2",), "number -1, but num_features says 0 to 5"),
        (too_many, "raises", (), "IndexError"),
        (says_too_many, "count", ("2",), "says it wrote 3, but max_active_features says at most 2"),
        (no_number, "features", ("1",), "not a finite number"),
        (forgets_the_value, "count", ("1",), "did not write value[0]"),
        (forgets_the_number, "count", ("1",), "did not write index[0]"),
        (changes, "changes", (), "features changes the state"),
        (says_nothing, "count", (), "must return how many it wrote"),
    ],
)
def test_wrong_features(function, kind, moves, words):
    fault = only(learned(features=function))
    assert (fault.kind, fault.where, fault.moves) == (kind, "features", moves)
    assert words in fault.sentence


@pytest.mark.jit
def test_features_that_differ_when_compiled():
    def by_bits(s, index, value):
        index[0] = 0 if (5 - s.stones) * 4611686018427387904 >= 0 else 1  # 2 · 2^62 does not fit 64 bits
        value[0] = 1
        return 1

    fault = only(learned(compiled=True, features=by_bits))
    assert (fault.kind, fault.where, fault.moves) == ("compiled", "features", ("2",))
    assert "[0] when interpreted and [1] when compiled" in fault.sentence


@pytest.mark.parametrize(
    ("function", "kind", "words"),
    [
        (lambda s: 2 if s.stones == 4 else 0, "perspective", "perspective says 2"),
        (lambda s: -1 if s.stones == 4 else 0, "perspective", "perspective says -1"),
        (lambda s: "me" if s.stones == 4 else 0, "count", "perspective must return a player"),
    ],
)
def test_viewers_that_nobody_is(function, kind, words):
    fault = only(learned(perspective=function))
    assert (fault.kind, fault.where, fault.moves) == (kind, "perspective", ("1",))
    assert words in fault.sentence


def test_a_payoff_that_is_no_outcome():
    fault = only(learned(declared={"utility_values": (-1, 0, 2)}))
    assert (fault.kind, fault.where, fault.moves) == ("utility_values", "utility", ("1", "2", "2"))
    assert "utility pays 1, but utility_values lists only -1, 0, 2" in fault.sentence


@pytest.mark.parametrize(
    ("function", "moves", "words"),
    [
        (lambda s, action: action, (), "action 2: policy_index says 2, but policy_size says 0 to 1"),
        (lambda s, action: action - 1 - (1 if s.stones == 3 else 0), ("2",), "policy_index says -1"),
        (lambda s, action: s.turn, (), "gives actions 1 and 2 the same number"),
    ],
)
def test_actions_numbered_wrongly(function, moves, words):
    fault = only(learned(policy_index=function))
    assert (fault.kind, fault.where, fault.moves) == ("policy_size", "policy_index", moves)
    assert words in fault.sentence


def test_policy_size_and_their_numbers_go_together():
    assert "policy_size does not say how many" in only(learned(declared={"policy_size": None})).sentence
    own = {"features": features, "perspective": perspective}
    fault = only(stones(declared=LEARNED, **own))  # actions 1 and 2, and only 0 and 1 are numbers
    assert "action 2: there is no policy_index to number it" in fault.sentence
    assert check_game(stones(declared={**LEARNED, "policy_size": 3}, **own), **FAST).ok
