"""Two evaluations against each other, each moving to the best successor, thousands of games inside one kernel.

Games come in pairs with the same dice and the same random opening, sides changed, so that luck cancels as far as it
can: the yardstick by which a training sees that it gets on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import at
from zermelo.compile.evaluator import Constant
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, generator, scramble
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import GameError
from zermelo.learn.self_play import play_game
from zermelo.learn.successors import greedy
from zermelo.learn.trajectory import make_trajectory


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
        sums = totals[0]
        mean = sums["points"] / pairs
        deviation = math.sqrt(max(0.0, sums["squares"] / pairs - mean**2) / max(1, pairs - 1))
        wins, draws, losses = (int(sums[name]) for name in ("wins", "draws", "losses"))
        return cls(2 * pairs, mean / 2, 1.96 * deviation / 2, wins, draws, losses)

    @property
    def score(self) -> float:
        """Wins and half of the draws, as a share."""
        return (self.wins + self.draws / 2) / self.games

    def __str__(self) -> str:
        return f"{self.points:+.3f} ± {self.margin:.3f} points a game ({self.wins}–{self.draws}–{self.losses})"


SCORE = np.dtype([("points", "f8"), ("squares", "f8"), ("wins", "f8"), ("draws", "f8"), ("losses", "f8")])  # of pairs


def make_score() -> Any:
    return np.zeros(1, SCORE).view(np.recarray)


class Contestants(NamedTuple):
    """`first` moves for player 0, `second` for player 1; luck decides between successors that look alike."""

    first: Any
    second: Any
    opening: Any
    luck: Any

    def choose_move(players, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        if at(trajectory.notes, 0).plies < players.opening:
            return below(random, n)
        if p == 0:
            return greedy(players.first, trajectory, s, p, n, players.luck)
        return greedy(players.second, trajectory, s, p, n, players.luck)


@helper
def play_one(first: Any, second: Any, trajectory: Any, seed: Any, opening: Any) -> Any:
    """Player 0's payoff; `first` is player 0. Dice, opening and choices among equals follow from the seed."""
    dice, luck = np.empty(1, np.uint64), np.empty(1, np.uint64)
    dice[0], luck[0] = scramble(seed), scramble(seed ^ np.uint64(0x9E3779B97F4A7C15))
    play_game(Contestants(first, second, opening, luck), trajectory, dice)
    return at(trajectory.notes, 0).payoff[0]


@helper
def next_seed(random: Any) -> Any:
    """Of the next pair."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    return scramble(random[0])


@helper
def note_pair(totals: Any, a: Any, b: Any) -> None:
    """What `one` won in the games of a pair."""
    score = at(totals, 0)
    score.points += a + b
    score.squares += (a + b) * (a + b)
    for won in (a, b):
        if won > 0:
            score.wins += 1
        elif won < 0:
            score.losses += 1
        else:
            score.draws += 1


@kernel
def play_pairs(one, other, trajectory, random, pairs, opening, totals):  # type: ignore[no-untyped-def]
    for _ in range(pairs):
        seed = next_seed(random)
        a = play_one(one, other, trajectory, seed, opening)
        note_pair(totals, a, -play_one(other, one, trajectory, seed, opening))


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
    totals = make_score()
    game.run(play_pairs, one, other, trajectory, generator(seed), pairs, opening, totals)
    return Contest.of(totals, pairs)
