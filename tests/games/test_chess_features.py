"""Chess: what a learned evaluation sees of a position: in range, compiled as interpreted, colours changed."""

import numpy as np
import pytest

import zermelo
from zermelo.core.dispatch import features
from zermelo.core.kernel import kernel

MIRRORED = (
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1"),
)


@pytest.fixture(scope="module")
def game():
    return zermelo.load("chess")


@kernel
def seen(states, index, value):
    return features(states[0], index, value)


def dense(game, s):
    """All features as one array; what stands twice adds up."""
    inputs, most = game.variant.inputs
    index, value = np.zeros(most, np.int64), np.zeros(most, np.float32)
    n = game.run(seen, s.record, index, value)
    assert 0 < n <= most
    assert 0 <= index[:n].min() <= index[:n].max() < inputs
    out = np.zeros(inputs)
    np.add.at(out, index[:n], value[:n])
    return out


@pytest.mark.jit
def test_compiled_features_are_the_interpreted_ones(game):
    rng, s = np.random.default_rng(4), game.start()
    for _ in range(40):
        s = game.start() if game.is_end(s) else game.succ(s, game.actions(s)[rng.integers(len(game.actions(s)))])
        assert dense(game, s) == pytest.approx(dense(game.interpreted, s), abs=1e-6)


@pytest.mark.jit
@pytest.mark.parametrize(("white", "black"), MIRRORED)
def test_changed_colours_change_the_sign(game, white, black):
    one, other = dense(game, game.parse(white)), dense(game, game.parse(black))
    assert one.any()
    assert other == pytest.approx(-one, abs=1e-6)
