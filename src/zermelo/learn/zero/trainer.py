"""A training: rounds of self-play and updates. The weights' average plays; the weights themselves learn.

A round is a function of what `state` gives and of the settings: a training that goes on from there comes to the same
weights, bit for bit, on cores. (A card's compiler tries out which of several ways of computing a sum is fastest, and
may choose another one in another process.)
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the games need memory of the card too

import jax
import jax.numpy as jnp
import numpy as np
import optax

from zermelo.batch.judge import Judge, make_judge
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.evaluate.tower import need_jax_card
from zermelo.evaluate.tower.architecture import (
    Architecture,
    Weights,
    architecture_for,
    make_weights,
    symmetries_of,
)
from zermelo.evaluate.tower.sight import sees_features
from zermelo.learn.exact_endings import OFF, ExactEndings
from zermelo.learn.zero.log import MEASURES
from zermelo.learn.zero.replay import NO_REPLY, READY, Layout, key_of
from zermelo.learn.zero.self_play import SelfPlay
from zermelo.learn.zero.settings import ZeroSettings
from zermelo.learn.zero.updates import Learner, Plan, compile_updates, make_learner


def need_device(device: str) -> None:
    """JAX must compute where the games are played."""
    if device == "cuda":
        need_jax_card("train on the cores")
    if device == "cpu" and jax.default_backend() != "cpu":
        jax.config.update("jax_default_device", jax.devices("cpu")[0])


@cache
def compiled_update(a: Architecture, layout: Layout, plan: Plan, leaves: tuple[Any, ...], tree: Any) -> Any:
    """A round's updates, for arrays of these shapes."""
    return compile_updates(a, layout, plan, jax.tree.unflatten(tree, leaves))


class Trainer:
    """`round()` plays and learns; `average` is what has been learned so far."""

    def __init__(self, game: RecordGame, settings: ZeroSettings, device: str = "cpu", weights: Weights | None = None):
        if game.fields:
            raise GameError(f"{game.name}: games to learn from begin where the rules say, not with other fields")
        if sees_features(game.variant) and device != "cpu":
            raise GameError(
                f"{game.name} has no planes(s, out), and features are learned from on the cores: leave out --device"
            )
        if settings.tables != OFF and device != "cpu":
            raise GameError("games end where tables know the result on the cores only: leave out tables, or --device")
        need_device(device)
        self.game, self.settings, self.device = game, settings, device
        self.architecture = architecture_for(game, settings.blocks, settings.channels, settings.reply_weight > 0)
        if self.architecture.policy > NO_REPLY:
            raise GameError(
                f"{game.name} has a policy of {self.architecture.policy:,} numbers; "
                f"a training keeps {NO_REPLY:,} at most"
            )
        if settings.tables != OFF and self.architecture.owners and settings.owners_weight:
            raise GameError(
                "a game that tables end does not say whose the cells are: leave out tables, or owners_weight=0"
            )
        self.learner = make_learner(weights or make_weights(self.architecture, settings.seed))
        self.exact = None if settings.tables == OFF else ExactEndings(game, settings.tables)
        self.self_play = SelfPlay(game, self.architecture, settings, device, self.exact)
        self.rounds = 0
        self.games = 0
        self.totals: dict[str, float] = {}  # of the last round
        self.dtype = jnp.float32 if device == "cpu" else jnp.bfloat16
        self._turns = self._symmetries()
        self._compiled = ThreadPoolExecutor(1).submit(self._compile)  # while the first games are played

    def _symmetries(self) -> tuple[Any, Any]:
        known = symmetries_of(self.game) if self.settings.symmetries else symmetries_of(self.game)[:1]
        cells = np.stack([cells for cells, _ in known])
        places = np.stack([np.argsort(policy) for _, policy in known])  # where each number of the policy goes
        return jnp.asarray(cells, jnp.int32), jnp.asarray(places, jnp.int32)

    @property
    def finished(self) -> bool:
        return self.rounds >= self.settings.rounds

    @property
    def average(self) -> dict[str, Any]:
        """The weights that play."""
        return {name: np.asarray(one) for name, one in self.learner.average.items()}

    def judge(self, weights: Mapping[str, Any] | None = None) -> Judge:
        """The network that plays, as it is now, or the one with these weights."""
        size = self.settings.parallel_games // 2
        held = weights or self.learner.average  # the learner's arrays are written over by the next update
        kept = {name: jnp.array(one) for name, one in held.items()}
        return make_judge(self.game, self.architecture, kept, self.dtype, size)

    def plan(self) -> Plan:
        s = self.settings
        return Plan(
            s.updates, s.batch_size, s.weight_decay, s.averaging, s.value_weight, s.owners_weight,
            s.reply_weight, self.dtype, self.device != "cpu",
        )  # fmt: skip

    def _compile(self) -> Any:
        """The updates of a round, ready to be called. They take longest to compile of all."""
        told = jax.tree.map(
            lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), self._learned_from(jax.random.key(0), 0, 0)
        )
        leaves, tree = jax.tree.flatten(told)
        return compiled_update(self.architecture, self.self_play.layout, self.plan(), tuple(leaves), tree)

    def _learned_from(self, key: Any, rate: float, blend: float) -> tuple[Any, ...]:
        return self.learner, self.self_play.ring, self._turns, key, jnp.float32(rate), jnp.float32(blend)

    def round(self) -> None:
        """Moves in every game, then updates, as soon as there is something to learn from."""
        s, judge = self.settings, self.judge()
        random = np.random.default_rng([s.seed, 3, self.rounds])
        full = set(random.permutation(s.moves_per_round)[: s.full_searches].tolist())
        simulations = s.simulations_at(self.rounds)
        for move in range(s.moves_per_round):
            self.self_play.move(judge, move in full, simulations[move not in full])
        self.self_play.check()
        counts = self.self_play.counts()
        self.totals = {**counts, "positions": float(s.full_searches * s.parallel_games)}
        ready = int((self.self_play.ring.status == READY).sum())
        if ready >= min(s.batch_size, s.parallel_games):
            key = jax.random.fold_in(key_of(s.seed_beside(1)), self.rounds)
            rate, blend = s.learning_rate_at(self.rounds), s.root_value_at(self.rounds)
            self.learner, measured = self._compiled.result()(*self._learned_from(key, rate, blend))
            self.totals |= {"updates": float(s.updates)} | dict(
                zip(MEASURES, map(float, np.asarray(measured)), strict=True)
            )
            if not math.isfinite(self.totals["loss"]):
                raise GameError(
                    "the loss is no number any more: these settings do not learn (a smaller learning_rate?)"
                )
        self.games += int(counts["games"])
        self.rounds += 1

    # -- to be kept ------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All that the next round depends on, besides the settings."""
        learner = self.learner
        groups = {"w": learner.weights, "average": learner.average, "mu": learner.adam.mu, "nu": learner.adam.nu}
        kept = {f"{group}.{name}": np.asarray(one) for group, all_ in groups.items() for name, one in all_.items()}
        kept["progress"] = np.array([self.rounds, self.games, int(learner.count)], np.int64)
        return {**kept, **({} if self.exact is None else self.exact.state()), **self.self_play.state()}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on from what `state` gave."""
        if self.exact is not None:
            self.exact.check(kept)
        try:
            groups = [
                {name: jnp.array(kept[f"{group}.{name}"]) for name in self.learner.weights}
                for group in ("w", "average", "mu", "nu")
            ]
            self.rounds, self.games, count = map(int, kept["progress"])
            adam = optax.ScaleByAdamState(jnp.int32(count), groups[2], groups[3])
            self.learner = Learner(groups[0], groups[1], adam, jnp.int32(count))
            self.self_play.restore(kept)
        except (KeyError, TypeError, ValueError) as problem:
            raise GameError(f"this snapshot does not belong to this training: {problem}") from None
