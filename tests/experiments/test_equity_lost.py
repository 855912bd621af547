"""What players lose with a decision: the bookkeeping, with a judge of whom everything is known, and GNU Backgammon."""

import shutil
import sys
from pathlib import Path

import pytest

import zermelo
from zermelo import GameError
from zermelo.arena.statistics import mean
from zermelo.experiments import EquityLost, run_equity_lost
from zermelo.experiments.equity_lost import Decision, sample

FAKE = Path(__file__).parents[1] / "players" / "engines" / "fake_gnubg.py"
IS_HERE = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


@pytest.fixture(scope="module")
def backgammon():
    return zermelo.load("backgammon")


@pytest.fixture
def judge(tmp_path):
    """Values positions by the lead in pips, a hundred of which are a point."""
    path = tmp_path / "fake-judge"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" good "$@"\n')
    path.chmod(0o755)
    return f"gnubg:plies=1,command={path}"


def lead(game, s, action, player):
    """In pips, after a play."""
    after = game.succ(s, action)
    pips = [sum(i * int(n) for i, n in enumerate(row)) for row in after.points]
    return pips[1 - player] - pips[player]


def test_what_is_lost_is_what_the_judge_says(backgammon, judge):
    found = run_equity_lost(backgammon, ["random", "random:seed=1"], judge, 30, 2, "random", workers=2)
    assert len(found.decisions) == 30
    for decision in found.decisions:
        s = backgammon.parse(decision.position)
        player, actions = backgammon.player(s), backgammon.actions(s)
        assert len(actions) > 1
        best = max(lead(backgammon, s, a, player) for a in actions if not backgammon.is_end(backgammon.succ(s, a)))
        for chosen, lost in zip(decision.chosen, decision.lost, strict=True):
            mine = lead(backgammon, s, backgammon.parse_action(s, chosen), player)
            assert lost == pytest.approx((best - mine) / 100, abs=1e-5)
        assert lead(backgammon, s, backgammon.parse_action(s, decision.best), player) == best
    assert any(sum(decision.lost) > 0 for decision in found.decisions)
    for number in (0, 1):
        own = [decision.lost[number] for decision in found.decisions]
        assert found.lost(number) == mean(own)
        assert found.share_best(number) == own.count(0) / 30
    again = run_equity_lost(backgammon, ["random", "random:seed=1"], judge, 30, 2, "random")
    assert again.decisions == found.decisions  # on however many judges


def test_positions_are_of_choices_and_from_whole_games(backgammon):
    player = zermelo.player("random", backgammon)
    first, second = sample(backgammon, player, 40, 5), sample(backgammon, player, 40, 5)
    assert first == second != sample(backgammon, player, 40, 6)
    assert all(len(backgammon.actions(s)) > 1 for s in first)
    assert {s.turn for s in first} == {0, 1}


def test_the_table():
    decisions = [
        Decision("a", "contact", "x", ("x", "y"), (0.0, 0.5)),
        Decision("b", "contact", "x", ("x", "x"), (0.0, 0.0)),
        Decision("c", "race", "x", ("z", "y"), (0.3, 0.1)),
    ]
    found = EquityLost("a-game", ("one", "another"), "a-judge", "random", 7, decisions)
    title, heads, one, another = found.table().splitlines()
    assert title == "a-game: lost a decision, by a-judge, in 3 positions from games of random (95 %, seed 7)"
    assert heads.split() == ["player", "all", "contact", "(2)", "race", "(1)", "the", "best", "move"]
    assert one.split() == ["one", "0.1000", "±", "0.1960", "0.0000", "0.3000", "67%"]
    assert another.split()[:4] == ["another", "0.2000", "±", "0.2994"]
    told = found.as_dict()
    assert told["lost"]["contact"][1]["mean"] == 0.25
    assert told["decisions"][2]["chosen"] == ("z", "y")


def test_who_interrupts_gets_what_was_found(backgammon, judge):
    def tell(words):
        if words.startswith("7 of"):
            raise KeyboardInterrupt

    heard = []
    with pytest.raises(KeyboardInterrupt):
        run_equity_lost(backgammon, ["random"], judge, 30, 2, "random", tell=tell, on_decision=heard.append)
    assert len(heard) == len(heard[-1].decisions) == 7
    assert "in 7 positions" in heard[-1].table()


@pytest.mark.parametrize(
    ("players", "settings", "words"),
    [
        ([], {}, "at least one player"),
        (["random"], {"judge": "random"}, "random is no judge"),
        (["human"], {}, "people are not judged"),
        (["nobody"], {}, "no player is called 'nobody'"),
        (["random"], {"positions": 0}, "positions must be"),
        (["random"], {"workers": 0}, "workers from 1"),
    ],
)
def test_what_cannot_be_judged(backgammon, judge, players, settings, words):
    with pytest.raises(GameError, match=words):
        run_equity_lost(backgammon, players, **{"judge": judge, "sampled_from": "random", "positions": 3} | settings)


@pytest.mark.skipif(IS_HERE is None, reason="Debian's package gnubg is not installed")
def test_gnubg_by_its_own_word(backgammon):
    found = run_equity_lost(backgammon, ["gnubg", "random"], "gnubg:plies=0", 60, 1)
    assert found.lost(0).value == pytest.approx(0, abs=1e-6)
    assert found.lost(1).value - found.lost(1).half > 0.05
    assert {kind for kind, _ in found.kinds} == {"contact", "race"}
