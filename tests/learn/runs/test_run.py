"""Runs that can be trusted: killed and resumed they come to the same bytes; what does not fit is refused."""

import itertools
import json
import os
import random
import shutil
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.core.game import GameError
from zermelo.evaluate.files import load_network, read_card
from zermelo.learn.runs.curves import curve_csv, curve_png, curve_svg
from zermelo.learn.runs.progress import Log, Row, measuring_points
from zermelo.learn.runs.run import Run
from zermelo.learn.settings import Settings

pytestmark = pytest.mark.jit
NOUGHTS = f"{Path(__file__).parents[1] / 'noughts.py'}:Noughts"
SMALL = Settings(hidden=(4,), games=600, games_per_round=10, actors=2, epsilon=0.1, coherence=True)
LONG = replace(SMALL, games=2000)
FILES = {"run.json", "snapshot.safetensors", "curve.csv", "curve.svg", "weights.safetensors", ".lock"}


@pytest.fixture(scope="module")
def game():
    return zermelo.load(NOUGHTS)


@pytest.fixture(autouse=True)
def no_png(monkeypatch):
    """Most of the time of these tests would be matplotlib's."""
    monkeypatch.setattr("zermelo.learn.runs.run.curve_png", lambda *told: None)


def stop_after(run, rounds):
    """Hears of progress, and stops `run` after so many rounds."""
    heard = itertools.count(1)
    return lambda progress: run.stop() if next(heard) == rounds else None


def make(folder, game, settings=SMALL, **more):
    with Run.create(folder, game, settings, pairs=5, **more) as run:
        assert run.go()
    return folder


@pytest.fixture(scope="module")
def alone(tmp_path_factory, game):
    """A training that nobody disturbed."""
    return make(tmp_path_factory.mktemp("runs") / "alone", game, threads=1)


def result(folder):
    return {name: (folder / name).read_bytes() for name in ("weights.safetensors", "curve.csv", "curve.svg")}


# -- what is in the folder ---------------------------------------------------------------------------------------------


def test_the_folder_holds_what_it_should(alone, game):
    assert {path.name for path in alone.iterdir()} - {"curve.png"} == FILES
    card = read_card(alone / "weights.safetensors")
    assert (card.game, card.sizes) == ("noughts", (20, 4, 2))
    assert card.trained["games"] == 600
    assert card.trained["settings"] == SMALL.as_dict()
    assert card.trained["zermelo"] == zermelo.__version__
    assert card.trained["command"] == (
        f"zermelo train {NOUGHTS} --games 600 --learning-rate 0.1 --coherence --actors 2 --games-per-round 10"
    )
    measured = [row[0] for row in card.trained["curve"]]
    assert measured == [20, 40, 80, 120, 160, 200, 240, 280, 300, 340, 380, 420, 460, 500, 540, 580, 600]
    assert load_network(alone / "weights.safetensors", game).w.std() > 0.01
    lines = (alone / "curve.csv").read_text().splitlines()
    assert lines[0].startswith("games,learning_rate,error,")
    assert len(lines) == 1 + len(card.trained["curve"])


def test_measuring_points_double_and_then_go_on_evenly():
    points = measuring_points(1_600_000)
    assert points == [6250, 12500, 25000, 50000, *range(100_000, 1_600_001, 100_000)]
    assert measuring_points(3) == [1, 2, 3]


def test_the_curve_is_a_picture_of_the_log(alone):
    from xml.etree import ElementTree

    with Run.open(alone) as run:
        rows = run.log.rows
    root = ElementTree.fromstring(curve_svg(rows, "a <b>", "x & y"))
    shown = {part.get("class"): part for part in root.iter() if part.get("class")}
    assert shown["points"].get("d").count("L") == len(rows) - 1
    assert "nothing measured" in curve_svg([], "a", "b")
    assert ElementTree.fromstring(curve_svg(rows[:1], "one", "b")) is not None
    assert curve_csv([], Row).count("\n") == 1


def test_the_curve_by_matplotlib(alone):
    pytest.importorskip("matplotlib")
    with Run.open(alone) as run:
        assert curve_png(run.log.rows, "a", "b").startswith(b"\x89PNG")
    assert curve_png([], "a", "b") is None


def test_the_log_survives_json_to_the_last_bit(alone):
    with Run.open(alone) as run:
        log = run.log
    again = Log.read(json.loads(json.dumps(log.as_dict())))
    assert again == log
    with pytest.raises(GameError, match="not one of a training"):
        Log.read({"rows": [{"games": 1}], "sums": {}, "undone": []})


# -- the same bytes ----------------------------------------------------------------------------------------------------


def test_threads_change_nothing(tmp_path, game, alone):
    assert result(make(tmp_path / "two", game, threads=2)) == result(alone)


def test_another_seed_changes_the_weights(tmp_path, game, alone):
    assert result(make(tmp_path / "other", game, replace(SMALL, seed=1))) != result(alone)


def test_stopped_after_every_few_rounds(tmp_path, game, alone):
    folder, stops = tmp_path / "stopped", 0
    run = Run.create(folder, game, SMALL, pairs=5)
    while True:
        with run:
            if run.go(stop_after(run, 6)):
                break
        stops += 1
        run = Run.open(folder)
    assert stops == 4  # 30 rounds, 6 at a time
    assert result(folder) == result(alone)


def go_on(folder, game):
    """What a process does that is going to be killed: begin, or go on; a snapshot after every round."""
    run = Run.open(folder, game=game) if folder.exists() else Run.create(folder, game, LONG, pairs=5)
    run.go(lambda progress: time.sleep(0.002), every=0)


def written(folder):
    """Changes with every snapshot."""
    path = folder / "snapshot.safetensors"
    return path.stat().st_ino if path.exists() else 0


def fork_and_kill(work, folder, patience, seconds):
    """Run `work` in a copy of this process, which has everything compiled, and kill it: so many seconds after it has
    written a snapshot, if there is patience for that."""
    before, child = written(folder), os.fork()
    if child == 0:
        code = 3
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    began = time.monotonic()
    while written(folder) == before and time.monotonic() - began < patience:
        time.sleep(0.001)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def games_of(folder, game):
    with Run.open(folder, game=game) as run:
        return run.trainer.games


def kill_and_resume(folder, game, seed, kills):
    """A training killed so many times and then left alone; how far it was, each time."""
    draw, seen = random.Random(seed), []
    for number in range(kills):
        patience = 0 if number % 4 == 3 else 20  # a quarter of them wherever they are: loading, beginning, writing
        status = fork_and_kill(lambda: go_on(folder, game), folder, patience, draw.random() * 0.02)
        assert status in (signal.SIGKILL, 0)
        if folder.exists():
            seen.append(games_of(folder, game))
    with Run.open(folder, game=game) as run:
        assert run.go()
    return seen


@pytest.mark.timed
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes of POSIX")
def test_killed_twenty_times_at_random_moments(tmp_path, game):
    left_alone = make(tmp_path / "alone", game, LONG)
    folder = tmp_path / "killed"
    seen = kill_and_resume(folder, game, 5, 20)
    assert seen == sorted(seen)
    assert len(set(seen)) > 5  # it was killed at different places, and went on from there
    assert result(folder) == result(left_alone)
    assert {path.name for path in folder.iterdir()} == FILES  # nothing half written is left


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes of POSIX")
def test_killed_hundreds_of_times(tmp_path, game):
    left_alone = make(tmp_path / "alone", game, LONG)
    for seed in range(15):
        kill_and_resume(tmp_path / str(seed), game, seed, 20)
        assert result(tmp_path / str(seed)) == result(left_alone)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("checkers", {"depth": 3, "games": 120}),
        ("checkers", {"depth": 2, "target": "root", "games": 120}),
        ("backgammon", {"expected_backup": True, "games": 20, "hidden": (4,)}),
        ("backgammon", {"traces": True, "games": 40, "hidden": (4,)}),
    ],
)
def test_every_way_of_learning_goes_on_exactly(tmp_path, name, settings):
    """Whatever a round leaves behind in memory must be in the snapshot, or not matter."""
    game, told = zermelo.load(name), Settings(games_per_round=2, opening=4, learning_rate=0.01, **settings)
    with Run.create(tmp_path / "alone", game, told, pairs=1) as run:
        run.go()
    folder = tmp_path / "stopped"
    Run.create(folder, game, told, pairs=1).close()
    finished = False
    while not finished:
        with Run.open(folder) as run:
            finished = run.go(stop_after(run, 5))
    assert result(folder) == result(tmp_path / "alone")


def test_beginning_with_weights(tmp_path, game, alone):
    w = load_network(alone / "weights.safetensors", game).w
    folder = tmp_path / "warm"
    with Run.create(folder, game, SMALL, weights=w, pairs=5, started_from="a.safetensors") as run:
        assert np.array_equal(run.trainer.net.w, w)
    with Run.open(folder) as run:  # never a round played: the weights it begins with are in the snapshot
        assert np.array_equal(run.trainer.net.w, w)
        assert run.how_trained()["command"].endswith("--weights a.safetensors")
        assert run.how_trained()["started_from"]


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_nothing_is_overwritten(tmp_path, game, alone):
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(GameError, match="not an empty folder"):
        Run.create(tmp_path, game, SMALL)
    with pytest.raises(GameError, match="not an empty folder"):
        Run.create(tmp_path / "note.txt", game, SMALL)
    with pytest.raises(GameError, match=r"training in .* already; --resume"):
        Run.create(alone, game, SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]
    (tmp_path / "empty").mkdir()
    Run.create(tmp_path / "empty", game, SMALL).close()
    assert games_of(tmp_path / "empty", game) == 0


def test_two_processes_do_not_share_a_folder(alone):
    with Run.open(alone), pytest.raises(GameError, match="another process is training"):
        Run.open(alone)
    Run.open(alone).close()


def copied(alone, tmp_path):
    return Path(shutil.copytree(alone, tmp_path / "copy"))


def refused(folder, words, **more):
    before = {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}
    with pytest.raises(GameError, match=words) as caught:
        Run.open(folder, **more)
    assert "\n" not in str(caught.value)
    assert before == ({path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {})


def test_a_folder_that_is_not_a_run(tmp_path):
    refused(tmp_path / "nowhere", "there is no folder")
    refused(tmp_path, "not the folder of a training")
    (tmp_path / "run.json").write_text("{}")
    refused(tmp_path, "does not say which training")
    for text in ("[1", "[" * 100_000, '"x"'):
        (tmp_path / "run.json").write_text(text)
        refused(tmp_path, "does not say which training")


def test_other_settings_or_another_game(alone, game, tmp_path):
    refused(alone, "begun with learning_rate 0.1, and goes on with that", settings={"learning_rate": 0.2})
    Run.open(alone, settings={"learning_rate": 0.1, "hidden": (4,)}).close()
    refused(alone, "training of noughts, not of tic-tac-toe", game=zermelo.load("tic-tac-toe"))
    folder = copied(alone, tmp_path)
    told = json.loads((folder / "run.json").read_text())
    told["settings"]["lam"] = 0.5
    (folder / "run.json").write_text(json.dumps(told))
    refused(folder, "has been changed")


def test_a_snapshot_of_another_training(alone, game, tmp_path):
    folder = copied(alone, tmp_path)
    Run.create(tmp_path / "other", game, Settings(games=50, hidden=(4,)), pairs=1).close()
    shutil.copy(tmp_path / "other" / "snapshot.safetensors", folder / "snapshot.safetensors")
    refused(folder, "of another training")


@pytest.mark.parametrize("damage", ["cut", "garbage", "empty", "flipped", "weights", "missing"])
def test_a_damaged_snapshot(alone, tmp_path, damage):
    folder = copied(alone, tmp_path)
    path = folder / "snapshot.safetensors"
    content = bytearray(path.read_bytes())
    if damage == "missing":
        path.unlink()
    elif damage == "weights":
        shutil.copy(folder / "weights.safetensors", path)
    elif damage == "flipped":
        content[-5] ^= 1  # one bit of the last tensor
        path.write_bytes(content)
    else:
        path.write_bytes({"cut": content[:-20], "garbage": b"\x07" * 400, "empty": b""}[damage])
    refused(folder, "cannot be read|not a safetensors file|damaged|not a snapshot")


def test_a_place_where_nothing_can_be_made(tmp_path, game):
    (tmp_path / "file").write_text("")
    with pytest.raises(GameError, match="cannot be made"):
        Run.create(tmp_path / "file" / "run", game, SMALL)


def test_code_that_has_changed_is_told(alone, tmp_path):
    folder = copied(alone, tmp_path)
    told = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**told, "code": "0" * 16}))
    with Run.open(folder) as run:
        assert "other code" in run.warnings[0]
    with Run.open(alone) as run:
        assert run.warnings == []


# -- what goes wrong on the way ----------------------------------------------------------------------------------------


def test_an_absurd_step_is_made_smaller(tmp_path, game, monkeypatch):
    monkeypatch.setattr("zermelo.learn.trainer.ABSURD", 20.0)
    absurd = Settings(
        games=200, games_per_round=10, learning_rate=1000.0, hidden=(4,), schedule="constant", coherence=True
    )
    seen = []
    with Run.create(tmp_path / "run", game, absurd, pairs=2) as run:
        assert run.go(seen.append)
    assert seen[0].was_undone
    assert seen[0].games == 0
    assert not seen[-1].was_undone
    assert seen[-1].games == 200
    halved = [progress.scale for progress in seen if progress.was_undone]
    assert halved == [0.5 ** (n + 1) for n in range(len(halved))]
    card = read_card(tmp_path / "run" / "weights.safetensors")
    assert [note[1] for note in card.trained["undone"]] == halved
    assert np.abs(load_network(tmp_path / "run" / "weights.safetensors", game).w).max() <= 20
    # … and a training that is stopped among rounds that are undone goes on to the same
    with Run.create(tmp_path / "stopped", game, absurd, pairs=2) as run:
        assert not run.go(stop_after(run, 3))
        assert run.trainer.undone == 3
    with Run.open(tmp_path / "stopped") as run:
        assert run.go()
    assert result(tmp_path / "stopped") == result(tmp_path / "run")


def test_settings_that_never_learn_end_with_a_sentence(tmp_path, game, monkeypatch):
    monkeypatch.setattr("zermelo.learn.trainer.ABSURD", -1.0)
    with (
        Run.create(tmp_path / "run", game, SMALL, pairs=1) as run,
        pytest.raises(GameError, match="these settings do not learn"),
    ):
        run.go()
