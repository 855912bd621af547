"""Endings numbered wrongly: `check` finds it. And rightly: it finds nothing."""

import pytest

from tests.check.wrong_games import apply, stones
from zermelo import RulesError
from zermelo.check import check_game, states
from zermelo.compile.endings import Ending

FAST = {"games": 10, "seconds": 8}


def ending(s):
    """Up to two stones, and more: two classes, as whoever moves sees them."""
    return 0 if s.stones <= 2 else 1


def rank(s):
    return s.stones if s.stones <= 2 else s.stones - 3


def unrank(s, ending, rank):
    s.stones = rank + 3 * ending
    return True


def endings(limit):
    return [[Ending(0, "few stones", 3, 1)], [Ending(1, "many stones", 3, 2)]][:limit]


NUMBERED = {"ending": ending, "rank": rank, "unrank": unrank, "endings": endings}


def numbered(compiled=False, **functions):
    return stones(compiled, **{**NUMBERED, **functions})


@pytest.mark.jit
def test_right_numbers_have_no_fault():
    report = check_game(numbered(compiled=True), **FAST)
    assert report.ok, str(report)
    assert report.is_compiled


def test_they_go_together():
    for left_out in NUMBERED:
        with pytest.raises(RulesError, match=r"ending\(s\), rank\(s\), unrank\(s, ending, rank\) and endings\(limit\)"):
            stones(**{name: function for name, function in NUMBERED.items() if name != left_out})


def one_off(s):
    return rank(s) + 1


def always_none(s):
    return 0


def upwards(limit):
    return [[Ending(1, "many stones", 3, 1)], [Ending(0, "few stones", 3, 2)]][:limit]


def only_one_listed(limit):
    return [[Ending(1, "many stones", 3, 1)]][:limit]


def too_small(limit):
    return [[Ending(0, "few stones", 2, 1)], [Ending(1, "many stones", 3, 2)]][:limit]


def later_than_told(limit):
    return endings(1 if limit == 2 else limit)


def listed_twice(limit):
    return [[Ending(0, "few stones", 3, 1)], [Ending(0, "many stones", 3, 2)]][:limit]


def nothing(limit):
    return []


def all_but_some(s):
    return -1 if s.stones == 1 else ending(s)


def never(s, ending, rank):
    return False


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"rank": one_off}, "number 0 of class 0 (stones=0 turn=0) is 1 of 0"),
        ({"rank": always_none}, "is 0 of 0"),
        ({"endings": upwards}, "leads to class 0, which is not in a group before it or in its own"),
        ({"endings": only_one_listed}, "leads to class 0, which is not in a group before"),
        ({"endings": too_small}, "leads to number 2 of a class that has no so many"),
        ({"endings": later_than_told}, "endings(2) is not the part of endings(4) up to 2"),
        ({"endings": listed_twice}, "numbers are from 0 up and listed once"),
        ({"endings": nothing}, "lists nothing for any limit below 64"),
        ({"ending": all_but_some}, "(stones=1 turn=0) is 0 of -1"),
        ({"unrank": never}, "unrank says that no position has"),
    ],
)
def test_wrong_numbers_are_found(wrong, sentence):
    faults = check_game(numbered(**wrong), **FAST).faults
    assert any(sentence in fault.sentence for fault in faults if fault.kind == "endings"), "\n".join(map(str, faults))


def loses_the_turn(s, action):
    """Whoever takes one moves again: the numbers, which leave out who moves, no longer say where one can come to."""
    apply(s, action)
    if action == 1 and s.turn == 1 and s.stones == 3:
        s.stones = 1


def test_one_number_for_two_positions_is_found():
    faults = check_game(numbered(apply=loses_the_turn), **FAST).faults
    assert any("has the number of stones=" in fault.sentence for fault in faults), "\n".join(map(str, faults))


def pays_half(s, out):
    out[s.turn] = -0.5
    out[1 - s.turn] = 0.5


def test_payoffs_that_a_table_cannot_say_are_declared():
    declared = {"utility_range": (-1, 1)}
    faults = check_game(numbered(utility=pays_half, declared=declared), **FAST).faults
    assert any("tables of endings say won, drawn or lost" in fault.sentence for fault in faults)
    declared["utility_values"] = (-0.5, 0.5)
    assert check_game(numbered(utility=pays_half, declared=declared), **FAST).ok


def always_deciding(s):
    """Slow, but it comes back."""
    for _ in range(100_000):
        pass
    return ending(s)


def raises_early(s):
    """Only at what games come to, where `unrank` sets up no more than two stones."""
    if s.stones > 2:
        raise ValueError("not seen before")
    return ending(s)


def only_so_many(s, ending, rank):
    return rank < 3 and unrank(s, ending, rank)


def only_few(s, ending, rank):
    return ending == 0 and unrank(s, ending, rank)


def test_slow_numbers_are_no_endless_loop(monkeypatch):
    monkeypatch.setattr(states, "PATIENCE", 0.5)
    many = {"endings": lambda limit: [[Ending(0, "few stones", 3, 1)], [Ending(1, "many stones", 90, 2)]][:limit]}
    report = check_game(numbered(ending=always_deciding, **many, unrank=only_so_many), **FAST)
    assert not any(fault.kind == "loops" for fault in report.faults), str(report)


def test_what_is_raised_at_the_endings_of_games_is_the_rules_fault():
    faults = check_game(numbered(ending=raises_early, unrank=only_few), **FAST).faults
    assert any(fault.where == "ending" and "not seen before" in fault.sentence for fault in faults), faults
