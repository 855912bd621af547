"""Samuel's system: generalisation, then rote learning; the same weights and memory after an interruption."""

from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.evaluate.network import make_network
from zermelo.learn import samuel
from zermelo.learn.runs.run import Run
from zermelo.learn.samuel import Samuel, recall, searched_contest
from zermelo.learn.settings import Settings

pytestmark = pytest.mark.jit
SMALL = Settings(games=60, depth=2, target="root", learning_rate=0.05, epsilon=0.1, opening=2, games_per_round=10)
WHOLE = Settings(games=400, depth=2, target="root", learning_rate=0.05, epsilon=0.1, opening=2, games_per_round=20)


@pytest.fixture(scope="module")
def game():
    return zermelo.load(f"{Path(__file__).with_name('noughts.py')}:Noughts")


def go(trainer):
    while not trainer.finished:
        trainer.round()
    return trainer


def weights(game):
    return np.linspace(-1, 1, make_network(game).w.size, dtype=np.float32)


def by_rote(game):
    """A training that consists of rote learning only, from weights that are given."""
    return Samuel(game, SMALL, weights=weights(game), threads=1)


@pytest.fixture
def only_rote(monkeypatch):
    monkeypatch.setattr(samuel, "BY_ROTE", 1.0)


def test_positions_are_remembered_with_what_the_search_said(game, only_rote):
    trainer = go(by_rote(game))
    memory = trainer.rote.memory[0]
    values = memory["value"][memory["depth"] > 0]
    assert 60 < trainer.rote.size <= 60 * 9  # sixty games of nine plies at most
    assert (memory["depth"][memory["depth"] > 0] == 2).all()
    assert (np.abs(values) < 1).all()
    assert len(set(values.tolist())) > 20
    assert memory["found"] > 0
    assert (trainer.net.w == weights(game)).all()


def test_an_interrupted_training_comes_to_the_same(game, only_rote):
    whole = go(by_rote(game)).state()
    state, rounds = by_rote(game).state(), 0
    while state["progress"][0] < SMALL.games:  # a new process for every round
        one = by_rote(game)
        one.restore(state)
        one.round()
        state, rounds = one.state(), rounds + 1
    assert rounds == SMALL.games // SMALL.games_per_round
    assert state.keys() == whole.keys()
    for name, array in whole.items():
        assert np.array_equal(state[name], array), name


def test_the_settings_are_those_of_the_rules():
    assert samuel.training({}) == zermelo.load("checkers").variant.training
    settings = Settings.read(samuel.training({}))
    assert settings.depth > 0
    assert settings.hidden == ()
    assert samuel.system().trainer is Samuel


@pytest.mark.slow
def test_the_weights_come_first_and_then_stand_still(game):
    trainer = Samuel(game, WHOLE, threads=1)
    while not trainer.by_rote:
        assert trainer.rote.size == 0
        trainer.round()
    before = trainer.net.w.copy()
    assert np.abs(before).max() > 0
    go(trainer)
    assert trainer.games == WHOLE.games
    assert trainer.rote.size > 0
    assert (trainer.net.w == before).all()


@pytest.mark.slow
def test_what_is_learned_wins_at_equal_depth(game):
    net = go(Samuel(game, WHOLE, threads=1)).net
    found = searched_contest(game, net, make_network(game), depth=2, pairs=2000, opening=2)
    assert found.games == found.wins + found.draws + found.losses == 4000
    assert found.points > found.margin
    assert found == searched_contest(game, net, make_network(game), depth=2, pairs=2000, opening=2)


@pytest.mark.slow
def test_what_was_learned_by_rote_is_kept_with_the_run(game, tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.learn.runs.run.curve_png", lambda *told: None)
    monkeypatch.setattr(samuel, "GAME", game.origin)
    with Run.create(tmp_path / "run", game, SMALL, system="samuel", pairs=2, threads=1) as run:
        assert run.go()
        size = run.trainer.rote.size
    assert size > 0
    assert recall(tmp_path / "run", game, make_network(game)).size == size
