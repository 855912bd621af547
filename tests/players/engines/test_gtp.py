"""A GTP engine as a player: a fake one with every vice, and Debian's gnugo and gtp-rhino where they are installed."""

import shutil
import sys
from pathlib import Path

import pytest

import zermelo
from zermelo import GameError, History

FAKE = Path(__file__).with_name("fake_gtp.py")


def installed(program):
    return shutil.which(program) or shutil.which(program, path="/usr/games")


@pytest.fixture
def go():
    return zermelo.load("go", size=5, komi=2.5).interpreted


@pytest.fixture
def engine(tmp_path):
    """Makes the spec of a fake engine with a vice; what it hears is in tmp_path/heard."""

    def make(vice="good"):
        return f"gtp:{sys.executable},arguments='{FAKE}' {vice} '{tmp_path / 'heard'}',patience=0.5"

    return make


def play(game, history, *texts):
    for text in texts:
        history.play(game.parse_action(history.state, text))


def test_a_game_is_told_move_by_move_and_set_up_anew_where_another_begins(go, engine, tmp_path):
    player = zermelo.player(engine(), go)
    history = History(go)
    play(go, history, "C3")
    history.play(player.choose(history))
    assert go.format_action(history.states[-2], history.moves[-1]) == "A1"
    play(go, history, "B2", "pass", "D4")
    assert go.format_action(history.state, player.choose(history)) == "A2"
    other = History(go, go.parse("...../...../..X../...../..... O"))
    assert go.format_action(other.state, player.choose(other)) == "A1"
    player.close()
    assert (tmp_path / "heard").read_text().split("\n") == [
        "protocol_version", "boardsize 5", "komi 2.5", "clear_board", "play b C3", "genmove w",
        "play b B2", "play w pass", "play b D4", "genmove w",
        "boardsize 5", "komi 2.5", "clear_board", "play b C3", "genmove w", "quit", "",
    ]  # fmt: skip


def test_an_engine_may_see_to_passes_itself(go, engine):
    player = zermelo.player(engine("no-pass"), go)
    history = History(go)
    play(go, history, "C3", "pass")
    assert go.format_action(history.state, player.choose(history)) == "A1"
    player.close()


@pytest.mark.parametrize(
    ("vice", "words"),
    [
        ("dead", "ended with exit code 3"),
        ("crash", "ended with exit code 7"),
        ("hang", "gave no answer within 0.5 seconds"),
        ("garbage", "answered 'nonsense', which is no move here"),
        ("resigns", "answered 'resign', which is no move here"),
        ("illegal", "answered 't19', which is no move here"),
        ("refuses", "refused 'play b C3': syntax error"),
    ],
)
def test_vices_are_told_in_one_sentence(go, engine, vice, words):
    player = zermelo.player(engine(vice), go)
    history = History(go)
    play(go, history, "C3")
    with pytest.raises(GameError) as told:
        player.choose(history)
    assert words in str(told.value)
    assert "\n" not in str(told.value)
    player.close()


def test_what_cannot_be_asked(go):
    with pytest.raises(GameError, match="no moves that a GTP engine would understand"):
        zermelo.player(f"gtp:{sys.executable}", "nim")
    with pytest.raises(GameError, match="cannot be read: No closing quotation"):
        zermelo.player(f"gtp:{sys.executable},arguments='a", go)
    with pytest.raises(GameError, match="no engine 'no-such-engine' is installed here"):
        zermelo.player("gtp:no-such-engine", go)
    with pytest.raises(GameError, match="square boards"):
        zermelo.player(f"gtp:{sys.executable},arguments='{FAKE}'", zermelo.load("go", size=5, height=4)).choose(
            History(zermelo.load("go", size=5, height=4))
        )
    othello = zermelo.load("othello", size=6).interpreted
    later = othello.succ(othello.start(), othello.actions(othello.start())[0])
    with pytest.raises(GameError, match="from its start, not from a position"):
        zermelo.player(f"gtp:{sys.executable},arguments='{FAKE}'", othello).choose(later)


@pytest.mark.parametrize(
    ("name", "options", "spec"),
    [
        ("go", {"size": 5}, "gtp:gnugo,arguments=--mode gtp --level 1 --chinese-rules --never-resign"),
        ("othello", {}, "gtp:gtp-rhino,arguments=-l 1"),
    ],
)
def test_a_whole_game_against_a_real_engine(name, options, spec):
    if installed(spec[4:].split(",")[0]) is None:
        pytest.skip("the engine is not installed here")
    game = zermelo.load(name, **options).interpreted
    players = [zermelo.player("random:seed=4", game), zermelo.player(spec, game)]
    history = History(game)
    while history.player() >= 0:
        history.play(players[history.player()].choose(history))
    assert game.utility(history.state, 1) == 1.0
    players[1].close()
