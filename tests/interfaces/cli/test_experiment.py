"""`zermelo experiment`."""

import json
import sys
from pathlib import Path

import pytest

FAKE_GNUBG = Path(__file__).parents[2] / "players" / "engines" / "fake_gnubg.py"


def test_monotone(zermelo_cli):
    arguments = ["experiment", "monotone", "--trees", 50, "--rounds", 1]
    assert "expectiminimax" in zermelo_cli(*arguments).out
    told = json.loads(zermelo_cli(*arguments, "--json").out)
    assert all(row["minimax"] == 0 for row in told["rows"])


@pytest.mark.jit
def test_ordering_with_a_figure(zermelo_cli, tmp_path):
    pytest.importorskip("matplotlib")
    figure = tmp_path / "order.png"
    outcome = zermelo_cli("experiment", "ordering", "--branching", 2, "--rounds", 2, "--trees", 3, "--figure", figure)
    assert outcome.code == 0
    assert "rounds" in outcome.out
    assert figure.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.jit
def test_truth(zermelo_cli, tmp_path):
    pytest.importorskip("matplotlib")
    table, figure = tmp_path / "truth.csv", tmp_path / "truth.svg"
    arguments = ["experiment", "truth", "kalah", "--limit", 3, "--limit", 4, "--positions", 50, "--depth", 1]
    shown = zermelo_cli(*arguments, "--csv", table, "--figure", figure)
    assert shown.code == 0, shown.err
    assert "handcrafted      1" in shown.out
    assert table.read_text().startswith("game,limit,name,positions,at_stake,drawn,evaluation,depth,best,")
    assert figure.read_text().startswith("<?xml")
    told = json.loads(zermelo_cli(*arguments, "--json").out)
    assert {row["limit"] for row in told["rows"]} == {3, 4}


def test_equity_lost(zermelo_cli, tmp_path):
    judge = tmp_path / "judge"
    judge.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE_GNUBG}" good "$@"\n')
    judge.chmod(0o755)
    arguments = ["experiment", "equity-lost", "backgammon", "--judge", f"gnubg:command={judge}", "--from", "random"]
    arguments += ["--player", "random", "--player", "random:seed=4", "--positions", 5, "--workers", 1]
    shown = zermelo_cli(*arguments)
    assert shown.code == 0, shown.err
    assert shown.out.startswith("backgammon: lost a decision, by gnubg:command=")
    assert "random:seed=4" in shown.out
    told = json.loads(zermelo_cli(*arguments, "--json").out)
    assert len(told["decisions"]) == 5
    assert all(row["mean"] >= 0 for row in told["lost"]["all"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ordering", "--figure", "x.gif"], ".png, .svg or .pdf"),
        (["ordering", "--figure", "/nowhere/at/all/x.png"], "there is no folder"),
        (["ordering", "--rounds", "30"], "too many"),
        (["ordering", "--branching", "1"], "branching"),
        (["monotone", "--trees", "0"], "trees"),
        (["truth", "tic-tac-toe"], "tic-tac-toe does not number its endings"),
        (["truth", "checkers", "--folder", "/nowhere/at/all"], "there are no tables of checkers in"),
        (["truth", "checkers", "--csv", "/nowhere/at/all/x.csv"], "there is no folder"),
        (["equity-lost", "backgammon"], "--player"),
        (["equity-lost", "tic-tac-toe", "--player", "random"], "no positions that GNU Backgammon would understand"),
    ],
)
def test_what_cannot_be_done(refused, arguments, words):
    assert words in refused("experiment", *arguments)
