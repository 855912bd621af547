"""What can be wrong with one state: the vocabulary of `zermelo.check`, and the checks that hold for any `Game`.

An examiner looks at one state at a time and says what the rules offer there and what is wrong with it; how states are
reached is the business of `walk`. Rules over records have an examiner of their own, in `records`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from zermelo.compile.diagnostics.raised import line_raised
from zermelo.core.game import CHANCE, OVER, Game, GameError, shorten
from zermelo.core.patience import TooLong, patience

SAME = 1e-9  # numbers nearer than this are equal
MARKS = (-0x5A5A5A00, 0x123456)  # buffers filled with either: what then differs was not written
PATIENCE = 4.0  # seconds one function may take before it counts as stuck in a loop


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a state; `where` is the function of the rules that is to blame."""

    kind: str
    where: str
    sentence: str

    @property
    def identity(self) -> tuple[str, str]:
        """Two problems with the same identity are one fault, shown by two positions."""
        return self.kind, self.where


class Broken(Exception):  # noqa: N818 - not an error of this program's
    """Rules that cannot be followed any further from here."""

    def __init__(self, kind: str, where: str, sentence: str):
        self.problem = Problem(kind, where, sentence)


@dataclass
class Seen:
    """What a state offers. `actions` are the outcomes at a chance node; empty where one cannot go on."""

    player: int = OVER
    actions: Sequence[Any] = ()
    probability: Sequence[float] = ()
    problems: list[Problem] = field(default_factory=list)


class Examiner(Protocol):
    @property
    def game(self) -> Game[Any, Any]: ...

    @property
    def fast_game(self) -> Game[Any, Any]:
        """The same game, compiled where that is possible: for walking far, where nothing is looked at."""

    def start(self) -> Any:
        """The first state, or Broken."""

    def examine(self, s: Any, thorough: bool = True) -> Seen:
        """Everything about `s`; without `thorough`, not the drawings, which are slow."""

    def follow(self, s: Any, a: Any) -> Any:
        """The state after `a`, or Broken."""

    def reversible_plies(self, s: Any) -> int | None:
        """How far back the rules say that `s` can have stood before, or Broken; None where they do not say."""


# -- mistakes in somebody's functions ----------------------------------------------------------------------------------


@contextmanager
def blame(where: str, kind: str = "raises") -> Iterator[None]:
    """An exception raised inside is the fault of the function `where`, and so is a loop without end."""
    try:
        with patience(PATIENCE):
            yield
    except Broken:
        raise
    except TooLong as mistake:
        sentence = f"{where}{line_raised(mistake)}: has not returned after {PATIENCE:g} seconds"
        raise Broken("loops", where, sentence) from None
    except RecursionError as mistake:
        raise Broken(kind, where, f"{where}{line_raised(mistake)}: calls itself without end") from None
    except Exception as mistake:
        name = "" if isinstance(mistake, GameError) else f"{type(mistake).__name__}: "
        raise Broken(kind, where, f"{where}{line_raised(mistake)}: {name}{mistake}") from None


# -- what any game's numbers must satisfy ------------------------------------------------------------------------------


def is_whole(value: Any) -> bool:
    """Is it a whole number? (An array has an __index__, too.)"""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_player(game: Game[Any, Any], player: Any) -> int:
    if not is_whole(player):
        raise Broken("player", "player", f"player says {shorten(player)}, which is not a whole number")
    p = int(player)
    if p not in (CHANCE, OVER) and not 0 <= p < game.players:
        known = "0" if game.players == 1 else f"0 to {game.players - 1}"
        raise Broken("player", "player", f"player says {p}; there are {known}, CHANCE ({CHANCE}) and OVER ({OVER})")
    return p


def check_distinct(where: str, listed: Sequence[Any]) -> None:
    if len(set(listed)) < len(listed):
        twice = next(a for i, a in enumerate(listed) if a in listed[:i])
        raise Broken("twice", where, f"{where} lists {twice!r} twice")


def check_chances(outcomes: Sequence[Any], probability: Sequence[float]) -> None:
    if not outcomes:
        raise Broken("chances", "chances", "chances lists no outcome at all")
    check_distinct("chances", outcomes)
    for a, p in zip(outcomes, probability, strict=True):
        if not (math.isfinite(p) and p > 0):
            why = "; what cannot happen is not listed" if p == 0 else ""
            raise Broken("chances", "chances", f"chances gives outcome {a!r} a probability of {p}{why}")
    total = math.fsum(probability)
    if abs(total - 1) > SAME:
        raise Broken("chances", "chances", f"the probabilities of chances sum to {total:.12g}, not to 1")


def check_written(where: str, count: int, what: str, first: float, second: float) -> None:
    """`where` says it wrote `count` numbers, into buffers full of either mark: was this one written, and the same?"""
    if first == second or (first != first and second != second):
        return
    if (first, second) == MARKS:
        raise Broken("count", where, f"{where} says it wrote {count}, but did not write {what}")
    raise Broken("unsteady", where, f"{where}, asked twice, writes {first:g} and {second:g} as {what}")


def payoff_problems(game: Game[Any, Any], payoff: Sequence[float]) -> Iterator[Problem]:
    shown = "(" + ", ".join(f"{u:g}" for u in payoff) + ")"
    if not all(math.isfinite(u) for u in payoff):
        yield Problem("utility", "utility", f"utility gives payoffs that are not finite: {shown}")
    elif game.zero_sum and abs(math.fsum(payoff)) > SAME * max(1.0, *map(abs, payoff)):
        sentence = f"the payoffs {shown} sum to {math.fsum(payoff):g}, and zero_sum=False is not declared"
        yield Problem("zero-sum", "utility", sentence)


def number(where: str, value: Any) -> float:
    """What a rule returned, if it is a finite number."""
    with blame(where):
        answer = float(value)
    if not math.isfinite(answer):
        raise Broken(where, where, f"{where} returns {answer}, which is not a finite number")
    return answer
