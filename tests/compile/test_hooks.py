"""The table of hooks: a hook is one row, validated by @rules, callable interpreted and compiled, documented; a target
is told of everything."""

import inspect

import numpy as np
import pytest

import zermelo
from tests.check.wrong_games import RIGHT
from zermelo import RulesError, rules
from zermelo.check.contract import page
from zermelo.compile import dispatch, hooks, overloads
from zermelo.compile.constants import offers
from zermelo.compile.fingerprint import fingerprint
from zermelo.compile.guards import GUARDS
from zermelo.compile.hooks import HOOKS, Actions, Record, hook
from zermelo.compile.kernel import JIT, kernel
from zermelo.compile.overloads import add_target
from zermelo.compile.record_game import RecordGame
from zermelo.compile.targets.by_type import hook_by_type

STATE = {"stones": "i1", "turn": "i1"}


def game_of(**body):
    return rules(name="stones", max_actions=2)(type("Stones", (), {"state": STATE, **RIGHT, **body}))()


@pytest.fixture
def added(monkeypatch):
    """A row more, for one test."""
    monkeypatch.setattr(hooks, "HOOKS", HOOKS)
    before = dict(HOOKS)

    @hook("search", check="compiled", otherwise="the action, doubled")
    def doubled(s: Record, action: int) -> float:
        """Twice as much as `action`, and what the game adds."""
        return 2.0 * action

    yield doubled
    HOOKS.clear()
    HOOKS.update(before)


def test_adding_a_hook_is_adding_a_row(added):
    @kernel
    def ask(states, action):
        return added(states[0], action)

    def doubled(s, action):
        return 2.0 * action + s.stones

    silent, own = game_of(), game_of(doubled=doubled)
    for game, expected in ((silent, 6.0), (own, 11.0)):
        for run in (game, game.interpreted):
            assert run.run(ask, run.start().record, 3) == expected
    assert (
        "| `doubled(s, action) → float` | Twice as much as `action`, and what the game adds. | the action, doubled |"
        in page()
    )
    assert added.__doc__.startswith("Twice as much")
    assert list(inspect.signature(added).parameters) == ["s", "action"]
    with pytest.raises(RulesError, match=r"no function 'doubledd' \(did you mean 'doubled'\?\)"):
        game_of(doubledd=doubled)
    with pytest.raises(RulesError, match=r"doubled \(line \d+\) takes 2 parameters: s, action"):
        game_of(doubled=lambda s: 1)


def test_a_kernel_depends_on_a_hooks_default_and_on_no_sentence():
    def of(default):
        def call(s):
            return default(s)

        overloads.remember(call, hook_by_type("threatened", default))
        return fingerprint(call)

    def never(s):
        return False

    def never_said_otherwise(s):
        """Never."""
        return False

    def always(s):
        return True

    assert of(never) == of(never_said_otherwise) != of(always)


def test_every_compiled_hook_is_what_kernels_import():
    for row in HOOKS.values():
        if row.is_compiled:
            assert getattr(dispatch, row.name) is row.function
            assert row.function.__doc__


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("ucii", "uci"),
        ("click_order", "click_orders"),
        ("lesson", "lessons"),
        ("sgff", "sgf"),
        ("reversible_ply", "reversible_plies"),
    ],
)
def test_a_misspelt_hook_is_refused_with_the_near_name(wrong, meant):
    with pytest.raises(RulesError, match=rf"no function '{wrong}' \(did you mean '{meant}'\?\)"):
        game_of(**{wrong: lambda s, a: a})


def test_presentation_hooks_have_the_right_number_of_parameters():
    with pytest.raises(RulesError, match=r"pgn \(line \d+\) takes 2 parameters: history, names"):
        game_of(pgn=lambda history: "")
    with pytest.raises(RulesError, match=r"lessons \(line \d+\) takes no parameters"):
        game_of(lessons=lambda s: {})


def test_a_game_is_asked_for_a_hook():
    game = game_of(uci=lambda s, a: f"take{a}")
    assert game.hook("uci")(game.start(), 2) == "take2"
    assert game.hook("sgf") is None
    for wrong in ("ucl", "actions"):  # misspelt; a compiled one, which kernels call
        with pytest.raises(KeyError, match=f"no hook '{wrong}'"):
            game.hook(wrong)
    chess = zermelo.load("chess", compiled=False)
    assert chess.hook("uci")(chess.start(), chess.parse_action(chess.start(), "e4")) == "e2e4"


def test_a_plain_game_offers_hooks_as_methods():
    class Plain(zermelo.Game):
        def start(self):
            return 0

        player = actions = succ = utility = start

        def uci(self, s, a):
            return "e2e4"

    assert Plain().hook("uci")(0, 0) == "e2e4"
    assert Plain().hook("sgf") is None


def test_the_games_offer_what_they_offered():
    offered = {
        name: {row for row in HOOKS if not HOOKS[row].is_compiled and HOOKS[row].group in ("exchange", "teaching")
               and game.hook(row)}
        for name in zermelo.games()
        if isinstance(game := zermelo.load(name), RecordGame)
    }  # fmt: skip
    assert {name: found for name, found in offered.items() if found} == {
        "backgammon": {"fibs", "mat"},
        "checkers": {"pdn"},
        "chess": {"pgn", "uci"},
        "go": {"gtp", "gtp_setup", "sgf"},
        "othello": {"gtp", "gtp_setup"},
        "pac-man": {"lessons"},
    }


class Recorder:
    """A target that only listens."""

    name = "recorder"

    def __init__(self):
        self.overloaded, self.helpers = {}, set()

    def overload(self, function, implementation, options):
        self.overloaded[function] = implementation

    def helper(self, function, inline):
        self.helpers.add(function)


def test_a_target_is_told_of_everything_whenever_it_comes():
    target = Recorder()
    add_target(target)
    try:
        from zermelo.compile.bits import popcount
        from zermelo.compile.random import scramble

        for row in HOOKS.values():
            if row.is_compiled:
                choose = target.overloaded[row.function]
                rules = zermelo.load("tic-tac-toe").variant
                chosen, own = choose(rules.dtype, None, None), rules.functions.get(row.name, row.default)
                assert chosen is own or own in [cell.cell_contents for cell in chosen.__closure__]
                assert chosen is own or (row.name in GUARDS and own in target.helpers)
        assert {dispatch.expand, dispatch.over, dispatch.row, offers} <= set(target.overloaded)
        assert scramble in target.helpers
        assert popcount not in target.overloaded  # the CPU's own
        late = zermelo.helper(lambda x: x + 1)
        assert late in target.helpers
    finally:
        overloads._targets.remove(target)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_the_default_key_is_the_same_compiled_and_interpreted():
    game = zermelo.load("tic-tac-toe")
    s, plain = game.start(), game.interpreted
    for a in (4, 0, 8, 2):
        s = game.succ(s, a)
        assert game.key(s) == plain.key(plain.parse(game.format(s)))


def test_arrays_are_told_from_numbers_by_the_types_in_the_table():
    room = np.zeros(9, np.int64)
    assert zermelo.load("tic-tac-toe").run(list_actions, zermelo.load("tic-tac-toe").start().record, room) == 9
    assert Actions is not Record


@kernel
def list_actions(states, out):
    return dispatch.actions(states[0], out)


def test_interpreted_rules_must_answer_with_a_number():
    game = game_of(player=lambda s: "nobody", actions=lambda s, out: out)
    record = np.zeros(1, game.variant.dtype)[0]
    with pytest.raises(RulesError, match="stones: player returns 'nobody', not a number"):
        dispatch.player(record)
    with pytest.raises(RulesError, match=r"returns array\(\[0, 0\]\), not a number"):
        dispatch.actions(record, np.zeros(2, np.int64))
