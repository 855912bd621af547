"""A training script as one would write it for Pgx: policy gradient (REINFORCE) by self-play, the network in JAX.

    python examples/reinforce.py [GAME] [--updates 150] [--device cuda]        needs jax and optax

What differs from Pgx: states hold the whole batch, so there is no vmap, and `step` is called from Python, so that only
the network is jitted. Both players share one network, which sees the board as the player to move does.
"""

from __future__ import annotations

import argparse
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from zermelo.interfaces.environments.functional import Environment

GAMES, HIDDEN = 512, 128


def make_network(key: Any, inputs: int, outputs: int) -> dict[str, Any]:
    a, b = jax.random.split(key)
    return {
        "w1": jax.random.normal(a, (inputs, HIDDEN)) * (2 / inputs) ** 0.5,
        "b1": jnp.zeros(HIDDEN),
        "w2": jax.random.normal(b, (HIDDEN, outputs)) * 0.01,
        "b2": jnp.zeros(outputs),
    }


def logits(network: dict[str, Any], observation: Any, mask: Any) -> Any:
    x = observation.reshape(len(observation), -1).astype(jnp.float32)
    x = jax.nn.relu(x @ network["w1"] + network["b1"])
    return jnp.where(mask, x @ network["w2"] + network["b2"], -1e9)


@jax.jit
def choose(network: dict[str, Any], key: Any, observation: Any, mask: Any) -> Any:
    return jax.random.categorical(key, logits(network, observation, mask))


def loss(network: dict[str, Any], observation: Any, mask: Any, action: Any, gain: Any) -> Any:
    chosen = jax.nn.log_softmax(logits(network, observation, mask))
    said = jnp.take_along_axis(chosen, action[:, None], axis=1)[:, 0]
    return -jnp.sum(said * gain) / jnp.maximum(jnp.sum(gain != 0), 1)


def play(env: Environment, network: dict[str, Any], key: Any, seed: int) -> list[tuple[Any, ...]]:
    """A batch of games by self-play: for every move what was seen, what was played, and what it brought."""
    state, moves, final = env.init(GAMES, seed), [], np.zeros((GAMES, env.num_players))
    while not np.asarray(state.terminated).all():
        key, here = jax.random.split(key)
        seen, mask = jnp.array(state.observation), jnp.array(state.legal_action_mask)
        player, action = np.array(state.current_player), choose(network, here, seen, mask)
        state = env.step(state, action)
        moves.append((seen, mask, action, player))
        final += np.asarray(state.rewards)
    rows = np.arange(GAMES)
    return [(s, m, a, jnp.array(np.where(p >= 0, final[rows, np.maximum(p, 0)], 0.0))) for s, m, a, p in moves]


def score_against_chance(env: Environment, network: dict[str, Any], key: Any, seed: int) -> float:
    """The network plays first against random moves: its mean payoff."""
    state, final = env.init(GAMES, seed), np.zeros(GAMES)
    while not np.asarray(state.terminated).all():
        key, a, b = jax.random.split(key, 3)
        seen, mask = jnp.array(state.observation), jnp.array(state.legal_action_mask)
        ours, theirs = choose(network, a, seen, mask), jax.random.categorical(b, jnp.where(mask, 0.0, -1e9))
        state = env.step(state, jnp.where(jnp.array(state.current_player) == 0, ours, theirs))
        final += np.asarray(state.rewards)[:, 0]
    return float(final.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("game", nargs="?", default="tic-tac-toe")
    parser.add_argument("--updates", type=int, default=150)
    parser.add_argument("--device", default="cpu")
    told = parser.parse_args()
    env = Environment(told.game, told.device)
    key = jax.random.PRNGKey(0)
    network = make_network(key, int(np.prod(env.observation_shape)), env.num_actions)
    optimiser = optax.adam(3e-3)
    state = optimiser.init(network)
    gradient = jax.jit(jax.grad(loss))
    for update in range(told.updates + 1):
        key, a, b = jax.random.split(key, 3)
        if update % 50 == 0:
            score = score_against_chance(env, network, a, update)
            print(f"after {update * GAMES:6,} games: {score:+.3f} a game against random moves", flush=True)
        parts = [jnp.concatenate(column) for column in zip(*play(env, network, b, update), strict=True)]
        change, state = optimiser.update(gradient(network, *parts), state)
        network = optax.apply_updates(network, change)


if __name__ == "__main__":
    main()
