"""What rules show a network, deliberately wrong: `check` finds it, with moves that show it."""

import numpy as np
import pytest

from tests.check.wrong_games import stones
from zermelo import OVER, RulesError, rules
from zermelo.check import KINDS, check_game

FAST = {"games": 20, "seconds": 10}
SHOWN = {"plane_shape": (2, 1, 6), "policy_size": 3}


def planes(s, out):
    """Where the stones end; everywhere 1 for the second player."""
    out[0, 0, s.stones] = 1
    if s.turn:
        for i in range(6):
            out[1, 0, i] = 1


def shown(compiled=False, declared=None, **functions):
    return stones(compiled, declared={**SHOWN, **(declared or {})}, **{"planes": planes, **functions})


def only(game):
    faults = check_game(game, **FAST).faults
    assert len(faults) == 1, "\n".join(map(str, faults))
    assert faults[0].kind in KINDS
    return faults[0]


@pytest.mark.jit
def test_right_planes_have_no_fault():
    report = check_game(shown(compiled=True), **FAST)
    assert report.ok, str(report)
    assert report.is_compiled


def test_planes_and_their_shape_go_together():
    with pytest.raises(RulesError, match=r"stones: planes\(s, out\) and plane_shape go together"):
        shown(declared={"plane_shape": None})
    with pytest.raises(RulesError, match="go together"):
        stones(declared=SHOWN)
    for wrong in ((2, 6), (0, 1, 6), 6, (1, 2.5, 3), "abc"):
        with pytest.raises(RulesError, match=r"plane_shape must be \(count, height, width\), whole numbers"):
            shown(declared={"plane_shape": wrong})


def a_half(s, out):
    planes(s, out)
    out[1, 0, 0] = 0.5 if s.stones == 4 else 0


def too_large(s, out):
    planes(s, out)
    out[1, 0, 0] = 100 * (5 - s.stones)


def wrapped(s, out):
    planes(s, out)
    if s.stones == 4:
        out[0, 0, 0] = np.uint64(200)


def outside(s, out):
    planes(s, out)
    out[0, 0, 10 - s.stones] = 1


def from_the_end(s, out):
    planes(s, out)
    out[0, 0, s.stones - 5] = 2


def blind(s, out):
    out[0, 0, 0] = 1 if s.stones > 1 else 0


def short_sighted(s, out):
    """Sees whose turn it is, and no more."""
    out[1, 0, s.turn] = 1


def changes(s, out):
    s.stones -= 1


@pytest.mark.parametrize(
    ("function", "kind", "moves", "words"),
    [
        (a_half, "planes", (), "planes writes 0.5 into out[1, 0, 0], not a whole number from -128 to 127"),
        (too_large, "planes", (), "planes writes 200 into out[1, 0, 0]"),
        (wrapped, "planes", (), "planes writes 200 into out[0, 0, 0]"),
        (outside, "raises", (), "IndexError"),
        (from_the_end, "raises", (), "out[0, 0, -1] is counted from the end"),
        (blind, "planes", (), "the planes are the same before and after action 1"),
        (short_sighted, "planes", (), "the planes are the same after actions 1 and 2, but the keys differ"),
        (changes, "changes", (), "planes changes the state"),
    ],
)
def test_wrong_planes(function, kind, moves, words):
    fault = only(shown(planes=function))
    assert (fault.kind, fault.where, fault.moves) == (kind, "planes", moves)
    assert words in fault.sentence


def test_wrong_owners():
    def owners(s, out):
        out[0, 0, 0] = 2

    fault = only(shown(owners=owners))
    assert (fault.kind, fault.where) == ("planes", "owners")
    assert "owners writes 2 into out[0, 0, 0], not a whole number from -1 to 1" in fault.sentence


@pytest.mark.jit
def test_planes_that_differ_when_compiled():
    def by_bits(s, out):
        out[0, 0, s.stones] = 1
        out[1, 0, 0] = 1 if (5 - s.stones) * 4611686018427387904 >= 0 else 2  # 2 · 2^62 does not fit 64 bits

    fault = only(shown(compiled=True, planes=by_bits))
    assert (fault.kind, fault.where, fault.moves) == ("compiled", "planes", ("2",))
    assert "into out[1, 0, 0] 1 when interpreted and 2 when compiled" in fault.sentence


# -- symmetries --------------------------------------------------------------------------------------------------------

ROW = 4
SAME = list(range(ROW))
BACKWARDS = SAME[::-1]


def row(compiled=False, **functions):
    """Four cells in a row, filled in turn; who fills the last one wins. Backwards it is the same game."""

    def start(s):
        pass

    def player(s):
        return OVER if s.filled == 15 else s.turn

    def actions(s, out):
        n = 0
        for cell in range(ROW):
            if s.filled >> cell & 1 == 0:
                out[n] = cell
                n += 1
        return n

    def apply(s, cell):
        s.filled |= 1 << cell
        s.turn = 1 - s.turn

    def utility(s, out):
        out[s.turn], out[1 - s.turn] = -1.0, 1.0

    def planes(s, out):
        for cell in range(ROW):
            if s.filled >> cell & 1:
                out[0, 0, cell] = 1

    def symmetries():
        return [(SAME, SAME), (BACKWARDS, BACKWARDS)]

    right = [start, player, actions, apply, utility, planes, symmetries]
    body = {"state": {"filled": "i1", "turn": "i1"}, **{f.__name__: f for f in right}, **functions}
    says = {"max_actions": ROW, "policy_size": ROW, "plane_shape": (1, 1, ROW)}
    return rules(name="row", **says)(type("Row", (), body))(compiled=compiled)


def test_a_right_symmetry_has_no_fault():
    assert check_game(row(), **FAST).ok


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        ([], "the first symmetry must be the identity"),
        ([(BACKWARDS, BACKWARDS)], "the first symmetry must be the identity"),
        ([(SAME, SAME), (BACKWARDS, BACKWARDS), (BACKWARDS, BACKWARDS)], "symmetry 2 stands in the list before"),
        ([(SAME, SAME), ([0, 1, 2, 2], SAME)], "cells of symmetry 1 is not a permutation of the numbers from 0 to 3"),
        ([(SAME, SAME), (SAME, [0, 1, 2])], "policy of symmetry 1 is not a permutation"),
        ([(SAME, SAME), (BACKWARDS, SAME)], "symmetry 1: the game with its moves turned does not look like"),
        ([(SAME, SAME), (SAME, BACKWARDS)], "symmetry 1: the game with its moves turned does not look like"),
        ([SAME], "must list pairs of permutations"),
    ],
)
def test_lists_that_are_no_symmetries(listed, words):
    fault = only(row(symmetries=lambda: listed))
    assert fault.where == "symmetries"
    assert words in fault.sentence
    assert not fault.is_shortest or not fault.moves


def test_a_symmetry_that_the_actions_break():
    def actions(s, out):
        """Cell 1 only after cell 0: backwards that is another game."""
        n = 0
        for cell in range(ROW):
            if s.filled >> cell & 1 == 0 and (cell != 1 or s.filled & 1):
                out[n] = cell
                n += 1
        return n

    fault = only(row(actions=actions))
    assert "symmetry 1: the game turned offers the actions [0, 1, 3], and not [0, 2, 3]" in fault.sentence


def test_a_symmetry_that_the_payoffs_break():
    def utility(s, out):
        out[0] = 1.0 if s.last < 2 else -1.0
        out[1] = -out[0]

    def apply(s, cell):
        s.filled |= 1 << cell
        s.turn = 1 - s.turn
        s.last = cell

    fault = only(row(apply=apply, utility=utility, state={"filled": "i1", "turn": "i1", "last": "i1"}))
    assert "the game turned ends with" in fault.sentence
    assert len(fault.moves) == ROW


def test_symmetries_need_planes_and_a_policy():
    def none():
        return [(SAME, SAME)]

    assert "no planes(s, out)" in only(stones(symmetries=none)).sentence
    assert "no policy_size" in only(shown(declared={"policy_size": None}, symmetries=none)).sentence
