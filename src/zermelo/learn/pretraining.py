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

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import at, evaluate, over, row
from zermelo.compile.evaluator import HANDCRAFTED, estimate
from zermelo.compile.random import below, generator, uniform
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import GameError
from zermelo.evaluate.arithmetic import f4
from zermelo.evaluate.network import Network, forward, outputs_of
from zermelo.learn.gradient import coherence, compare, descend
from zermelo.learn.returns import outputs_for
from zermelo.learn.self_play import make_totals, self_play
from zermelo.learn.successors import greedy
from zermelo.learn.trajectory import make_trajectory

FIRST, LAST = 2.0, 0.01  # the learning rate: 4 would make good the whole error of a linear model that is unsure
ANY = 0.9  # how often whoever is ahead makes any move; the other, a quarter as often
DECIDED = 0.5  # won by far: this part of the way from the middle of the payoffs to the best
LONGEST = 200  # plies of a game: long enough to see how games go, and none is played for its end


@helper
def approach(net: Any, trajectory: Any, s: Any, rate: Any, seen: Any) -> Any:
    """Move V(s) towards evaluate(s); the error before."""
    g = at(trajectory.notes, 0)
    n = forward(net, s)
    b, norm = at(net.scratch, 0), 1.0
    for i in range(n):
        norm += b.value[i] * b.value[i]
    outputs_for(net, float(evaluate(s)), g.best, 0)
    error = compare(net, s, g.best, 0, False)
    descend(net, n, at(net.weights, 0).w, 0, f4(rate / norm), seen)
    return error


class Pretraining(NamedTuple):
    net: Any
    teacher: Any
    games: Any
    first: Any
    last: Any
    any_move: Any
    seen: Any
    totals: Any
    late: Any  # the same for the last tenth of the games
    now: Any  # (2,): the learning rate of this game; what the evaluation says of the position moved to

    def game_begins(learner, trajectory: Any, random: Any) -> None:
        first, last, number = learner.first, learner.last, at(trajectory.notes, 0).number
        learner.now[0] = first * (last / first) ** (number / learner.games)
        learner.now[1] = middle_of(learner.net)

    def choose_move(learner, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        value, middle = learner.now[1], middle_of(learner.net)
        ahead = value > middle if p == 0 else value < middle
        place = below(random, n)
        if uniform(random) >= (learner.any_move if ahead else learner.any_move / 4):
            place = greedy(learner.teacher, trajectory, s, p, n, random)
        return place

    def after_move(learner, trajectory: Any, s: Any, n: Any, place: Any) -> None:
        if over(s, row(trajectory.moves, 1)):
            return
        middle, decided = middle_of(learner.net), decided_by(learner.net)
        value = float(evaluate(s))
        learner.now[1] = value
        if abs(value - middle) > decided:
            thought = float(estimate(learner.net, s)) - middle
            if abs(thought) > decided and (thought > 0) == (value > middle):
                return
        error = approach(learner.net, trajectory, s, float(learner.now[0]), learner.seen)
        note(learner.totals, error)
        if 10 * at(trajectory.notes, 0).number >= 9 * learner.games:
            note(learner.late, error)


@helper
def middle_of(net: Any) -> Any:
    """Half-way between the worst payoff and the best."""
    levels = at(net.weights, 0).levels
    return (levels[0] + levels[outputs_of(net)]) / 2


@helper
def decided_by(net: Any) -> Any:
    """How far from the middle a game is won by far."""
    levels = at(net.weights, 0).levels
    return (levels[outputs_of(net)] - levels[0]) * DECIDED / 2


@helper
def note(totals: Any, error: Any) -> None:
    sums = at(totals, 0)
    sums.positions += 1
    sums.error += error


def pretrain(game: RecordGame, net: Network, games: int, seed: int = 0) -> float:
    """Fit `net` to the hand-written evaluation of `game`; how far off its outputs are in the end, on average."""
    if not game.has_evaluation:
        raise GameError(f"{game.name} has no hand-written evaluation to learn from")
    totals, late, trajectory = make_totals(), make_totals(), make_trajectory(game, net.sizes[-1], LONGEST + 1)
    learner = Pretraining(net, HANDCRAFTED, games, FIRST, LAST, ANY, coherence(0), totals, late, np.zeros(2))
    game.run(self_play, learner, trajectory, generator(seed * 1_000_003 + 7919), games, totals)
    return float(late[0]["error"] / max(1.0, late[0]["positions"]))
