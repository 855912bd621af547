"""Questions and answers between the nodes of a search: what a frame is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.compile.overloads import overload
from zermelo.compile.rules import helper
from zermelo.compile.variant import VARIANTS

PATH_FREE = 1 << 30  # path dependence of an answer that no repetition has a part in

# what an answer proves, whatever the depth: nothing, that the truth is at least or at most the value, or both
UNPROVEN, PROVEN_LOWER, PROVEN_UPPER, PROVEN_EXACT = 0, 1, 2, 3

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
def answer(f, value, proven, depends_on):
    """Write a node's answer into its frame. False, for "no child has been asked"."""
    f.value, f.proven, f.depends_on = value, proven, depends_on
    return False


@helper
def proof_for(sign: Any) -> Any:
    """What proves that the side to move gets at least the value."""
    return PROVEN_LOWER if sign > 0.0 else PROVEN_UPPER


@helper
def proof_against(sign: Any) -> Any:
    """What proves that the side with this sign gets at most the value."""
    return PROVEN_EXACT - proof_for(sign)


@helper
def proof_of(f, all_seen):
    """What the children prove: the best one that we get so much; all of them, if all were seen, that we get no more."""
    mine = proof_for(f.sign)
    return (f.best_proven & mine) | (f.all_proven & (PROVEN_EXACT - mine) if all_seen else 0)


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
