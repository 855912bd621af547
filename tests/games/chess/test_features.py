"""Chess: what a learned evaluation sees of a position: in range, compiled as interpreted, colours changed."""

import numpy as np
import pytest

import zermelo
from zermelo.compile.dispatch import at, features
from zermelo.compile.evaluator import estimate
from zermelo.compile.kernel import kernel
from zermelo.evaluate.network import make_network
from zermelo.games.chess.features import LEAD, SET, softened

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
    inputs, most = game.variant.num_features, game.variant.max_active_features
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


@kernel
def judged(net, states):
    return estimate(net, at(states, 0))


@pytest.mark.jit
def test_a_linear_model_is_the_sum_of_what_it_sees(game):
    net = make_network(game)
    net.w[:] = np.random.default_rng(2).normal(0, 0.1, net.w.size)
    for position in MIRRORED[0] + MIRRORED[1]:
        s = game.parse(position)
        expected = np.tanh((dense(game, s) @ net.w[:-1] + net.w[-1]) / 2)
        assert game.run(judged, net, s.record) == pytest.approx(expected, abs=1e-5)


@pytest.mark.jit
@pytest.mark.parametrize(
    "position",
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",  # passed pawns
        "8/5k2/3b4/4p3/8/2P1B3/3K4/8 b - - 0 1",  # bishops of opposite colours
        "8/8/3k4/8/8/2N5/1N1K4/8 w - - 0 1",  # not to be won, and a king alone: the lead is all that is told
        "8/8/3k4/8/8/8/1R1K4/8 w - - 0 1",  # to be won
        "3qkq2/8/8/8/8/8/8/3QK3 b - - 0 1",  # far ahead
    ],
)
def test_the_lead_is_the_handmade_evaluation(game, position):
    s, board = game.parse(position), position.split()[0]
    value = game.evaluate(s)
    seen = dense(game, s).reshape(-1, SET)
    assert seen[:, LEAD].sum() == pytest.approx(softened(4 * value / (1 - abs(value))), rel=1e-5)
    alone = min(sum(map(str.isupper, board)), sum(map(str.islower, board))) == 1
    assert (np.count_nonzero(seen) == 1) == alone
