"""A model that begins with the hand-written evaluation: it comes near it, and a training begins from there."""

from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.compile.dispatch import evaluate
from zermelo.compile.evaluator import estimate
from zermelo.core.game import GameError
from zermelo.evaluate.network import make_network
from zermelo.learn.commands import command_for
from zermelo.learn.pretraining import pretrain
from zermelo.learn.settings import Settings
from zermelo.learn.systems import PLAIN
from zermelo.learn.trainer import Trainer


def positions(game, count):
    rng, s, found = np.random.default_rng(5), game.start(), []
    while len(found) < count:
        s = game.start() if game.is_end(s) else game.succ(s, game.actions(s)[rng.integers(len(game.actions(s)))])
        if not game.is_end(s):
            found.append(s.record[0])
    return found


@pytest.fixture(scope="module")
def game():
    return zermelo.load("othello")


@pytest.fixture(scope="module")
def taught(game):
    net = make_network(game)
    return net, pretrain(game, net, 2_000, seed=3)


@pytest.mark.jit
def test_the_model_comes_near_the_evaluation(game, taught):
    net, error = taught
    seen = positions(game, 300)
    with np.errstate(over="ignore"):
        told, learned = ([of(s) for s in seen] for of in (evaluate, lambda s: estimate(net, s)))
    assert not make_network(game).w.any()
    assert error < 0.1
    assert np.corrcoef(told, learned)[0, 1] > 0.8


@pytest.mark.jit
def test_the_same_seed_gives_the_same_weights(game, taught):
    again, other = make_network(game), make_network(game)
    pretrain(game, again, 2_000, seed=3)
    pretrain(game, other, 2_000, seed=4)
    assert again.w.tobytes() == taught[0].w.tobytes()
    assert other.w.tobytes() != again.w.tobytes()


@pytest.mark.jit
def test_a_training_begins_there(game, taught):
    settings = Settings(games=1, games_per_round=1, pretrain=2_000, seed=3, learning_rate=1e-9, opening=4)
    trainer = Trainer(game, settings)
    assert not trainer.net.w.any()
    trainer.round()
    assert trainer.net.w == pytest.approx(taught[0].w, abs=1e-6)
    assert "--pretrain 2000" in command_for(game, settings, PLAIN)


def test_without_an_evaluation_there_is_nothing_to_imitate():
    plain = zermelo.load(f"{Path(__file__).with_name('noughts.py')}:Noughts")
    with pytest.raises(GameError, match="no hand-written evaluation"):
        pretrain(plain, make_network(plain), 1)
    with pytest.raises(GameError, match="pretrain must be a number"):
        Settings(pretrain=-1)
