"""GNU Backgammon as a player and as a judge: a fake one with every vice, and Debian's where it is installed."""

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

import zermelo
from zermelo import CHANCE, GameError, History
from zermelo.arena.match_runner import MatchRunner
from zermelo.arena.plan import make_plan
from zermelo.arena.playing import Dice
from zermelo.games.backgammon import fibs
from zermelo.players.engines import gnubg

FAKE = Path(__file__).with_name("fake_gnubg.py")
IS_HERE = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
needs_gnubg = pytest.mark.skipif(IS_HERE is None, reason="Debian's package gnubg is not installed")
START = "4HPwATDgc/ABMA"


@pytest.fixture
def backgammon():
    return zermelo.load("backgammon")


@pytest.fixture
def fake(tmp_path):
    """Makes the text of a fake GNU Backgammon with a vice."""

    def make(vice="good", **parameters):
        path = tmp_path / f"fake-{vice}"
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" {vice} "$@"\n')
        path.chmod(0o755)
        return ",".join([f"gnubg:command={path}", *(f"{key}={value}" for key, value in parameters.items())])

    return make


def is_gone(pid):
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


# -- with a fake -------------------------------------------------------------------------------------------------------


def test_a_position_as_a_fibs_board(backgammon):
    words = fibs(backgammon.parse(f"{START}:0:31")).split(":")
    assert words[:6] == ["board", "You", "They", "0", "0", "0"]
    board = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    assert [int(word) for word in words[6:32]] == board
    assert words[32:37] == ["1", "3", "1", "3", "1"]
    for player in (0, 1):  # whoever is to roll sees the board alike: a checker on each bar, three and two off
        points = [[0] * 26, [0] * 26]
        points[player][0], points[player][25], points[player][6] = 3, 1, 11
        points[1 - player][0], points[1 - player][25], points[1 - player][3] = 2, 1, 12
        words = fibs(zermelo.load("backgammon", points=points, turn=player).start()).split(":")
        assert [int(word) for word in words[6:32]] == [-1, *[0] * 5, 11, *[0] * 15, -12, *[0] * 2, 1]
        assert words[33:37] == ["0"] * 4
        assert words[45:47] == ["3", "2"]


def test_a_move_comes_back_and_nothing_stays(backgammon, fake, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    player = zermelo.player(fake(), backgammon)
    state = backgammon.parse(f"{START}:1:31")
    assert backgammon.format_action(state, player.choose(state)) == "8/5 6/5"
    pid = player._process.process.pid
    assert not list(tmp_path.glob("gnubg-*"))
    player.close()
    assert is_gone(pid)
    player.close()
    assert backgammon.format_action(state, player.choose(state)) == "8/5 6/5"  # started again
    player.close()


def test_values_of_plays(backgammon, fake):
    """By the fake's lead in pips: after a play the other one is to roll, so it loses what was gained."""
    state = backgammon.parse(f"{START}:1:65")
    player = zermelo.player(fake(plies=2), backgammon)
    all_plays = zermelo.player(fake(plies=0), backgammon)
    values = all_plays.values(state)
    assert set(values) == set(backgammon.actions(state))
    assert {round(value, 4) for value in values.values()} == {0.11}  # eleven pips by any play
    assert set(player.values(state).values()) == {0.11}
    assert len(player.values(backgammon.parse(f"{START}:1:11"))) == gnubg.MOST
    points = [[0] * 26, [0] * 26]
    for point, count in ((24, 2), (13, 5), (8, 3), (6, 5)):
        points[0][point] = points[1][point] = count
    points[1][6], points[1][5] = 4, 1  # a blot: who is hit there loses twenty pips, more than what is close
    hit = zermelo.load("backgammon", points=points, turn=0, dice=(4, 2)).start()
    few, some = player.values(hit), all_plays.values(hit)
    assert max(few.values()) == max(some.values())
    assert few == {a: value for a, value in some.items() if value >= max(some.values()) - gnubg.CLOSE}
    assert 0 < len(few) < gnubg.MOST < len(some)
    worst = min(some, key=some.get)
    assert player.values(hit, [worst]) == {**few, worst: some[worst]}
    player.close()
    all_plays.close()


def test_the_last_play_is_worth_its_points(backgammon, fake):
    points = [[14, 1, *[0] * 24], [0] * 26]
    points[1][6] = 15  # none off: a gammon
    state = zermelo.load("backgammon", points=points, turn=0, dice=(6, 1)).start()
    player = zermelo.player(fake(plies=2), backgammon)
    assert list(player.values(state).values()) == [2.0]
    player.close()


@pytest.mark.parametrize(
    ("vice", "words"),
    [
        ("dead", "ended with exit code 3: out of luck"),
        ("mute", "was not ready within 0.5 seconds"),
        ("crash", "ended with exit code 7"),
        ("garbage", "nonsense', which is no move here"),
        ("illegal", "answered '24/1', which is no move here"),
        ("empty", "answered '', which is no move here"),
        ("hang", "gave no answer within 0.5 seconds"),
    ],
)
def test_vices_are_told_in_one_sentence(backgammon, fake, vice, words, monkeypatch):
    if vice == "mute":
        monkeypatch.setattr(gnubg, "START", 0.5)
    player = zermelo.player(fake(vice, patience=0.5 if vice == "hang" else 30), backgammon)
    with pytest.raises(GameError) as told:
        player.choose(backgammon.parse(f"{START}:0:31"))
    assert words in str(told.value)
    assert str(told.value).startswith("GNU Backgammon ")
    assert "\n" not in str(told.value)
    player.close()


def test_a_judge_that_talks_nonsense(backgammon, fake):
    player = zermelo.player(fake("garbage"), backgammon)
    with pytest.raises(GameError, match="which is no evaluation"):
        player.equity(backgammon.parse(START), 2)
    player.close()


def test_one_that_will_not_end_is_ended(backgammon, fake):
    player = zermelo.player(fake("stubborn"), backgammon)
    player.choose(backgammon.parse(f"{START}:0:31"))
    pid = player._process.process.pid
    player.close()
    assert is_gone(pid)


def test_what_cannot_be_had(backgammon, fake, tmp_path):
    with pytest.raises(GameError, match="no engine 'no-such-program' is installed here; install gnubg, or give its"):
        zermelo.player("gnubg:command=no-such-program", backgammon)
    with pytest.raises(GameError, match="there is no program"):
        zermelo.player(f"gnubg:command={tmp_path}/nothing", backgammon)
    with pytest.raises(GameError, match="othello has no positions that GNU Backgammon would understand"):
        zermelo.player("gnubg", zermelo.load("othello"))
    with pytest.raises(GameError, match="plies must be a whole number from 0 to 3"):
        zermelo.player("gnubg:plies=4", backgammon)
    with pytest.raises(GameError, match="noise must be a number from 0 to 1"):
        zermelo.player("gnubg:noise=2", backgammon)


# -- with the real one -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real():
    player = zermelo.player("gnubg", zermelo.load("backgammon"))
    yield player
    player.close()


@needs_gnubg
@pytest.mark.parametrize(("dice", "play"), [("31", "8/5 6/5"), ("61", "13/7 8/7"), ("42", "8/4 6/4"), ("65", "24/13")])
@pytest.mark.parametrize("turn", [0, 1])
def test_openings_everybody_agrees_on(backgammon, real, dice, play, turn):
    state = backgammon.parse(f"{START}:{turn}:{dice}")
    assert backgammon.format_action(state, real.choose(state)) == play


@needs_gnubg
def test_it_plays_what_it_values_most(backgammon, real):
    """Its own choice against its evaluation of every position that the roll can lead to, through a game by itself."""
    history, dice, seen = History(backgammon), Dice(3), set()
    while not history.is_over:
        if history.player() == CHANCE:
            history.play(dice.roll(backgammon, history.state))
            continue
        action, values = real.choose(history), real.values(history)
        assert set(values) == set(history.actions())
        assert values[action] >= max(values.values()) - 1e-5
        if len(values) > 1:
            seen.add(real.kind(history))
        history.play(action)
    assert seen == {"contact", "race"}


@needs_gnubg
def test_noise_makes_it_weaker(backgammon, real):
    """As GNU Backgammon's beginner, and the same whenever it is asked the same."""
    beginner, lost, plays = zermelo.player("gnubg:noise=0.06", backgammon), [], []
    for dice in ("21", "32", "41", "43", "52", "54", "62", "63", "64", "44", "66", "22"):
        state = backgammon.parse(f"{START}:0:{dice}")
        values = real.values(state)
        plays.append(beginner.choose(state))
        lost.append(max(values.values()) - values[plays[-1]])
        assert beginner.choose(state) == plays[-1]
    beginner.close()
    assert 0.005 < sum(lost) / len(lost) < 0.2


@needs_gnubg
def test_what_it_knows_of_positions(backgammon, real):
    assert real.equity(backgammon.parse(START), 0) == pytest.approx(0.067, abs=0.02)  # to be on roll is worth that
    assert real.equity(backgammon.parse(START), 1) == pytest.approx(0.073, abs=0.02)
    points = [[14, 1, *[0] * 24], [*[0] * 23, 15, 0, 0]]
    won = zermelo.load("backgammon", points=points, turn=0).start()  # all of theirs in my home board: three points
    assert real.equity(won, 0) == pytest.approx(3, abs=1e-4)
    lost = zermelo.load("backgammon", points=[[10, 0, 0, 0, 0, 0, 5, *[0] * 19], [14, 1, *[0] * 24]], turn=0).start()
    assert real.equity(lost, 0) == pytest.approx(-1, abs=1e-4)


@needs_gnubg
def test_when_we_are_gone_it_ends_by_itself(backgammon):
    player = zermelo.player("gnubg", backgammon)
    player.prepare()
    process = player._process.process
    player._process._line.shutdown(2)  # what the kernel does for somebody who was killed
    assert process.wait(20) == 0
    with pytest.raises(GameError, match="GNU Backgammon ended"):
        player._process.ask("version")
    player.close()


@needs_gnubg
def test_a_pair_of_games(backgammon):
    plan = make_plan(backgammon, ["gnubg", "random"], seed=1)
    found = list(MatchRunner(plan, 2).records(backgammon))
    assert [record["reason"] for record in found] == ["finished", "finished"]
    assert found[0]["payoffs"][0] > 0
    assert found[1]["payoffs"][1] > 0
