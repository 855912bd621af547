"""`zermelo check`."""

import json

import pytest

WRONG = """
from zermelo import OVER, Game


class Wrong(Game):
    name = "wrong"

    def start(self):
        return 4

    def player(self, s):
        return OVER if s <= 0 else s % 2

    def actions(self, s):
        return [] if s <= 0 else [1, 2]

    def succ(self, s, a):
        return s - a

    def utility(self, s, player=0):
        return 1.0 if s == 0 else 0.0
"""


@pytest.fixture
def wrong(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    return f"{path}:Wrong"


def test_a_fault_and_the_moves_that_show_it(zermelo_cli, wrong):
    outcome = zermelo_cli("check", wrong, "--games", 5)
    assert outcome.code == 1
    assert "wrong: 1 fault" in outcome.out
    assert "not zero-sum: the payoffs (1, 1) sum to 2" in outcome.out
    assert "after 2 moves (there is no shorter way): 2 2" in outcome.out
    assert "position: 0" in outcome.out


def test_as_json(zermelo_cli, wrong):
    outcome = zermelo_cli("check", wrong, "--games", 5, "--json", "--seed", 3)
    assert outcome.code == 1
    told = json.loads(outcome.out)
    assert told["ok"] is False
    assert told["faults"][0]["moves"] == ["2", "2"]
    assert told["games"] == 5


def test_a_right_game(zermelo_cli):
    outcome = zermelo_cli("check", "tree", "--games", 3)
    assert outcome.code == 0
    assert "tree: no fault in 10 positions (all there are) and 3 random games" in outcome.out


@pytest.mark.jit
def test_compiled_rules(zermelo_cli):
    outcome = zermelo_cli("check", "nim", "--games", 3, "--positions", 50, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["is_compiled"] is True


@pytest.mark.jit
def test_rules_that_do_not_compile_are_a_fault(zermelo_cli, tmp_path):
    path = tmp_path / "misspelt.py"
    path.write_text(
        "from zermelo import OVER, rules\n"
        "@rules(name='misspelt', max_actions=1)\n"
        "class Misspelt:\n"
        "    state = {'turn': 'i1'}\n"
        "    def start(s): pass\n"
        "    def player(s): return OVER if s.turm else 0\n"
        "    def actions(s, out):\n"
        "        out[0] = 1\n"
        "        return 1\n"
        "    def apply(s, a): s.turn = 1\n"
        "    def utility(s, out):\n"
        "        out[0] = out[1] = 0\n"
    )
    outcome = zermelo_cli("check", path, "--games", 2)
    assert outcome.code == 1
    assert "player, line 6 of misspelt.py" in outcome.out
    assert "turm" in outcome.out


ENDLESS = """
from zermelo import OVER, rules


@rules(name="endless", players=1, max_actions=1, zero_sum=False)
class Endless:
    state = {"at": "i4"}

    def start(s):
        pass

    def player(s):
        return OVER if s.at > 5 else 0

    def actions(s, out):
        out[0] = 1
        return 1

    def apply(s, action):
        s.at += 1
        while s.at == 3:
            pass

    def utility(s, out):
        out[0] = s.at
"""


def test_rules_that_never_come_back_are_named(zermelo_cli, tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.check.states.PATIENCE", 0.3)
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS)
    outcome = zermelo_cli("check", file, "--seconds", 1, "--option", "compiled=false")
    assert outcome.code == 1
    assert "apply, line 22 of endless.py: has not returned" in outcome.out or "line 21 of" in outcome.out
    assert "after 3 moves" in outcome.out
