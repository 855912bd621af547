"""`zermelo match` and `zermelo replay`."""

import json
from pathlib import Path

import pytest

from zermelo.arena.records import read

HERE = ["--jobs", 0]  # in this process: quick


def test_a_match_between_two(zermelo_cli):
    outcome = zermelo_cli("match", "tic-tac-toe", "minimax:depth=3", "random", "--games", 40, *HERE)
    assert outcome.code == 0
    assert outcome.err == ""
    first, result, difference, *_ = outcome.out.splitlines()
    assert first == "tic-tac-toe: minimax:depth=3 against random"
    assert result.startswith("won ")
    assert "of 40 points" in result
    assert difference.startswith("Elo difference +")
    assert "from 20 pairs" in difference


def test_workers_and_json_and_a_record(zermelo_cli, tmp_path):
    path = tmp_path / "games.jsonl"
    arguments = ("match", "tic-tac-toe", "random", "minimax:depth=1", "--games", 20, "--seed", 4, "--record", path)
    told = json.loads(zermelo_cli(*arguments, "--jobs", 2, "--json").out)
    assert told["games"] == told["wins"] + told["draws"] + told["losses"] == 20
    assert sum(told["pairs"]) == told["complete_pairs"] == 10
    assert told["elo_interval"][0] < told["elo"] < told["elo_interval"][1]
    assert told["payoffs"][0]["mean"] == -told["payoffs"][1]["mean"]
    again = json.loads(zermelo_cli(*arguments, *HERE, "--json").out)
    assert again["resumed"] == 20
    assert again["elo"] == told["elo"]
    assert len(read(path)) == 20


def test_what_was_played_before_an_interruption_is_told(zermelo_cli, tmp_path, interrupted_after):
    interrupted_after(5)
    arguments = ("match", "tic-tac-toe", "minimax:depth=2", "random", "--games", 20, *HERE)
    outcome = zermelo_cli(*arguments)
    assert outcome.code == 130
    assert "of 5 points" in outcome.out
    assert "from 2 pairs" in outcome.out
    assert "stopped after 5 of 20 games; with --record FILE it could go on" in outcome.err
    outcome = zermelo_cli(*arguments, "--record", tmp_path / "games.jsonl", "--json")
    assert outcome.code == 130
    assert json.loads(outcome.out)["games"] == len(read(tmp_path / "games.jsonl")) == 5
    assert "the same command goes on" in outcome.err


def test_an_interruption_before_the_first_game(zermelo_cli, interrupted_after):
    interrupted_after(0)
    outcome = zermelo_cli("match", "tic-tac-toe", "random", "random:seed=1", "--games", 20, *HERE)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "interrupted\n")


def test_a_torn_line_is_told(zermelo_cli, tmp_path):
    path = tmp_path / "games.jsonl"
    arguments = ("match", "tic-tac-toe", "random", "random:seed=1", "--games", 4, "--record", path, *HERE)
    zermelo_cli(*arguments)
    path.write_bytes(path.read_bytes()[:-20])
    outcome = zermelo_cli(*arguments)
    assert outcome.code == 0
    assert "was torn" in outcome.err
    assert len(read(path)) == 4


def test_a_sequential_test_stops_early(zermelo_cli):
    arguments = ("match", "tic-tac-toe", "minimax:depth=3", "random", "--games", 4000, "--sprt", "0,100", *HERE)
    told = json.loads(zermelo_cli(*arguments, "--json").out)
    assert told["sprt"]["accepted"] == "H1"
    assert told["games"] < 400
    assert "H1 accepted (Elo difference at least 100)" in zermelo_cli(*arguments).out
    undecided = zermelo_cli(*arguments[:4], "--games", 2, "--sprt", "0,1", *HERE)
    assert "undecided" in undecided.out


def test_points_where_games_are_worth_more_than_one(zermelo_cli):
    outcome = zermelo_cli("match", "three-bins", "minimax:depth=2", "random", "--openings", 0, "--games", 20, *HERE)
    assert "points per game" in outcome.out


def test_many_players_and_one(zermelo_cli):
    outcome = zermelo_cli(
        "match", "chinese-checkers", "random", "random:seed=1", "random:seed=2", "-o", "size=1", "--games", 3, *HERE
    )
    assert outcome.out.count("mean payoff") == 3
    outcome = zermelo_cli("match", "game-2048", "random", "random:seed=9", "--games", 4, *HERE)
    assert "with the same dice and openings" in outcome.out


def test_faults_are_told(zermelo_cli):
    deadly = f"{Path(__file__).parents[2] / 'arena' / 'deadly.py'}:Deadly"
    outcome = zermelo_cli("match", deadly, "random", "minimax:depth=1", "--games", 2, "--jobs", 1, "--openings", 0)
    assert outcome.code == 0, outcome.err
    assert "minimax:depth=1: 2 lost by fault (failed)" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tic-tac-toe", "random"], "at least two players"),
        (["tic-tac-toe", "random", "random", "random"], "zermelo tournament plays everybody"),
        (["tic-tac-toe", "random", "rnd"], "no player is called 'rnd'"),
        (["tic-tac-toe", "random", "human"], "people play with zermelo play"),
        (["tic-tac-toe", "random", "random", "--games", "0"], "games"),
        (["tic-tac-toe", "random", "random", "--sprt", "5"], "as in 0,10"),
        (["tic-tac-toe", "random", "random", "--sprt", "10,0"], "the lower first"),
        (["tic-tac-toe", "random", "random", "--seconds", "0"], "seconds"),
        (["tic-tac-toe", "random", "random", "--openings", "9", "--jobs", "0"], "ends the game"),
        (["tic-tac-toe", "random", "uci:true", "--jobs", "0"], "UCI"),
        (["tic-tac-toe", "random", "random", "--position", "x"], "position"),
        (["game-2048", "random", "random", "--sprt", "0,10"], "two players against each other"),
        (["nothing", "random", "random"], "no game is called"),
    ],
)
def test_what_is_no_match(refused, arguments, words):
    assert words in refused("match", *arguments)


# -- replay ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def recorded(zermelo_cli, tmp_path):
    path = tmp_path / "games.jsonl"
    zermelo_cli("match", "tic-tac-toe", "random", "minimax:depth=1", "--games", 4, "--record", path, *HERE)
    return path


def test_a_list_of_games_and_one_of_them(zermelo_cli, recorded):
    listed = zermelo_cli("replay", recorded)
    assert listed.out.count("random") == 4
    shown = zermelo_cli("replay", recorded, "--game", 2)
    assert shown.out.startswith("tic-tac-toe: minimax:depth=1 – random\n")
    assert shown.out.count("(opening)") == 2
    boards = zermelo_cli("replay", recorded, "--game", 2, "--boards")
    assert boards.out.count("a b c") == len(read(recorded)[1]["moves"]) + 1
    told = json.loads(zermelo_cli("replay", recorded, "--json").out)
    assert [game["moves"] for game in told] == [game["moves"] for game in read(recorded)]


def test_another_programs_format(zermelo_cli, refused, tmp_path, recorded):
    assert "tic-tac-toe cannot be written as 'pgn'" in refused("replay", recorded, "--as", "pgn")
    path = tmp_path / "go.jsonl"
    zermelo_cli("match", "go", "random", "random", "-o", "size=3", "--games", 2, "--record", path, *HERE)
    assert zermelo_cli("replay", path, "--as", "sgf").out.count("(;GM[1]FF[4]") == 2


def test_what_cannot_be_replayed(refused, recorded, tmp_path):
    assert "there is no game 5" in refused("replay", recorded, "--game", 5)
    assert "cannot be read" in refused("replay", tmp_path / "nothing")
    (tmp_path / "empty").write_text("")
    assert "there is no game in" in refused("replay", tmp_path / "empty")
    (tmp_path / "bad").write_text("nonsense\n")
    assert "line 1" in refused("replay", tmp_path / "bad")


def test_an_opening_that_ends_the_game_is_told_by_workers_too(refused):
    for jobs in (0, 1):
        told = refused("match", "tic-tac-toe", "random", "random", "--openings", 9, "--games", 2, "--jobs", jobs)
        assert "tic-tac-toe: every opening of 9 random plies ends the game; take fewer" in told


def test_one_is_not_many(zermelo_cli):
    assert "from 1 pair\n" in zermelo_cli("match", "tic-tac-toe", "random", "minimax:1", "--games", 2, *HERE).out
    told = zermelo_cli("match", "three-bins", "minimax:depth=2", "random", "--openings", 0, "--games", 1, *HERE).out
    assert "1 games" not in told
    assert "1 plies" not in told


def test_three_players_who_always_get_the_same(zermelo_cli):
    """Without dice and without openings every round is the same one."""
    players = ["maxn:depth=1"] * 3
    tree = ["random-tree", "-o", "players=3"]
    outcome = zermelo_cli("match", *tree, *players, "--openings", 0, "--games", 9, *HERE)
    assert outcome.out.count("(the same every time)") == 3
    assert "± 0.000" not in outcome.out
