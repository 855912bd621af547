"""Evaluators: what stands in for the part of the tree below the depth limit. Picked by type, like rules.

An evaluator is a NamedTuple of numbers and arrays with a method `estimate(evaluator, s)`, a plain function of the
record from player 0's view; a kernel calls `estimate(evaluator, s)`, and Numba compiles in the one of that type:

    class Material(NamedTuple):
        king: float
        def estimate(evaluator, s): return evaluator.king * (s.kings - s.their_kings)

One that knows positions for certain (evaluate/tabled.py) has a method `consult` too, or `expected`.

Two come with the core: `Handcrafted`, the game's own `evaluate`, and `Constant`, which knows nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from zermelo.compile.dispatch import evaluate, over, utility
from zermelo.compile.helper import helper
from zermelo.compile.overloads import method, overload

UNKNOWN = -1  # what `consult` says where nothing is proven
FAR = 10_000  # plies to the end, where nobody knows how many


class Handcrafted(NamedTuple):
    """The game's own `evaluate`, times `scale`."""

    scale: float = 1.0

    def estimate(evaluator, s: Any) -> Any:
        return evaluator.scale * evaluate(s)


class Constant(NamedTuple):
    """Every unfinished position is worth the same."""

    value: float = 0.0

    def estimate(evaluator, s: Any) -> Any:
        return evaluator.value


HANDCRAFTED = Handcrafted()


def estimate(evaluator: Any, s: Any) -> float:
    """What `evaluator` thinks of `s`, from player 0's view."""
    return float(type(evaluator).estimate(evaluator, s))


@method
def consult(evaluator: Any, s: Any) -> Any:
    """What `evaluator` has proven of `s`: UNKNOWN, or 0 drawn, 1 won, 2 lost for whoever moves + 4 × plies to the end
    (FAR: nobody knows how many). Most evaluators have proven nothing, and compiled code then asks nothing."""
    return UNKNOWN


@method
def expected(evaluator: Any, s: Any) -> Any:
    """In games with chance: what `s` is worth on average, for certain, from player 0's view; NaN where `evaluator` does
    not know."""
    return np.nan


@helper
def leaf_value(s: Any, out: Any, payoff: Any, evaluator: Any) -> Any:
    """The value of a node that is not searched further: its payoff if the game is over there, else an estimate."""
    if over(s, out):
        utility(s, payoff)
        return payoff[0]
    return float(estimate(evaluator, s))


@overload(estimate)
def _estimate(evaluator: Any, s: Any) -> Any:
    if isinstance(evaluator, types.BaseNamedTuple):
        return evaluator.instance_class.estimate
    return None
