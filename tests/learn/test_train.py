"""One call for a training, kept in a folder or not; stopped from another thread, it goes on to the same weights."""

import threading
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.core.game import GameError
from zermelo.evaluate.files import load_network, read_card
from zermelo.learn.train import Trained, begin_training, train

SMALL = {"games": 60, "games_per_round": 6, "learning_rate": 0.5, "epsilon": 0.3, "seed": 4}


@pytest.fixture(scope="module")
def nim():
    return zermelo.load("nim", compiled=False)


@pytest.fixture(scope="module")
def alone(nim):
    return train(nim, **SMALL)


def test_a_training_in_one_call(nim, alone, tmp_path):
    assert isinstance(alone, Trained)
    assert alone.is_finished
    assert (alone.games, alone.settings.learning_rate, alone.folder) == (60, 0.5, None)
    assert alone.settings.lam == nim.variant.training["lam"]  # what is not given is the game's own
    assert alone.curve[-1].games == 60
    assert np.isfinite(alone.net.w).all()
    assert alone.net.w.any()
    alone.save(tmp_path / "w.safetensors")
    assert (load_network(tmp_path / "w.safetensors", nim).w == alone.net.w).all()
    assert read_card(tmp_path / "w.safetensors").trained["settings"]["learning_rate"] == 0.5


def test_it_is_kept_in_a_folder(nim, alone, tmp_path):
    heard = []
    kept = train(nim, folder=tmp_path / "run", on_progress=heard.append, **SMALL)
    assert kept.folder == tmp_path / "run"
    assert len(heard) == 10
    assert (kept.net.w == alone.net.w).all()
    assert (load_network(tmp_path / "run" / "weights.safetensors", nim).w == alone.net.w).all()


def test_stopped_from_another_thread_it_goes_on_to_the_same(nim, alone, tmp_path):
    with begin_training(nim, tmp_path / "run", **SMALL) as run:
        thread = threading.Thread(target=run.stop)
        finished = run.go(lambda progress: (thread.start(), thread.join()) if progress.played == 18 else None)
    assert not finished
    assert run.trainer.games == 18
    assert not run.is_stopping
    resumed = train(nim, resume=tmp_path / "run")
    assert resumed.is_finished
    assert (resumed.net.w == alone.net.w).all()
    with pytest.raises(GameError, match="begun with games 60"):
        train(nim, resume=tmp_path / "run", games=61)


def test_systems_and_files_are_named(tmp_path):
    """The game by the path of its file, with weights to begin with."""
    name = f"{Path(__file__).with_name('noughts.py')}:Noughts"
    first = train(zermelo.load(name).interpreted, games=4, games_per_round=2)
    first.save(tmp_path / "w.safetensors")
    second = train(zermelo.load(name).interpreted, weights=tmp_path / "w.safetensors", games=1, learning_rate=1e-9)
    assert second.net.w == pytest.approx(first.net.w, abs=1e-6)
    with begin_training("td-gammon", tmp_path / "run", games=7) as run:
        assert (run.system.name, run.game.name, run.settings.num_features) == ("td-gammon", "backgammon", 198)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "say what to train"),
        ({"subject": "nim", "step": 0.1}, "no setting 'step'"),
        ({"subject": "go"}, "no features"),
        ({"resume": "x", "folder": "y"}, "leave out folder"),
        ({"resume": "/nowhere"}, "no folder '/nowhere'"),
    ],
    ids=str,
)
def test_what_cannot_be_trained_is_said(given, said):
    with pytest.raises(GameError, match=said):
        train(**given)
