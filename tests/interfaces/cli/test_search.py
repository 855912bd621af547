"""`zermelo search` and `zermelo solve`."""

import json
import subprocess
import sys
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.jit

WON = "xx. oo. ..."  # c3 wins at once
LOST = "xo. .x. ..."  # the second player to move; only c1 holds out


def test_the_best_move(zermelo_cli):
    outcome = zermelo_cli("search", "tic-tac-toe", "--position", WON, "--depth", 9)
    assert outcome.code == 0
    assert "tic-tac-toe, player 0 to move: xx. oo. ..." in outcome.out
    assert "c3  +1 for player 0 (proven, 1 ply to the end)" in outcome.out
    assert "(ended by: proven)" in outcome.out


def test_values_are_for_whoever_moves(zermelo_cli):
    outcome = zermelo_cli("search", "tic-tac-toe", "--position", LOST, "--depth", 9)
    assert "c1  -1 for player 1 (proven, 4 plies to the end)" in outcome.out
    assert "moves, for player 1:" in outcome.out


def test_moves_played_first(zermelo_cli):
    for moves in ("a1 b2", "a1, b2", "a1,b2"):
        told = json.loads(zermelo_cli("search", "tic-tac-toe", "--moves", moves, "--depth", 3, "--json").out)
        assert told["position"] == "... .o. x.."
        assert told["depth"] == 3
        assert told["stopped"] == "depth"
        assert len(told["moves"]) == 7
        assert told["pv"][0] == told["best"]


@pytest.mark.parametrize("algorithm", ["alphabeta", "mcts", "maxn", "paranoid", "best-reply", "montecarlo"])
def test_every_algorithm_sees_the_win(zermelo_cli, algorithm):
    arguments = ["--position", WON, "--algorithm", algorithm, "--nodes", 2000, "--json"]
    told = json.loads(zermelo_cli("search", "tic-tac-toe", *arguments).out)
    assert told["best"] == "c3"
    assert told["nodes"] <= 2000


def test_many_sides_are_searched_by_maxn(zermelo_cli):
    outcome = zermelo_cli("search", "random-tree", "-o", "players=3", "--depth", 3)
    assert outcome.code == 0
    assert "for everybody" in outcome.out
    assert "maxn: depth 3" in outcome.out


def test_why(zermelo_cli, tmp_path):
    picture = tmp_path / "why.svg"
    outcome = zermelo_cli("search", "three-bins", "--why", "--svg", picture, "--depth", 2)
    assert outcome.code == 0
    assert "B, worth +1 for player 0 (proven" in outcome.out
    assert "refuted by -50" in outcome.out
    assert "drawn to" in outcome.out
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_why_as_json(zermelo_cli):
    told = json.loads(zermelo_cli("search", "three-bins", "--why", "--depth", 2, "--json").out)
    assert told["choice"] == "B"
    assert {one["move"]: one["reply"] for one in told["alternatives"]} == {"A": "-50", "B": "1", "C": "-5"}


def test_solve(zermelo_cli):
    outcome = zermelo_cli("solve", "tic-tac-toe", "--position", LOST)
    assert outcome.code == 0
    assert "player 1 to move: -1 for player 1, proven" in outcome.out
    assert "best: c3, a2, c2, a1, b1, c1" in outcome.out  # all lose; how soon is not asked
    told = json.loads(zermelo_cli("solve", "tic-tac-toe", "--moves", "a1 b1", "--json").out)
    assert (told["value"], told["view"]) == (1, 0)
    assert set(told["best"]) == {"a3", "a2", "b2"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["search", "tree"], "plain Python game"),
        (["search", "no-such-game"], "no-such-game"),
        (["search", "tic-tac-toe", "--moves", "a1 a1"], "not a legal move"),
        (["search", "tic-tac-toe", "--position", "xxx oo. ..."], "over"),
        (["search", "tic-tac-toe", "--seconds", "0"], "seconds"),
        (["search", "tic-tac-toe", "--depth", "0"], "depth"),
        (["search", "tic-tac-toe", "--algorithm", "mcts", "--depth", "3"], "mcts has no setting 'depth'"),
        (["search", "tic-tac-toe", "--algorithm", "maxn", "--threads", "2"], "threads"),
        (["search", "tic-tac-toe", "--algorithm", "mcts", "--why"], "alpha-beta"),
        (["search", "tic-tac-toe", "--svg", "tree.png"], ".svg"),
        (["search", "random-tree", "-o", "players=3", "-a", "alphabeta"], "3 sides"),
        (["search", "random-tree", "-o", "players=3", "--why"], "alpha-beta"),
        (["solve", "tree"], "plain Python game"),
        (["solve", "random-tree", "-o", "branching=30", "-o", "depth=40", "--seconds", "0.2"], "not solved within"),
    ],
)
def test_what_cannot_be_searched(refused, arguments, words):
    assert words in refused(*arguments)


CTRL_C = """
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
from zermelo.interfaces.cli import main
from zermelo.search.alphabeta.searcher import AlphaBeta
begin = AlphaBeta.reports
def reports(self, *arguments):  # when it returns, everything is compiled
    begun = begin(self, *arguments)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    return begun
AlphaBeta.reports = reports
sys.exit(main(["search", "random-tree", "-o", "branching=30", "-o", "depth=40", "--seconds", "300", *sys.argv[1:]]))
"""


@pytest.mark.parametrize("why", [(), ("--why",)], ids=["search", "why"])
def test_ctrl_c_prints_the_answer_so_far(why):
    command = [sys.executable, "-c", CTRL_C, "--json", *why]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 130
    assert done.stderr.splitlines()[-1] == "interrupted"  # perhaps after a line on compiling
    told = json.loads(done.stdout)
    assert told["stopped"] == "stop"
    assert told["choice" if why else "best"] is not None


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four"])
def test_moves_that_were_not_searched_are_not_worth_0(zermelo_cli, game):
    outcome = zermelo_cli("search", game, "--nodes", 1)
    assert outcome.out.count("not searched") == {"tic-tac-toe": 8, "connect-four": 6}[game]
    first, *others = json.loads(zermelo_cli("search", game, "--nodes", 1, "--json").out)["moves"]
    assert (first["bound"], first["nodes"]) == ("exact", 1)
    assert {(move["value"], move["bound"], move["nodes"]) for move in others} == {(1, "at most", 0)}
