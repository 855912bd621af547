"""What the network thinks of positions, in JAX. The sizes and names are architecture.py's.

`dtype` says what is computed in: bfloat16 on a card, float32 on cores; what comes out is float32.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from zermelo.evaluate.tower.architecture import FLAT, Architecture, Weights


def judge_positions(a: Architecture, weights: Weights, seen: Any, dtype: Any = jnp.float32) -> dict[str, Any]:
    """What the network thinks of each of n positions, of which it sees planes or features (sight.py), in float32:
    "policy" (n, policy) and "reply" logits, "value" (n, values) and "owners" (n, area) logits of σ."""
    w = {name: one.astype(dtype) for name, one in weights.items()}
    x = jax.nn.relu(_stem(a, w["stem.w"], seen, dtype) + w["stem.b"])
    for k in range(a.blocks):
        y = _convolve(x, w[f"block{k}.w1"])
        if f"block{k}.pool" in w:
            some = jax.nn.relu(y[..., : a.channels // 4])
            y = y + (_pool(some) @ w[f"block{k}.pool"])[:, None, None, :]
        y = _convolve(jax.nn.relu(y + w[f"block{k}.b1"]), w[f"block{k}.w2"])
        x = jax.nn.relu(y + w[f"block{k}.b2"] + x)
    pooled = _pool(x)
    p = jax.nn.relu(x @ w["policy.w"] + (pooled @ w["policy.pool"] + w["policy.b"])[:, None, None, :])
    v = jax.nn.relu(x @ w["value.w"] + w["value.b"])
    seen = jnp.concatenate([_pool(v), v[..., :FLAT].reshape(len(v), -1)], axis=1)
    hidden = jax.nn.relu(seen @ w["value.hidden"] + w["value.hidden_b"])
    said = {"policy": _policy(a, w, "policy", p, pooled), "value": hidden @ w["value.out"] + w["value.out_b"]}
    if a.reply:
        said["reply"] = _policy(a, w, "reply", p, pooled)
    if a.owners:
        said["owners"] = (v @ w["owners.w"] + w["owners.b"]).reshape(len(v), -1)
    return {name: one.astype(jnp.float32) for name, one in said.items()}


def _stem(a: Architecture, w: Any, seen: Any, dtype: Any) -> Any:
    if not a.active:
        return _convolve(jnp.transpose(seen, (0, 2, 3, 1)).astype(dtype), w)
    rows = w[0, 0][seen[..., 0].astype(jnp.int32)]  # (n, active, channels)
    return jnp.sum(rows * seen[..., 1, None].astype(dtype), axis=1)[:, None, None, :]


def _policy(a: Architecture, w: Weights, head: str, p: Any, pooled: Any) -> Any:
    if not a.cells:
        return p.reshape(len(p), -1) @ w[f"{head}.out"] + w[f"{head}.out_b"]
    by_cell = jnp.transpose(p @ w[f"{head}.cells"], (0, 3, 1, 2)).reshape(len(p), -1)
    if f"{head}.rest" not in w:
        return by_cell
    return jnp.concatenate([by_cell, pooled @ w[f"{head}.rest"] + w[f"{head}.rest_b"]], axis=1)


def _convolve(x: Any, w: Any) -> Any:
    if w.shape[:2] == (1, 1):
        return x @ w[0, 0]
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def _pool(x: Any) -> Any:
    """(n, 2 · channels): mean and largest over the cells."""
    mean = jnp.mean(x.astype(jnp.float32), axis=(1, 2)).astype(x.dtype)
    return jnp.concatenate([mean, jnp.max(x, axis=(1, 2))], axis=1)
