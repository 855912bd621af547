"""Move ordering: alpha-beta finds the same value in any order, and cuts most if the best move comes first.

    b moves a node, d plies          leaves visited
    in the worst order               b^d at most, as many as minimax
    at random                        roughly b^(3d/4)
    best first, everywhere           b^⌈d/2⌉ + b^⌊d/2⌋ − 1, the least any search can do

An order is a function (s, actions) → the same actions, in the order in which they are to be tried.

Reference: Knuth and Moore 1975; Pearl 1982.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from zermelo.core.game import A, Game, S
from zermelo.textbook.sides import maximizes

Order: TypeAlias = Callable[[S, Sequence[A]], Sequence[A]]


def as_given(s: S, actions: Sequence[A]) -> Sequence[A]:
    """The order of `game.actions(s)`."""
    return actions


def best_first(game: Game[S, A], evaluate: Callable[[S], float] | None = None) -> Order[S, A]:
    """By the evaluation of the successors (player 0's view): decreasing at MAX, increasing at MIN.

    With exact values, `best_first(game, lambda s: minimax(game, s))`, the order is perfect.
    """
    return _by_value(game, evaluate or game.evaluate, best=True)


def worst_first(game: Game[S, A], evaluate: Callable[[S], float] | None = None) -> Order[S, A]:
    """The other way around: increasing at MAX, decreasing at MIN."""
    return _by_value(game, evaluate or game.evaluate, best=False)


def shuffled(seed: int | Random) -> Order[S, A]:
    """At random; the same seed gives the same orders."""
    rng = seed if isinstance(seed, Random) else Random(seed)
    return lambda s, actions: rng.sample(actions, len(actions))


def _by_value(game: Game[S, A], evaluate: Callable[[S], float], *, best: bool) -> Order[S, A]:
    def order(s: S, actions: Sequence[A]) -> Sequence[A]:
        decreasing = maximizes(game, game.player(s)) == best
        return sorted(actions, key=lambda a: evaluate(game.succ(s, a)), reverse=decreasing)

    return order
