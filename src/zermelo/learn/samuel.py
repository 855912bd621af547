"""Samuel's checkers: a linear evaluation that learns from its own games, by generalising and then by rote.

    generalisation   every move is a search; the value of the position as it stands is moved towards what the search,
                     and what came of the game, say of it                                       (lookahead.py, "root")
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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import apply, at, key, row
from zermelo.compile.evaluator import HANDCRAFTED, estimate
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, generator, scramble, uniform
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import OVER
from zermelo.core.registry import load
from zermelo.evaluate.network import Network
from zermelo.evaluate.rote import Rote, grow_older, make_rote, remember
from zermelo.learn.contest import Contest, next_seed, note_pair
from zermelo.learn.lookahead import ask_search, make_search
from zermelo.learn.settings import Settings
from zermelo.learn.systems import System
from zermelo.learn.trainer import TOTALS, Trainer
from zermelo.learn.trajectory import TOO_LONG, begin, forbidden, make_trajectory, random_moves, to_move
from zermelo.learn.trajectory import remember as note

GAME = "checkers"
BY_ROTE = 0.1  # this part of the games
PLACES = 1 << 18  # of the memory
OLDER_EVERY = 4000  # plies: all that is remembered grows older; what nobody asks for lasts some 128,000 plies
YARDSTICK = 3  # plies: how far both sides look ahead where strength is measured
MOST_PAIRS = 400  # of games in a measurement
OPENING = 6  # random plies at the beginning of measured games


@kernel
def play_by_rote(rote, trajectory, search, random, rates, depth, games, totals):  # type: ignore[no-untyped-def]
    """Play `games` games; what each search says of its position is remembered. totals: as for play_and_learn, the error
    being that of the evaluation as it stands."""
    moves = 0
    for _ in range(games):
        s, plies, mover = begin(trajectory), 0, -1
        opening = random_moves(random, rates.opening)
        while True:
            p, n = to_move(trajectory, s, plies, mover)
            if p in (OVER, TOO_LONG):
                break
            mover, choice = p, below(random, n)
            if plies >= opening:
                best = ask_search(rote, trajectory, search, s, n, plies, depth)
                if best < 0:  # every move is forbidden: nobody has won
                    trajectory.payoff[0] = 0.0
                    break
                value = at(search[5], best).value
                totals[0] += 1.0
                totals[2] += abs(value - float(estimate(rote.inner, s)))
                remember(at(rote.memory, 0), key(s), value, depth)
                if not (rates.epsilon > 0.0 and uniform(random) < rates.epsilon):
                    choice = best
            apply(s, row(trajectory.moves, 0)[choice])
            if forbidden(trajectory, plies + 1, s):
                trajectory.payoff[0] = 0.0
                break
            plies += 1
            note(trajectory, plies, s)
            moves += 1
            if moves % OLDER_EVERY == 0:
                grow_older(rote.memory)
        totals[1] += plies
        totals[4] += trajectory.payoff[0]


@helper
def play_searched(first: Any, second: Any, trajectory: Any, search: Any, depth: Any, seed: Any, opening: Any) -> Any:
    """Player 0's payoff when both search to `depth`; `first` judges for player 0. The opening follows from the seed."""
    dice = np.empty(1, np.uint64)
    dice[0] = scramble(seed)
    s, plies, mover = begin(trajectory), 0, -1
    while True:
        p, n = to_move(trajectory, s, plies, mover)
        if p in (OVER, TOO_LONG):
            return trajectory.payoff[0]
        mover = p
        if plies < opening:
            choice = below(dice, n)
        elif p == 0:
            choice = ask_search(first, trajectory, search, s, n, plies, depth)
        else:
            choice = ask_search(second, trajectory, search, s, n, plies, depth)
        if choice < 0:
            return 0.0
        apply(s, row(trajectory.moves, 0)[choice])
        plies += 1
        note(trajectory, plies, s)


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
    totals = np.zeros(5)
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
        self._room = (make_trajectory(game, 1), make_search(game))

    def _forget_searches(self) -> None:
        """What searches remember of good moves decides between equal ones: no round may depend on the one before."""
        for search in (self._room[1], *(actor.search for actor in self.actors)):
            if search:
                search[2][0]["history"][:] = 0
                for name in ("killer", "killer_before"):
                    search[1][name][:] = -1

    @property
    def by_rote(self) -> bool:
        """Is it time for rote learning?"""
        return self.games >= self._goal()

    def _goal(self) -> int:
        return round(self.settings.games * (1 - BY_ROTE))

    def round(self) -> None:
        self._forget_searches()
        if not self.by_rote:
            super().round()
            return
        count = min(self.settings.games_per_round * len(self.actors), self.settings.games - self.games)
        if count <= 0:
            return
        totals, rates = np.zeros(len(TOTALS)), self.settings.rates_at(self.games)
        depth = max(1, self.settings.depth)
        self.game.run(play_by_rote, self.rote, *self._room, self._random, rates, depth, count, totals)
        self.games += count
        self.totals = dict(zip(TOTALS, map(float, totals), strict=True))

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
