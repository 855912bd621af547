"""Players by a short text: what is understood, and what is said of the rest."""

import pytest

import zermelo
from zermelo import GameError
from zermelo.core.spec import read
from zermelo.players.registry import KINDS, check_spec, split_specs


@pytest.mark.parametrize(
    ("text", "kind", "given"),
    [
        ("random", "random", {}),
        (" random:seed=7 ", "random", {"seed": 7}),
        ("minimax:depth=3", "minimax", {"depth": 3}),
        ("minimax:3", "minimax", {"depth": 3}),
        ("alphabeta:seconds=1,threads=2", "alphabeta", {"seconds": 1.0, "threads": 2}),
        ("alphabeta:seconds=.5, table=16", "alphabeta", {"seconds": 0.5, "table": 16}),
        ("alphabeta:seconds=1e-3", "alphabeta", {"seconds": 0.001}),
        ("level=5", "level", {"level": 5}),
        ("level:5", "level", {"level": 5}),
        ("Level=10,seconds=2", "level", {"level": 10, "seconds": 2.0}),
        ("mcts:simulations=5000,rave=300", "mcts", {"simulations": 5000, "rave": 300.0}),
        ("best-reply:depth=2", "best-reply", {"depth": 2}),
        ("uci:stockfish,elo=1800,seconds=1", "uci", {"command": "stockfish", "elo": 1800, "seconds": 1.0}),
        ("uci:/opt/my engine/bin", "uci", {"command": "/opt/my engine/bin"}),
    ],
)
def test_what_is_understood(text, kind, given):
    found, settings = read(text, KINDS)
    assert (found.name, settings) == (kind, given)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there are: random, human, minimax"),
        ("rnadom", "did you mean random?"),
        ("alpha-beta", "did you mean alphabeta?"),
        ("zzz", "there are: random, human"),
        ("random:3", "written name=value, not '3'; it has: seed"),
        ("human:name=x", "human has no setting 'name'; it has none"),
        ("minimax:dpeth=3", "did you mean depth?"),
        ("minimax:depth=0", "a whole number from 1 to 100, not '0'"),
        ("minimax:depth=x", "not 'x'"),
        ("minimax:depth=2,depth=3", "given twice"),
        ("minimax:depth=1.5", "a whole number"),
        ("minimax:", "must be a whole number"),
        ("alphabeta:seconds=0", "a number above 0"),
        ("alphabeta:seconds=-1", "a number above 0"),
        ("alphabeta:seconds=inf", "a number above 0"),
        ("alphabeta:seconds=1e999", "a number above 0"),
        ("alphabeta:seconds=1,2", "written name=value, not '2'"),
        ("alphabeta:threads=0", "from 1 to 256"),
        ("level", "level needs its level, as in level=5"),
        ("level=11", "from 1 to 10"),
        ("uci", "as in uci:stockfish"),
        ("uci:elo=1800", "as in uci:stockfish"),
        ("__import__('os')", "no player is called"),
    ],
)
def test_what_is_not_understood_is_told_in_one_sentence(text, words):
    with pytest.raises(GameError) as refused:
        check_spec(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_several_players_in_one_text():
    assert split_specs("human,level=5") == ["human", "level=5"]
    assert split_specs("alphabeta:seconds=1,threads=2,random") == ["alphabeta:seconds=1,threads=2", "random"]
    assert split_specs("uci:stockfish,elo=1800,human") == ["uci:stockfish,elo=1800", "human"]
    with pytest.raises(GameError, match="no player is called 'me'"):
        split_specs("me,random")


def test_every_kind_says_what_it_is():
    for name, kind in KINDS.items():
        assert kind.name == name
        assert kind.help
        assert kind.first is None or kind.first in kind.settings


def test_zermelo_player_is_the_registry():
    assert zermelo.player("random", zermelo.load("nim")).name == "random"


def test_seconds_go_to_players_whose_text_gives_no_limit():
    game = zermelo.load("chess")
    from zermelo.players.registry import player

    uci = {"command": "true"}  # found on every machine; nothing is started yet
    assert player(f"uci:{uci['command']}", game, 0.25).seconds == 0.25
    assert player(f"uci:{uci['command']},seconds=2", game, 0.25).seconds == 2
    assert player(f"uci:{uci['command']},depth=2", game, 0.25).seconds is None
    assert player("random", game, 0.25).seconds is None
