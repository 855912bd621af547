"""Updates of the weights: the loss, Adam with weights that decay, and the average of weights that plays.

    loss = policy's cross-entropy + value's + owners' + reply's, each times its weight of the settings

The average forgets little by little, and faster at first, when it is of few.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from zermelo.evaluate.tower.architecture import Architecture, Weights
from zermelo.evaluate.tower.judging import judge_positions
from zermelo.learn.zero.replay import NO_REPLY, Layout, Ring, Sample, draw, odds

Update = Callable[..., tuple[Any, Any]]  # learner, ring, turns, key, rate, blend → learner, the mean of MEASURES
LONGEST_STEP = 1.0  # norm of a gradient, beyond which it is shortened


class Plan(NamedTuple):
    """What an update is made by: constants to the compiler."""

    updates: int
    batch_size: int
    weight_decay: float
    averaging: float
    value_weight: float
    owners_weight: float
    reply_weight: float
    dtype: Any
    in_one_loop: bool  # a round's updates, compiled


class Learner(NamedTuple):
    """All that changes."""

    weights: Weights
    average: Weights
    adam: Any
    count: Any  # updates so far


def make_learner(weights: Weights) -> Learner:
    kept = {name: jnp.array(one) for name, one in weights.items()}
    average = {name: jnp.array(one) for name, one in weights.items()}
    return Learner(kept, average, optax.scale_by_adam(b1=0.9, b2=0.99).init(kept), jnp.zeros((), jnp.int32))


def loss_of(a: Architecture, plan: Plan, weights: Weights, sample: Sample) -> tuple[Any, Any]:
    """(loss, (measures in the order of MEASURES))."""
    said = judge_positions(a, weights, sample.seen, plan.dtype)
    policy = optax.softmax_cross_entropy(said["policy"], sample.policy).mean()
    value = optax.sigmoid_binary_cross_entropy(said["value"], sample.value).mean()
    total = policy + plan.value_weight * value
    owners_right = jnp.float32(0)
    if a.owners:
        total += plan.owners_weight * optax.sigmoid_binary_cross_entropy(said["owners"], sample.owners).mean()
        owners_right = jnp.mean((said["owners"] > 0) == (sample.owners > 0.5))
    if a.reply:
        known = sample.reply != NO_REPLY
        missed = optax.softmax_cross_entropy_with_integer_labels(said["reply"], jnp.where(known, sample.reply, 0))
        total += plan.reply_weight * jnp.sum(jnp.where(known, missed, 0)) / len(known)
    target = sample.policy
    floor = jnp.sum(jnp.where(target > 0, -target * jnp.log(jnp.maximum(target, 1e-9)), 0), axis=1).mean()
    best = jnp.mean(jnp.argmax(said["policy"], axis=1) == jnp.argmax(target, axis=1))
    first, result = said["value"][:, 0], sample.value[:, 0]
    right = jnp.mean(jnp.where(result == 0.5, 0.5, (first > 0) == (result > 0.5)))
    return total, jnp.stack([total, policy - floor, value, best, right, owners_right])


def step(
    a: Architecture,
    layout: Layout,
    plan: Plan,
    learner: Learner,
    ring: Ring,
    cumulative: Any,
    turns: Any,
    key: Any,
    rate: Any,
    blend: Any,
) -> tuple[Learner, Any]:
    """One update: (the learner, MEASURES). `rate` is η, `blend` how much the searches' values count beside the results,
    `cumulative` the odds of the ring's positions."""
    sample = draw(layout, ring, cumulative, turns, key, plan.batch_size, blend)
    gradient, measured = jax.grad(partial(loss_of, a, plan), has_aux=True)(learner.weights, sample)
    norm = optax.tree.norm(gradient)
    gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, LONGEST_STEP / jnp.maximum(norm, 1e-9)), gradient)
    steps, state = optax.scale_by_adam(b1=0.9, b2=0.99).update(gradient, learner.adam)
    weights = {
        name: w - rate * (steps[name] + (plan.weight_decay if w.ndim > 1 else 0.0) * w)
        for name, w in learner.weights.items()
    }
    count = learner.count + 1
    keep = jnp.minimum(plan.averaging, (1.0 + count) / (10.0 + count))
    average = {name: keep * old + (1 - keep) * weights[name] for name, old in learner.average.items()}
    return Learner(weights, average, state, count), measured


def all_steps(
    a: Architecture, layout: Layout, plan: Plan, learner: Learner, ring: Ring, turns: Any, key: Any, *told: Any
) -> tuple[Learner, Any]:
    """A round's updates in one compiled loop: (the learner, the mean of MEASURES)."""
    cumulative = odds(ring)

    def one(learner: Learner, key: Any) -> tuple[Learner, Any]:
        return step(a, layout, plan, learner, ring, cumulative, turns, key, *told)

    learner, measured = jax.lax.scan(one, learner, jax.random.split(key, plan.updates))
    return learner, measured.mean(axis=0)


def compile_updates(a: Architecture, layout: Layout, plan: Plan, told: tuple[Any, ...]) -> Update:
    """A round's updates, compiled for arrays as `told` of: learner, ring, turns, key, rate, blend.

    On a card they are one loop. On cores XLA computes convolutions within a loop twenty-five times as slowly as outside
    of one (tower of 4 × 32 on 11 × 11: 103 and 2,568 positions a second), so there it is Python that loops.
    """
    fixed = {"static_argnums": (0, 1, 2), "donate_argnums": 3}
    if plan.in_one_loop:
        at_once: Update = jax.jit(all_steps, **fixed).lower(a, layout, plan, *told).compile()
        return at_once
    learner, ring, *rest = told
    weigh = jax.jit(odds)
    once = jax.jit(step, **fixed).lower(a, layout, plan, learner, ring, jax.eval_shape(odds, ring), *rest).compile()

    def update(learner: Learner, ring: Ring, turns: Any, key: Any, *others: Any) -> tuple[Learner, Any]:
        cumulative, measured = weigh(ring), []
        for one in jax.random.split(key, plan.updates):
            learner, seen = once(learner, ring, cumulative, turns, one, *others)
            measured.append(seen)
        return learner, jnp.stack(measured).mean(axis=0)

    return update
