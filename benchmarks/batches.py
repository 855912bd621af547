"""Many games at once: random plies, and environment steps with masks and planes, beside Pgx on the same device.

An environment step is one random legal move in every game, finished games beginning anew, with the mask of legal moves
and the planes of the position written for the caller. Pgx's own loop for that is `jit(vmap(auto_reset(step)))` with a
random legal action; both deliver their arrays in the device's memory. Where a game has no policy of its own the moves
are delivered as a list; a step is then a whole play (Pgx's backgammon moves one checker).

    python -m benchmarks batches            the cores of this machine; with a card, that too
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import zermelo
from benchmarks.report import Row
from zermelo.batch.batch import Batch, make_batch

# game, Pgx's name for it, the ratio asked for on a card
GAMES = [
    ("connect-four", "connect_four", "≥ 10×"),
    ("othello", "othello", "≥ 10×"),
    ("go", "go_9x9", "≥ 50×"),
    ("chess", "chess", "≥ 50×"),
    ("backgammon", "backgammon", "≥ 50×"),
    ("checkers", "", ""),
]
SIZES = {"cpu": (1024, 16_384), "cuda": (1024, 16_384, 131_072, 524_288, 1_048_576)}
PEER_SIZES = {"cpu": (256, 1024), "cuda": (32_768, 131_072, 524_288)}
ENOUGH = 1.0  # seconds that a figure is measured for


def run() -> Iterator[Row]:
    for device in ("cpu", "cuda") if has_card() else ("cpu",):
        for name, peer, asked in GAMES:
            game = zermelo.load(name)
            plies = {n: random_plies(make(game, n, device)) for n in SIZES[device]}
            yield Row(f"random plies, {name}, {device}, {best(plies):,} at once", "plies/s", max(plies.values()))
            steps = {n: environment_steps(make(game, n, device, True)) for n in SIZES[device]}
            theirs = {n: pgx_steps(peer, n, device) for n in PEER_SIZES[device]} if peer else {}
            ahead = max((rate for rate in theirs.values() if rate), default=None)
            what = f"environment steps, {name}, {device}, {best(steps):,} at once"
            about = f"Pgx, {best(theirs):,} at once" if ahead else "–"
            yield Row(what, "steps/s", max(steps.values()), ahead, about, asked if device == "cuda" else "≥ 10×")


def has_card() -> bool:
    try:
        from numba import cuda

        return bool(cuda.is_available())
    except Exception:
        return False


def best(rates: dict[int, Any]) -> int:
    return max(rates, key=lambda n: rates[n] or 0)


def make(game: Any, n: int, device: str, watched: bool = False) -> Batch:
    rules, watch = game.variant, []
    if watched:
        watch = ["player", "utilities", "legal" if rules.policy_size else "actions"]
        watch += ["planes"] * bool(rules.plane_shape)
    options = {"restart": True, "repetition": False, "checked": False, "watch": watch}
    return make_batch(game, n, device=device, seed=1, **options)


def wait(batch: Batch) -> None:
    if batch.device.name == "cuda":
        from numba import cuda

        cuda.synchronize()


def random_plies(batch: Batch) -> float:
    """Plies a second, rolls included."""
    batch.random_steps(20)

    def work() -> None:
        batch.random_steps(100)
        wait(batch)

    before = int(batch.device.read(batch.plies).sum())
    seconds = repeat(work)[1]
    return (int(batch.device.read(batch.plies).sum()) - before) / seconds


def environment_steps(batch: Batch) -> float:
    """Steps a second."""

    def work() -> None:
        for _ in range(10):
            batch.random_steps(1)
        wait(batch)

    work()
    times, seconds = repeat(work)
    return batch.n * 10 * times / seconds


def repeat(work: Callable[[], None]) -> tuple[int, float]:
    """Work for a while: how often, and how long that took."""
    began, times = time.perf_counter(), 0
    while True:
        work()
        times += 1
        seconds = time.perf_counter() - began
        if seconds > ENOUGH:
            return times, seconds


def pgx_steps(name: str, n: int, device: str) -> float | None:
    """Pgx's steps a second, or None where it is not installed or has no such device."""
    try:
        import jax
        import pgx
        from pgx.experimental.wrappers import auto_reset
    except ImportError:
        return None
    try:
        where = jax.devices("gpu" if device == "cuda" else "cpu")[0]
    except RuntimeError:
        return None
    with jax.default_device(where):
        env = pgx.make(name)
        step = auto_reset(env.step, env.init)

        def one(state: Any, key: Any) -> Any:
            logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
            return step(state, jax.random.categorical(key, logits), key)

        @jax.jit
        def ten(states: Any, key: Any) -> Any:
            def body(states: Any, key: Any) -> Any:
                return jax.vmap(one)(states, jax.random.split(key, n)), None

            return jax.lax.scan(body, states, jax.random.split(key, 10))[0]

        states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), n))
        states = jax.block_until_ready(ten(states, jax.random.PRNGKey(2)))

        def work() -> None:
            nonlocal states
            states = jax.block_until_ready(ten(states, jax.random.PRNGKey(3)))

        times, seconds = repeat(work)
        return n * 10 * times / seconds
