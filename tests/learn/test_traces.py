"""Eligibility traces against the forward view, and a training with them."""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from tests.learn.noughts import Noughts
from zermelo.compile.dispatch import at
from zermelo.compile.evaluator import HANDCRAFTED
from zermelo.compile.random import generator
from zermelo.evaluate.network import forward, make_network, outputs_of
from zermelo.learn.contest import contest
from zermelo.learn.gradient import coherence, compare, descend
from zermelo.learn.returns import lambda_returns
from zermelo.learn.self_play import make_totals, self_play
from zermelo.learn.settings import Settings
from zermelo.learn.td import ForwardTD, add_end, settle
from zermelo.learn.traces import BackwardTD, make_traces
from zermelo.learn.trainer import Trainer
from zermelo.learn.trajectory import make_trajectory

NOUGHTS, BINS = Noughts(compiled=False), zermelo.load("coin-bins", compiled=False)
MODELS = [(NOUGHTS, ()), (NOUGHTS, (5,)), (NOUGHTS, (4, 3)), (BINS, ()), (BINS, (3,))]
PLAIN = coherence(0)


def random_network(game, hidden, seed=3):
    """Weights of all sizes, in all layers."""
    net = make_network(game, hidden)
    net.w[:] = np.random.default_rng(seed).normal(0, 0.7, net.w.size)
    return net


class Forward(NamedTuple):
    """Plays like ForwardTD, and adds up in `change` what λ-returns ask for, at weights that stand still."""

    net: Any
    hyper: Any
    totals: Any
    change: Any

    choose_move = ForwardTD.choose_move
    game_begins = ForwardTD.game_begins
    before_chance = ForwardTD.before_chance
    after_move = ForwardTD.after_move

    def game_ends(learner, trajectory, truncated):
        g = at(trajectory.notes, 0)
        net, hyper = learner.net, learner.hyper
        if settle(learner, trajectory, truncated):
            n = add_end(net, trajectory)
        else:
            n = max(g.length - 1, 0)
        if n > 0:
            lambda_returns(
                net,
                n,
                g.nexts,
                g.cut,
                hyper.lam,
                hyper.gamma,
                g.target,
            )
        at(net.scratch, 0).going = 0
        for t in range(n):
            s = at(trajectory.states, t)
            active = forward(net, s)
            compare(net, s, g.target, t * outputs_of(net), hyper.squared_error)
            descend(net, active, learner.change, 0, np.float32(hyper.learning_rate), PLAIN)
        at(learner.totals, 0).positions += n
        return True


def both_views(game, net, settings, games):
    """(forward, backward) changes of every weight, game after game, with the same dice; the positions learned from."""
    hyper = Settings(**settings).hyperparameters(0)
    trajectory, room = make_trajectory(game, net.sizes[-1]), make_traces(net)
    one, other = generator(5), generator(5)
    learned, traced = make_totals(), make_totals()
    changes = []
    before = net.w.copy()
    for _ in range(games):
        ahead, back = np.zeros(net.w.size, np.float32), np.zeros(net.w.size, np.float32)
        game.run(self_play, Forward(net, hyper, learned, ahead), trajectory, one, 1, learned)
        game.run(self_play, BackwardTD(net, room, back, hyper, PLAIN, traced), trajectory, other, 1, traced)
        changes.append((ahead, back))
        assert one == other  # the same game
    assert (net.w == before).all()
    return np.array(changes).transpose(1, 0, 2), (learned[0]["positions"], traced[0]["positions"])


@pytest.mark.parametrize(("game", "hidden"), MODELS, ids=lambda x: getattr(x, "name", str(x)))
def test_the_backward_view_adds_up_to_the_forward_view(game, hidden):
    net = random_network(game, hidden)
    for lam, squared in product((0.0, 0.6, 1.0), (False, True)):
        settings = {
            "lam": lam,
            "squared_error": squared,
            "learning_rate": 0.5,
            "epsilon": 0.3,
            "gamma": 0.9 if squared else 1.0,
        }
        (ahead, back), (learned, traced) = both_views(game, net, settings, 3)
        assert learned == traced > 0
        assert np.abs(ahead).max() > 0.01
        assert np.abs(ahead - back).max() < 2e-6 * max(1, np.abs(ahead).max())


@pytest.mark.parametrize(
    "settings",
    [
        {"on_policy": True, "epsilon": 0.5},
        {"temperature": 0.5},
        {"opening": 2, "epsilon": 0.5},
        {"truncated_value": None},
        {"expected_backup": True, "epsilon": 0.3},
    ],
    ids=str,
)
def test_both_views_play_the_same_games(settings):
    for game in (NOUGHTS, BINS):
        (ahead, back), (learned, traced) = both_views(game, random_network(game, (3,)), {"lam": 0.7, **settings}, 6)
        assert learned == traced
        assert learned > 10 or game is BINS
        assert np.abs(ahead - back).max() < 1e-6


def test_experiments_cut_the_traces():
    """With λ = 1, on-policy, the first position of a game is told its end; off-policy, nothing behind an experiment."""
    net = random_network(NOUGHTS, ())
    told = {}
    for on_policy in (True, False):
        (_, back), _ = both_views(NOUGHTS, net, {"lam": 1.0, "epsilon": 1.0, "on_policy": on_policy}, 10)
        told[on_policy] = back
    assert np.abs(told[True] - told[False]).max() > 0.01


def test_a_rate_for_every_weight():
    """The first change of a weight is made in full, those that contradict it by half of what is left, and so on."""
    settings = Settings(lam=0.5, traces=True, coherence=True, games=30, games_per_round=10, learning_rate=0.1)
    trainer = Trainer(NOUGHTS, settings)
    while not trainer.finished:
        trainer.round()
    moved = trainer.seen.total > 0
    assert (trainer.net.w != 0).sum() == moved.sum() > 10
    assert (np.abs(trainer.seen.net[moved]) <= trainer.seen.total[moved] * 1.0001).all()
    plain = Trainer(NOUGHTS, Settings(lam=0.5, traces=True, games=30, games_per_round=10, learning_rate=0.1))
    while not plain.finished:
        plain.round()
    assert np.abs(plain.net.w).sum() > np.abs(trainer.net.w).sum()  # where changes contradict each other, less is done


def test_a_training_with_traces_goes_on_from_where_it_was_left():
    def train(rounds, state=None):
        trainer = Trainer(
            NOUGHTS, Settings(hidden=(3,), lam=0.7, traces=True, games=40, games_per_round=5, epsilon=0.1)
        )
        if state is not None:
            trainer.restore(state)
        for _ in range(rounds):
            trainer.round()
        return trainer

    whole, half = train(4), train(2)
    assert (train(2, half.state()).net.w == whole.net.w).all()


@pytest.mark.slow
@pytest.mark.jit
def test_a_small_td_gammon_learns():
    """Hidden units, the squared error, traces: three thousand games make a player out of noise."""
    game = zermelo.load("backgammon")
    settings = Settings(hidden=(40,), games=3_000, learning_rate=0.5, lam=0.7, squared_error=True, traces=True)
    trainer = Trainer(game, settings, threads=1)
    before = contest(game, trainer.net, HANDCRAFTED, pairs=200)
    while not trainer.finished:
        trainer.round()
    after = contest(game, trainer.net, HANDCRAFTED, pairs=200)
    assert after.points > before.points + 1
    assert contest(game, trainer.net, None, pairs=200).points > 1
