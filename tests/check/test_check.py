"""Deliberately wrong little games, at least one for every kind of fault, and the shortest moves that show each."""

import json
import math
import random
import re

import numpy as np
import pytest

from tests.check.wrong_games import PlainStones, actions, apply, player, start, stones, utility
from zermelo import CHANCE, OVER, Game, GameError, load, rules
from zermelo.check import KINDS, check_game
from zermelo.check import states as check_states

FAST = {"games": 20, "seconds": 10}


def faults_of(game, **options):
    return check_game(game, **{**FAST, **options}).faults


def only(game, **options):
    """The one fault of a game."""
    faults = faults_of(game, **options)
    assert len(faults) == 1, "\n".join(map(str, faults))
    assert faults[0].kind in KINDS
    return faults[0]


def line(function):
    return function.__code__.co_firstlineno


# -- right games -------------------------------------------------------------------------------------------------------


@pytest.mark.jit
def test_right_rules_have_no_fault():
    report = check_game(stones(compiled=True), **FAST)
    assert report.ok
    assert report.is_complete
    assert report.is_compiled
    assert report.states == 10  # (stones, turn), but 5 stones stand only before player 0, and 4 only before player 1
    assert report.games == 20
    assert "no fault" in str(report)


def test_a_right_plain_game_has_no_fault():
    report = check_game(PlainStones(), **FAST)
    assert report.ok
    assert not report.is_compiled
    assert report.states == 10


def test_a_game_that_comes_with_the_package_has_no_fault():
    report = check_game(load("tic-tac-toe", compiled=False), games=3, positions=60)
    assert report.ok
    assert not report.is_complete


def test_the_report_is_plain_data():
    report = check_game(stones(utility=lambda s, out: out.fill(1.0)), **FAST)
    told = json.loads(json.dumps(report.as_dict()))
    assert told["ok"] is False
    assert told["faults"][0]["kind"] == "zero-sum"
    assert told["faults"][0]["moves"] == ["1", "2", "2"]


def test_the_same_seed_tells_the_same():
    game = stones(utility=lambda s, out: out.fill(1.0))
    assert faults_of(game, seed=3, positions=1) == faults_of(game, seed=3, positions=1)


@pytest.mark.parametrize("wrong", [{"games": -1}, {"positions": 0}, {"longest": 0}, {"seconds": 0}])
def test_wrong_limits_are_refused(wrong):
    with pytest.raises(GameError):
        check_game(PlainStones(), **wrong)


# -- exceptions --------------------------------------------------------------------------------------------------------


def test_an_exception_in_apply_is_told_with_line_and_shortest_moves():
    def apply(s, action):
        s.cells[s.stones] = 1
        s.stones -= action
        s.turn = 1 - s.turn

    def start(s):
        s.stones = 9

    fault = only(stones(state={"cells": ("i1", (9,))}, apply=apply, start=start))
    assert (fault.kind, fault.where, fault.moves, fault.is_shortest) == ("raises", "apply", ("1",), True)
    assert fault.sentence.startswith(f"apply, line {line(apply) + 1} of test_check.py: IndexError")


def test_the_shortest_way_to_a_fault_further_on():
    def apply(s, action):
        if s.stones == 2:
            raise ValueError("no")
        s.stones -= action
        s.turn = 1 - s.turn

    fault = only(stones(apply=apply))
    assert fault.moves == ("1", "2", "1")
    assert fault.is_shortest
    assert fault.position == "stones=2 turn=0"


def test_writing_past_the_end_of_out_is_an_exception_not_a_crash():
    fault = only(stones(compiled=True, declared={"max_actions": 1}))
    assert (fault.kind, fault.where, fault.moves) == ("raises", "actions", ())
    assert "IndexError" in fault.sentence
    assert f"line {line(actions) + 3} of wrong_games.py" in fault.sentence


def test_a_value_that_does_not_fit_its_field():
    def apply(s, action):
        s.stones -= action
        s.points += 60 * action

    fault = only(stones(state={"points": "i1"}, apply=apply))
    assert (fault.kind, fault.where, fault.moves) == ("raises", "apply", ("1", "2"))
    assert "OverflowError" in fault.sentence


def test_an_exception_in_start():
    def start(s):
        s.stones = 1 // 0

    fault = only(stones(start=start))
    assert (fault.where, fault.moves) == ("start", ())
    assert "ZeroDivisionError" in fault.sentence


def test_rules_that_loop_for_ever(monkeypatch):
    monkeypatch.setattr(check_states, "PATIENCE", 0.2)

    def actions(s, out):
        while s.stones == 4:
            pass
        out[0] = 1
        return 1

    fault = only(stones(actions=actions))
    assert (fault.kind, fault.where, fault.moves) == ("loops", "actions", ("1",))
    assert f"line {line(actions) + 1}" in fault.sentence or f"line {line(actions) + 2}" in fault.sentence


# -- compiled and interpreted ------------------------------------------------------------------------------------------


def half(n):
    """A plain function, which compiled rules cannot call."""
    return n / 2


@pytest.mark.jit
def test_rules_that_do_not_compile():
    def evaluate(s):
        return half(s.stones)

    report = check_game(stones(compiled=True, evaluate=evaluate), **FAST)
    assert not report.is_compiled
    assert report.games == 20  # the interpreted rules are checked all the same
    (fault,) = report.faults
    assert (fault.kind, fault.moves) == ("compile", ())
    assert f"evaluate, line {line(evaluate) + 1} of test_check.py" in fault.sentence


@pytest.mark.jit
def test_apply_that_differs_when_compiled():
    def apply(s, action):
        wide = (5 - s.stones) * 4611686018427387904  # 2 · 2^62 fits a Python integer, and not 64 bits
        s.last = 1 if wide >= 0 else 2
        s.stones -= action
        s.turn = 1 - s.turn

    fault = only(stones(compiled=True, state={"last": "i1"}, apply=apply))
    assert (fault.kind, fault.where, fault.moves) == ("compiled", "apply", ("2", "1"))
    assert "last: 1 and 2" in fault.sentence


@pytest.mark.jit
def test_what_is_asked_that_differs_when_compiled():
    def evaluate(s):
        return 1.0 if (5 - s.stones) * 4611686018427387904 >= 0 else 0.0

    def key(s):
        return (np.uint64(s.stones) << np.uint64(1)) | np.uint64(s.turn)

    fault = only(stones(compiled=True, evaluate=evaluate, key=key))
    assert (fault.kind, fault.where, fault.moves) == ("compiled", "evaluate", ("2",))
    assert "[1.0] when interpreted and [0.0] when compiled" in fault.sentence


# -- numbers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("says", "words"), [(2, "player says 2; there are 0 to 1"), (None, "not a whole number")])
def test_a_player_out_of_range(says, words):
    fault = only(stones(player=lambda s: says if s.stones == 3 else player(s)))
    assert (fault.kind, fault.where, fault.moves) == ("player", "player", ("2",))
    assert words in fault.sentence


def test_more_actions_than_declared():
    fault = only(stones(actions=lambda s, out: 3))
    assert (fault.kind, fault.where) == ("count", "actions")
    assert fault.sentence == "actions says it wrote 3, but max_actions is 2"


def test_fewer_actions_written_than_said():
    def actions(s, out):
        out[0] = 1
        return 2

    assert only(stones(actions=actions)).sentence == "actions says it wrote 2, but did not write out[1]"


def test_actions_that_returns_nothing():
    assert "must return how many it wrote, not Cells([" in only(stones(actions=lambda s, out: out)).sentence
    assert "must return how many it wrote, not None" in only(stones(actions=lambda s, out: None)).sentence


def test_an_action_listed_twice():
    def actions(s, out):
        out[0] = out[1] = 1
        return 2

    assert only(stones(actions=actions)).sentence == "actions lists 1 twice"


def test_a_player_without_an_action():
    game = stones(actions=lambda s, out: 0 if s.stones == 3 else actions(s, out))
    fault = only(game)
    assert (fault.kind, fault.moves) == ("stuck", ("2",))
    assert "stuck_ends" in fault.sentence
    assert check_game(stones(actions=game.variant.functions["actions"], declared={"stuck_ends": True}), **FAST).ok


def test_payoffs_that_are_not_zero_sum():
    fault = only(stones(utility=lambda s, out: out.fill(1.0)))
    assert (fault.kind, fault.moves, fault.is_shortest) == ("zero-sum", ("1", "2", "2"), True)
    assert "(1, 1) sum to 2" in fault.sentence
    assert check_game(stones(utility=lambda s, out: out.fill(1.0), declared={"zero_sum": False}), **FAST).ok


def test_payoffs_that_are_not_finite():
    fault = only(stones(utility=lambda s, out: out.fill(math.inf)))
    assert (fault.kind, fault.moves) == ("utility", ("1", "2", "2"))


def test_a_payoff_that_is_not_written():
    def utility(s, out):
        out[0] = 0.0

    fault = only(stones(utility=utility))
    assert (fault.kind, fault.moves) == ("utility", ("1", "2", "2"))
    assert fault.sentence == "utility does not write the payoff of player 1"


def test_an_estimate_that_is_not_finite():
    fault = only(stones(evaluate=lambda s: math.nan if s.stones == 3 else 0.0))
    assert (fault.kind, fault.moves) == ("evaluate", ("2",))


def known_result(s, out):
    """The last stone is taken next."""
    out[0], out[1] = 1 - 2 * s.turn, 1
    return s.stones == 1


def null_move(s):
    if s.stones < 3:
        return False
    s.turn = 1 - s.turn
    return True


RIGHT_HOOKS = {
    "search_key": lambda s: s.stones * 2 + s.turn,
    "move_score": lambda s, action: float(action),
    "threatened": lambda s: s.stones < 3,
    "null_move": null_move,
    "known_result": known_result,
}


@pytest.mark.jit
def test_right_hooks_have_no_fault():
    report = check_game(stones(compiled=True, declared={"utility_range": (-1, 1)}, **RIGHT_HOOKS), **FAST)
    assert report.ok, str(report)
    assert report.is_compiled


def turns_back(s):
    return s.stones >= 3


def changes(s):
    s.stones -= 1
    return False


def too_much(s, out):
    out[0], out[1] = 2.0, 1
    return s.stones == 1


def half_a_ply(s, out):
    out[0], out[1] = 1.0, 0.5
    return s.stones == 1


@pytest.mark.parametrize(
    ("functions", "kind", "moves"),
    [
        ({"evaluate": lambda s: 1.5 if s.stones == 3 else 0.0}, "utility_range", 1),
        ({"utility": lambda s, out: out.__setitem__(slice(None), [3.0, -3.0])}, "utility_range", 3),
        ({"move_score": lambda s, action: math.inf if s.stones == 4 else 0.0}, "move_score", 1),
        ({"move_score": lambda s, action: s.__setattr__("stones", 4) or 0.0}, "changes", 0),
        ({"null_move": turns_back}, "null_move", 0),
        ({"null_move": changes}, "null_move", 0),
        ({"known_result": too_much}, "utility_range", 2),
        ({"known_result": half_a_ply}, "known_result", 2),
    ],
)
def test_wrong_hooks_are_found(functions, kind, moves):
    found = faults_of(stones(declared={"utility_range": (-1, 1)}, **functions))
    assert (found[0].kind, len(found[0].moves)) == (kind, moves), "\n".join(map(str, found))


@pytest.mark.jit
def test_hooks_that_differ_when_compiled_are_found():
    """Narrow numbers wrap around in NumPy, and become wide ones when compiled."""

    def move_score(s, action):
        return np.int8(100) * np.int8(s.stones) + 0.0

    found = faults_of(stones(compiled=True, move_score=move_score))
    assert found
    assert {fault.where for fault in found} == {"move_score"}


def test_noisy_actions_must_be_legal():
    def noisy(s, out):
        out[0] = 2
        return 1

    fault = only(stones(noisy=noisy))
    assert (fault.kind, fault.moves, fault.position) == ("noisy", ("2", "2"), "stones=1 turn=0")


# -- turns, fractions, rules that throw dice of their own --------------------------------------------------------------


def test_a_turn_that_never_changes():
    fault = only(stones(apply=lambda s, a: setattr(s, "stones", s.stones - a)))
    assert (fault.kind, fault.where, fault.moves) == ("idle", "apply", ("1",))
    assert "player 1 never had the turn" in fault.sentence


def test_nobody_is_idle_who_need_not_move():
    """One move, and then nature's: player 1 has no turn, but nobody moves twice either."""
    assert check_game(dice(throw(1, 2, 0.5, 0.5)), **FAST).ok
    assert check_game(load("tree", text="[1, 2, 3]"), **FAST).ok


@pytest.mark.parametrize("field", ["points", "cells", "wide"])
def test_a_fraction_in_a_whole_field(field):
    def apply(s, action):
        if field == "cells":
            s.cells[0] = s.stones / 2
        else:
            setattr(s, field, s.stones / 2)
        s.stones -= action
        s.turn = 1 - s.turn

    def start(s):
        s.stones = 4

    fault = only(stones(state={"points": "i1", "cells": ("i1", (2,)), "wide": "u8"}, apply=apply, start=start))
    assert (fault.kind, fault.where, fault.moves) == ("raises", "apply", ("1", "1"))  # 4 / 2 is a whole number
    assert "1.5 is not a whole number" in fault.sentence


def test_a_fraction_among_the_actions():
    def actions(s, out):
        out[0] = s.stones / 2
        return 1

    assert "2.5 is not a whole number" in only(stones(actions=actions)).sentence


def random_apply(s, action):
    s.stones -= action if RANDOM.random() < 0.8 or s.stones < 2 else 1
    s.turn = 1 - s.turn


RANDOM = random.Random(1)


@pytest.mark.parametrize("seed", range(5))
def test_dice_thrown_by_apply(seed):
    """However little of the game can be relied on, the report is made."""
    faults = faults_of(stones(apply=random_apply, start=lambda s: setattr(s, "stones", 40)), seed=seed, positions=5)
    assert ("hash", "apply") in {(fault.kind, fault.where) for fault in faults}
    assert any("chance belongs into chances" in fault.sentence for fault in faults)


@pytest.mark.parametrize(
    "functions",
    [
        {"evaluate": lambda s: RANDOM.random()},
        {"utility": lambda s, out: out.__setitem__(slice(None), RANDOM.random())},
        {"player": lambda s: OVER if s.stones <= 0 else RANDOM.randrange(2)},
        {"actions": lambda s, out: out.__setitem__(0, RANDOM.randrange(9)) or 1},
    ],
)
def test_rules_that_do_not_say_the_same_twice(functions):
    assert ("unsteady", *functions) in {(fault.kind, fault.where) for fault in faults_of(stones(**functions))}


# -- chance ------------------------------------------------------------------------------------------------------------


def dice(chances, **declared):
    """Each turn nature throws for player 0, until 5 are used up."""
    return stones(
        player=lambda s: OVER if s.stones <= 0 else CHANCE,
        chances=chances,
        declared={"max_chance_outcomes": 2, **declared},
    )


def throw(first, second, p, q, when=lambda s: True):
    def chances(s, out, probability):
        right = not when(s)
        out[0], out[1] = (1, 2) if right else (first, second)
        probability[0], probability[1] = (0.5, 0.5) if right else (p, q)
        return 2

    return chances


def test_right_chances():
    assert check_game(dice(throw(1, 2, 0.25, 0.75)), **FAST).ok


@pytest.mark.parametrize(
    ("chances", "words"),
    [
        (throw(1, 2, 0.5, 0.4, lambda s: s.stones == 3), "sum to 0.9, not to 1"),
        (throw(1, 2, 1.5, -0.5, lambda s: s.stones == 3), "outcome 2 a probability of -0.5"),
        (throw(1, 1, 0.5, 0.5, lambda s: s.stones == 3), "chances lists 1 twice"),
        (throw(1, 2, 1.0, 0.0, lambda s: s.stones == 3), "outcome 2 a probability of 0.0; what cannot happen"),
        (throw(1, 2, math.nan, 0.5, lambda s: s.stones == 3), "probability of nan"),
    ],
)
def test_wrong_chances(chances, words):
    fault = only(dice(chances))
    assert (fault.where, fault.moves, fault.is_shortest) == ("chances", ("2",), True)
    assert words in fault.sentence


def test_chances_that_lists_nothing():
    assert "no outcome at all" in only(dice(lambda s, out, probability: 0)).sentence


def test_a_probability_that_is_not_written():
    def chances(s, out, probability):
        out[0], probability[0] = 1, 1.0
        out[1] = 2
        return 2

    assert "did not write probability[1]" in only(dice(chances)).sentence


def test_chance_without_chances():
    game = stones(player=lambda s: OVER if s.stones <= 0 else CHANCE)
    assert "no function chances" in only(game).sentence


# -- states are values -------------------------------------------------------------------------------------------------


def key(s):
    return 7 * s.stones + s.turn


@pytest.mark.parametrize("name", ["player", "actions", "utility", "evaluate", "key"])
def test_asking_must_not_change_the_state(name):
    right = {"player": player, "actions": actions, "utility": utility, "evaluate": lambda s: 0.0, "key": key}
    ask = right[name]

    def changing(s):
        answer = ask(s)
        s.seen = 1
        return answer

    def changing_out(s, out):
        answer = ask(s, out)
        s.seen = 1
        return answer

    changing = changing_out if name in ("actions", "utility") else changing
    fault = only(stones(state={"seen": "i1"}, **{name: changing}))
    assert (fault.kind, fault.where) == ("changes", name)
    assert fault.moves == (("1", "2", "2") if name == "utility" else ())
    assert "seen: 0 and 1" in fault.sentence


def test_a_key_that_is_not_a_function_of_the_state():
    count = iter(range(10**9))
    fault = only(stones(key=lambda s: next(count)))
    assert (fault.kind, fault.where) == ("hash", "key")


def test_one_key_for_two_positions():
    fault = only(stones(key=lambda s: 7 if s.stones in (4, 5) else s.stones * 2 + s.turn + 50))
    assert (fault.kind, fault.moves) == ("key", ("1",))
    assert "the same number to stones=5 turn=0, which differs from this in whose turn it is" in fault.sentence


def test_states_that_cannot_be_hashed():
    class Wrong(PlainStones):
        def succ(self, s, a):
            return [s[0] - a, 1 - s[1]]

    fault = only(Wrong())
    assert (fault.kind, fault.where, fault.moves) == ("hash", "succ", ("1",))


def test_states_that_are_only_equal_to_themselves():
    class Position:
        def __init__(self, left):
            self.left = left

    class Wrong(PlainStones):
        def start(self):
            return Position(5)

        def player(self, s):
            return OVER if s.left == 0 else s.left % 2

        def actions(self, s):
            return [1] if s.left else []

        def succ(self, s, a):
            return Position(s.left - a)

        def utility(self, s, player=0):
            return 0.0

    fault = only(Wrong())
    assert (fault.kind, fault.where, fault.moves) == ("hash", "succ", ("1",))


def test_a_plain_game_that_changes_its_states():
    class Bag:
        def __init__(self, left):
            self.left = left

        def __eq__(self, other):
            return self.left == other.left

        def __hash__(self):
            return 1

    class Wrong(PlainStones):
        def start(self):
            return Bag(5)

        def player(self, s):
            return OVER if s.left == 0 else s.left % 2

        def actions(self, s):
            return [1] if s.left else []

        def succ(self, s, a):
            s.left -= a
            return s

        def utility(self, s, player=0):
            return 0.0

    fault = only(Wrong())
    assert (fault.kind, fault.where, fault.moves) == ("changes", "succ", ("1",))


# -- the end -----------------------------------------------------------------------------------------------------------


def test_a_finished_state_offers_no_actions():
    class Wrong(PlainStones):
        def actions(self, s):
            return [1, 2] if s[0] != 1 else [1]

    fault = only(Wrong())
    assert (fault.kind, fault.where, fault.moves) == ("end", "actions", ("1", "2", "2"))


def test_is_end_and_player_must_agree():
    class Wrong(PlainStones):
        def is_end(self, s):
            return s[0] == 3

    fault = next(f for f in faults_of(Wrong()) if f.moves == ("2",))
    assert (fault.kind, fault.where) == ("end", "is_end")


def test_a_plain_player_without_an_action():
    class Wrong(PlainStones):
        def actions(self, s):
            return [] if s[0] == 3 else super().actions(s)

    fault = only(Wrong())
    assert (fault.kind, fault.moves) == ("stuck", ("2",))


def test_plain_outcomes_must_be_the_actions():
    class Wrong(PlainStones):
        def player(self, s):
            return OVER if s[0] == 0 else CHANCE

        def chances(self, s):
            return [(1, 1.0)]

    fault = only(Wrong())
    assert (fault.kind, fault.where, fault.moves) == ("chances", "actions", ())


def there_and_back(hooks=None, **declared):
    """A token on three cells that goes left or right for ever."""

    def actions(s, out):
        n = 0
        for step in (-1, 1):
            if 0 <= s.at + step <= 2:
                out[n] = step
                n += 1
        return n

    def apply(s, step):
        s.at += step

    body = {
        "state": {"at": "i1"},
        "start": lambda s: None,
        "player": lambda s: 0,
        "actions": actions,
        "apply": apply,
        "utility": utility,
        **(hooks or {}),
    }
    declared = {"players": 1, "zero_sum": False, "max_actions": 2, **declared}
    return rules(name="there-and-back", **declared)(type("Back", (), body))(compiled=False)


def test_games_without_an_end():
    fault = only(there_and_back(), longest=100)
    assert (fault.kind, fault.moves) == ("endless", ("1", "-1"))
    assert "the position after 0 plies stands again after 2" in fault.sentence


def count_on(s, action):
    s.count += 1
    s.turn = 1 - s.turn


def test_games_without_an_end_in_which_no_position_returns():
    fault = only(stones(state={"count": "i8"}, apply=count_on), longest=50, positions=50)
    assert fault.kind == "endless"
    assert len(fault.moves) == 50
    assert "no position came back" in fault.sentence
    assert str(fault).count(" 1") + str(fault).count(" 2") < 60  # any moves would do: these need not all be read


@pytest.mark.parametrize("repetition", ["draw", "loss"])
def test_repetition_ends_what_would_not_end(repetition):
    assert check_game(there_and_back(repetition=repetition, repetitions=3), longest=100, **FAST).ok


def test_forbidden_repetition_must_leave_a_move():
    fault = only(there_and_back(repetition="forbidden"), longest=100)
    assert (fault.kind, fault.where, fault.moves) == ("stuck", "repetition", ("1", "1"))


def test_a_position_that_comes_back_across_an_irreversible_move():
    declared = {"repetition": "draw", "repetitions": 3}
    fault = only(there_and_back({"reversible_plies": lambda s: 1}, **declared), longest=100)
    assert (fault.kind, fault.where, fault.moves) == ("reversible_plies", "reversible_plies", ("1", "-1"))
    assert "says 1, but the same position stood 2 plies before" in fault.sentence
    assert check_game(there_and_back({"reversible_plies": lambda s: 100}, **declared), longest=100, **FAST).ok
    fault = only(there_and_back({"reversible_plies": lambda s: -1}, **declared), longest=100)
    assert "not 0 plies or more" in fault.sentence


def test_the_side_to_move_is_the_player_until_the_end():
    assert check_game(stones(side_to_move=lambda s: s.turn), **FAST).ok
    fault = only(stones(side_to_move=lambda s: 1 - s.turn))
    assert (fault.kind, fault.moves) == ("side_to_move", ())
    assert "side_to_move says 1, where player says 0" in fault.sentence


def test_an_estimate_for_every_player_is_a_number_within_the_range():
    def infinite(s, out):
        out[0] = out[1] = float("inf")

    def beyond(s, out):
        out[0], out[1] = 2.0, -2.0

    def greedy(s, out):
        out[0] = out[1] = 0.5 if s.stones == 3 else 0.0

    assert only(stones(evaluate_players=infinite)).kind == "evaluate_players"
    fault = only(stones(evaluate_players=greedy))
    assert (fault.kind, fault.moves) == ("evaluate_players", ("2",))
    assert "the estimates (0.5, 0.5) sum to 1, not to 0" in fault.sentence
    assert check_game(stones(evaluate_players=greedy, utility=greedy, declared={"zero_sum": False}), **FAST).ok
    assert "writes nothing for player 0" in only(stones(evaluate_players=lambda s, out: None)).sentence
    fault = only(stones(evaluate_players=beyond, declared={"utility_range": (-1, 1)}))
    assert (fault.kind, fault.where) == ("utility_range", "evaluate_players")


def test_longer_than_declared():
    fault = only(stones(declared={"max_plies": 4}))
    assert (fault.kind, fault.moves, fault.is_shortest) == ("length", ("1", "1", "1", "1"), True)
    assert check_game(stones(declared={"max_plies": 5}), **FAST).ok


# -- for people --------------------------------------------------------------------------------------------------------


def test_positions_must_be_read_back():
    def parse(s, text):
        s.stones = int(text)

    fault = only(stones(format=lambda s: str(s.stones), parse=parse))
    assert (fault.kind, fault.where, fault.moves) == ("format", "parse", ("1",))
    assert "parse reads '4'" in fault.sentence


def test_format_without_parse():
    assert "no parse" in only(stones(format=lambda s: str(s.stones))).sentence


def test_format_is_one_line():
    assert "one line" in only(stones(format=lambda s: "a\nb", parse=lambda s, text: None)).sentence


def test_parse_that_raises():
    def parse(s, text):
        raise GameError("unheard of")

    fault = only(stones(format=lambda s: "x", parse=parse))
    assert (fault.kind, fault.where) == ("format", "parse")
    assert f"line {line(parse) + 1}" in fault.sentence
    assert "unheard of" in fault.sentence


def test_validate_must_not_object_to_play():
    faults = faults_of(stones(validate=lambda s: "few" if s.stones == 3 else None))
    assert {f.kind for f in faults} == {"validate", "format"}  # parse objects as well
    assert all(f.moves == ("2",) for f in faults)


def test_two_moves_with_one_text():
    fault = only(stones(format_action=lambda s, a: "take"))
    assert (fault.kind, fault.where) == ("moves", "format_action")
    assert fault.sentence == "format_action writes both 1 and 2 as 'take'"


def test_moves_must_be_read_back():
    fault = only(stones(parse_action=lambda s, text: 1))
    assert (fault.kind, fault.where) == ("moves", "parse_action")
    assert "reads '2', which means 2, as 1" in fault.sentence


def test_a_move_without_a_text():
    assert "''" in only(stones(format_action=lambda s, a: "" if a == 2 else "1")).sentence


@pytest.mark.parametrize(
    ("where", "wrong"),
    [
        ("svg", lambda s, marks: "<svg><g></svg>" if s.stones == 3 else "<svg/>"),
        ("svg", lambda s, marks: "<html/>" if s.stones == 3 else None),
        ("svg", lambda s, marks: 7 if s.stones == 3 else None),
        ("text", lambda s: 7 if s.stones == 3 else "text"),
        ("clicks", lambda s, a: (7,) if s.stones == 3 else (f"a{a}",)),
        ("clicks", lambda s, a: ("a1",) if s.stones == 3 else (f"a{a}",)),
    ],
)
def test_wrong_drawings(where, wrong):
    fault = only(stones(**{where: wrong}))
    assert (fault.kind, fault.where, fault.moves, fault.is_shortest) == ("drawing", where, ("2",), True)


def test_a_known_result_is_played_out():
    def wrong(s, out):
        out[0], out[1] = 2 * s.turn - 1, 1
        return s.stones == 1

    fault = only(stones(known_result=wrong))
    assert (fault.kind, fault.moves) == ("known_result", ("2", "2"))
    assert "says -1, but playing it out gives 1 to player 0" in fault.sentence


def test_one_key_for_positions_that_part_after_a_move():
    """The key forgets what was collected until the end: nothing shows it but what follows."""

    def collect(s, action):
        apply(s, action)
        s.bonus = (2 * s.bonus + action) % 3

    fault = only(
        stones(
            state={"bonus": "i1"},
            apply=collect,
            utility=lambda s, out: out.__setitem__(slice(None), [s.bonus, -s.bonus]),
            key=lambda s: s.stones * 2 + s.turn + 50 * (s.bonus if s.stones == 0 else 0),
            start=lambda s: setattr(s, "stones", 6),
        )
    )
    assert (fault.kind, fault.where) == ("key", "key")


# -- far from the start ------------------------------------------------------------------------------------------------


class Keys(Game):
    """Ten keys to press, twenty times. Pressing 7 after 3 is a mistake of the rules."""

    name = "keys"
    players = 1
    zero_sum = False

    def start(self):
        return ""

    def player(self, s):
        return OVER if len(s) == 20 else 0

    def actions(self, s):
        return [] if len(s) == 20 else list("0123456789")

    def succ(self, s, a):
        return s + a

    def utility(self, s, player=0):
        return 1.0

    def text(self, s):
        return s

    def evaluate(self, s):
        return math.nan if "3" in s and "7" in s[s.index("3") :] else 0.0


def test_the_moves_of_a_random_game_are_shrunk():
    fault = only(Keys(), positions=10)
    assert fault.moves == ("3", "7")
    assert fault.is_shortest  # all of one ply were looked at


@pytest.mark.timed
def test_what_was_only_found_is_not_called_the_shortest():
    class Far(Keys):
        def evaluate(self, s):
            return math.nan if "3" in s and "7" in s[s.index("3") :] and s.count("5") > 1 else 0.0

    fault = only(Far(), positions=5, seconds=3, games=40)
    assert sorted(fault.moves) == ["3", "5", "5", "7"]
    assert not fault.is_shortest
    assert "the shortest way found" in str(fault)


def test_counter_examples_are_printed_whole():
    report = check_game(stones(start=lambda s: setattr(s, "stones", 100), declared={"max_plies": 60}), **FAST)
    (fault,) = report.faults
    assert len(re.findall(r" [12](?!\d)", str(fault))) >= 60
    assert "…" not in str(fault)
    assert all(len(line) <= 120 for line in str(fault).splitlines())


@rules(name="long-way")
def long_way(goal=50):
    class LongWay:
        max_actions = 2
        state = {"at": "i2", "turn": "i1"}

        def start(s):
            pass

        def player(s):
            return OVER if s.at >= goal else s.turn

        def actions(s, out):
            out[0], out[1] = 1, 2
            return 2

        def apply(s, step):
            s.at += step
            s.turn = 1 - s.turn

        def utility(s, out):
            out[0] = out[1] = 1

    return LongWay


def test_a_fault_at_the_end_of_a_long_game_is_shown_in_a_smaller_one():
    fault = only(long_way(compiled=False), positions=20)
    assert (fault.kind, fault.options, fault.moves) == ("zero-sum", {"goal": 1}, ("1",))
    assert "with -o goal=1, after 1 move" in str(fault)


@pytest.mark.timed
def test_a_long_game_is_shortened_by_playing_it_better():
    class Far(Keys):
        name = "far"

        def player(self, s):
            return OVER if s.count("9") == 3 or len(s) == 200 else 0

        def actions(self, s):
            return [] if self.player(s) == OVER else list("0123456789")

        def utility(self, s, player=0):
            return math.nan if s.count("9") == 3 else 1.0

        def evaluate(self, s):
            return 0.0

    fault = only(Far(), positions=5, games=5, seconds=6)
    assert fault.moves == ("9", "9", "9")


@pytest.mark.timed
def test_the_clock_is_kept():
    report = check_game(load("tic-tac-toe", compiled=False), games=10**6, seconds=0.5)
    assert report.seconds < 3
    assert report.ok


def test_progress_is_told():
    told = []
    check_game(PlainStones(), games=2, tell=told.append)
    assert any("random games" in text for text in told)


def test_apply_and_start_are_the_right_ones():
    assert stones().variant.functions["apply"] is apply
    assert stones().variant.functions["start"] is start
