"""Random games: the cheapest estimate of a position, and the measure of how fast rules run.

`playouts` here, flat Monte Carlo and Monte Carlo tree search all call `random_game` (batch/random_game.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.batch.random_game import LONG, random_game
from zermelo.compile.dispatch import at, row
from zermelo.compile.kernel import kernel
from zermelo.compile.random import generator
from zermelo.compile.record import RecordArray, roomy, rows
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import GameError
from zermelo.core.spec import number, whole
from zermelo.search.searcher import need_rules

TOTALS = np.dtype([("plies", "i8"), ("unfinished", "i8")])  # of many games


def rollout_epsilon(game: RecordGame, rollouts: str, epsilon: float) -> float | None:
    """What `random_game` takes for rollouts called by a word: "random" or "heuristic"."""
    if rollouts == "random":
        return None
    if rollouts != "heuristic":
        raise GameError(f"rollouts are 'random' or 'heuristic', not {rollouts!r}")
    if not {"move_score", "noisy"} & set(game.variant.functions):
        raise GameError(f"{game.name} says nothing about which moves look good; its rollouts can only be random")
    return number("epsilon", epsilon, 0, 1)


@dataclass(frozen=True)
class Playouts:
    games: int
    moves: int
    unfinished: int  # games cut short at max_plies; they count as 0 for everybody
    mean: tuple[float, ...]  # the average payoff of every player
    error: tuple[float, ...]  # its standard error


@kernel
def play_random(states, moves, chance, result, payoff, squares, random, games, max_plies, totals):  # type: ignore[no-untyped-def]
    """Play `games` random games from states[0] in states[1]; payoffs and their squares are summed, and totals[0]."""
    s, total = states[1], at(totals, 0)
    for _ in range(games):
        states[1] = states[0]
        plies, finished = random_game(s, row(moves, 0), row(chance, 0), None, random, max_plies, result, None)
        if finished:
            for i in range(len(payoff)):
                payoff[i] += result[i]
                squares[i] += result[i] * result[i]
        else:
            total.unfinished += 1
        total.plies += plies


def playouts(
    game: RecordGame, games: int, state: State | None = None, seed: int = 0, max_plies: int | None = None
) -> Playouts:
    """Play `games` random games from `state`."""
    whole("games", games, 1)
    whole("seed", seed, 0)
    need_rules(game)
    states = roomy(2, game.variant.dtype)
    states[:1] = game.record(state)
    width = game.variant.width
    result, payoff, squares = roomy(game.players, np.float64), np.zeros(game.players), np.zeros(game.players)
    totals: RecordArray = np.zeros(1, TOTALS).view(np.recarray)
    limit = max_plies or game.variant.max_plies or LONG
    moves, chance = rows(1, width), rows(1, width if game.variant.max_chance_outcomes else 1, "f8")
    game.run(play_random, states, moves, chance, result, payoff, squares, generator(seed), games, limit, totals)
    mean = payoff / games
    error = np.sqrt(np.maximum(squares / games - mean**2, 0) / games)
    return Playouts(
        games, int(totals["plies"][0]), int(totals["unfinished"][0]), tuple(mean.tolist()), tuple(error.tolist())
    )
