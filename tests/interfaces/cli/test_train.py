"""`zermelo train`, `zermelo plan` and `zermelo weights`."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

import zermelo
from zermelo import GameError
from zermelo.evaluate.files import load_network, read_tensors, save_network
from zermelo.evaluate.network import make_network
from zermelo.interfaces.cli.common.training_progress import closing_lines
from zermelo.learn.runs.run import Run
from zermelo.learn.train import begin_training

pytestmark = pytest.mark.jit
NOUGHTS = f"{Path(__file__).parents[2] / 'learn' / 'noughts.py'}:Noughts"
QUICK = ["--games", 60, "--games-per-round", 10]
# a test run started in the background ignores Ctrl-C, and its children would inherit that
CALL = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from zermelo.interfaces.cli import main; sys.exit(main())"
)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("zermelo.learn.runs.run.curve_png", lambda *told: None)
    monkeypatch.setattr("zermelo.learn.runs.progress.FEWEST", 2)


@pytest.fixture
def trained(zermelo_cli, tmp_path):
    outcome = zermelo_cli("train", NOUGHTS, "--folder", tmp_path / "run", *QUICK)
    assert outcome.code == 0, outcome.err
    return tmp_path / "run", outcome.out


def test_a_training_from_beginning_to_end(trained):
    folder, out = trained
    lines = out.splitlines()
    assert lines[0] == f"noughts: 20 × 4 × 2 weights, 60 games, in {folder}"
    assert lines[1].endswith("TD error  points a game against random moves (wins taken at once)")
    assert [int(line.split()[0]) for line in lines[2:8]] == [10, 20, 30, 40, 50, 60]
    assert lines[8].startswith(f"the weights are in {folder / 'weights.safetensors'}")
    assert lines[10].startswith(f"  zermelo play {NOUGHTS} --players human,alphabeta:")


def test_resuming_what_is_finished_makes_the_same_weights(zermelo_cli, trained):
    folder, _ = trained
    before = (folder / "weights.safetensors").read_bytes()
    (folder / "weights.safetensors").unlink()
    outcome = zermelo_cli("train", NOUGHTS, "--resume", folder, "--threads", 2, *QUICK)
    assert outcome.code == 0, outcome.err
    assert "going on after 60 games" in outcome.out
    assert (folder / "weights.safetensors").read_bytes() == before


def test_the_command_on_the_card_makes_the_same_weights(zermelo_cli, trained, tmp_path):
    folder, _ = trained
    (told,) = json.loads(zermelo_cli("weights", folder, "--json").out)["weights"]
    assert told["file"] == str(folder / "weights.safetensors")
    command = told["trained"]["command"].split()
    assert command[:2] == ["zermelo", "train"]
    outcome = zermelo_cli(*command[1:], "--folder", tmp_path / "again")
    assert outcome.code == 0, outcome.err
    assert (tmp_path / "again" / "weights.safetensors").read_bytes() == (folder / "weights.safetensors").read_bytes()


def test_going_on_from_weights_with_more_units(zermelo_cli, trained, tmp_path):
    folder, _ = trained
    more = ["--weights", folder / "weights.safetensors", "--hidden", 5, "--games", 20, "--json"]
    told = json.loads(zermelo_cli("train", NOUGHTS, "--folder", tmp_path / "more", *more).out)
    assert told["finished"]
    assert told["settings"]["hidden"] == [5]
    assert told["started_from"]
    same = zermelo_cli("train", NOUGHTS, "--folder", tmp_path / "same", *more[:2], "--games", 20)
    assert "20 × 4 × 2 weights" in same.out


def test_without_a_folder_one_is_found(zermelo_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for n in (1, 2):
        assert zermelo_cli("train", NOUGHTS, *QUICK).code == 0
        assert (tmp_path / "runs" / f"noughts-{n}" / "weights.safetensors").is_file()


def test_weights_shows_the_card(zermelo_cli, trained):
    folder, _ = trained
    for subject in (folder, folder / "weights.safetensors"):
        out = zermelo_cli("weights", subject).out
        assert "for        noughts" in out
        assert "model      a network, 20 × 4 × 2: 94 weights; foresees the payoffs -1, 0, 1" in out
        assert f"made by    zermelo train {NOUGHTS} --games 60 --games-per-round 10" in out
        assert out.count(" games  ") == 6


def test_weights_as_json_are_all_that_are_told_of(zermelo_cli):
    files = [
        line.partition("  (")[0] for line in zermelo_cli("weights", "connect-four").out.splitlines() if " KB)" in line
    ]
    told = json.loads(zermelo_cli("weights", "connect-four", "--json").out)["weights"]
    assert [one["file"] for one in told] == files
    assert ["architecture" in one for one in told] == [False, True]


def test_a_card_that_tells_strange_things_is_shown_as_far_as_it_is_known(zermelo_cli, trained):
    path = trained[0] / "weights.safetensors"
    tensors, texts = read_tensors(path)
    card = json.loads(texts["card"])
    card["trained"] |= {"undone": 5, "curve": [1], "games": ["many"]}
    path.write_bytes(save(tensors, {**texts, "card": json.dumps(card)}))
    outcome = zermelo_cli("weights", path)
    assert (outcome.code, outcome.err) == (0, "")
    assert "games      ['many']" in outcome.out


def test_a_plan(zermelo_cli):
    outcome = zermelo_cli("plan", NOUGHTS, "--seconds", 0.2)
    assert outcome.code == 0, outcome.err
    assert "2,000 games by default" in outcome.out
    assert "games/s with 1 thread, untrained weights" in outcome.out
    assert "not known yet" in outcome.out
    told = json.loads(zermelo_cli("plan", NOUGHTS, "--seconds", 0.2, "--json").out)
    assert all(speed["games_per_second"] > 0 for speed in told["speeds"])


def test_a_plan_with_weights_that_come_with_the_package(zermelo_cli, tmp_path, monkeypatch):
    assert zermelo_cli("train", NOUGHTS, "--folder", tmp_path / "run", *QUICK).code == 0
    monkeypatch.setattr("zermelo.evaluate.shipped.FOLDER", tmp_path)
    (tmp_path / "run" / "weights.safetensors").rename(tmp_path / "noughts.safetensors")
    out = zermelo_cli("plan", NOUGHTS, "--seconds", 0.2).out
    assert "1 thread, trained weights" in out
    assert [line.split()[0] for line in out.splitlines() if " ± " in line] == ["10", "20", "30", "40", "50", "60"]
    assert "made by    zermelo train" in zermelo_cli("weights", NOUGHTS).out


def test_every_setting_has_an_option():
    import inspect
    from dataclasses import fields

    from zermelo.interfaces.cli.train import train
    from zermelo.learn.settings import Settings

    assert {field.name for field in fields(Settings)} <= set(inspect.signature(train).parameters)


def test_settings_as_they_are_typed():
    from zermelo.core.game import GameError
    from zermelo.interfaces.cli.train import read_settings

    told = {
        "hidden": "40,20",
        "truncated_value": "none",
        "final_learning_rate": "0.5",
        "games": 3,
        "lam": None,
        "squared_error": False,
    }
    assert read_settings(told) == {
        "hidden": (40, 20),
        "truncated_value": None,
        "final_learning_rate": 0.5,
        "games": 3,
        "squared_error": False,
    }
    assert read_settings({"hidden": "none"}) == read_settings({"hidden": "0"}) == {"hidden": ()}
    for text in ("x", "4,", "-3", "4;5", "1" * 30):
        with pytest.raises(GameError, match="hidden layers are written"):
            read_settings({"hidden": text})


def test_the_known_systems_say_what_they_train():
    from zermelo.learn.train import find_subject

    system, game = find_subject("td-gammon", None)
    assert game.name == "backgammon"
    small, large = (system.settings(game, {"hidden": hidden}) for hidden in ((40,), (80,)))
    assert (small.games, large.games) == (300_000, 1_500_000)
    assert (small.lam, small.learning_rate) == (0.7, 0.1)
    assert system.settings(game, {"games": 7, "learning_rate": 0.3}).games == 7


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train"], "say what to train"),
        (["train", "nowhere"], "no game is called 'nowhere'"),
        (["train", "game-2048"], "has no features"),
        (["train", "--resume", "/nowhere"], "there is no folder"),
        (["train", "--resume", "/nowhere", "--folder", "x"], "leave out --folder"),
        (["train", NOUGHTS, "--learning-rate", "-1"], "learning_rate must be a number"),
        (["train", NOUGHTS, "--schedule", "steep"], "the schedule may be"),
        (["train", NOUGHTS, "--truncated-value", "x"], "truncated_value is a number or none"),
        (["train", NOUGHTS, "--weights", "/nowhere.safetensors"], "cannot be read"),
        (["plan", "nowhere"], "no game is called"),
        (["weights", "nowhere"], "no game is called"),
        (["weights", "nowhere.safetensors"], "cannot be read"),
        (["weights", "game-2048"], "no weights for game-2048"),
        (["weights", str(Path(__file__).parent)], "there is no weights.safetensors"),
    ],
)
def test_what_cannot_be_done(refused, arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert words in refused(*arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_training_that_is_there_is_not_begun_again(refused, trained):
    folder, _ = trained
    assert "already; --resume" in refused("train", NOUGHTS, "--folder", folder)
    assert "begun with games 60" in refused("train", "--resume", folder, "--games", 61)
    assert "not of td-gammon" in refused("train", "td-gammon", "--resume", folder)
    assert "leave out --option" in refused("train", "--resume", folder, "-o", "x=1")


ENDLESS = ("--games", 2_000_000, "--games-per-round", 10)


def test_when_the_given_time_is_up_all_is_well(zermelo_cli, tmp_path):
    outcome = zermelo_cli("train", NOUGHTS, "--folder", tmp_path / "run", *ENDLESS, "--seconds", 0.001)
    assert (outcome.code, outcome.err) == (0, "")
    assert " of 2,000,000 games; go on with:" in outcome.out


def test_ctrl_c_within_the_given_time(zermelo_cli, tmp_path, monkeypatch):
    played = Run._round

    def interrupted_round(run):
        signal.getsignal(signal.SIGINT)(signal.SIGINT, None)
        return played(run)

    monkeypatch.setattr(Run, "_round", interrupted_round)
    outcome = zermelo_cli("train", NOUGHTS, "--folder", tmp_path / "run", *ENDLESS, "--seconds", 1000)
    assert (outcome.code, outcome.err) == (130, "interrupted\n")
    assert "stopped after 10 of 2,000,000 games; go on with:" in outcome.out


# -- in a process of its own -------------------------------------------------------------------------------------------


def interrupted(folder, *arguments):
    """Start a training, send it Ctrl-C when it has measured something more, and give what it said."""
    log = folder / "curve.csv"
    before = log.read_text() if log.exists() else ""
    command = [sys.executable, "-c", CALL, "train", *map(str, arguments)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(1200):
        if running.poll() is not None or (log.exists() and len(log.read_text()) > max(100, len(before))):
            break
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert err == "interrupted\n"
    assert f"zermelo train --resume {folder}" in out
    return int(out.partition("stopped after ")[2].partition(" of ")[0].replace(",", ""))


@pytest.mark.timed
@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c_stops_after_the_round_and_says_how_to_go_on(tmp_path):
    folder = tmp_path / "run"
    settings = ("--games", 2_000_000, "--games-per-round", 50)
    first = interrupted(folder, NOUGHTS, "--folder", folder, *settings)
    second = interrupted(folder, "--resume", folder)
    assert 0 < first < second < 2_000_000
    assert first % 50 == second % 50 == 0


def test_the_command_that_is_printed_has_the_options(tmp_path):
    """Weights for one variant are of no use to another."""
    with begin_training("othello", tmp_path / "my run", options={"size": 6}, games=10) as run:
        commands = [shlex.split(line) for line in closing_lines(run, True)[1:]]
    assert commands[1][:5] == ["zermelo", "play", "othello", "--option", "size=6"]
    assert commands[0][2] == str(tmp_path / "my run" / "weights.safetensors")
    with begin_training("othello", tmp_path / "usual", games=10) as run:
        assert "--option" not in closing_lines(run, True)[2]


def test_weights_of_another_variant_say_which(tmp_path):
    small, usual = zermelo.load("othello", size=6), zermelo.load("othello")
    save_network(tmp_path / "w.safetensors", small, make_network(small))
    with pytest.raises(GameError, match="has weights for othello with size=6; give it these options"):
        load_network(tmp_path / "w.safetensors", usual)


def test_a_column_that_can_only_be_0_says_so(zermelo_cli, trained, tmp_path):
    """Where nine random moves fill the board, nobody is left to choose."""
    says = "these points can only be 0: the 9 random moves that begin them decide the measured games"
    assert says not in trained[1]
    outcome = zermelo_cli("train", NOUGHTS, "--folder", tmp_path / "decided", "--opening", 9, *QUICK)
    assert outcome.code == 0, outcome.err
    assert outcome.out.count(says) == 1


def test_weights_that_are_no_numbers_are_not_shown(refused, trained):
    path = trained[0] / "weights.safetensors"
    tensors, texts = read_tensors(path)
    tensors["w"][3] = np.nan
    path.write_bytes(save(tensors, texts))
    assert "has weights that are not numbers" in refused("weights", path)
