"""3×3 convolutions on a processor's cores by Winograd's minimal filtering: few multiplications, done by BLAS.

    board (padded with zeros)        tiles of m × m cells, each seen with its border: r × r, r = m + 2
    ┌───────┬───────┐
    │ m × m │       │     V = B d Bᵀ     each tile d, transformed                                   (r·r, tiles, in)
    ├───────┼───────┤     M = V U        r·r products of matrices; U = G w Gᵀ is made once          (r·r, tiles, out)
    │       │       │     Y = A M Aᵀ     the m × m cells of each tile                                (cells, out)
    └───────┴───────┘

A tile of 3 × 3 takes 25 multiplications instead of 81, one of 4 × 4 36 instead of 144. The matrices come from
polynomials that are multiplied by their values at a few points (Toom-Cook): B takes the values of one, G those of the
other, A puts the product together.

References: Winograd (1980), Arithmetic complexity of computations; Lavin and Gray (2016), Fast algorithms for
convolutional neural networks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.kernel import kernel
from zermelo.compile.rules import helper

Floats = NDArray[np.float32]

FILTER = 3
POINTS = (0, 1, -1, 2, -2)  # and infinity
LINES = len(POINTS) + 1  # the most that are added up: r of tiles of 4 × 4


@dataclass(frozen=True, eq=False)
class Scheme:
    """How a board is cut into tiles, and the three matrices."""

    height: int
    width: int
    tile: int  # m
    to_cells: Floats  # A, (m, r), filled up with zeros to LINES columns
    to_filter: NDArray[np.float64]  # G, (r, 3)
    to_tiles: Floats  # B, (r, r), filled up like A

    @property
    def seen(self) -> int:
        """r: a tile with its border."""
        return self.tile + FILTER - 1

    @property
    def tiles(self) -> int:
        """On one board."""
        return -(-self.height // self.tile) * -(-self.width // self.tile)

    @property
    def padded(self) -> tuple[int, int]:
        """Height and width of a board with its border, and what the last tiles reach beyond."""
        border = FILTER - 1
        return -(-self.height // self.tile) * self.tile + border, -(-self.width // self.tile) * self.tile + border

    def transform(self, w: Any) -> Floats:
        """U (r·r, in, out) of a filter (3, 3, in, out)."""
        g = self.to_filter
        u = np.einsum("ik,jl,klab->ijab", g, g, np.asarray(w, np.float64))
        return np.ascontiguousarray(u.reshape(-1, *u.shape[2:]), np.float32)


@cache
def scheme_for(height: int, width: int) -> Scheme:
    """The tiles with the fewest multiplications for boards of this size."""
    schemes = [Scheme(height, width, m, *_matrices(m)) for m in (3, 4)]
    return min(schemes, key=lambda scheme: scheme.tiles * scheme.seen**2)


def _matrices(m: int) -> tuple[Floats, NDArray[np.float64], Floats]:
    """A, G and B for tiles of m × m."""
    r = m + FILTER - 1
    points = [Fraction(p) for p in POINTS[: r - 1]]
    infinity = [Fraction(int(i == m - 1)) for i in range(m)]
    a = [[*(p**i for p in points), infinity[i]] for i in range(m)]
    g = [[p**k / _vanishing(points, p)[1] for k in range(FILTER)] for p in points]
    g.append([Fraction(int(k == FILTER - 1)) for k in range(FILTER)])
    b = [[*_vanishing(points, p)[0], Fraction(0)] for p in points]
    b.append(_vanishing(points, None)[0])
    exact = (np.array([[float(x) for x in row] for row in matrix]) for matrix in (a, g, b))
    to_cells, to_filter, to_tiles = exact
    return _filled_up(to_cells), to_filter, _filled_up(to_tiles)


def _filled_up(matrix: NDArray[np.float64]) -> Floats:
    return np.pad(matrix, ((0, 0), (0, LINES - matrix.shape[1]))).astype(np.float32)


def _vanishing(points: list[Fraction], but: Fraction | None) -> tuple[list[Fraction], Fraction]:
    """The polynomial that is 0 at all points but one: its coefficients, and its value there."""
    polynomial = [Fraction(1)]
    for q in points:
        if q != but:
            shifted = [Fraction(0), *polynomial]
            polynomial = [x - q * y for x, y in zip(shifted, [*polynomial, Fraction(0)], strict=True)]
    value = sum((c * (but or Fraction(0)) ** k for k, c in enumerate(polynomial)), Fraction(0))
    return polynomial, value


# -- what cores do -----------------------------------------------------------------------------------------------------


@helper
def blend(to: Any, at: Any, of: Any, start: Any, step: Any, f: Any, n: Any) -> None:
    """n numbers of `to` from `at` on: the lines of `of` at start, start + step, …, each f[i] times, added up.

    In one pass, which compilers turn into vector instructions; the last line is not there where its factor is 0.
    """
    f0, f1, f2, f3, f4, f5 = f[0], f[1], f[2], f[3], f[4], f[5]
    last = start + 5 * step if f5 != 0.0 else start
    t, x0, x1 = to[at : at + n], of[start : start + n], of[start + step : start + step + n]
    x2, x3 = of[start + 2 * step : start + 2 * step + n], of[start + 3 * step : start + 3 * step + n]
    x4, x5 = of[start + 4 * step : start + 4 * step + n], of[last : last + n]
    for i in range(n):
        t[i] = f0 * x0[i] + f1 * x1[i] + f2 * x2[i] + f3 * x3[i] + f4 * x4[i] + f5 * x5[i]


@kernel
def to_tiles(boards, tiles, room, b, n, height, width, channels, m):  # type: ignore[no-untyped-def]
    """V (r, r, n · tiles, channels) of n padded boards (height, width, channels); all arrays are flat.

    `room` is for (r, width, channels): a row of tiles, transformed from top to bottom.
    """
    r, line, tile = m + 2, width * channels, 0
    many = n * ((height - 2) // m) * ((width - 2) // m)
    for k in range(n):
        for top in range(0, height - 2, m):
            for i in range(r):
                blend(room, i * line, boards, (k * height + top) * line, line, b[i], line)
            for left in range(0, width - 2, m):
                for i in range(r):
                    for j in range(r):
                        at = ((i * r + j) * many + tile) * channels
                        blend(tiles, at, room, i * line + left * channels, channels, b[j], channels)
                tile += 1


@kernel
def to_cells(tiles, boards, room, a, n, height, width, channels, m):  # type: ignore[no-untyped-def]
    """n boards (height, width, channels), without a border, of products M (r, r, n · tiles, channels); all flat.

    `room` is for (r, width', channels): a row of tiles, put together from left to right.
    """
    r, tile, across = m + 2, 0, (width + m - 1) // m
    line, many = across * m * channels, n * ((height + m - 1) // m) * across
    for k in range(n):
        for top in range(0, height, m):
            for left in range(0, across * m, m):
                for i in range(r):
                    for j in range(m):
                        of = (i * r * many + tile) * channels
                        blend(room, i * line + (left + j) * channels, tiles, of, many * channels, a[j], channels)
                tile += 1
            for j in range(min(m, height - top)):
                row = (k * height + top + j) * width * channels
                blend(boards, row, room, 0, line, a[j], width * channels)
