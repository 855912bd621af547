"""Backgammon against OpenSpiel's and GNU Backgammon's, roll by roll over random games.

Where OpenSpiel differs, and what is done about it:
- it lists plays that reach the same position separately, and splits a double into two turns of two checkers: the sets
  of positions in which a roll can end are compared;
- it ends games after 500 turns and counts a simple win for any, unless told otherwise: it is told;
- it has no action for the opening beyond the roll: its 30 outcomes are the 30 here, in another order.
"""

import json
import os
import random
import re
import shutil
import subprocess

import pytest

import zermelo
from zermelo.core.history import History
from zermelo.games.backgammon import mat

GAME = zermelo.load("backgammon")


def board_of(peer):
    """(points of player 0, points of player 1), 25 the bar and 0 off, read from OpenSpiel's state."""
    shown = str(peer)
    bar = re.search(r"Bar: ?([xo]*)", shown)[1]
    off = re.search(r"Scores, X: (\d+), O: (\d+)", shown)
    first = [int(off[1]), *(peer.board(0, 24 - i) for i in range(1, 25)), bar.count("x")]
    second = [int(off[2]), *(peer.board(1, i - 1) for i in range(1, 25)), bar.count("o")]
    return tuple(first), tuple(second)


def state_of(peer):
    """The same position here, with the dice rolled."""
    dice = sorted(map(int, re.search(r"Dice: (\d\d)", str(peer))[1]), reverse=True)
    return zermelo.load("backgammon", points=board_of(peer), dice=dice, turn=peer.current_player()).start()


def peer_results(peer):
    """The positions in which the roll can end."""
    player, found, todo = peer.current_player(), set(), [peer]
    seen = set()
    while todo:
        now = todo.pop()
        for action in now.legal_actions():
            after = now.child(action)
            if after.current_player() == player:
                if str(after) not in seen:
                    seen.add(str(after))
                    todo.append(after)
            else:
                found.add(board_of(after))
    return found


def own_results(s):
    after = [GAME.succ(s, a) for a in GAME.actions(s)]
    return {(tuple(t.points[0].tolist()), tuple(t.points[1].tolist())) for t in after}


def compare_games(seed, games):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    chance = random.Random(seed)
    peer_game = pyspiel.load_game("backgammon(scoring_type=full_scoring,max_player_turns=5000)")
    rolls = 0
    for _ in range(games):
        peer = peer_game.new_initial_state()
        assert len(peer.chance_outcomes()) == 30
        while not peer.is_terminal():
            if peer.is_chance_node():
                peer.apply_action(chance.choice(peer.legal_actions()))
                s = state_of(peer)
                assert own_results(s) == peer_results(peer), (GAME.format(s), str(peer))
                rolls += 1
            peer.apply_action(chance.choice(peer.legal_actions()))
        first, second = board_of(peer)
        end = zermelo.load("backgammon", points=[first, second], turn=0).start()
        assert [GAME.utility(end, p) for p in (0, 1)] == peer.returns()
    return rolls


def test_rolls_lead_to_the_same_positions():
    assert compare_games(seed=1, games=15) > 1000


@pytest.mark.slow
def test_rolls_lead_to_the_same_positions_over_many_games():
    assert compare_games(seed=2, games=150) > 10_000


# -- GNU Backgammon ----------------------------------------------------------------------------------------------------

GNUBG = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")
ASK = """
import gnubg, json
ask = json.load(open("ask.json"))
for command in ("set player 0 human", "set player 1 human", "set automatic roll off", "set automatic game off",
                "set automatic move off", "set evaluation chequer evaluation plies 0", "set jacoby off",
                "new session", "set turn 1"):
    gnubg.command(command)
answers = []
for code, (high, low) in ask:
    gnubg.command(f"set board {code}")
    gnubg.command(f"set dice {high} {low}")
    hint = gnubg.hint(5000)
    answers.append({
        "points": gnubg.positionfromid(code),
        "code": gnubg.positionid(gnubg.positionfromid(code)),
        "plays": [h["move"] for h in hint["hint"]] if hint else [],
    })
gnubg.command("import mat game.mat")
game = gnubg.match(analysis=0)["games"][0]
json.dump({"positions": answers, "moves": len(game["game"]), "info": game["info"]}, open("answer.json", "w"))
"""


@pytest.mark.slow
@pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")
@pytest.mark.parametrize("seed", [4, 5, 6])
def test_gnubg_lists_the_same_plays_and_reads_the_same_files(tmp_path, seed):
    """Every position of a game with its legal plays (it names each result once), and the game's .mat file."""
    chance, states, history = random.Random(seed), [], History(GAME)
    while not history.is_over:
        if history.player() >= 0 and GAME.actions(history.state)[0] != 0:
            states.append(history.state)
        history.play(chance.choice(list(history.actions())))
    asked = [(GAME.format(s).split(":")[0], s.dice.tolist()) for s in states]
    (tmp_path / "ask.json").write_text(json.dumps(asked))
    (tmp_path / "ask.py").write_text(ASK)
    (tmp_path / "game.mat").write_text(mat(history))
    command = [GNUBG, "-t", "-q", "-r", "-p", "ask.py"]
    done = subprocess.run(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False
    )
    assert (tmp_path / "answer.json").exists(), done.stdout[-2000:]
    answer = json.loads((tmp_path / "answer.json").read_text())
    for s, (code, _), told in zip(states, asked, answer["positions"], strict=True):
        assert told["code"] == code
        assert told["points"] == [s.points[p].tolist()[1:] for p in (1 - s.turn, s.turn)]
        assert {GAME.parse_action(s, play) for play in told["plays"]} == set(GAME.actions(s)), GAME.format(s)
    assert answer["moves"] == sum(GAME.player(s) >= 0 for s in history.states)
    assert answer["info"]["winner"] == ("X" if history.utility(0) > 0 else "O")  # X has the left column
    assert answer["info"]["points-won"] == abs(history.utility(0))
