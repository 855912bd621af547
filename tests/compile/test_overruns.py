"""Rules that write or answer more than they declare: a sentence through every door, and the process lives.

Before there were guards, every one of these ended in an abort, a segmentation fault or a wrong answer.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import zermelo
from tests.compile import overrunning
from tests.compile.overrunning import (
    ACTIONS,
    ACTIVE,
    CHANCES,
    DOORS,
    ESTIMATES,
    FIELD,
    KNOWN,
    NEGATIVE,
    NOISY,
    NUMBER,
    PLAYER,
    POLICY,
    SOUND,
    UTILITY,
    Overrunning,
    go_through,
)
from zermelo.compile.record import SLACK, roomy, rows
from zermelo.core.game import GameError

SENTENCES = {
    ACTIONS: "actions wrote 900 actions where max_actions = 3 is declared",
    NEGATIVE: "actions says it wrote -1 actions",
    NOISY: "noisy wrote 900 actions where max_actions = 3 is declared",
    CHANCES: "chances wrote 900 outcomes where max_chance_outcomes = 2 is declared",
    ACTIVE: "features wrote 900 features where max_active_features = 4 is declared",
    NUMBER: "features names number 1099511627776 where num_features = 8 is declared",
    POLICY: "is 1099511627776 where policy_size = 3 is declared",
    PLAYER: "player says 77, which is none of 0 to 1, CHANCE and OVER",
}
UNHEARD = {UTILITY, ESTIMATES, FIELD, KNOWN}  # nothing is answered that could be looked at: it goes into slack
ASKED = {  # the hooks that are not asked behind every door, and the doors where they are
    NOISY: {"alphabeta", "threads", "network", "solve"},
    ACTIVE: {"network", "td", "qlearning"},
    NUMBER: {"network", "td", "qlearning"},
    POLICY: {"qlearning", "batch"},
    PLAYER: {"walk", "mcts", "puct", "maxn", "paranoid"},
}


def expected(door, fault):
    """What somebody must hear."""
    if fault == SOUND or fault in UNHEARD or door not in ASKED.get(fault, DOORS):
        return ""
    return SENTENCES[fault]


def compiled(doors, faults):
    """What is heard behind doors, in a process of its own."""
    command = [sys.executable, overrunning.__file__, ",".join(doors), ",".join(map(str, faults))]
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=900, env=environment)
    heard = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (heard[-1:], done.stderr[-2000:])
    return {(told["door"], told["fault"]): told["says"] for told in heard}


def compare(heard):
    for (door, fault), says in heard.items():
        wanted = expected(door, fault)
        assert wanted in says, (door, fault, says)
        assert (says == "") == (wanted == ""), (door, fault, says)
        if wanted:
            assert says.startswith("overrunning: "), says
            assert "(position: cells=" in says, says
            assert says.endswith("; `zermelo check overrunning` looks into it"), says


@pytest.mark.jit
def test_compiled_rules_that_overrun():
    """One kernel over all actions and outcomes, and one that learns: the quick part."""
    heard = compiled(["perft", "qlearning"], range(13))
    assert len(heard) == 26
    compare(heard)


@pytest.mark.slow
@pytest.mark.jit
def test_compiled_rules_that_overrun_behind_every_door():
    heard = compiled([door for door in DOORS if door != "check"], range(13))
    assert len(heard) == 13 * (len(DOORS) - 1)
    compare(heard)


@pytest.mark.slow
@pytest.mark.jit
def test_check_finds_all_of_it():
    heard = compiled(["check"], range(13))
    assert heard.pop(("check", SOUND)) == ""
    assert len(heard) == 12
    assert all(heard.values()), heard


@pytest.mark.parametrize("door", ["walk", "perft", "network", "mcts", "qlearning", "batch"])
@pytest.mark.parametrize("fault", [NEGATIVE, NUMBER, POLICY, PLAYER])
def test_interpreted_rules_are_looked_at_alike(door, fault):
    """What does not end in an IndexError, which names the line."""
    compare({(door, fault): go_through(door, fault, compiled=False)})


def test_interpreted_rules_that_write_too_far_are_told_the_line():
    with pytest.raises(IndexError):
        go_through("perft", ACTIONS, compiled=False)


def test_default_policy_index_is_looked_at():
    @zermelo.rules(name="numbers", max_actions=1, policy_size=2)
    class Numbers:
        state = {"n": "i8"}

        def start(s):
            s.n = 5

        def player(s):
            return 0

        def actions(s, out):
            out[0] = s.n
            return 1

        def apply(s, action):
            s.n = action

        def utility(s, out):
            out[0] = 0

    games = zermelo.batch(Numbers(compiled=False), 1)
    with pytest.raises(GameError, match=r"numbers: policy_index of action 5 is 5 where policy_size = 2 is declared"):
        games.legal  # noqa: B018


def zermelo_command(folder, *words):
    command = [sys.executable, "-m", "zermelo", *words]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


@pytest.mark.jit
def test_the_sentence_names_the_game_as_it_was_asked_for(tmp_path):
    """The command of the report: a game with max_actions too small."""
    assert zermelo_command(tmp_path, "new", "mv", "--kind", "movement").returncode == 0
    file = tmp_path / "mv.py"
    text, declared = file.read_text(), re.compile(r"max_actions=[^,]+,")
    assert len(declared.findall(text)) == 1
    file.write_text(declared.sub("max_actions=2,", text))
    done = zermelo_command(tmp_path, "perft", "mv.py:Mv", "5")
    assert done.returncode == 2, done.stderr
    said = done.stderr.splitlines()[-1]
    assert said.startswith("zermelo: mv.py:Mv: actions wrote 4 actions where max_actions = 2 is declared (position: ")
    assert said.endswith("; `zermelo check mv.py:Mv` looks into it")


def test_a_search_after_an_overrun_is_right():
    """What was written too far went nowhere: the same game, sound, is searched as if nothing had been."""
    sound, broken = Overrunning(compiled=False), Overrunning(fault=NEGATIVE, compiled=False)
    before = zermelo.search(sound, depth=4)
    with pytest.raises(GameError):
        zermelo.search(broken, depth=4)
    after = zermelo.search(sound, depth=4)
    assert (before.value, before.nodes) == (after.value, after.nodes)


def test_slack_is_on_either_side():
    dtype = np.dtype([("a", "i8"), ("b", "i4", (2,))], align=True)
    made = roomy(3, dtype)
    assert made.shape == (3,)
    assert made.dtype == dtype
    assert made.flags.aligned
    assert made.flags.c_contiguous
    assert not made.view(np.uint8).any()
    whole = made.base if made.base.nbytes > made.nbytes else made.base.base
    assert whole.nbytes == made.nbytes + 2 * SLACK
    assert made.ctypes.data - whole.ctypes.data == SLACK
    assert rows(2, 5)["at"].shape == (2, 5)
    assert roomy(0, dtype).shape == (0,)


INDEX = """
from zermelo import OVER, rules

SQUARES = (1, 4, 9)


@rules(name="squares", max_actions=2, max_plies=6)
class Squares:
    state = {"n": "i1"}

    def start(s):
        s.n = 0

    def player(s):
        return OVER if s.n > 4 else s.n % 2

    def actions(s, out):
        out[0] = SQUARES[s.n]
        return 1

    def apply(s, action):
        s.n += 1

    def utility(s, out):
        out[0] = out[1] = 0
"""


@pytest.mark.jit
def test_an_index_outside_of_a_tuple_is_a_sentence(tmp_path):
    (tmp_path / "squares.py").write_text(INDEX)
    done = zermelo_command(tmp_path, "perft", "squares.py:Squares", "5")
    assert done.returncode == 2, done.stderr
    said = done.stderr.splitlines()[-1]
    assert said.startswith("zermelo: squares.py:Squares: the rules use an index outside of a tuple or an array; ")


@pytest.mark.jit
@pytest.mark.parametrize(
    ("raises", "told"),
    [
        ("assert s.n < 2", "(AssertionError, line "),
        ('if s.n == 2:\n            raise ValueError("no more")', "(ValueError: no more, line "),
    ],
)
def test_what_compiled_rules_raise_is_a_sentence(tmp_path, raises, told):
    text = INDEX.replace("SQUARES[s.n]", "0").replace("s.n += 1", f"{raises}\n        s.n += 1")
    (tmp_path / "squares.py").write_text(text)
    done = zermelo_command(tmp_path, "perft", "squares.py:Squares", "5")
    assert done.returncode == 2, done.stderr
    said = done.stderr.splitlines()[-1]
    assert said.startswith(f"zermelo: squares.py:Squares: its rules go wrong {told}")
    assert said.endswith(" of squares.py); `zermelo check squares.py:Squares` looks into it")


@pytest.mark.slow
@pytest.mark.jit
def test_numba_looks_at_every_index_if_asked(tmp_path, monkeypatch):
    """Machine code with and without is not mixed up."""
    text = INDEX.replace("SQUARES[s.n]", "s.cells[2 * s.n]").replace('"n": "i1"', '"n": "i1", "cells": ("i1", (3,))')
    (tmp_path / "squares.py").write_text(text)
    assert zermelo_command(tmp_path, "perft", "squares.py:Squares", "5").returncode == 0
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert zermelo_command(tmp_path, "perft", "squares.py:Squares", "5").returncode == 2
