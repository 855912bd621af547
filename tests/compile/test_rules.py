"""Mistakes in rules: each is one sentence that names the game, the function and, where there is one, the line."""

import re
import textwrap

import pytest

import zermelo
from tests.check.wrong_games import RIGHT, stones
from zermelo import Game, GameError, RulesError, helper, rules
from zermelo.compile.diagnostics.explain import by_numba, diagnose
from zermelo.compile.kernel import OPTIONS, kernel

STATE = {"stones": "i1", "turn": "i1"}


def make(name="wrong", says=None, **body):
    return rules(name=name, **{"max_actions": 2, **(says or {})})(type("Wrong", (), {"state": STATE, **RIGHT, **body}))


def told(*arguments, **named):
    """The sentence a mistake is told in."""
    with pytest.raises(RulesError) as caught:
        make(*arguments, **named)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


# -- told where the rules are written ----------------------------------------------------------------------------------


def test_right_rules_make_a_family_and_a_game():
    family = make(name="right")
    game = family()
    assert isinstance(game, Game)
    assert (game.name, game.players, game.max_actions) == ("right", 2, 2)
    assert repr(family) == "<rules of right>"


def test_a_name_is_made_from_the_class_and_must_be_one():
    assert rules(max_actions=2)(type("TakeTwo", (), {"state": STATE, **RIGHT})).name == "take-two"
    for wrong in ("Take Two", "take_two", "-take", "é"):
        with pytest.raises(RulesError, match="not a game's name"):
            make(name=wrong)


def test_rules_go_on_a_class():
    with pytest.raises(RulesError, match="class"):
        rules(name="x")(7)
    with pytest.raises(RulesError, match="must return a class"):
        rules(name="x")(lambda: 7)()


def test_helper_goes_on_a_function():
    with pytest.raises(RulesError, match="plain function"):
        helper(7)
    with pytest.raises(RulesError, match="plain function"):
        helper(inline=True)(7)


@pytest.mark.jit
def test_a_helper_may_be_copied_into_its_callers():
    @helper(inline=True)
    def both(x):
        return x + 1, x * 2

    @kernel
    def second(x):
        return both(x)[1]

    assert second(21) == second.py_func(21) == 42


def test_a_missing_function():
    sentence = told(apply=None)
    assert sentence.startswith("wrong: the rules lack apply")


def test_an_unknown_function_and_what_was_meant():
    assert "did you mean 'utility'?" in told(utilty=lambda s, out: None)
    assert "put a function of your own outside" in told(flip=lambda s: None)


def test_a_function_of_the_wrong_number_of_parameters():
    def apply(s):
        pass

    sentence = told(apply=apply)
    assert f"apply (line {apply.__code__.co_firstlineno}) takes 2 parameters" in sentence


def test_private_functions_are_let_be():
    assert make(_own=lambda: 7).name == "wrong"


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ({"max_actoins": 3}, "did you mean 'max_actions'?"),
        ({"max_actions": None}, "max_actions must be a whole number of at least 1"),
        ({"max_actions": 0}, "max_actions"),
        ({"players": 0}, "players"),
        ({"players": "two"}, "players"),
        ({"max_plies": 0}, "max_plies"),
        ({"repetition": "win"}, "repetition must be 'draw', 'loss' or 'forbidden'"),
        ({"repetitions": 1}, "repetitions"),
        ({"teams": (0,)}, "teams"),
        ({"teams": (1, 0)}, "teams"),
    ],
)
def test_wrong_declarations(says, words):
    sentence = told(says=says)
    assert sentence.startswith("wrong:")
    assert words in sentence


def test_chances_need_a_number_of_outcomes():
    assert "max_chance_outcomes" in told(chances=lambda s, out, probability: 0)


def test_a_state_is_a_dictionary():
    assert "needs  state =" in told(state=None)


def test_what_a_class_says_goes_before_what_the_decorator_says():
    assert make(players=3, says={"players": 2})().players == 3


# -- variants ----------------------------------------------------------------------------------------------------------


@rules(name="many")
def many(size=3, komi=0.5, kind="plain"):
    if size > 9:
        raise GameError("many: size is at most 9")

    class Many:
        state = {"cells": ("i1", (size,)), "turn": "i1"}
        max_actions = size
        start, player, actions, apply, utility = (
            lambda s: None,
            lambda s: s.turn,
            lambda s, out: 0,
            lambda s, a: None,
            lambda s, out: None,
        )

    return Many


def test_a_variant_is_a_type_of_its_own_and_made_once():
    assert many(size=4).max_actions == 4
    assert many(size=4).variant is many(size=4).variant
    assert many(size=4).variant.dtype != many().variant.dtype
    assert many(size=4).options == {"size": 4, "komi": 0.5, "kind": "plain"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sise": 4}, "many has no option 'sise'; it has: size, komi, kind, cells, turn"),
        ({"size": "four"}, "size must be a whole number, not 'four'"),
        ({"komi": "much"}, "komi must be a number"),
        ({"kind": 3}, "kind must be a word"),
        ({"size": 10}, "at most 9"),
        ({"turn": 300}, "turn cannot be 300"),
    ],
)
def test_wrong_options(options, words):
    with pytest.raises(GameError, match=re.escape(words)):
        many(**options)


def test_a_whole_number_will_do_for_a_number():
    assert many(komi=1).options["komi"] == 1


def test_fields_can_be_set_at_the_start():
    assert many(turn=1).start().turn == 1


def test_a_parameter_needs_a_default():
    with pytest.raises(RulesError, match="parameter 'size' needs a default"):
        rules(name="bare")(lambda size: None)


# -- told when the rules are compiled ----------------------------------------------------------------------------------

FILE = """
import time

import numpy as np

from zermelo import OVER, helper, rules

TABLE = {"a": 1}


def flip(turn):
    return 1 - turn


@helper
def flipped(turn):
    return turn.nothing


@helper
def again(turn):
    return again(turn - 1)


@rules(name="wrong-file", players=2, max_actions=2)
class Wrong:
    state = {"cells": ("i1", (3,)), "turn": "i1"}

    def start(s):
        pass

    def player(s):
        return s.turn

    def actions(s, out):
        out[0] = 1
        return 1

    def apply(s, action):
        BODY

    def utility(s, out):
        out[0] = 0.0
        out[1] = 0.0
"""
LINE = FILE[: FILE.index("BODY")].count("\n") + 1


def sentence_of(tmp_path, body):
    """What somebody is told whose `apply` is this."""
    path = tmp_path / "wrong_file.py"
    path.write_text(FILE.replace("BODY", textwrap.dedent(body).strip().replace("\n", "\n        ")))
    sentence = str(diagnose(zermelo.load(f"{path}:Wrong").variant, by_numba(OPTIONS)))
    assert sentence.startswith("wrong-file: apply")
    assert "\n" not in sentence
    assert len(sentence) < 200
    return sentence


@pytest.mark.jit
@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("s.turm = 1 - s.turn", 0, "the state has no field 'turm'; did you mean 'turn'?"),
        ("s.turn = 1\ns.turn = s.board", 1, "the state has no field 'board'; it has: cells, turn"),
        ("s.turn = 1 - sturn", 0, "the name 'sturn' is not defined"),
        ("s.turn = flip(s.turn)", 0, "'flip' is a plain Python function: put @helper on it"),
        ("s.turn = TABLE['a']", 0, "'TABLE' is a dict"),
        ("x = 1\nif s.turn == 1:\n    x = 'no'\ns.turn = x", 3, "'x' is one kind of value here and another there"),
        ("x = f'{s.turn:>3}'\ns.turn = 1", 0, "text cannot be put together"),
        ("try:\n    s.turn = 1\nexcept ValueError:\n    s.turn = 0", 2, "try … except cannot be compiled"),
        ("with open('x'):\n    s.turn = 1", 0, "with"),
        ("import math\ns.turn = 1", 0, "import stands at the top"),
        ("s.turn = time.time()", 0, "time.time"),
        ("s.turn = [1, 2]", 0, "a list cannot be put into a field"),
        ("s.turn = s.turn + 'a'", 0, "'+' cannot be done with (int8, 'a')"),
        ("s.cells[s.turn / 2] = 1", 0, "'x[i] = y' cannot be done"),
        ("s.turn = np.einsum('i,i', s.cells, s.cells)", 0, "numpy.einsum cannot be compiled"),
    ],
)
def test_mistakes_that_the_compiler_finds(tmp_path, body, line, words):
    sentence = sentence_of(tmp_path, body)
    assert f"apply, line {LINE + line} of wrong_file.py" in sentence
    assert words in sentence


@pytest.mark.jit
@pytest.mark.parametrize(
    ("body", "name", "words"),
    [
        ("s.turn = flipped(s.turn)", "flipped", "has no 'nothing'"),
        ("s.turn = again(s.turn)", "again", "a helper cannot call itself"),
    ],
)
def test_mistakes_in_helpers_are_told_where_they_are(tmp_path, body, name, words):
    line = FILE[: FILE.index(f"def {name}(")].count("\n") + 2
    sentence = sentence_of(tmp_path, body)
    assert f"apply (in {name}), line {line} of wrong_file.py" in sentence
    assert words in sentence


@pytest.mark.jit
def test_a_mistake_is_told_by_whatever_meets_it_first(tmp_path):
    expected = sentence_of(tmp_path, "s.turm = 1")
    game = zermelo.load(f"{tmp_path / 'wrong_file.py'}:Wrong")
    with pytest.raises(RulesError, match=re.escape(expected)):
        game.succ(game.start(), 1)


@pytest.mark.jit
def test_a_helper_called_with_too_much(tmp_path):
    assert "flipped is called with" in sentence_of(tmp_path, "s.turn = flipped(s.turn, 1)")


@pytest.mark.jit
def test_rules_that_return_nothing():
    def actions(s, out):
        if s.stones == 3:
            return 1
        return None

    game = stones(compiled=True, actions=actions)
    with pytest.raises(RulesError, match=r"stones: actions, line \d+ of test_rules.py: it does not return a number"):
        game.actions(game.start())


@pytest.mark.jit
def test_a_misspelt_field_in_a_helper_is_told_with_the_helpers_line(tmp_path):
    source = textwrap.dedent(
        """\
        from zermelo import OVER, helper, rules

        @helper
        def left(s):
            return s.stonez

        @rules(name="far", players=2, max_actions=1)
        class Far:
            state = {"stones": "i1", "turn": "i1"}
            def start(s):
                s.stones = 1
            def player(s):
                return OVER if left(s) == 0 else s.turn
            def actions(s, out):
                out[0] = 1
                return 1
            def apply(s, action):
                s.stones -= action
            def utility(s, out):
                out[0] = 1
                out[1] = -1
        """
    )
    (tmp_path / "far.py").write_text(source)
    game = zermelo.load(str(tmp_path / "far.py") + ":Far")
    with pytest.raises(RulesError) as caught:
        game.player(game.start())
    assert str(caught.value) == "far: player (in left), line 5 of far.py: the state has no field 'stonez'"


@pytest.mark.parametrize("word", ["max_actions", "max_chance_outcomes", "num_features", "policy_size", "players"])
def test_declarations_beyond_all_memory(word):
    with pytest.raises(RulesError, match=f"{word} must be a whole number from [01] to [0-9,]+, not 1000000000000"):
        rules(name="huge", **{"max_actions": 1, word: 10**12})(type("Huge", (), {"state": {"stones": "i1"}, **RIGHT}))


def test_true_is_not_1():
    for options in ({"width": True}, {"height": False}):
        with pytest.raises(GameError, match=r"must be a whole number, not (True|False)"):
            zermelo.load("connect-four", **options)
    with pytest.raises(GameError, match="komi must be a number, not True"):
        zermelo.load("go", size=5, komi=True)
    for field in ({"turn": True}, {"turn": 0.5}, {"turn": "x"}, {"turn": 2**70}):
        with pytest.raises(GameError, match="tic-tac-toe: turn cannot be"):
            zermelo.load("tic-tac-toe", **field)
