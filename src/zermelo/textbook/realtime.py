"""Real-time play: nobody needs the whole policy, only the next move.

    until the game is over:
        search from the state on the board
        make the first move of what was found
        wait for the opponent (and the dice)

The rest of the plan is thrown away: from the new state the search begins again, one move nearer to the end. A search
that names a move is a policy, and so is a person at a keyboard:

    agent = lambda s: alphabeta_search(game, s, depth=4).action
    human = lambda s: game.parse_action(s, input("> "))
    for turn in play(game, {0: agent, 1: human}, Random(1)):
        print(game.text(turn.after))
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Generic, NamedTuple

from zermelo.core.game import A, Game, S
from zermelo.textbook.policies import Policies, odds, sample


class Turn(NamedTuple, Generic[S, A]):
    """One move of a game being played."""

    before: S
    player: int  # who moved; CHANCE for nature
    action: A
    after: S


def play(game: Game[S, A], policies: Policies[S, A], rng: Random, s: S | None = None) -> Iterator[Turn[S, A]]:
    """Play from `s` (default: the start) to the end, a turn at a time.

    A policy is asked when its player is to move and not before, so it may search, or wait for somebody. Chance, and
    the choice among the actions of a stochastic policy, come from `rng`.
    """
    s = game.start() if s is None else s
    while not game.is_end(s):
        action = sample(odds(game, policies, s), rng)
        turn = Turn(s, game.player(s), action, game.succ(s, action))
        yield turn
        s = turn.after
