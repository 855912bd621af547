"""`zermelo perft`."""

import json

import pytest

GAME_1 = "text=[[-50;50]]"


@pytest.mark.jit
def test_lines_of_play(zermelo_cli):
    outcome = zermelo_cli("perft", "tic-tac-toe", 4)
    assert outcome.code == 0
    assert outcome.out.startswith("tic-tac-toe, 4 plies: 3,024 lines (3,610 nodes,")


@pytest.mark.jit
def test_shared_out(zermelo_cli):
    outcome = zermelo_cli("perft", "tic-tac-toe", 4, "--threads", 2)
    assert outcome.out.startswith("tic-tac-toe, 4 plies: 3,024 lines (")
    assert zermelo_cli("perft", "tic-tac-toe", 3, "--divide", "--device", "cpu").out.count(": 56\n") == 9
    assert "'cpu' or 'cuda'" in zermelo_cli("perft", "tic-tac-toe", 3, "--device", "tpu").err
    assert "plain Python game" in zermelo_cli("perft", "tree", 3, "--device", "cpu").err


@pytest.mark.jit
def test_divided_by_the_first_move(zermelo_cli):
    outcome = zermelo_cli("perft", "tic-tac-toe", 3, "--divide")
    assert outcome.out.count(": 56\n") == 9
    assert "a3: 56" in outcome.out


@pytest.mark.jit
def test_from_a_position_as_json(zermelo_cli):
    arguments = ["perft", "tic-tac-toe", 2, "--position", "xo. .x. ...", "--json", "--divide"]
    told = json.loads(zermelo_cli(*arguments).out)
    assert told["position"] == "xo. .x. ..."
    assert told["lines"] == sum(told["moves"].values())
    assert told["nodes"] > told["lines"]
    assert len(told["moves"]) == 6


def test_a_game_without_rules_is_counted_by_plain_python(zermelo_cli):
    for depth, lines in ((0, 1), (1, 3), (2, 6), (3, 0)):
        told = json.loads(zermelo_cli("perft", "tree", depth, "--json").out)
        assert told["lines"] == lines


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tree", "-1"], "depth"),
        (["tree", "two"], "depth"),
        (["tree", "2", "--position", "nowhere"], "position in a tree"),
        (["tree", "2", "--option", "sise=3"], "other options"),
    ],
)
def test_what_cannot_be_counted(refused, arguments, words):
    assert words in refused("perft", "--", *arguments) if arguments[1] == "-1" else refused("perft", *arguments)


@pytest.mark.parametrize("depth", [10**9, 10**22, 10**300])
def test_depths_beyond_all_bounds(refused, depth):
    assert "give a smaller depth" in refused("perft", "tic-tac-toe", depth)
