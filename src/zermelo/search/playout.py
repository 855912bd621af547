"""Random games: the cheapest estimate of a position, and the measure of how fast rules run.

Every action is equally likely; chance keeps its own probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.core.dispatch import apply, expand, row, utility
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.core.kernel import kernel
from zermelo.core.random import below, generator, pick
from zermelo.core.record import rows
from zermelo.core.record_game import RecordGame, State


@dataclass(frozen=True)
class Playouts:
    games: int
    moves: int
    unfinished: int  # games cut short at max_plies; they count as 0 for everybody
    mean: tuple[float, ...]  # the average payoff of every player
    error: tuple[float, ...]  # its standard error


@kernel
def play_random(states, moves, chance, payoff, squares, random, games, max_plies, totals):  # type: ignore[no-untyped-def]
    """Play `games` random games from states[0] in states[1]; payoffs and their squares are summed, totals counted."""
    s = states[1]
    out, probability = row(moves, 0), row(chance, 0)
    result = np.zeros(len(payoff))
    for _ in range(games):
        states[1] = states[0]
        plies = 0
        while True:
            p, n = expand(s, out, probability)
            if p == OVER:
                utility(s, result)
                for i in range(len(payoff)):
                    payoff[i] += result[i]
                    squares[i] += result[i] * result[i]
                break
            if plies >= max_plies:
                totals[1] += 1
                break
            apply(s, out[pick(random, probability, n) if p == CHANCE else below(random, n)])
            plies += 1
        totals[0] += plies


def playouts(
    game: RecordGame, games: int, state: State | None = None, seed: int = 0, max_plies: int | None = None
) -> Playouts:
    """Play `games` random games from `state`."""
    if games < 1:
        raise GameError("at least one game must be played")
    states = np.zeros(2, game.variant.dtype)
    states[:1] = (state or game.start()).record
    width = game.variant.width
    payoff, squares, totals = np.zeros(game.players), np.zeros(game.players), np.zeros(2, np.int64)
    limit = max_plies or game.variant.max_plies or 10_000
    moves, chance = rows(1, width), rows(1, width if game.variant.max_outcomes else 1, "f8")
    game.run(play_random, states, moves, chance, payoff, squares, generator(seed), games, limit, totals)
    mean = payoff / games
    error = np.sqrt(np.maximum(squares / games - mean**2, 0) / games)
    return Playouts(games, int(totals[0]), int(totals[1]), tuple(mean.tolist()), tuple(error.tolist()))
