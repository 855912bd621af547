"""Depth limits: stop the recursion early and let an evaluation function say what the rest is worth.

    V(s, d) = Utility(s)                      if IsEnd(s)
              Eval(s)                         if d = 0
              max over a of V(Succ(s, a), d')  if the agent moves, min if the opponent does, …

What a move costs is a convention, and there are two:

    "plies"    every move of a player costs one            d' = d − 1
    "rounds"   only a move of the last player costs one    d' = d − 1 if player(s) is the last, else d

so that with n players taking turns, d rounds from player 0's turn are n·d plies. In both a chance node costs nothing.
The evaluation `evaluate(s)` takes the same view as the value it stands for; it defaults to the game's own.

References: Shannon 1950; Samuel 1959.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from zermelo.core.game import CHANCE, OVER, A, Game, GameError, S
from zermelo.core.trace import Trace
from zermelo.textbook.policies import Policies, odds
from zermelo.textbook.recording import Recorder, two_sided
from zermelo.textbook.sides import maximizes, team_total
from zermelo.textbook.values import expectation

Count: TypeAlias = Literal["plies", "rounds"]


def countdown(game: Game[S, A], count: Count) -> Callable[[int, float], float]:
    """d' as a function of the player who moves and of d."""
    if count not in ("plies", "rounds"):
        raise GameError(f"depth is counted in plies or in rounds, not in '{count}'")
    last = game.players - 1

    def left(player: int, depth: float) -> float:
        costs = player != CHANCE and (count == "plies" or player == last)
        return depth - 1 if costs else depth

    return left


def limited_minimax(
    game: Game[S, A],
    s: S,
    depth: float,
    *,
    evaluate: Callable[[S], float] | None = None,
    count: Count = "plies",
    trace: Trace | None = None,
) -> float:
    """`expectiminimax` to a depth: an estimate, from player 0's view, exact where every line ends within the limit.

    Assumes the worst of the other side, as far as it can see, and `evaluate` (player 0's view) beyond.
    """
    record = Recorder(game, trace, two_sided(game))
    succ, left, estimate = record.succ, countdown(game, count), evaluate or game.evaluate

    @record
    def value(s: S, depth: float) -> float:
        player = game.player(s)
        if player == OVER:
            return game.utility(s)
        if depth <= 0:
            return estimate(s)
        depth = left(player, depth)
        if player == CHANCE:
            return sum(p * value(succ(s, a), depth) for a, p in game.chances(s))
        if maximizes(game, player):
            return max(value(succ(s, a), depth) for a in game.actions(s))
        return min(value(succ(s, a), depth) for a in game.actions(s))

    return value(s, depth)


def limited_expectimax(
    game: Game[S, A],
    s: S,
    depth: float,
    policies: Policies[S, A],
    *,
    evaluate: Callable[[S], float] | None = None,
    count: Count = "plies",
    trace: Trace | None = None,
) -> float:
    """`expectimax` to a depth, for player 0 and its team: an estimate, from player 0's view.

    Assumes that the others follow `policies`, and `evaluate` (player 0's view) beyond the limit.
    """

    def follows(mover: int) -> bool:
        return mover in policies or not maximizes(game, mover)  # nature is on nobody's side

    record = Recorder(
        game, trace, lambda mover: "chance" if follows(mover) else "max", lambda s: odds(game, policies, s)
    )
    succ, left, estimate = record.succ, countdown(game, count), evaluate or game.evaluate

    @record
    def value(s: S, depth: float) -> float:
        player = game.player(s)
        if player == OVER:
            return game.utility(s)
        if depth <= 0:
            return estimate(s)
        depth = left(player, depth)
        if follows(player):
            return sum(p * value(succ(s, a), depth) for a, p in odds(game, policies, s).items())
        return max(value(succ(s, a), depth) for a in game.actions(s))

    return value(s, depth)


def limited_maxn(
    game: Game[S, A],
    s: S,
    depth: float,
    evaluate: Callable[[S], tuple[float, ...]],
    *,
    count: Count = "plies",
    trace: Trace | None = None,
) -> tuple[float, ...]:
    """`maxn` to a depth: estimated utilities of all players. `evaluate(s)` gives one number per player."""
    record = Recorder(game, trace, lambda player: "player")
    succ, left = record.succ, countdown(game, count)

    @record
    def value(s: S, depth: float) -> tuple[float, ...]:
        player = game.player(s)
        if player == OVER:
            return tuple(game.utility(s, p) for p in range(game.players))
        if depth <= 0:
            return evaluate(s)
        depth = left(player, depth)
        if player == CHANCE:
            return expectation([(p, value(succ(s, a), depth)) for a, p in game.chances(s)])
        return max((value(succ(s, a), depth) for a in game.actions(s)), key=lambda u: team_total(game, player, u))

    return value(s, depth)
