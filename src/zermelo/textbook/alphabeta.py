"""Alpha-beta: minimax that does not look where looking cannot matter.

    α   what MAX is already sure of elsewhere: a lower bound of what the root will be worth
    β   what MIN is already sure of elsewhere: an upper bound

A node matters only if its value lies inside the window (α, β). A MAX node that reaches β will be avoided by MIN
further up, and is left at once (a β-cut); a MIN node that falls to α will be avoided by MAX (an α-cut).

Two classic forms, which visit the same nodes in the same order: `alphabeta_search`, a MAX-VALUE and a MIN-VALUE that
call each other and return the move with the value, and `alphabeta`, one function in which MAX and MIN differ by a flag.

Both are fail-soft and keep this promise. With V the value of s, as `limited_minimax` gives it, and v what is returned:

    v ≤ α        V ≤ v     fail-low:  v is an upper bound
    α < v < β    V = v     exact
    v ≥ β        V ≥ v     fail-high: v is a lower bound

All values, and α and β, are from player 0's view. The other side is assumed to play its best, as in minimax. Chance
nodes are worth their expectation, and each outcome is searched with the full window: nothing is cut across a chance
node, but below it cutting begins again.

References: Knuth and Moore 1975; Russell and Norvig, "Artificial Intelligence: A Modern Approach", chapter 6.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from zermelo.core.game import CHANCE, OVER, A, Game, GameError, S
from zermelo.core.trace import Trace
from zermelo.textbook.depth import Count, countdown
from zermelo.textbook.ordering import Order, as_given
from zermelo.textbook.policies import Choice
from zermelo.textbook.recording import Recorder, two_sided
from zermelo.textbook.sides import maximizes


def alphabeta_search(
    game: Game[S, A],
    s: S,
    *,
    depth: float = inf,
    evaluate: Callable[[S], float] | None = None,
    count: Count = "plies",
    alpha: float = -inf,
    beta: float = inf,
    order: Order[S, A] = as_given,
    trace: Trace | None = None,
) -> Choice[A]:
    """The value of `s` (player 0's view) and the move that reaches it; among equal moves the first in `order`.

    The value keeps the module's promise. A move found on a fail-low (v ≤ α) is only a guess.
    """
    record = Recorder(game, trace, two_sided(game))
    succ, left, estimate = record.succ, countdown(game, count), evaluate or game.evaluate

    @record
    def search(s: S, depth: float, alpha: float, beta: float) -> Choice[A]:
        player = game.player(s)
        if player == OVER:
            return Choice(game.utility(s))
        if depth <= 0:
            return Choice(estimate(s))
        depth = left(player, depth)
        if player == CHANCE:
            return Choice(sum(p * search(succ(s, a), depth, -inf, inf).value for a, p in game.chances(s)))
        if maximizes(game, player):
            return max_value(s, depth, alpha, beta)
        return min_value(s, depth, alpha, beta)

    def max_value(s: S, depth: float, alpha: float, beta: float) -> Choice[A]:
        best: Choice[A] = Choice(-inf)
        for a in order(s, game.actions(s)):
            value = search(succ(s, a), depth, alpha, beta).value
            if value > best.value:
                best = Choice(value, a)
            if best.value >= beta:
                return best  # a β-cut: MIN will not let MAX come here
            alpha = max(alpha, best.value)
        return best

    def min_value(s: S, depth: float, alpha: float, beta: float) -> Choice[A]:
        best: Choice[A] = Choice(inf)
        for a in order(s, game.actions(s)):
            value = search(succ(s, a), depth, alpha, beta).value
            if value < best.value:
                best = Choice(value, a)
            if best.value <= alpha:
                return best  # an α-cut: MAX will not come here
            beta = min(beta, best.value)
        return best

    return search(s, depth, *window(alpha, beta))


def alphabeta(
    game: Game[S, A],
    s: S,
    *,
    depth: float = inf,
    evaluate: Callable[[S], float] | None = None,
    count: Count = "plies",
    alpha: float = -inf,
    beta: float = inf,
    order: Order[S, A] = as_given,
    trace: Trace | None = None,
) -> float:
    """The value of `s` (player 0's view), or a bound of it: the module's promise."""
    record = Recorder(game, trace, two_sided(game))
    succ, left, estimate = record.succ, countdown(game, count), evaluate or game.evaluate

    @record
    def value(s: S, depth: float, alpha: float, beta: float) -> float:
        player = game.player(s)
        if player == OVER:
            return game.utility(s)
        if depth <= 0:
            return estimate(s)
        depth = left(player, depth)
        if player == CHANCE:
            return sum(p * value(succ(s, a), depth, -inf, inf) for a, p in game.chances(s))
        maximizing = maximizes(game, player)  # not the opposite of the parent's: a player may move twice
        best = -inf if maximizing else inf
        for a in order(s, game.actions(s)):
            child = value(succ(s, a), depth, alpha, beta)
            if maximizing:
                best = max(best, child)
                alpha = max(alpha, best)
            else:
                best = min(best, child)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    return value(s, depth, *window(alpha, beta))


def window(alpha: float, beta: float) -> tuple[float, float]:
    """(α, β), or a GameError where nothing lies between them."""
    if alpha >= beta:
        raise GameError(f"an empty window: α = {alpha:g} must be less than β = {beta:g}")
    return alpha, beta
