"""Samuel's checkers: a linear evaluation that learns from its own games, by generalising and then by rote.

    generalisation   every move is a search; the value of the position as it stands is moved towards what the search,
                     and what came of the game, say of it                                       (td_leaf.py, "root")
    rote             the last part of the games: the weights stand still, and every position that was searched is
                     remembered with its backed-up value, which later searches find at their leaves  (evaluate/rote.py)

In this order because what is remembered is out of date as soon as the weights change. The paper suggests it: to use
generalisation alone until it is stable, and to introduce rote learning then.

A. L. Samuel, Some studies in machine learning using the game of checkers, IBM Journal of Research and Development 3
(1959). What is done in another way here stands in docs/samuel.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import at, key
from zermelo.compile.evaluator import HANDCRAFTED, estimate
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, generator, scramble, uniform
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.registry import load
from zermelo.evaluate.network import Network
from zermelo.evaluate.rote import Rote, grow_older, make_rote, remember
from zermelo.learn.contest import Contest, make_score, next_seed, note_pair
from zermelo.learn.self_play import by_name, make_totals, play_game, self_play
from zermelo.learn.settings import Settings
from zermelo.learn.systems import System
from zermelo.learn.td_leaf import allowed, ask_search, make_search
from zermelo.learn.trainer import Trainer
from zermelo.learn.trajectory import make_trajectory, random_moves

GAME = "checkers"
BY_ROTE = 0.1  # this part of the games
PLACES = 1 << 18  # of the memory
OLDER_EVERY = 4000  # plies: all that is remembered grows older; what nobody asks for lasts some 128,000 plies
YARDSTICK = 3  # plies: how far both sides look ahead where strength is measured
MOST_PAIRS = 400  # of games in a measurement
OPENING = 6  # random plies at the beginning of measured games


class RoteLearner(NamedTuple):
    """What each search says of its position is remembered; the error is that of the evaluation as it stands."""

    rote: Any
    search: Any
    hyper: Any
    depth: Any
    totals: Any

    def game_begins(learner, trajectory: Any, random: Any) -> None:
        at(trajectory.notes, 0).opening = random_moves(random, learner.hyper.opening)

    def choose_move(learner, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        g, rote, sums, epsilon = at(trajectory.notes, 0), learner.rote, at(learner.totals, 0), learner.hyper.epsilon
        place = below(random, n)
        if g.plies >= g.opening:
            best = ask_search(rote, trajectory, learner.search, s, n, learner.depth)
            if best < 0:
                return -1
            value = at(learner.search[5], best).value
            sums.positions += 1.0
            sums.error += abs(value - float(estimate(rote.inner, s)))
            remember(at(rote.memory, 0), key(s), value, learner.depth)
            if not (epsilon > 0.0 and uniform(random) < epsilon):
                place = best
        return allowed(trajectory, s, place)

    def after_move(learner, trajectory: Any, s: Any, n: Any, place: Any) -> None:
        moves = at(learner.totals, 0).decisions + at(trajectory.notes, 0).plies
        if moves % OLDER_EVERY == 0:
            grow_older(learner.rote.memory)


class Searchers(NamedTuple):
    """Both sides search to `depth`; `first` judges for player 0, `second` for player 1."""

    first: Any
    second: Any
    search: Any
    depth: Any
    opening: Any

    def choose_move(players, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        if at(trajectory.notes, 0).plies < players.opening:
            return below(random, n)
        if p == 0:
            return ask_search(players.first, trajectory, players.search, s, n, players.depth)
        return ask_search(players.second, trajectory, players.search, s, n, players.depth)


@helper
def play_searched(first: Any, second: Any, trajectory: Any, search: Any, depth: Any, seed: Any, opening: Any) -> Any:
    """Player 0's payoff; the opening follows from the seed."""
    dice = np.empty(1, np.uint64)
    dice[0] = scramble(seed)
    play_game(Searchers(first, second, search, depth, opening), trajectory, dice)
    return at(trajectory.notes, 0).payoff[0]


@kernel
def play_searched_pairs(one, other, trajectory, search, depth, random, pairs, opening, totals):  # type: ignore[no-untyped-def]
    for _ in range(pairs):
        seed = next_seed(random)
        a = play_searched(one, other, trajectory, search, depth, seed, opening)
        note_pair(totals, a, -play_searched(other, one, trajectory, search, depth, seed, opening))


def searched_contest(
    game: RecordGame,
    one: Any,
    other: Any = HANDCRAFTED,
    *,
    depth: int = YARDSTICK,
    pairs: int = 100,
    opening: int = OPENING,
    seed: int = 0,
) -> Contest:
    """Two evaluations against each other in searches of equal depth: pairs of games with the same random opening."""
    totals = make_score()
    game.run(
        play_searched_pairs,
        one,
        other,
        make_trajectory(game, 1),
        make_search(game),
        depth,
        generator(seed),
        pairs,
        opening,
        totals,
    )
    return Contest.of(totals, pairs)


class Samuel(Trainer):
    """A training in two parts: first the weights are learned, then, with these weights, positions by rote."""

    def __init__(
        self,
        game: RecordGame,
        settings: Settings,
        *,
        weights: NDArray[Any] | None = None,
        threads: int | None = None,
    ):
        super().__init__(game, settings, weights=weights, threads=threads)
        self.rote = make_rote(self.net, PLACES)
        self._random = generator(settings.seed * 1_000_003 + 999_983)
        self._trajectory = make_trajectory(game, 1)

    @property
    def by_rote(self) -> bool:
        """Is it time for rote learning?"""
        return self.games >= self._goal()

    def _goal(self) -> int:
        return round(self.settings.games * (1 - BY_ROTE))

    def round(self) -> None:
        if not self.by_rote:
            super().round()
            return
        count = min(self.settings.games_per_round * len(self.actors), self.settings.games - self.games)
        if count <= 0:
            return
        hyper, depth, totals = self.settings.hyperparameters(self.games), max(1, self.settings.depth), make_totals()
        learner = RoteLearner(self.rote, make_search(self.game), hyper, depth, totals)
        self.game.run(self_play, learner, self._trajectory, self._random, count, totals)
        self.games += count
        self.totals = by_name(totals)

    def state(self) -> dict[str, NDArray[Any]]:
        return {**super().state(), **self.rote.arrays(), "rote_random": self._random.copy()}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        super().restore(state)
        self.rote.restore(state)
        self._random[:] = state["rote_random"]


def recall(folder: Path | str, game: RecordGame, net: Network) -> Rote:
    """`net` with what a training in `folder` has learned by rote."""
    from zermelo.learn.runs.snapshots import Description, read_snapshot

    tensors, _ = read_snapshot(Path(folder), Description.read(Path(folder)))
    rote = make_rote(net, PLACES)
    rote.restore(tensors)
    return rote


def training(given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that are not `given`: those the game's rules declare."""
    game = load(GAME)
    assert isinstance(game, RecordGame)
    return dict(game.variant.training or {})


def measure(game: RecordGame, net: Network, settings: Settings, pairs: int) -> Contest:
    """Strength: against the hand-written evaluation, both looking YARDSTICK plies ahead."""
    return searched_contest(game, net, HANDCRAFTED, pairs=min(pairs, MOST_PAIRS))


def system() -> System:
    return System(
        name="samuel",
        about="a linear evaluation that learns checkers with look-ahead, by generalisation and by rote",
        game=GAME,
        training=training,
        trainer=Samuel,
        measure=measure,
        baseline=f"the hand-written evaluation, both looking {YARDSTICK} plies ahead",
    )
