"""Many games at once: random plies, and environment steps with masks and planes, beside Pgx on the same device.

An environment step is one random legal move in every game, finished games beginning anew, with the mask of legal moves
and the planes of the position written for the caller. Pgx's own loop for that is `jit(vmap(auto_reset(step)))` with a
random legal action; both deliver their arrays in the device's memory. Where a game has no policy of its own the moves
are delivered as a list; a step is then a whole play (Pgx's backgammon moves one checker). On the cores the least
disturbed call counts, of both. Random plies stand beside OpenSpiel's rollouts, which are C++ and use one core.

    python -m benchmarks batches                        the cores of this machine; with a card, that too
    BATCHES_DEVICE=cuda python -m benchmarks batches    a card alone; likewise the cores
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import zermelo
from benchmarks.playouts import GAMES as SPIEL
from benchmarks.playouts import open_spiel_rollouts
from benchmarks.report import Row, best_rate
from zermelo.batch.batch import Batch, make_batch
from zermelo.search.playout import playouts

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the games need memory of the card too

# game, Pgx's name for it, how many of its games are fastest on a card, the ratio asked for there
GAMES = [
    ("connect-four", "connect_four", 524_288, "≥ 10×"),
    ("othello", "othello", 524_288, "≥ 10×"),
    ("go", "go_9x9", 131_072, "≥ 50×"),
    ("chess", "chess", 32_768, "≥ 50×"),
    ("backgammon", "backgammon", 131_072, "≥ 50×"),
    ("checkers", "", 0, ""),
]
SIZES = {"cpu": (1024, 8192, 16_384), "cuda": (1024, 16_384, 131_072, 524_288, 1_048_576)}
PEER_SIZES = (256, 1024, 4096)  # on cores
ENOUGH = 1.0  # seconds that a figure is measured for


def run() -> Iterator[Row]:
    for device in os.environ.get("BATCHES_DEVICE", "cpu,cuda" if has_card() else "cpu").split(","):
        for name, peer, peers_best, asked in GAMES:
            game = zermelo.load(name)
            plies = {n: random_plies(make(game, n, device)) for n in SIZES[device]}
            spiel = open_spiel_plies(game) if device == "cpu" else None
            what = f"random plies, {name}, {device}, {best(plies):,} at once"
            yield Row(what, "plies/s", max(plies.values()), spiel, "OpenSpiel, one core" if spiel else "–")
            steps = {n: environment_steps(make(game, n, device, True)) for n in SIZES[device]}
            sizes = PEER_SIZES if device == "cpu" else (peers_best,)
            theirs = {n: pgx_steps(peer, n, device) for n in sizes} if peer else {}
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
    moves = 0

    def work() -> int:
        nonlocal moves
        batch.random_steps(100)
        wait(batch)
        moves += 100 * batch.n
        return 100 * batch.n

    before = int(batch.device.read(batch.plies).sum())
    moves_a_second = rate(work, batch.device.name)
    return moves_a_second * (int(batch.device.read(batch.plies).sum()) - before) / moves


def environment_steps(batch: Batch) -> float:
    """Steps a second."""

    def work() -> int:
        for _ in range(10):
            batch.random_steps(1)
        wait(batch)
        return 10 * batch.n

    work()
    return rate(work, batch.device.name)


def rate(work: Callable[[], int], device: str) -> float:
    """Work a second: on a card of all that is done in a while; on cores, which others use too, of the best call."""
    began, done, best = time.perf_counter(), 0, 0.0
    while True:
        start = time.perf_counter()
        made = work()
        now = time.perf_counter()
        done, best = done + made, max(best, made / (now - start))
        if now - began > ENOUGH:
            return best if device == "cpu" else done / (now - began)


def open_spiel_plies(game: Any) -> float | None:
    """The plies a second of OpenSpiel's rollouts: its games a second, of as many plies as ours have on average."""
    peer, few = next(((theirs, few) for name, _, theirs, _, few, _ in SPIEL if name == game.name), ("", 0))
    rollouts = open_spiel_rollouts(peer) if peer else None
    if rollouts is None:
        return None
    ours = playouts(game, 500)
    return best_rate(lambda: rollouts(few), 3) * ours.moves / ours.games


def pgx_steps(name: str, n: int, device: str) -> float | None:
    """Pgx's steps a second, or None where it is not installed or has no such device."""
    try:
        import jax
        import pgx  # noqa: F401
    except ImportError:
        return None
    try:
        where = jax.devices("gpu" if device == "cuda" else "cpu")[0]
    except RuntimeError:
        return None
    try:
        with jax.default_device(where):
            return _pgx_steps(name, n, device)
    except Exception as problem:  # it has no room for so many, say
        print(f"batches: Pgx's {name}, {n:,} at once: {problem}", file=sys.stderr)
        return None


def _pgx_steps(name: str, n: int, device: str) -> float:
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

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

    def work() -> int:
        nonlocal states
        states = jax.block_until_ready(ten(states, jax.random.PRNGKey(3)))
        return 10 * n

    return rate(work, device)
