"""Policies: what a player does in a state.

    deterministic   π(s) = action                      lambda s: "A"
    stochastic      π(s) = {action: probability}       lambda s: {"A": 0.5, "B": 0.5}

Both are plain callables of a state and may be mixed freely. A policy is a function: asked twice about the same state
it gives the same answer, and the dice are thrown by whoever plays it (`sample`, with a generator they bring).
Nature is the player nobody has to give a policy for: `odds` asks the game about the chance nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isclose
from random import Random
from typing import Generic, NamedTuple, TypeAlias

from zermelo.core.game import CHANCE, A, Game, GameError, S

Policy: TypeAlias = Callable[[S], A | Mapping[A, float]]
Policies: TypeAlias = Mapping[int, Policy[S, A]]  # whose policy: {0: pi_agent, 1: pi_opponent}


class Choice(NamedTuple, Generic[A]):
    """What a search found: the value of the state it was asked about, and the action that reaches it."""

    value: float
    action: A | None = None  # None where nobody chooses: at the end, at the depth limit, at a chance node


def uniform(game: Game[S, A]) -> Policy[S, A]:
    """The random player: every legal action with the same probability."""

    def policy(s: S) -> Mapping[A, float]:
        actions = game.actions(s)
        return {a: 1 / len(actions) for a in actions}

    return policy


def distribution(game: Game[S, A], policy: Policy[S, A], s: S) -> dict[A, float]:
    """π(s) as {action: probability} for either kind of policy; actions it never plays are left out.

    A GameError if π plays an illegal action, or if its probabilities are negative or do not sum to 1.
    """
    answer = policy(s)
    chosen: Mapping[A, float] = answer if isinstance(answer, Mapping) else {answer: 1.0}
    legal = game.actions(s)
    for a, p in chosen.items():
        if a not in legal:
            raise GameError(f"the policy of player {game.player(s)} plays {a!r}, which is not legal here")
        if p < 0:
            raise GameError(f"the policy of player {game.player(s)} plays {a!r} with a negative probability")
    if not isclose(sum(chosen.values()), 1.0, abs_tol=1e-9):
        raise GameError(f"the probabilities of player {game.player(s)} sum to {sum(chosen.values()):g}, not to 1")
    return {a: p for a, p in chosen.items() if p > 0}


def odds(game: Game[S, A], policies: Policies[S, A], s: S) -> dict[A, float]:
    """What happens next in `s`, and how likely: nature's outcomes, or what the policy of the player to move says."""
    player = game.player(s)
    if player == CHANCE:
        return dict(game.chances(s))
    if player not in policies:
        raise GameError(f"player {player} is to move and has no policy")
    return distribution(game, policies[player], s)


def sample(probability: Mapping[A, float], rng: Random) -> A:
    """One action, drawn with its probability."""
    return rng.choices(list(probability), list(probability.values()))[0]
