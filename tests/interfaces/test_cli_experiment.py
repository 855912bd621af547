"""`zermelo experiment`."""

import json

import pytest


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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ordering", "--figure", "x.gif"], ".png, .svg or .pdf"),
        (["ordering", "--figure", "/nowhere/at/all/x.png"], "there is no folder"),
        (["ordering", "--rounds", "30"], "too many"),
        (["ordering", "--branching", "1"], "branching"),
        (["monotone", "--trees", "0"], "trees"),
    ],
)
def test_what_cannot_be_done(refused, arguments, words):
    assert words in refused("experiment", *arguments)
