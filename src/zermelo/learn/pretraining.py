"""Begin with what is known: before it plays, the model is fitted to the game's hand-written evaluation.

    position s of a game  →  V(s; w) is moved towards evaluate(s)

The games are played for their positions. Whoever is behind mostly moves to the successor the evaluation likes best,
whoever is ahead mostly anywhere: so they stay level for long, and all stages of the game are seen with something to
decide. What is won by far need only look won by far: evaluations are seldom made to be exact there.

It only has to come near: features that the evaluation does not know about learn from self-play, and so do the others,
but they begin with a meaning. Nobody gives the learning rate: it is divided by Σ φ², so that one step makes good the
same part of an error in every position of every game, and falls from FIRST to LAST (normalised least mean squares).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, at, evaluate, has_chance, over, row
from zermelo.compile.evaluator import HANDCRAFTED, estimate
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, generator, pick, uniform
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.evaluate.arithmetic import f4
from zermelo.evaluate.network import Network, forward, outputs_of
from zermelo.learn.contest import greedy
from zermelo.learn.fitting import coherence, compare, descend
from zermelo.learn.returns import outputs_for
from zermelo.learn.trajectory import TOO_LONG, begin, make_trajectory, remember, room_of, to_move

FIRST, LAST = 2.0, 0.01  # the learning rate: 4 would make good the whole error of a linear model that is unsure
ANY = 0.9  # how often whoever is ahead makes any move; the other, a quarter as often
DECIDED = 0.5  # won by far: this part of the way from the middle of the payoffs to the best
LONGEST = 200  # plies of a game: long enough to see how games go, and none is played for its end


@helper
def approach(net: Any, trajectory: Any, s: Any, rate: Any, seen: Any) -> Any:
    """Move V(s) towards evaluate(s); the error before."""
    n = forward(net, s)
    b, norm = at(net.scratch, 0), 1.0
    for i in range(n):
        norm += b.value[i] * b.value[i]
    outputs_for(net, float(evaluate(s)), trajectory.best, 0)
    error = compare(net, s, trajectory.best, 0, False)
    descend(net, n, at(net.weights, 0).w, 0, f4(rate / norm), seen)
    return error


@kernel
def play_and_pretrain(net, teacher, trajectory, random, games, first, last, any_, seen, totals):  # type: ignore[no-untyped-def]
    """Fit `net` to the positions of `games` games. totals: positions and errors; the same for the last tenth."""
    out, probability = row(trajectory.moves, 0), row(trajectory.chance, 0)
    longest = min(room_of(trajectory) - 1, LONGEST)
    levels = at(net.weights, 0).levels
    least, most = levels[0], levels[outputs_of(net)]
    middle, decided = (least + most) / 2, (most - least) * DECIDED / 2
    for game in range(games):
        rate = first * (last / first) ** (game / games)
        s, mover, plies, value = begin(trajectory), -1, 0, middle
        while plies < longest:
            p, n = to_move(trajectory, s, plies, mover)
            if p in (OVER, TOO_LONG):
                break
            if has_chance(s) and p == CHANCE:
                apply(s, out[pick(random, probability, n)])
                continue
            ahead = value > middle if p == 0 else value < middle
            mover, choice = p, below(random, n)
            if uniform(random) >= (any_ if ahead else any_ / 4):
                choice = greedy(teacher, trajectory, s, p, n, plies, random)
                if choice < 0:  # every move is forbidden
                    break
            apply(s, out[choice])
            plies += 1
            remember(trajectory, plies, s)
            if not over(s, row(trajectory.moves, 1)):
                value = float(evaluate(s))
                if abs(value - middle) > decided:
                    thought = float(estimate(net, s)) - middle
                    if abs(thought) > decided and (thought > 0) == (value > middle):
                        continue
                error = approach(net, trajectory, s, rate, seen)
                totals[0] += 1
                totals[1] += error
                if 10 * game >= 9 * games:
                    totals[2] += 1
                    totals[3] += error


def pretrain(game: RecordGame, net: Network, games: int, seed: int = 0) -> float:
    """Fit `net` to the hand-written evaluation of `game`; how far off its outputs are in the end, on average."""
    if not game.has_evaluation:
        raise GameError(f"{game.name} has no hand-written evaluation to pretrain")
    trajectory, none, totals = make_trajectory(game, net.sizes[-1]), coherence(0), np.zeros(4)
    random = generator(seed * 1_000_003 + 7919)
    game.run(play_and_pretrain, net, HANDCRAFTED, trajectory, random, games, FIRST, LAST, ANY, none, totals)
    return float(totals[3] / max(1.0, totals[2]))
