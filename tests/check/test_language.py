"""What the contract says of compiled Python is true: every example compiles, or is refused with its line."""

import textwrap

import pytest

import zermelo
from zermelo.compile.language import FAST, LOOPS, NOT, SLOW

HEAD = """
import math
import numpy as np
from zermelo import OVER, helper, rules

LIST, TABLE, ROWS, LIMIT = [1, 2, 3], np.array([1, 2, 3]), ((1, 2), (3, 4)), 5

@helper
def sum_of(a, b=5):
    return a + b

@helper
def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)

def plain(n):
    return n

"""
RULES = """
@rules(name="example", max_actions=1)
class Example:
    state = {"cells": ("i1", (4,)), "turn": "i1", "count": "i1"}
    def start(s):
        s.cells[2] = 3
    def player(s):
        return OVER if s.count == 2 else s.turn
    def actions(s, out):
        out[0] = 1
        return 1
    def apply(s, action):
        s.count += action
        s.turn = 1 - s.turn
    def utility(s, out):
        out[0] = out[1] = 0
"""


def function(name, example, before=""):
    """The example as a function of the record that returns n."""
    lines = [line for part in example.code.splitlines() for line in ([part] if ": " in part else part.split("; "))]
    return f"{before}def {name}(s):\n    n = 0\n{textwrap.indent(chr(10).join(lines), '    ')}\n    return float(n)\n"


def load(folder, text):
    (folder / "example.py").write_text(text)
    return [zermelo.load(str(folder / "example.py"), compiled=compiled) for compiled in (True, False)]


@pytest.mark.slow
@pytest.mark.jit
def test_what_the_contract_says_can_be_compiled(tmp_path):
    """All of them at once, as helpers: a rule each would take minutes."""
    examples = [*FAST, *LOOPS, *SLOW]
    helpers = "".join(function(f"example_{i}", example, "@helper\n") for i, example in enumerate(examples))
    calls = "".join(f"        total = 3 * total + example_{i}(s)\n" for i in range(len(examples)))
    rules = f"{RULES}    def evaluate(s):\n        total = 0.0\n{calls}        return total\n"
    compiled, interpreted = load(tmp_path, HEAD + helpers + rules)
    for s in (interpreted.start(), interpreted.succ(interpreted.start(), 1)):
        assert compiled.evaluate(compiled.parse(interpreted.format(s))) == interpreted.evaluate(s)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("example", NOT, ids=lambda example: example.code.splitlines()[0])
def test_what_the_contract_says_cannot_be_compiled(example, tmp_path):
    assert example.instead
    text = HEAD + RULES + textwrap.indent(function("evaluate", example), "    ")
    compiled, _ = load(tmp_path, text)
    with pytest.raises(zermelo.RulesError) as refused:
        compiled.evaluate(compiled.start())
    assert "line" in str(refused.value)
    assert "example.py" in str(refused.value)
