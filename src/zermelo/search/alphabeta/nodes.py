"""Questions and answers between the nodes of a search: what a frame is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.compile.overloads import overload
from zermelo.compile.rules import VARIANTS, helper

FREE = 1 << 30  # an answer that leans on no earlier position

# what an answer proves, whatever the depth: nothing, that the truth is at least or at most the value, or both
ESTIMATED, AT_LEAST, AT_MOST, PROVEN = 0, 1, 2, 3

# modes of a question
NORMAL, AFTER_NULL, PROBE = 0, 1, 2  # PROBE: look at one move only, for a bound (Star2)
# stages of a node; QUIET is also a mode: follow noisy actions only
NULL, MOVES, CHANCES, QUIET = 0, 1, 2, 3


@helper
def ask(f, lo, hi, depth, mode):
    """Put a question to a child's frame. True, for "a child has been asked"."""
    f.lo, f.hi, f.depth, f.mode = lo, hi, depth, mode
    return True


@helper
def answer(f, value, proven, hold):
    """Write a node's answer into its frame. False, for "no child has been asked"."""
    f.value, f.proven, f.hold = value, proven, hold
    return False


@helper
def proof_for(sign):
    """What proves that the side to move gets at least the value."""
    return AT_LEAST if sign > 0.0 else AT_MOST


@helper
def proof_of(f, all_seen):
    """What the children prove: the best one that we get so much; all of them, if all were seen, that we get no more."""
    mine = proof_for(f.sign)
    return (f.best_proven & mine) | (f.all_proven & (PROVEN - mine) if all_seen else 0)


def only_with(hook: str) -> Callable[[Any], Any]:
    """A helper over (states, …) that only games with `hook` ever reach: for the others nothing is compiled."""

    def decorate(function: Any) -> Any:
        @overload(function, itself=True)
        def choose(states: Any, *rest: Any) -> Any:
            return function if hook in VARIANTS[states.dtype].functions else _unreached

        function.is_helper = True
        return function

    return decorate


def _unreached(states: Any, *rest: Any) -> Any:
    return False
