"""Self-play with a network beside mctx: the same tower, as many games and simulations, Gumbel's search in both.

A move is a search in every game, the choice, and the rules' step, finished games beginning anew. Ours goes in two
halves, in turn, as `zermelo train zero` plays; mctx's is one compiled function of the search (`gumbel_muzero_policy`)
over Pgx's rules, as Pgx's own example has it. Pgx shows a network other planes of go than we do (17 of them): the
tower is the same behind its first convolution. The network alone, in batches of half the games, is what both could
reach at most.

    python -m benchmarks zero                    small on the cores of this machine; in earnest on a card
    ZERO_GAMES=go,hex python -m benchmarks zero  some of the games

mctx and Pgx are not installed with the package: where they are missing, ours stands alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the games need memory of the card too

import zermelo
from benchmarks.batches import has_card, rate
from benchmarks.report import Row

# game, its options, Pgx's name for it
GAMES: list[tuple[str, dict[str, Any], str]] = [
    ("go", {"komi": 7.5}, "go_9x9"),
    ("connect-four", {}, "connect_four"),
    ("othello", {}, "othello"),
    ("hex", {"size": 11}, "hex"),
]
ASKED = "≥ 0.6× the network"


class Size(NamedTuple):
    games: int
    simulations: int
    blocks: int
    channels: int


SIZES = {"cpu": Size(256, 8, 2, 16), "cuda": Size(8192, 32, 6, 96)}


def run() -> Iterator[Row]:
    try:
        import jax  # noqa: F401
    except ImportError:
        print("zero: JAX is missing (pip install 'zermelo[zero]')", file=sys.stderr)
        return
    device = "cuda" if has_card() else "cpu"
    size = SIZES[device]
    wanted = os.environ.get("ZERO_GAMES", ",".join(name for name, _, _ in GAMES)).split(",")
    for name, options, peer in GAMES:
        if name not in wanted:
            continue
        game = zermelo.load(name, **options)
        tower = f"{size.blocks} × {size.channels}"
        what = f"{name}, {tower}, {size.games} games, {size.simulations} simulations, {device}"
        judged = judged_alone(game, size, device)
        ours = self_play(game, size, device)
        yield Row(f"self-play: {what}", "simulations/s", ours, judged, "the network alone", ASKED)
        theirs = mctx_self_play(peer, game, size, device)
        if theirs is not None:
            yield Row(f"self-play: {what}", "simulations/s", ours, theirs, "mctx over Pgx's rules")


def measured(work: Callable[[], Any], each: int, device: str) -> float:
    """Units a second, of so many a call; the first call, which compiles, left out."""
    import jax

    def done() -> int:
        jax.block_until_ready(work())
        return each

    done()
    return rate(done, device)


def network(game: Any, size: Size, device: str, planes: int = 0) -> tuple[Any, dict[str, Any], Any]:
    """(architecture, weights, dtype), as a training begins with; `planes`: so many instead of the game's own."""
    import jax.numpy as jnp

    from zermelo.evaluate.tower.architecture import architecture_for, make_weights

    a = architecture_for(game, size.blocks, size.channels)
    if planes:
        a = replace(a, shape=(planes, *a.shape[1:]))
    dtype = jnp.float32 if device == "cpu" else jnp.bfloat16
    return a, {name: jnp.asarray(one, dtype) for name, one in make_weights(a).items()}, dtype


def judged_alone(game: Any, size: Size, device: str) -> float:
    import jax.numpy as jnp

    from zermelo.batch.judge import make_judge

    (a, weights, dtype), half = network(game, size, device), size.games // 2
    judge, seen, times = (
        make_judge(game, a, weights, dtype, half),
        jnp.zeros((half, *a.shape), jnp.int8),
        size.simulations + 1,
    )

    def work() -> Any:
        return [judge(seen) for _ in range(times)]

    return measured(work, half * times, device)


def self_play(game: Any, size: Size, device: str) -> float:
    from zermelo.batch.batch import make_batch
    from zermelo.batch.judge import make_judge
    from zermelo.learn.zero.self_play import watch
    from zermelo.search.forest.forest import make_forest, search_in_turn
    from zermelo.search.forest.settings import Settings

    a, weights, dtype = network(game, size, device)
    half = size.games // 2
    judge = make_judge(game, a, weights, dtype, half)
    told = {"device": device, "checked": False, "restart": True, "watch": watch(game)}
    batches = [make_batch(game, half, seed=k, **told) for k in range(2)]
    forests = [make_forest(batch, size.simulations, Settings(seed=k)) for k, batch in enumerate(batches)]

    def move() -> None:
        search_in_turn(forests, judge)
        for batch, forest in zip(batches, forests, strict=True):
            batch.step(forest.chosen, by="policy")

    return measured(move, size.games * size.simulations, device)


def mctx_self_play(name: str, game: Any, size: Size, device: str) -> float | None:
    """mctx's simulations a second, or None where it is not installed."""
    try:
        import jax
        import jax.numpy as jnp
        import mctx
        import pgx
        from pgx.experimental import auto_reset
    except ImportError as missing:
        print(f"zero: {missing.name} is missing, so that mctx is left out (pip install mctx pgx)", file=sys.stderr)
        return None
    from zermelo.evaluate.tower.judging import judge_positions

    env = pgx.make(name)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), size.games))
    a, weights, dtype = network(game, size, device, planes=state.observation.shape[-1])
    if state.legal_action_mask.shape[1] != a.policy:  # hex: swapping sides is a move there
        a = replace(a, policy=state.legal_action_mask.shape[1], cells=False)
        from zermelo.evaluate.tower.architecture import make_weights

        weights = {one: jnp.asarray(w, dtype) for one, w in make_weights(a).items()}

    def judge(weights: Any, state: Any) -> tuple[Any, Any]:
        said = judge_positions(a, weights, jnp.moveaxis(state.observation, -1, 1), dtype)
        logits = jnp.where(state.legal_action_mask, said["policy"], jnp.finfo(jnp.float32).min)
        return logits, 2 * jax.nn.sigmoid(said["value"][:, 0]) - 1

    def recurrent(weights: Any, key: Any, action: Any, state: Any) -> tuple[Any, Any]:
        mover = state.current_player
        state = jax.vmap(env.step)(state, action)
        logits, value = judge(weights, state)
        told = mctx.RecurrentFnOutput(
            reward=state.rewards[jnp.arange(len(mover)), mover],
            discount=jnp.where(state.terminated, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(state.terminated, 0.0, value),
        )
        return told, state

    @jax.jit
    def move(weights: Any, state: Any, key: Any) -> Any:
        one, two = jax.random.split(key)
        logits, value = judge(weights, state)
        found = mctx.gumbel_muzero_policy(
            params=weights,
            rng_key=one,
            root=mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state),
            recurrent_fn=recurrent,
            num_simulations=size.simulations,
            invalid_actions=~state.legal_action_mask,
            qtransform=partial(mctx.qtransform_completed_by_mix_value, value_scale=1.0, rescale_values=False),
        )
        keys = jax.random.split(two, size.games)
        return jax.vmap(auto_reset(env.step, env.init))(state, found.action, keys)

    kept, number = [state], [0]

    def play() -> Any:
        number[0] += 1
        kept[0] = move(weights, kept[0], jax.random.key(number[0]))
        return kept[0].observation

    return measured(play, size.games * size.simulations, device)
