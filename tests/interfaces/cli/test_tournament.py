"""`zermelo tournament`."""

import json

import pytest

from zermelo.arena.records import read

HERE = ["--jobs", 0]


def test_a_cross_table(zermelo_cli):
    outcome = zermelo_cli("tournament", "tic-tac-toe", "random", "minimax:depth=3", "level=1", "--games", 20, *HERE)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "tic-tac-toe: 3 players, 60 games"
    assert lines[1].split()[:3] == ["player", "rating", "points"]
    assert lines[-2].split()[1] == "random"  # the last of the table
    assert all("·" in line for line in lines[2:5])


def test_ratings_as_json_and_a_record_to_go_on_with(zermelo_cli, tmp_path):
    path = tmp_path / "games.jsonl"
    arguments = ("tournament", "tic-tac-toe", "random", "minimax:depth=2", "minimax:depth=4", "--record", path, *HERE)
    told = json.loads(zermelo_cli(*arguments, "--games", 10, "--json").out)
    assert [s["player"] for s in told["standings"]][-1] == "random"
    assert sum(s["points"] for s in told["standings"]) == told["games"] == 30
    assert sum(s["elo"] for s in told["standings"]) == pytest.approx(0, abs=1e-6)
    assert all(s["interval"][0] < s["elo"] < s["interval"][1] for s in told["standings"])
    more = json.loads(zermelo_cli(*arguments, "--games", 20, "--json").out)
    assert more["resumed"] == 30
    assert len(read(path)) == more["games"] == 60


@pytest.mark.parametrize("game", ["tic-tac-toe", "game-2048"])
def test_what_was_played_before_an_interruption_is_told(zermelo_cli, interrupted_after, game):
    interrupted_after(1)
    outcome = zermelo_cli("tournament", game, "random", "random:seed=1", "random:seed=2", "--games", 6, *HERE)
    assert outcome.code == 130
    assert f"{game}: 3 players, 1 game\n" in outcome.out
    assert "nan" not in outcome.out
    assert "stopped after 1 of 18 games" in outcome.err


def test_alone(zermelo_cli):
    outcome = zermelo_cli("tournament", "game-2048", "random", "random:seed=1", "--games", 3, *HERE)
    assert outcome.code == 0, outcome.err
    assert "2 players, 6 games" in outcome.out


def test_what_is_no_tournament(refused):
    assert "at least two players" in refused("tournament", "tic-tac-toe", "random")
    assert "for games of one or two sides" in refused("tournament", "chinese-checkers", *["random"] * 3)
