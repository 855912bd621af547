"""Rounds of games. Actors learn side by side, each with weights and dice of its own, and are averaged after a round.

    round    actor 0   w ──games──→ w₀ ┐
             actor 1   w ──games──→ w₁ ├─→ w + the mean change, for every weight over the actors that moved it
             …                          ┘

The number of actors is part of the settings; the number of threads that carry them out is not, and changes nothing but
the time. So a round is a function of what `state` gives, and a training that goes on from there comes to the same
weights, bit for bit.

A round that leads to a weight that is not a number, or to an absurd one, is undone, and the learning rate halved.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.kernel import JIT
from zermelo.compile.random import generator
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.evaluate.network import Network, make_network
from zermelo.learn.exact_endings import OFF, exact_endings, exact_learner_for
from zermelo.learn.gradient import Coherence, coherence
from zermelo.learn.pretraining import pretrain
from zermelo.learn.self_play import by_name, make_totals, self_play
from zermelo.learn.settings import Settings
from zermelo.learn.td import ForwardTD
from zermelo.learn.td_leaf import TDLeaf, make_search, refuse_chance
from zermelo.learn.traces import BackwardTD, make_traces
from zermelo.learn.trajectory import make_trajectory

ABSURD = 1e6


class Actor:
    """One learner: a copy of the weights, dice, and room to play in."""

    def __init__(self, game: RecordGame, net: Network, settings: Settings, number: int):
        self.net = net.copy()
        self.random = generator(settings.seed * 1_000_003 + number)
        self.trajectory = make_trajectory(game, net.sizes[-1])
        self.seen = coherence(net.w.size if settings.coherence else 0)
        self.traces = make_traces(net) if settings.traces else None
        self.totals = make_totals()


def learner_for(settings: Settings) -> type[Any]:
    """How the settings learn."""
    return TDLeaf if settings.depth else BackwardTD if settings.traces else ForwardTD


def learners_for(settings: Settings) -> list[type[Any]]:
    """The same, with what tells it the truth where there are tables."""
    kind = learner_for(settings)
    return [kind] if settings.tables == OFF else [kind, exact_learner_for(kind)]


def make_learner(game: RecordGame, settings: Settings, actor: Actor, hyper: Any) -> Any:
    """What `self_play` is given: the actor's weights, and how they are learned."""
    net, seen, totals = actor.net, actor.seen, actor.totals
    kind = learner_for(settings)
    if kind is TDLeaf:
        search = make_search(game)  # a new one: its killers and history are no part of a training's `state`
        return TDLeaf(net, search, hyper, settings.depth, settings.target == "root", seen, totals)
    if kind is BackwardTD:
        return BackwardTD(net, actor.traces, net.weights[0]["w"], hyper, seen, totals)
    return ForwardTD(net, hyper, seen, totals)


class Trainer:
    """A training: `round()` plays and learns; `net` is what has been learned so far."""

    def __init__(
        self,
        game: RecordGame,
        settings: Settings,
        *,
        weights: NDArray[Any] | None = None,
        threads: int | None = None,
    ):
        if game.fields:
            raise GameError(f"{game.name}: games to learn from begin where the rules say, not with other fields")
        if settings.depth:
            refuse_chance(game)
        self.game = game
        self.settings = settings
        self.exact = exact_endings(game, settings)  # tables, where the settings ask for some
        self.net = make_network(
            game, settings.hidden, num_features=settings.num_features, weights=weights, seed=settings.seed
        )
        self.seen = coherence(self.net.w.size if settings.coherence else 0)
        self.games = 0
        self.scale = 1.0  # of the learning rate: halved whenever a round had to be undone
        self.undone = 0
        self.totals = by_name(make_totals())  # of the last round
        self.threads = threads or min(os.cpu_count() or 1, settings.actors)
        self.actors = [self._actor(number) for number in range(settings.actors)]

    def _actor(self, number: int) -> Actor:
        return Actor(self.game, self.net, self.settings, number)

    @property
    def finished(self) -> bool:
        return self.games >= self.settings.games

    def _goal(self) -> int:
        """How many games are learned from in this way."""
        return self.settings.games

    def round(self) -> None:
        """Every actor plays its games; the weights move."""
        count = min(self.settings.games_per_round, -(-(self._goal() - self.games) // len(self.actors)))
        if count <= 0:
            return
        if self.games == 0 and self.undone == 0 and self.settings.pretrain:
            pretrain(self.game, self.net, self.settings.pretrain, self.settings.seed)
        before = [actor.random.copy() for actor in self.actors]
        work: list[Callable[[], None]] = [self._work(actor, count) for actor in self.actors]
        if self.threads == 1 or len(work) == 1 or not JIT:
            for one in work:
                one()
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(lambda one: one(), work))
        if not self._meet():
            self._undo(before)
            return
        self.games += count * len(self.actors)
        self.totals = by_name(*(actor.totals for actor in self.actors))

    def _work(self, actor: Actor, count: int) -> Callable[[], None]:
        hyper = self.settings.hyperparameters(self.games, self.scale)

        def work() -> None:
            actor.net.w[:] = self.net.w
            actor.seen.net[:], actor.seen.total[:] = self.seen
            actor.totals = make_totals()
            learner = make_learner(self.game, self.settings, actor, hyper)
            if self.exact is not None:
                learner = self.exact.teaching(learner)
            self.game.run(self_play, learner, actor.trajectory, actor.random, count, actor.totals)

        return work

    def _meet(self) -> bool:
        """Bring the actors' weights together; False if that cannot be what was wanted."""
        if len(self.actors) == 1:
            w = self.actors[0].net.w
        else:
            change, moved = np.zeros(self.net.w.size), np.zeros(self.net.w.size, np.int32)
            for actor in self.actors:
                own = actor.net.w - self.net.w
                change += own
                moved += own != 0
            w = (self.net.w + change / np.maximum(moved, 1)).astype(np.float32)
        if not np.isfinite(w).all() or np.abs(w).max(initial=0) > ABSURD:
            return False
        self.net.w[:] = w
        for mine, theirs in zip(self.seen, zip(*(s.seen for s in self.actors), strict=True), strict=True):
            mine += np.sum([one - mine for one in theirs], axis=0, dtype=np.float32)
        return True

    def _undo(self, before: list[Any]) -> None:
        self.scale /= 2
        self.undone += 1
        if self.undone > 40:
            raise GameError(
                "the weights will not stay finite, however small the learning rate: these settings do not learn"
            )
        for actor, random in zip(self.actors, before, strict=True):
            actor.random[:] = random

    # -- to be kept ------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, NDArray[Any]]:
        """All that the next round depends on, besides the settings."""
        return {
            **({} if self.exact is None else self.exact.state()),
            "w": self.net.w.copy(),
            "random": np.concatenate([actor.random for actor in self.actors]),
            "coherence_net": self.seen.net.copy(),
            "coherence_total": self.seen.total.copy(),
            "progress": np.array([self.games, self.undone], np.int64),
            "scale": np.array([self.scale]),
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        if self.exact is not None:
            self.exact.check(state)
        try:
            self.net.w[:] = state["w"]
            self.seen = Coherence(state["coherence_net"].copy(), state["coherence_total"].copy())
            self.games, self.undone = map(int, state["progress"])
            self.scale = float(state["scale"][0])
            for actor, word in zip(self.actors, state["random"], strict=True):
                actor.random[0] = word
        except (KeyError, ValueError) as problem:
            raise GameError(f"this snapshot does not belong to this training: {problem}") from None
