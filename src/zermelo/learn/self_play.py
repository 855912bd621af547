"""The one loop of self-play: whole games inside one kernel, whoever learns from them, and however.

    learner            says how games begin, which moves are played, and what is learned from them: a NamedTuple of
                       numbers and arrays, whose methods the kernel calls, picked by type like an evaluator's

    game_begins(learner, trajectory, random)
      ┌ before_chance(learner, trajectory, s)                       chance is about to move
      │ choose_move(learner, trajectory, s, p, n, random)  → place  of the action among row 0; -1: all are forbidden
      └ after_move(learner, trajectory, s, n, place)                … and it was played
    game_ends(learner, trajectory, truncated)              → was it learned from to its end?

The learners: td.py (TD(λ), after each game), traces.py (TD(λ), during it), td_leaf.py (with a search for every move),
qlearning.py (Q-learning and SARSA), pretraining.py (the hand-written evaluation), samuel.py (by rote). Matches of two
evaluations use the same loop and learn nothing (contest.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, at, expand, has_chance, row
from zermelo.compile.kernel import kernel
from zermelo.compile.overloads import method
from zermelo.compile.random import pick
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.evaluate.held import Held
from zermelo.learn.trajectory import TOO_LONG, begin, remember, to_move

TOTALS = np.dtype(
    [
        ("positions", "f8"),  # learned from
        ("decisions", "f8"),  # moves of players
        ("error", "f8"),  # |V - target|, averaged over outputs, summed over positions
        ("truncated", "f8"),  # games that got too long, and nobody said what they count
        ("payoff", "f8"),  # player 0's
        ("successors", "f8"),  # looked at
    ]
)


def make_totals() -> Any:
    """What a round comes to: one record of sums."""
    return np.zeros(1, TOTALS).view(Held)


def by_name(*totals: Any) -> dict[str, float]:
    """The sums, of several actors added up."""
    return {name: float(sum(one[0][name] for one in totals)) for name in TOTALS.names or ()}


@method
def game_begins(learner: Any, trajectory: Any, random: Any) -> None:
    """A game has been set up."""


@method
def before_chance(learner: Any, trajectory: Any, s: Any) -> bool:
    """Chance is to move at `s`. True: row 0 has been used for something else."""
    return False


@method
def choose_move(learner: Any, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
    """The place, among the n actions in row 0, of the one that player p plays; -1 if all are forbidden."""
    raise NotImplementedError


@method
def after_move(learner: Any, trajectory: Any, s: Any, n: Any, place: Any) -> None:
    """The action at `place`, of n, has led to `s`."""


@method
def game_ends(learner: Any, trajectory: Any, truncated: Any) -> bool:
    """Learn from the game. False if it was `truncated` and its end says nothing."""
    return True


@helper
def play_game(learner: Any, trajectory: Any, random: Any) -> Any:
    """One game to its end, with player 0's payoff in notes.payoff; was it truncated?"""
    out, probability, g = row(trajectory.moves, 0), row(trajectory.chance, 0), at(trajectory.notes, 0)
    s = begin(trajectory)
    game_begins(learner, trajectory, random)
    while True:
        p, n = to_move(trajectory, s)
        if p in (OVER, TOO_LONG):
            return p == TOO_LONG
        if has_chance(s) and p == CHANCE:
            if before_chance(learner, trajectory, s):
                p, n = expand(s, out, probability)
            apply(s, out[pick(random, probability, n)])
            remember(trajectory, s)
            continue
        g.mover = p
        place = choose_move(learner, trajectory, s, p, n, random)
        if place < 0:  # nobody has won
            g.payoff[0] = 0.0
            return False
        apply(s, out[place])
        g.plies += 1
        remember(trajectory, s)
        after_move(learner, trajectory, s, n, place)


@kernel
def self_play(learner, trajectory, random, games, totals):  # type: ignore[no-untyped-def]
    """Play `games` games, with `learner` for all players, which learns from them."""
    sums, g = at(totals, 0), at(trajectory.notes, 0)
    for number in range(games):
        g.number = number
        truncated = play_game(learner, trajectory, random)
        finished = game_ends(learner, trajectory, truncated)
        sums.decisions += g.plies
        sums.truncated += 0.0 if finished else 1.0
        sums.payoff += g.payoff[0]
