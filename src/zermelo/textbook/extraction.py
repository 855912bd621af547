"""From values to policies: look one move ahead and take the action whose successor is worth most.

    π_max(s)     = argmax over a of V_minmax(Succ(s, a))         where the agent moves
    π_min(s)     = argmin over a of V_minmax(Succ(s, a))         where the opponent moves
    π_exptmax(s) = argmax over a of V_exptmax(Succ(s, a))

Against each other they stand in this order, for player 0, whatever π is:

    V(π_exptmax(π), π_min) ≤ V(π_max, π_min) ≤ V(π_max, π) ≤ V(π_exptmax(π), π)

All are deterministic. Among actions of the same value the first, in the order of `game.actions(s)`, is taken.
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo.core.game import A, Game, S
from zermelo.textbook.policies import Policies
from zermelo.textbook.sides import team_total
from zermelo.textbook.values import expectimax, expectiminimax, maxn


def best_action(game: Game[S, A], s: S, value: Callable[[S], float], *, player: int = 0) -> A:
    """The action whose successor has the largest `value`, seen from `player`; the smallest where another side moves."""
    best = max if game.side(game.player(s)) == game.side(player) else min
    return best(game.actions(s), key=lambda a: value(game.succ(s, a)))


def greedy(game: Game[S, A], value: Callable[[S], float], *, player: int = 0) -> Callable[[S], A]:
    """The policy of `best_action`: any estimate of values, a search or an average over paths, makes a player."""
    return lambda s: best_action(game, s, value, player=player)


def minimax_policy(game: Game[S, A]) -> Callable[[S], A]:
    """π_max where side 0 moves and π_min where another does. Every state is worked out once and remembered."""
    memo: dict[S, float] = {}
    return greedy(game, lambda s: expectiminimax(game, s, memo=memo))


def expectimax_policy(game: Game[S, A], policies: Policies[S, A], *, player: int = 0) -> Callable[[S], A]:
    """π_exptmax of `player` against `policies`. Every state is worked out once and remembered."""
    memo: dict[S, float] = {}
    return greedy(game, lambda s: expectimax(game, s, policies, player=player, memo=memo), player=player)


def maxn_policy(game: Game[S, A]) -> Callable[[S], A]:
    """What each player does in max^n. Every state is worked out once and remembered."""
    memo: dict[S, tuple[float, ...]] = {}

    def policy(s: S) -> A:
        values = {a: maxn(game, game.succ(s, a), memo=memo) for a in game.actions(s)}
        return max(values, key=lambda a: team_total(game, game.player(s), values[a]))

    return policy


def optimal_path(game: Game[S, A], s: S, policy: Callable[[S], A]) -> list[A]:
    """The actions from `s` if everybody follows `policy`, to the end or to the first chance node."""
    path: list[A] = []
    while game.player(s) >= 0:
        path.append(policy(s))
        s = game.succ(s, path[-1])
    return path
