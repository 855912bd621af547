"""Random games: the cheapest estimate of a position, and the measure of how fast rules run.

`random_game` plays one to its end, and everything that samples games calls it: `playouts` here, flat Monte Carlo, Monte
Carlo tree search. Every action is equally likely, unless the rules say which actions look good and the caller wants
that used (`epsilon`); chance keeps its own probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, at, expand, has_chance, move_score, noisy, offers, row, utility
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, generator, pick, uniform
from zermelo.compile.record import RecordArray, rows
from zermelo.compile.record_game import RecordGame, State
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.core.spec import number, whole
from zermelo.search.searcher import need_rules

PLAYED = np.dtype([("action", "i8"), ("mover", "i8")], align=True)  # one ply of a game, for whoever wants the moves
TOTALS = np.dtype([("plies", "i8"), ("unfinished", "i8")])  # of many games
LONG = 10_000  # plies, where the rules do not say how long a game can be


@helper
def random_game(
    s: Any, out: Any, probability: Any, epsilon: Any, random: Any, limit: Any, payoff: Any, log: Any
) -> Any:
    """Play `s` to its end, in place: (plies, True) with the payoffs written, or (limit, False) without.

    `epsilon` is None for moves at random; a number has the best scored move played, and with that probability any.
    `log` is None, or (limit,) PLAYED, which gets the moves. Either None costs nothing: the compiler leaves it out.
    """
    plies = 0
    while True:
        p, n = expand(s, out, probability)
        if p == OVER:
            utility(s, payoff)
            return plies, True
        if plies >= limit:
            return plies, False
        if has_chance(s) and p == CHANCE:
            action = out[pick(random, probability, n)]
        elif epsilon is None:
            action = out[below(random, n)]
        else:
            action = best_scored(s, out, n, epsilon, random)
        if log is not None:
            at(log, plies).action, at(log, plies).mover = action, p
        apply(s, action)
        plies += 1


@helper
def best_scored(s: Any, out: Any, n: Any, epsilon: Any, random: Any) -> Any:
    """The action of the highest move_score (of several, any), or else any noisy one; with probability `epsilon` any."""
    choice = out[below(random, n)]
    if uniform(random) < epsilon:
        return choice
    if offers(s, "move_score"):
        highest, equals = -np.inf, 0
        for i in range(n):
            score = float(move_score(s, out[i]))
            if score > highest:
                highest, equals, choice = score, 1, out[i]
            elif score == highest:
                equals += 1
                if below(random, equals) == 0:  # the last of k equals replaces the others with probability 1 / k
                    choice = out[i]
    elif offers(s, "noisy"):
        m = noisy(s, out)
        if m > 0:
            choice = out[below(random, m)]
    return choice


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
def play_random(states, moves, chance, payoff, squares, random, games, max_plies, totals):  # type: ignore[no-untyped-def]
    """Play `games` random games from states[0] in states[1]; payoffs and their squares are summed, and totals[0]."""
    s, total = states[1], at(totals, 0)
    result = np.zeros(len(payoff))
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
    states = np.zeros(2, game.variant.dtype)
    states[:1] = game.record(state)
    width = game.variant.width
    payoff, squares = np.zeros(game.players), np.zeros(game.players)
    totals: RecordArray = np.zeros(1, TOTALS).view(np.recarray)
    limit = max_plies or game.variant.max_plies or LONG
    moves, chance = rows(1, width), rows(1, width if game.variant.max_chance_outcomes else 1, "f8")
    game.run(play_random, states, moves, chance, payoff, squares, generator(seed), games, limit, totals)
    mean = payoff / games
    error = np.sqrt(np.maximum(squares / games - mean**2, 0) / games)
    return Playouts(
        games, int(totals["plies"][0]), int(totals["unfinished"][0]), tuple(mean.tolist()), tuple(error.tolist())
    )
