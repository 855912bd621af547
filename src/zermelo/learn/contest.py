"""Two evaluations against each other, each moving to the best successor, thousands of games inside one kernel.

Games come in pairs with the same dice and the same random opening, sides changed, so that luck cancels as far as it
can: the yardstick by which a training sees that it gets on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, assign, at, has_chance, over, row, utility
from zermelo.compile.evaluator import Constant, estimate
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, generator, pick, scramble, uniform
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.learn.trajectory import TOO_LONG, begin, forbidden, make_trajectory, remember, room_of, to_move


@dataclass(frozen=True)
class Contest:
    """What the first of two evaluations won, in points a game, with a 95 % interval over the pairs."""

    games: int
    points: float
    margin: float
    wins: int
    draws: int
    losses: int

    @classmethod
    def of(cls, totals: Any, pairs: int) -> Contest:
        """From what `note_pair` has summed up."""
        mean = totals[0] / pairs
        deviation = math.sqrt(max(0.0, totals[1] / pairs - mean**2) / max(1, pairs - 1))
        return cls(2 * pairs, mean / 2, 1.96 * deviation / 2, int(totals[2]), int(totals[3]), int(totals[4]))

    @property
    def score(self) -> float:
        """Wins and half of the draws, as a share."""
        return (self.wins + self.draws / 2) / self.games

    def __str__(self) -> str:
        return f"{self.points:+.3f} ± {self.margin:.3f} points a game ({self.wins}–{self.draws}–{self.losses})"


@helper
def greedy(evaluator: Any, trajectory: Any, s: Any, p: Any, n: Any, plies: Any, random: Any) -> Any:
    """The place of the best successor, -1 if all are forbidden; of equal ones, any."""
    child, out, spare = (
        at(trajectory.states, room_of(trajectory) + 1),
        row(trajectory.moves, 0),
        row(trajectory.moves, 1),
    )
    sign, best, choice, same = 1.0 if p == 0 else -1.0, -np.inf, -1, 0
    for i in range(n):
        assign(child, s)
        apply(child, out[i])
        if forbidden(trajectory, plies, child):
            continue
        if over(child, spare):
            utility(child, trajectory.payoff)
            v = sign * trajectory.payoff[0]
        else:
            v = sign * float(estimate(evaluator, child))
        same = 1 if v > best else same + 1 if v == best else same
        if v > best or (v == best and uniform(random) * same < 1.0):
            best, choice = v, i
    return choice


@helper
def play_game(first: Any, second: Any, trajectory: Any, seed: Any, opening: Any) -> Any:
    """Player 0's payoff; `first` is player 0. Dice, opening and choices among equals follow from the seed."""
    out, probability = row(trajectory.moves, 0), row(trajectory.chance, 0)
    dice, luck = np.empty(1, np.uint64), np.empty(1, np.uint64)
    dice[0], luck[0] = scramble(seed), scramble(seed ^ np.uint64(0x9E3779B97F4A7C15))
    s, plies, mover = begin(trajectory), 0, -1
    while True:
        p, n = to_move(trajectory, s, plies, mover)
        if p in (OVER, TOO_LONG):
            return trajectory.payoff[0]
        if has_chance(s) and p == CHANCE:
            apply(s, out[pick(dice, probability, n)])
            continue
        mover = p
        if plies < opening:
            choice = below(dice, n)
        elif p == 0:
            choice = greedy(first, trajectory, s, p, n, plies, luck)
        else:
            choice = greedy(second, trajectory, s, p, n, plies, luck)
        if choice < 0:
            return 0.0
        apply(s, out[choice])
        plies += 1
        remember(trajectory, plies, s)


@helper
def next_seed(random: Any) -> Any:
    """Of the next pair."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    return scramble(random[0])


@helper
def note_pair(totals: Any, a: Any, b: Any) -> None:
    """What `one` won in the games of a pair. totals: the sum over pairs, its square, then wins, draws and losses."""
    totals[0] += a + b
    totals[1] += (a + b) * (a + b)
    for won in (a, b):
        totals[2 if won > 0 else 4 if won < 0 else 3] += 1


@kernel
def play_pairs(one, other, trajectory, random, pairs, opening, totals):  # type: ignore[no-untyped-def]
    for _ in range(pairs):
        seed = next_seed(random)
        a = play_game(one, other, trajectory, seed, opening)
        note_pair(totals, a, -play_game(other, one, trajectory, seed, opening))


def contest(
    game: RecordGame, one: Any, other: Any = None, *, pairs: int = 500, opening: int = 0, seed: int = 0
) -> Contest:
    """Let two evaluations play `pairs` pairs of games; `other` None moves at random."""
    if game.players != 2:
        raise GameError(f"{game.name}: a contest is for two players")
    if pairs < 1:
        raise GameError("at least one pair of games must be played")
    other = Constant() if other is None else other
    one, other = (e.private().begin() if hasattr(e, "private") else e for e in (one, other))
    trajectory = make_trajectory(game, 1)
    totals = np.zeros(5)
    game.run(play_pairs, one, other, trajectory, generator(seed), pairs, opening, totals)
    return Contest.of(totals, pairs)
