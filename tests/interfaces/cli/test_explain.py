"""`zermelo explain`."""

import json
from xml.etree import ElementTree

import pytest

GAME_1 = "[[-50,50],[1,3],[-5,15]]"


def test_alphabeta_on_a_typed_in_tree(zermelo_cli):
    outcome = zermelo_cli("explain", "--tree", GAME_1, "--algorithm", "alphabeta")
    assert outcome.code == 0
    assert "alphabeta: value 1 for player 0, by b" in outcome.out
    assert "best play: b a" in outcome.out
    assert "9 nodes visited, 5 leaves evaluated, 1 branch cut off: 1 of 6 leaves never looked at" in outcome.out
    assert "✂" in outcome.out


@pytest.mark.parametrize(
    ("algorithm", "words"),
    [
        ("minimax", "minimax: value 1 for player 0, by b"),
        ("expectimax", "expectimax: value 5 for player 0, by c"),
        ("expectiminimax", "expectiminimax: value 1 for player 0, by b"),
        ("maxn", "maxn: value (1, -1)"),
    ],
)
def test_every_algorithm(zermelo_cli, algorithm, words):
    outcome = zermelo_cli("explain", "--tree", GAME_1, "-a", algorithm)
    assert outcome.code == 0
    assert words in outcome.out
    assert "10 nodes visited, 6 leaves evaluated" in outcome.out


@pytest.mark.parametrize(
    ("tree", "levels", "algorithm"),
    [
        (GAME_1, None, "minimax"),
        (GAME_1, "max,chance", "expectiminimax"),
        ('[{"p": 0.5, "value": 1}, {"p": 0.5, "value": 3}]', None, "expectiminimax"),
        ('[{"utilities": [1, 2, 3]}, {"utilities": [3, 2, 1]}]', None, "maxn"),
        ('[{"utilities": [1, 2]}, {"utilities": [3, 2]}]', None, "maxn"),
    ],
)
def test_what_a_game_calls_for(zermelo_cli, tree, levels, algorithm):
    outcome = zermelo_cli("explain", "--tree", tree, *(["--levels", levels] if levels else []))
    assert f"\n{algorithm}: value" in outcome.out


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_depth_limit_says_what_stands_in(zermelo_cli, depth):
    for algorithm in ("minimax", "expectimax", "expectiminimax", "alphabeta", "maxn"):
        outcome = zermelo_cli("explain", "--tree", GAME_1, "-a", algorithm, "--depth", depth)
        assert outcome.code == 0
        assert ("0, since the game has no estimate" in outcome.out) == (depth < 2)


@pytest.mark.parametrize(("order", "leaves"), [("given", 5), ("best", 4), ("worst", 6), ("random", 6)])
def test_orders(zermelo_cli, order, leaves):
    outcome = zermelo_cli("explain", "--tree", GAME_1, "-a", "alphabeta", "--order", order, "--seed", 3, "--json")
    told = json.loads(outcome.out)
    assert told["value"] == 1
    assert told["leaves"] == leaves
    assert told["leaves"] + told["leaves_pruned"] == 6


def test_as_json(zermelo_cli):
    told = json.loads(zermelo_cli("explain", "--tree", GAME_1, "-a", "alphabeta", "--json").out)
    assert (told["value"], told["best"], told["pv"], told["nodes"], told["cut_off"]) == (1, "b", ["b", "a"], 9, 1)
    tree = told["tree"]
    assert tree["window"] == [None, None]  # ±∞
    assert [child["action"] for child in tree["children"]] == ["a", "b", "c"]
    assert tree["children"][2]["bound"] == "upper"
    assert tree["children"][2]["children"][1]["pruned"].startswith("α-cut")


def test_a_drawing_in_a_file(zermelo_cli, tmp_path):
    outcome = zermelo_cli("explain", "--tree", GAME_1, "--svg", tmp_path / "out.svg")
    assert outcome.code == 0
    assert ElementTree.parse(tmp_path / "out.svg").getroot().tag.endswith("svg")
    assert "drawn to" in outcome.out


def test_a_position(zermelo_cli):
    outcome = zermelo_cli("explain", "--tree", '{"A": [-50, 50], "B": [1, 3]}', "--position", "root > B")
    assert "value 1 for player 0, by a" in outcome.out


def test_few_nodes_can_be_shown(zermelo_cli):
    outcome = zermelo_cli("explain", "--tree", GAME_1, "--show", 4)
    assert "more" in outcome.out
    assert "10 nodes visited" in outcome.out


@pytest.mark.jit
def test_a_game_by_name(zermelo_cli):
    outcome = zermelo_cli("explain", "three-bins", "-a", "alphabeta")
    assert "alphabeta: value 1 for player 0, by B" in outcome.out
    outcome = zermelo_cli("explain", "coin-bins", "--option", "shift=right")
    assert "expectiminimax: value -2 for player 0, by B" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "say which game"),
        (["nim", "--tree", "[1]"], "say which game"),
        (["--tree", "[1,"], "this is not JSON"),
        (["--tree", "[[1,2],[3]]", "--levels", "max"], "levels"),
        (["nim", "--levels", "max,min"], "--levels"),
        (["--tree", "[1]", "--option", "a=1"], "has no options"),
        (["--tree", GAME_1, "--order", "best"], "only alphabeta"),
        (["--tree", GAME_1, "--max-nodes", "5"], "more than 5 nodes"),
        (["--tree", GAME_1, "--position", "root > z"], "not a legal move"),
        (["--tree", GAME_1, "--svg", "x.png"], ".svg"),
        (["--tree", GAME_1, "-a", "alphabeta", "--order", "best", "-d", "1"], "no estimate"),
        (["--tree", '[{"p": 1, "value": 1}]', "-a", "minimax"], "chance"),
    ],
)
def test_what_cannot_be_explained(refused, arguments, words):
    assert words in refused("explain", *arguments)


def test_a_drawing_that_cannot_be_written(refused, tmp_path):
    assert "cannot be written" in refused("explain", "--tree", GAME_1, "--svg", tmp_path / "nowhere" / "out.svg")


def test_estimates_for_every_player_are_estimates(zermelo_cli, tmp_path):
    path = tmp_path / "three.py"
    path.write_text(
        "from zermelo import OVER, rules\n"
        "@rules(players=3, max_actions=1, max_plies=5, utility_range=(0, 4))\n"
        "class Three:\n"
        "    state = {'ply': 'i1'}\n"
        "    def start(s): s.ply = 0\n"
        "    def player(s): return OVER if s.ply == 5 else s.ply % 3\n"
        "    def actions(s, out):\n"
        "        out[0] = 0\n"
        "        return 1\n"
        "    def apply(s, action): s.ply += 1\n"
        "    def utility(s, out):\n"
        "        for p in range(3):\n"
        "            out[p] = p\n"
        "    def evaluate_players(s, out):\n"
        "        for p in range(3):\n"
        "            out[p] = p + 0.5\n"
    )
    outcome = zermelo_cli("explain", path, "--depth", 2)
    assert "maxn: value (0.5, 1.5, 2.5)" in outcome.out
    assert "1 leaf at the depth limit counted as the game's estimate" in outcome.out


@pytest.mark.jit
def test_an_evaluator_judges_the_leaves(zermelo_cli, refused):
    def value(*evaluator):
        return json.loads(zermelo_cli("explain", "connect-four", "-d", 1, "--json", *evaluator).out)["value"]

    assert value("-e", "handcrafted") == value() != value("-e", "learned")
    learned = zermelo_cli("explain", "connect-four", "-d", 1, "-e", "learned")
    assert "7 leaves at the depth limit counted as the evaluator's estimate (learned)" in learned.out
    assert "give a depth" in refused("explain", "tic-tac-toe", "-e", "handcrafted")
    assert "for every player" in refused("explain", "connect-four", "-d", 1, "-a", "maxn", "-e", "learned")
    assert "plain Python game" in refused("explain", "--tree", "[1,2]", "-e", "handcrafted", "-d", 1)


@pytest.mark.jit
def test_endgame_tables_have_the_last_word(zermelo_cli):
    asked = ("explain", "checkers", "--position", "W:WK9,K10:BK5", "--depth", 1)
    said = zermelo_cli(*asked).out
    assert said.splitlines()[-1] == "by the endgame tables: won in 13 plies for player 1, by 10-14"
    tables = json.loads(zermelo_cli(*asked, "--json").out)["tables"]
    assert (tables["view"], tables["value"], tables["plies"]) == (1, 1.0, 13)
    assert [one["move"] for one in tables["moves"] if one["is_perfect"]] == ["10-14"]
