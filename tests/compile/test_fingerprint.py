"""A fingerprint changes with everything that machine code depends on, and with nothing else."""

import enum
import itertools
import math
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import helper
from zermelo.compile.fingerprint import fingerprint

SOURCE = """
import math
import numpy as np

CONSTANT = 3
TABLE = np.array([1, 2, 3])
PAIRS = ((1, 2), (3, 4))
NAMED = {"a": 1}

def deep(x):
    return x + 1

def helper(x, y=2):
    return deep(x) * y

class Space:
    inside = 5

def root(x):
    total = helper(x) + CONSTANT + TABLE[0] + PAIRS[0][1] + Space.inside
    return total + len(NAMED) + math.floor(1.5)
"""


def root_of(source, filename="<a>"):
    """The function `root` of a module with this text."""
    module = types.ModuleType("somebodys")
    exec(compile(source, filename, "exec"), module.__dict__)
    return module.root


def test_sixteen_hexadecimal_digits():
    assert len(fingerprint(root_of(SOURCE))) == 16
    assert int(fingerprint(), 16) >= 0


def test_the_same_text_has_the_same_fingerprint():
    assert fingerprint(root_of(SOURCE)) == fingerprint(root_of(SOURCE))


@pytest.mark.parametrize(
    "harmless",
    [
        "\n\n\n" + SOURCE,
        SOURCE.replace("    return deep", "    # why\n    return deep"),
        SOURCE + "\nUNUSED = 7\ndef unused(): return 8\n",
        SOURCE.replace("CONSTANT = 3", "CONSTANT = 3  # said otherwise"),
    ],
)
def test_what_does_not_matter(harmless):
    assert fingerprint(root_of(harmless, "<b>")) == fingerprint(root_of(SOURCE))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("CONSTANT = 3", "CONSTANT = 4"),
        ("CONSTANT = 3", "CONSTANT = 3.0"),
        ("CONSTANT = 3", "CONSTANT = True"),
        ("[1, 2, 3]", "[1, 2, 4]"),
        ("np.array([1, 2, 3])", "np.array([1, 2, 3], np.int8)"),
        ("(3, 4)", "(3, 5)"),
        ('{"a": 1}', '{"a": 2}'),
        ('{"a": 1}', '{"b": 1}'),
        ("return x + 1", "return x + 2"),
        ("return x + 1", "return x - 1"),
        ("y=2", "y=3"),
        ("deep(x) * y", "deep(x) * y * y"),
        ("inside = 5", "inside = 6"),
        ("math.floor", "math.ceil"),
        ("total = helper(x)", "total = 1 + helper(x)"),
        ("def helper(x, y=2):", "def helper(x, *, y=2):"),
    ],
)
def test_what_matters(before, after):
    assert before in SOURCE
    assert fingerprint(root_of(SOURCE.replace(before, after))) != fingerprint(root_of(SOURCE))


def test_a_default_given_by_name_matters():
    text = SOURCE.replace("def helper(x, y=2):", "def helper(x, *, y=2):")
    assert fingerprint(root_of(text)) != fingerprint(root_of(text.replace("y=2", "y=3")))


def test_closures_matter():
    def make(n):
        return lambda x: x + n

    assert fingerprint(make(1)) == fingerprint(make(1))
    assert fingerprint(make(1)) != fingerprint(make(2))


def test_functions_inside_functions_matter():
    one = root_of("def root(x):\n    return [y + 1 for y in range(x)]\n")
    other = root_of("def root(x):\n    return [y + 2 for y in range(x)]\n")
    assert fingerprint(one) != fingerprint(other)


def test_functions_that_call_each_other():
    text = "def root(x):\n    return other(x)\ndef other(x):\n    return root(x) + 1\n"
    assert fingerprint(root_of(text)) == fingerprint(root_of(text))
    assert fingerprint(root_of(text)) != fingerprint(root_of(text.replace("+ 1", "+ 2")))


def test_helpers_are_seen_through():
    def make(n):
        @helper
        def inner(x):
            return x + n

        def root(x):
            return inner(x)

        return root

    assert fingerprint(make(1)) != fingerprint(make(2))


def test_how_a_helper_is_compiled_matters():
    def make(inline):
        @helper(inline=inline)
        def inner(x):
            return x + 1

        def root(x):
            return inner(x)

        return root

    assert fingerprint(make(True)) != fingerprint(make(False))
    assert fingerprint(make(True)) == fingerprint(make(True))


def test_functions_of_other_modules_matter():
    def make(n):
        module = types.ModuleType("beside")
        exec(f"def f(x): return x + {n}", module.__dict__)
        root = root_of("def root(x):\n    return beside.f(x)\n")
        root.__globals__["beside"] = module
        return root

    assert fingerprint(make(1)) == fingerprint(make(1))
    assert fingerprint(make(1)) != fingerprint(make(2))


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


# fmt: off
DISTINCT = [
    0, 0.0, -0.0, False, None, "", b"", (), [], {}, 1, 1.0, True, "1", b"1", (1,), [1], {1: 1},
    math.inf, -math.inf, math.nan, Colour.RED, Colour.BLUE, np.dtype("i1"), range(1), range(2), slice(1),
    frozenset([1]), np.int8(1), np.int64(1), np.uint64(1), np.float64(1), np.array(1), np.array([1]), np.array([[1]]),
    np.array([1], np.int8), (1, (2,)), ((1, 2),), (1, 2), [1, 2], "12", {"a": [1]}, {"a": (1,)},
]
# fmt: on


def test_things_that_differ_differ():
    for one, other in itertools.combinations(DISTINCT, 2):
        assert fingerprint(one) != fingerprint(other), (one, other)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=6,
)


@given(PLAIN, PLAIN)
def test_equal_fingerprints_mean_equal_values(one, other):
    assert (fingerprint(one) == fingerprint(other)) == (repr(one) == repr(other))
