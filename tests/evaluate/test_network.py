"""The model against a few lines of NumPy, and one step of learning against finite differences."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.compile.dispatch import at
from zermelo.compile.kernel import kernel
from zermelo.compile.random import below, generator
from zermelo.compile.rules import rules
from zermelo.core.game import GameError
from zermelo.evaluate.network import forward, make_network, outputs_at
from zermelo.learn.gradient import coherence, fit

NOUGHTS = f"{Path(__file__).parents[1] / 'learn' / 'noughts.py'}:Noughts"
LAYERS = [(), (10,), (6, 4)]
TARGET = np.array([0.9, 0.2], np.float32)  # of player 0: hardly ever a loss, rarely a win


@pytest.fixture(scope="module")
def game():
    return zermelo.load(NOUGHTS)


def positions(game, count):
    """Of random games, unfinished."""
    random, found, s = generator(3), [], game.interpreted.start()
    plain = game.interpreted
    with np.errstate(over="ignore"):
        while len(found) < count:
            actions = plain.actions(s)
            s = plain.succ(s, actions[int(below(random, len(actions)))])
            if plain.player(s) < 0:
                s = plain.start()
            else:
                found.append(s)
    return found


def network(game, hidden, seed=1):
    """With weights large enough that every layer matters, the last one and the biases too."""
    net = make_network(game, hidden)
    net.w[:] = np.random.default_rng(seed).normal(0, 1.0, net.w.size)
    return net


# -- in plain NumPy ----------------------------------------------------------------------------------------------------


def dense(game, s):
    """The features of `s` by name: mine are the cells 0 … 8, theirs 9 … 17, and the middle counts half."""
    x = np.zeros(game.variant.num_features)
    for cell in range(9):
        if s.board[cell]:
            x[cell if s.board[cell] == 1 + s.turn else 9 + cell] = 0.5 if cell == 4 else 1.0
    return x


def plain_outputs(w, sizes, x):
    """The first layer has a row for every feature, the others one for every unit; biases are the last of each."""
    w = np.asarray(w, np.float64)
    for layer, (wide, count) in enumerate(pairwise(sizes)):
        part, w = w[: (wide + 1) * count], w[(wide + 1) * count :]
        a = part.reshape(wide + 1, count) if layer == 0 else part.reshape(count, wide + 1).T
        x = 1 / (1 + np.exp(-(x @ a[:-1] + a[-1])))
    assert w.size == 0
    return x


def plain_loss(w, sizes, x, target, squared):
    y = plain_outputs(w, sizes, x)
    if squared:
        return float(np.sum((y - target) ** 2) / 2)
    return float(-np.sum(target * np.log(y) + (1 - target) * np.log(1 - y)))


def slope(w, sizes, x, target, squared, h=1e-5):
    """The gradient of the loss by central differences."""
    out = np.zeros(w.size)
    for i in range(w.size):
        up, down = w.astype(np.float64), w.astype(np.float64)
        up[i] += h
        down[i] -= h
        out[i] = (plain_loss(up, sizes, x, target, squared) - plain_loss(down, sizes, x, target, squared)) / (2 * h)
    return out


# -- the model ---------------------------------------------------------------------------------------------------------


def outputs(net, s):
    forward(net, s.record[0])
    first = outputs_at(net)
    return net.scratch[0]["units"][first : first + net.sizes[-1]].copy()


@pytest.mark.parametrize("hidden", LAYERS)
def test_forward_is_what_numpy_computes(game, hidden):
    net = network(game, hidden)
    assert net.sizes == (20, *hidden, 2)
    seen = []
    for s in positions(game, 25):
        y = outputs(net, s)
        assert y == pytest.approx(plain_outputs(net.w, net.sizes, dense(game, s)), abs=2e-6)
        value = -1 + y.sum()  # payoffs -1, 0, 1: at least 0, at least 1
        assert net.estimate(s.record[0]) == pytest.approx(value if s.turn == 0 else -value, abs=1e-5)
        seen.append(value)
    assert np.std(seen) > 0.01  # it does depend on the position


def test_weights_are_shared_and_scratch_is_not(game):
    net = network(game, (5,))
    other, own = net.private(), net.copy()
    net.w[0] = 7
    assert other.w[0] == 7
    assert own.w[0] != 7
    assert other.scratch is not net.scratch


def test_a_linear_model_begins_with_nothing_and_a_network_with_small_differences(game):
    assert not make_network(game).w.any()
    w = make_network(game, (8,), seed=5).w
    assert np.array_equal(w, make_network(game, (8,), seed=5).w)
    assert not np.array_equal(w, make_network(game, (8,), seed=6).w)
    assert 0 < np.abs(w).max() < 1


@pytest.mark.parametrize(
    ("hidden", "more", "words"),
    [
        ((0,), {}, "1 to 65536 units"),
        ((3,) * 7, {}, "at most 6 hidden layers"),
        ((3,), {"weights": np.zeros(5)}, "has 71 weights, not 5"),
        ((3,), {"num_features": 21}, "cannot have 21 inputs"),
    ],
)
def test_models_that_cannot_be(game, hidden, more, words):
    with pytest.raises(GameError, match=words):
        make_network(game, hidden, **more)


@rules(name="featureless", max_actions=1)
class Featureless:
    state = {"turn": "i1"}

    def start(s):
        pass

    def player(s):
        return s.turn

    def actions(s, out):
        return 1

    def apply(s, action):
        pass

    def utility(s, out):
        pass


def test_a_game_that_cannot_be_learned():
    with pytest.raises(GameError, match="featureless has no features"):
        make_network(Featureless())


# -- the gradient ------------------------------------------------------------------------------------------------------


def change(net, s, squared, rate=1.0, target=TARGET):
    """By how much one step moves every weight; and the error it gives."""
    before = net.w.copy()
    error = fit(net, s.record[0], target, 0, rate, squared, coherence(0))
    return net.w.astype(np.float64) - before, error


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("hidden", LAYERS)
def test_a_step_goes_down_the_gradient(game, hidden, squared):
    for s in positions(game, 4):
        net = network(game, hidden)
        x = dense(game, s)
        # as the perspective sees it: at least so much for the one is not more than so much for the other
        target = TARGET.astype(np.float64) if s.turn == 0 else 1 - TARGET[::-1].astype(np.float64)
        wanted = -slope(net.w, net.sizes, x, target, squared)
        other = -slope(net.w, net.sizes, x, target, not squared)
        y = plain_outputs(net.w, net.sizes, x)
        moved, error = change(net, s, squared)
        assert moved == pytest.approx(wanted, abs=3e-6)
        assert np.abs(moved - other).max() > 1e-3  # the two losses can be told apart
        assert np.count_nonzero(np.abs(wanted) > 1e-4) >= 2 * np.count_nonzero(x)
        assert error == pytest.approx(np.abs(y - target).mean(), abs=1e-6)


def test_only_rows_of_active_features_move(game):
    s = positions(game, 3)[2]
    net, x = network(game, (6, 4)), dense(game, s)
    moved, _ = change(net, s, False)
    rows = moved[: 21 * 6].reshape(21, 6)
    assert np.array_equal(rows.any(axis=1), np.append(x != 0, True))


def test_many_steps_come_to_the_target(game):
    first, second = positions(game, 2)
    assert {first.turn, second.turn} == {0, 1}
    net = network(game, (5,))
    for _ in range(300):
        for s in (first, second):
            change(net, s, False, rate=1.0)
    assert outputs(net, first if first.turn == 0 else second) == pytest.approx(TARGET, abs=0.01)
    assert outputs(net, second if first.turn == 0 else first) == pytest.approx(1 - TARGET[::-1], abs=0.01)


def test_coherence_slows_down_weights_whose_changes_contradict_each_other(game):
    s = positions(game, 1)[0]
    net = make_network(game)  # nothing yet: a chance of one half for everything
    seen = coherence(net.w.size)
    active = int(np.flatnonzero(dense(game, s))[0]) * 2
    steps = []
    for n in range(20):
        before = net.w[active]
        fit(net, s.record[0], np.array([n % 2, n % 2], np.float32), 0, 0.01, False, seen)
        steps.append(abs(net.w[active] - before))
    assert steps[0] > 5 * steps[-1] > 0
    assert abs(seen.net[active]) < 0.2 * seen.total[active]


# -- compiled ----------------------------------------------------------------------------------------------------------


@kernel
def fit_all(net, states, target, rate, squared, seen, errors):  # type: ignore[no-untyped-def]
    for i in range(len(states)):
        errors[i] = fit(net, at(states, i), target, 0, rate, squared, seen)


@pytest.mark.jit
@pytest.mark.parametrize("hidden", LAYERS)
def test_compiled_code_learns_what_plain_python_learns(game, hidden):
    states = np.concatenate([s.record for s in positions(game, 12)])
    learned = []
    for one in (game, game.interpreted):
        net, errors, seen = network(one, hidden), np.zeros(12), coherence(0)
        one.run(fit_all, net, states, TARGET, 0.3, False, seen, errors)
        seen = coherence(net.w.size)
        one.run(fit_all, net, states, TARGET, 0.3, True, seen, errors)
        learned.append((net.w.copy(), errors, seen.total.copy()))
    for compiled, plain in zip(*learned, strict=True):
        assert compiled == pytest.approx(plain, abs=2e-5)
    assert np.abs(learned[0][0] - network(game, hidden).w).max() > 0.1
