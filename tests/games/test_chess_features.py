"""Chess: what a learned evaluation sees of a position: by hand, mirrored, compiled and interpreted."""

import random

import numpy as np
import pytest

import zermelo
from zermelo.core.dispatch import features
from zermelo.core.kernel import kernel
from zermelo.games import _chess_features as f

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CROWDED = "QQQQQQkr/QQQQ1rpp/1N6/7q/1n6/7q/rqqq3B/KRBNqqqq w - - 0 1"  # more pieces than games see
TERMS = {name: getattr(f, name) for name in dir(f) if name.isupper() and isinstance(getattr(f, name), int)}


@pytest.fixture(scope="module")
def game():
    return zermelo.load("chess")


@kernel
def seen(states, index, value):
    return features(states[0], index, value)


def pairs(game, s):
    index, value = np.zeros(f.MOST, np.int64), np.zeros(f.MOST, np.float32)
    n = game.run(seen, s.record, index, value)
    return index[:n], value[:n]


def dense(game, s):
    """All features as one array; what stands twice adds up."""
    index, value = pairs(game, s)
    out = np.zeros(f.COUNT)
    np.add.at(out, index, value)
    return out


def terms(game, fen):
    """The terms that are not 0, by name."""
    all_of_them = dense(game, game.parse(fen))[: f.HUNTED].reshape(f.STAGES, f.SET)
    (stage,) = np.flatnonzero(all_of_them.any(axis=1))
    return {name: all_of_them[stage, place] for name, place in TERM_NAMES.items() if all_of_them[stage, place]}
