"""The network on cores says what it says in JAX, and its convolutions are convolutions."""

import numpy as np
import pytest

import zermelo
from zermelo.evaluate.tower.architecture import Architecture, architecture_for, make_weights
from zermelo.evaluate.tower.cores import SINGLE, CoreTower, multiply
from zermelo.evaluate.tower.winograd import scheme_for, to_cells, to_tiles


def nudged(a, seed=0):
    """Weights of which none is 0, so that everything has a say."""
    random = np.random.default_rng(seed)
    return {name: w + random.normal(0, 0.1, w.shape).astype(np.float32) for name, w in make_weights(a).items()}


def convolve(board, w):
    """A 3×3 convolution by definition, in float64, zeros all around."""
    height, width = board.shape[1:3]
    padded = np.pad(board.astype(np.float64), ((0, 0), (1, 1), (1, 1), (0, 0)))
    return sum(padded[:, i : i + height, j : j + width] @ w[i, j] for i in range(3) for j in range(3))


@pytest.mark.parametrize(
    ("size", "tile"), [((9, 9), 3), ((8, 8), 4), ((6, 7), 4), ((3, 3), 3), ((2, 8), 4), ((5, 1), 3)]
)
def test_tiles_make_a_convolution(size, tile):
    random, scheme, n = np.random.default_rng(1), scheme_for(*size), 2
    assert scheme.tile == tile
    board, w = random.normal(size=(n, *size, 4)).astype(np.float32), random.normal(size=(3, 3, 4, 6))
    height, width = scheme.padded
    padded, r, many = np.zeros((n, height, width, 4), np.float32), scheme.seen, n * scheme.tiles
    padded[:, 1 : size[0] + 1, 1 : size[1] + 1] = board
    seen, room = np.zeros((r * r, many, 4), np.float32), np.zeros(r * width * 6, np.float32)
    to_tiles(padded.reshape(-1), seen.reshape(-1), room, scheme.to_tiles, n, height, width, 4, scheme.tile)
    made, y = seen @ scheme.transform(w), np.zeros((n, *size, 6), np.float32)
    to_cells(made.reshape(-1), y.reshape(-1), room, scheme.to_cells, n, *size, 6, scheme.tile)
    assert np.allclose(y, convolve(board, w), atol=1e-4)


@pytest.mark.parametrize("rows", [1, 11, 12, 100])
def test_products_in_pieces_are_products(rows):
    random = np.random.default_rng(rows)
    x, w = random.normal(size=(3, rows, 80)).astype(np.float32), random.normal(size=(3, 80, 90)).astype(np.float32)
    assert SINGLE < 100 * 80 * 90  # there are several pieces, and a rest
    assert np.allclose(multiply(x, w), x @ w, atol=1e-3)
    assert np.allclose(multiply(x, w[0]), x @ w[0], atol=1e-3)


@pytest.mark.parametrize("shape", [(548, 96), (2000, 300), (32, 1), (512, 512)])
def test_no_product_is_so_large_that_blas_takes_threads(shape, monkeypatch):
    """Its threads would wait for each other, turning round, where other work is on the cores."""
    random, product, sizes = np.random.default_rng(4), np.matmul, []

    def watched(x, w, out):
        sizes.append(x.shape[-2] * x.shape[-1] * w.shape[-1])
        return product(x, w, out=out)

    x, w = random.normal(size=(3, 29, shape[0])).astype(np.float32), random.normal(size=shape).astype(np.float32)
    expected = x @ w
    monkeypatch.setattr(np, "matmul", watched)
    made = multiply(x, w)
    assert max(sizes) <= SINGLE
    assert np.allclose(made, expected, atol=1e-2)


@pytest.mark.parametrize("name", ["connect-four", "go", "features"])
def test_it_says_what_jax_says(name):
    jax = pytest.importorskip("jax")
    from zermelo.evaluate.tower.judging import judge_positions

    if name == "features":  # no board: dense layers, and three players
        a = Architecture((20, 1, 1), 5, 3, blocks=2, channels=8, active=4)
    else:
        a = architecture_for(zermelo.load(name, compiled=False), 3, 8)  # the third block looks at the whole board
    weights = nudged(a)
    random = np.random.default_rng(2)
    seen = (random.random((5, *a.shape)) < 0.4).astype(np.int8)
    if a.active:
        seen = np.stack([random.integers(0, 20, (5, 4)), random.random((5, 4))], axis=2).astype(np.float32)
    logits, values = CoreTower(a, weights).judge(seen)
    said = jax.jit(judge_positions, static_argnums=0)(a, weights, seen)
    assert np.abs(np.asarray(said["policy"])).max() > 0.01
    assert np.allclose(logits, said["policy"], atol=1e-4)
    assert np.allclose(values, said["value"], atol=1e-4)


def test_threads_share_a_batch_out():
    a = architecture_for(zermelo.load("tic-tac-toe", compiled=False), 1, 8)
    weights, planes = nudged(a), np.random.default_rng(3).random((7, *a.shape))
    alone, together = CoreTower(a, weights), CoreTower(a, weights, threads=3)
    for n in (7, 1, 2, 7):  # rooms grow and are used again
        for one, other in zip(alone.judge(planes[:n]), together.judge(planes[:n]), strict=True):
            assert np.allclose(one, other, atol=1e-6)
