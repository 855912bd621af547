"""Rules that run on the cores and cannot run on a card: one sentence with the function and the line."""

import re

import numpy as np
import pytest
from numba import njit

import zermelo
from tests.batch.test_batch import small
from zermelo.batch.diagnosis import examine_rules

pytest.importorskip("numba_cuda", reason="needs numba-cuda: pip install 'zermelo[cuda]'")
pytestmark = pytest.mark.jit

TABLE = np.zeros(3_000_000, np.int64)  # 24 MB
FEW = np.zeros(3, np.int64)


@njit
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def recursive(s, action):
    s.plies += 1 + fibonacci(0)


def with_a_large_table(s, action):
    s.plies += 1
    s.board[0] = TABLE[action]


def that_makes_an_array(s, action):
    found = np.zeros(3)
    s.plies += 1 + int(found[0])


def that_makes_a_list(s, action):
    found = [1]
    found.append(2)
    s.plies += len(found) - 1


def that_makes_text(s, action):
    s.plies += len(str(action))


def random_by_numpy(s, action):
    s.plies += 1 + np.random.randint(1)


def fine(s, action):
    s.board[0] = FEW[action]
    s.plies += 1


REFUSED = [
    (recursive, r"apply \(in fibonacci\), line {above} of test_card_refusals.py: a function that calls itself cannot"),
    (with_a_large_table, r"apply, line {2} of test_card_refusals.py: the table 'TABLE' is too large for a card"),
    (that_makes_an_array, r"apply, line {1} of .*: an array cannot be made so: use a field of the state \(on a card\)"),
    (that_makes_a_list, r"apply, line {2} of .*: a list has no 'append' \(on a card\)"),
    (that_makes_text, r"apply, line {1} of .*: str cannot be done with .int64. \(on a card\)"),
    (random_by_numpy, r"apply, line {1} of .*: compiled rules cannot use numpy.random.randint \(on a card\)"),
]


@pytest.mark.parametrize(("apply", "sentence"), REFUSED, ids=lambda x: getattr(x, "__name__", ""))
def test_what_a_card_cannot_run(apply, sentence):
    first = apply.__code__.co_firstlineno
    for k in (1, 2):
        sentence = sentence.replace(f"{{{k}}}", str(first + k))
    sentence = sentence.replace("{above}", str(fibonacci.py_func.__code__.co_firstlineno + 2))
    said = examine_rules(small("limited", apply=apply)())
    assert said["works"] is False
    assert "\n" not in said["note"]
    assert re.search(sentence, said["note"]), said["note"]


def test_a_large_state():
    said = examine_rules(small("wide", cells=300_000)())
    assert said["note"].startswith("wide: the state has 292 KB, most of them its field 'board'; a thread of a card")


def test_rules_that_run_there():
    assert examine_rules(small("fine", apply=fine)()) == {"game": "fine", "works": True}


def test_a_batch_refuses_them(monkeypatch):
    """As `zermelo.batch(…, device="cuda")` would on a card, without one: it stops before it asks for anything there."""
    monkeypatch.setattr("zermelo.compile.targets.cuda.need_card", lambda: None)
    for apply, reason in ((recursive, "calls itself"), (with_a_large_table, "too large for a card")):
        with pytest.raises(zermelo.RulesError, match=reason):
            zermelo.batch(small("limited", apply=apply)(), 3, device="cuda")
