"""The network on a processor's cores, without JAX: what a player needs to think with it, and nothing of training.

It computes what judging.py computes, with the same weights, up to rounding; tests hold the two side by side. There is a
second way because players search as well as their network is fast: 3×3 convolutions by winograd.py and BLAS judge
several times as many positions a second on a core as XLA's (docs/performance.md), and who only plays need not install
JAX.

    tower = CoreTower(architecture, weights, threads=2)
    logits, values = tower.judge(seen)          # (n, policy) and (n, values), as `judge_positions` gives them

A batch is shared out among the threads. Products of matrices are small enough that no BLAS spreads one over threads
of its own.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from zermelo.compile.kernel import kernel
from zermelo.evaluate.tower.architecture import FLAT, POLICY, Architecture, Weights
from zermelo.evaluate.tower.winograd import Floats, Scheme, scheme_for, to_cells, to_tiles

SINGLE = 1 << 18  # multiplications of a product of matrices that OpenBLAS leaves to one thread
ROWS = 12  # rows at a time that it is good at
Said = tuple[Floats, Floats]


class CoreTower:
    """A network ready to judge batches, one after the other."""

    def __init__(self, a: Architecture, weights: Weights, threads: int = 1):
        self.a, self.threads = a, threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        w = self._w = {name: np.ascontiguousarray(one, np.float32) for name, one in weights.items()}
        self._scheme = None if a.is_plain else scheme_for(*a.shape[1:])
        filters = {"stem": w["stem.w"]}
        for k in range(a.blocks):
            filters |= {f"{k}.1": w[f"block{k}.w1"], f"{k}.2": w[f"block{k}.w2"]}
        scheme = self._scheme
        self._filters = {name: f[0] if scheme is None else scheme.transform(f) for name, f in filters.items()}
        self._heads = np.concatenate([w["policy.w"], w["value.w"]], axis=1)  # (channels, POLICY + VALUE)
        self._rooms = [_Room(a, self._scheme, 0) for _ in range(threads)]

    def judge(self, seen: Any) -> Said:
        """(n, policy) and (n, values) logits of the positions."""
        seen = np.asarray(seen, np.float32)
        parts = min(self.threads, len(seen))
        if parts <= 1:
            return self._judge(seen, 0)
        assert self._pool is not None
        said = list(self._pool.map(self._judge, np.array_split(seen, parts), range(parts)))
        return np.concatenate([one[0] for one in said]), np.concatenate([one[1] for one in said])

    # -- inside ----------------------------------------------------------------------------------------------------

    def _judge(self, seen: Floats, part: int) -> Said:
        a, w, n = self.a, self._w, len(seen)
        if self._rooms[part].n < n:
            self._rooms[part] = _Room(a, self._scheme, n)
        room, filters = self._rooms[part], self._filters
        x = room.board[:n]
        rectify(room.begin(seen, filters["stem"]), w["stem.b"][None], x, False)
        for k in range(a.blocks):
            y, bias = room.convolve(x, filters[f"{k}.1"]), w[f"block{k}.b1"][None]
            if f"block{k}.pool" in w:
                some = np.maximum(y[..., : a.channels // 4], 0).reshape(n, a.area, -1)
                bias = bias + multiply(_pool(some), w[f"block{k}.pool"])
            inner = room.inner[:n]
            rectify(y, bias, inner, False)
            rectify(room.convolve(inner, filters[f"{k}.2"]), w[f"block{k}.b2"][None], x, True)
        return self._say(room.cells_of(x).reshape(n, a.area, a.channels))

    def _say(self, x: Floats) -> Said:
        """The heads: x is (n, area, channels)."""
        w, n, pooled = self._w, len(x), _pool(x)
        both = multiply(x, self._heads)
        p = np.maximum(both[..., :POLICY] + (multiply(pooled, w["policy.pool"]) + w["policy.b"])[:, None], 0)
        v = np.maximum(both[..., POLICY:] + w["value.b"], 0)
        seen = np.concatenate([_pool(v), v[..., :FLAT].reshape(n, -1)], axis=1)
        hidden = np.maximum(multiply(seen, w["value.hidden"]) + w["value.hidden_b"], 0)
        return self._policy(p, pooled), multiply(hidden, w["value.out"]) + w["value.out_b"]

    def _policy(self, p: Floats, pooled: Floats) -> Floats:
        w, n = self._w, len(p)
        if not self.a.cells:
            return multiply(p.reshape(n, -1), w["policy.out"]) + w["policy.out_b"]
        by_cell = multiply(p, w["policy.cells"]).transpose(0, 2, 1).reshape(n, -1)
        if "policy.rest" not in w:
            return by_cell
        return np.concatenate([by_cell, multiply(pooled, w["policy.rest"]) + w["policy.rest_b"]], axis=1)


class _Room:
    """Where up to n boards are on their way through the tower. Borders are 0 and stay so."""

    def __init__(self, a: Architecture, scheme: Scheme | None, n: int):
        self.a, self.scheme, self.n = a, scheme, n
        height, width = (1, 1) if scheme is None else scheme.padded
        self.input = np.zeros((0 if a.active else n, height, width, a.shape[0]), np.float32)
        self.board = np.zeros((n, height, width, a.channels), np.float32)
        self.inner = np.zeros_like(self.board)  # within a block
        if scheme is not None:
            size = scheme.seen**2 * scheme.tiles * n
            self.seen = np.empty(size * max(a.channels, a.shape[0]), np.float32)
            self.made = np.empty(size * a.channels, np.float32)
            self.cells = np.empty((n, scheme.height, scheme.width, a.channels), np.float32)
            self.line = np.empty(scheme.seen * width * max(a.channels, a.shape[0]), np.float32)

    def begin(self, seen: Floats, f: Floats) -> Floats:
        """The first convolution: of planes (n, count, height, width), or the sum of the rows of features."""
        if self.a.active:
            rows = f[0][seen[..., 0].astype(np.int64)]  # (n, active, channels)
            summed: Floats = np.einsum("nkc,nk->nc", rows, seen[..., 1])
            return summed[:, None, None]
        board = self.input[: len(seen)]
        self.cells_of(board)[...] = seen.transpose(0, 2, 3, 1)
        return self.convolve(board, f)

    def cells_of(self, board: Floats) -> Floats:
        """A padded board without its border."""
        (_, height, width), border = self.a.shape, 0 if self.scheme is None else 1
        return board[:, border : border + height, border : border + width]

    def convolve(self, board: Floats, f: Floats) -> Floats:
        """(n, height, width, out) of a padded board (n, height', width', in); it stands until the next one is made."""
        scheme = self.scheme
        if scheme is None:
            return multiply(board, f[0])
        n, height, width, channels = board.shape
        r, m, out, many = scheme.seen, scheme.tile, f.shape[2], n * scheme.tiles
        seen, made = self.seen[: r * r * many * channels], self.made[: r * r * many * out]
        to_tiles(board.reshape(-1), seen, self.line, scheme.to_tiles, n, height, width, channels, m)
        multiply(seen.reshape(r * r, many, channels), f, made.reshape(r * r, many, out))
        y = self.cells[:n]
        to_cells(made, y.reshape(-1), self.line, scheme.to_cells, n, scheme.height, scheme.width, out, m)
        return y


@kernel
def rectify(x, bias, board, added):  # type: ignore[no-untyped-def]
    """max(0, x + bias) onto a padded board, whose border is left alone; `added`: to what is there.

    x is (n, height, width, channels), bias (n, channels), or (1, channels) for all of them.
    """
    border = 1 if board.shape[1] > x.shape[1] else 0
    for k in range(len(x)):
        b = bias[k if len(bias) > 1 else 0]
        for i in range(x.shape[1]):
            for j in range(x.shape[2]):
                of, to = x[k, i, j], board[k, i + border, j + border]
                if added:
                    for c in range(len(of)):
                        to[c] = max(to[c] + of[c] + b[c], np.float32(0.0))
                else:
                    for c in range(len(of)):
                        to[c] = max(of[c] + b[c], np.float32(0.0))


@kernel
def pool(x, out):  # type: ignore[no-untyped-def]
    """(n, 2 · channels): mean and largest over the cells of x (n, area, channels)."""
    channels, share = x.shape[2], np.float32(1.0 / x.shape[1])
    for k in range(len(x)):
        mean, most = out[k, :channels], out[k, channels:]
        for c in range(channels):
            mean[c], most[c] = x[k, 0, c], x[k, 0, c]
        for i in range(1, x.shape[1]):
            of = x[k, i]
            for c in range(channels):
                mean[c] += of[c]
                most[c] = max(most[c], of[c])
        for c in range(channels):
            mean[c] *= share


def multiply(x: Floats, w: Floats, out: Floats | None = None) -> Floats:
    """x (…, k) times w (k, m), or each of x (t, rows, k) times each of w (t, k, m): a few rows at a time, and a few
    columns where w is large."""
    flat = x.reshape(-1, x.shape[-1]) if w.ndim == 2 else x
    made = np.empty((*flat.shape[:-1], w.shape[-1]), np.float32) if out is None else out
    wide = max(1, SINGLE // (ROWS * w.shape[-2]))
    if wide < w.shape[-1]:
        for first in range(0, w.shape[-1], wide):
            made[..., first : first + wide] = multiply(flat, w[..., first : first + wide])
        return made.reshape(*x.shape[:-1], -1)
    size, many = max(ROWS, SINGLE // (w.shape[-1] * w.shape[-2]) // ROWS * ROWS), flat.shape[-2]
    whole = many // size * size
    if whole:
        pieces = flat[..., :whole, :].reshape(*flat.shape[:-2], -1, size, flat.shape[-1])
        np.matmul(pieces, w[..., None, :, :], out=made[..., :whole, :].reshape(*pieces.shape[:-1], -1))
    if whole < many:
        np.matmul(flat[..., whole:, :], w, out=made[..., whole:, :])
    return made.reshape(*x.shape[:-1], -1)


def _pool(x: Floats) -> Floats:
    out = np.empty((len(x), 2 * x.shape[2]), np.float32)
    pool(x, out)
    return out
