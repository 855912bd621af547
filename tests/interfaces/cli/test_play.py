"""`zermelo play`: people and programs in any seats, words that are not moves, and nothing lost."""

import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from zermelo.arena.records import read, replay


@pytest.fixture(autouse=True)
def own_state(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def play(zermelo_cli, monkeypatch):
    """Play with what somebody types, line by line."""

    def run(typed, *arguments):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        return zermelo_cli("play", *arguments)

    return run


def test_two_people_play_to_the_end(play):
    outcome = play(["a1", "a2", "b1", "b2", "c1"], "tic-tac-toe", "--players", "human,human")
    assert outcome.code == 0
    assert "1 x x x" in outcome.out
    assert outcome.out.rstrip().endswith("player 0 wins")


def test_a_program_answers(play):
    outcome = play(["b2", "quit"], "tic-tac-toe", "--players", "human,minimax:depth=1", "--seed", 1)
    assert "player 1 (minimax:depth=1): a3" in outcome.out
    assert outcome.out.rstrip().endswith("ended")


@pytest.mark.parametrize("seed", [1, 2])
def test_program_against_program_is_reproducible(play, seed):
    outcomes = [play([], "pig", "-o", "goal=20", "--players", "random,level=2", "--seed", seed).out for _ in range(2)]
    assert outcomes[0] == outcomes[1]
    assert "chance: " in outcomes[0]
    assert outcomes[0].rstrip().endswith("wins")


def test_words_that_are_not_moves(play):
    typed = ["", "?", "help", "moves", "board", "z9", "undo", "save", "load", "load nowhere.jsonl", "quit"]
    outcome = play(typed, "tic-tac-toe", "--players", "human,human")
    assert outcome.code == 0
    assert outcome.out.count("take back your last move") == 2
    assert "a3  b3  c3" in outcome.out
    for words in (
        "'z9' is not a legal move",
        "no move of yours to take back",
        "say where",
        "say from where",
        "there is no game in 'nowhere.jsonl'",
    ):
        assert words in outcome.err


def test_undo_takes_back_what_the_program_did_too(play):
    empty = "3 . . .\n2 . . .\n1 . . .\n"
    outcome = play(["b2", "undo", "quit"], "tic-tac-toe", "--players", "human,minimax:depth=1")
    assert outcome.out.count(empty) == 2
    assert "player 1 (minimax:depth=1): " in outcome.out


def test_dice_stay_as_they_fell(play):
    outcome = play(["roll", "undo", "roll", "quit"], "pig", "--players", "human,human", "--seed", 3)
    rolls = [line for line in outcome.out.splitlines() if line.startswith("chance: ")]
    assert len(rolls) == 2
    assert rolls[0] == rolls[1]


@pytest.mark.jit
def test_a_hint(play):
    pytest.importorskip("zermelo.search.alphabeta.searcher")
    outcome = play(["hint", "quit"], "tic-tac-toe", "--players", "human,human", "--position", "xx. oo. ...")
    assert "hint: c3" in outcome.out


def test_resigning(play, tmp_path):
    path = tmp_path / "game.jsonl"
    outcome = play(["a1", "resign"], "tic-tac-toe", "--players", "human,human", "--save", path)
    assert "player 1 resigns" in outcome.out
    record = read(path)[0]
    assert record["reason"] == "resigned"
    assert record["payoffs"] == [1.0, -1.0]


def test_saved_and_loaded(play, tmp_path):
    path, other = tmp_path / "game.jsonl", tmp_path / "other.jsonl"
    play(["a1", "b2", f"save {other}", "c3"], "tic-tac-toe", "--players", "human,human", "--save", path)
    assert read(other)[0]["moves"] == ["a1", "b2"]
    assert read(path)[0]["moves"] == ["a1", "b2", "c3"]
    outcome = play(["a2"], "tic-tac-toe", "--load", path)  # the players are those of the file
    assert "player 1 is human" in outcome.out
    assert read(path)[0]["moves"] == ["a1", "b2", "c3", "a2"]
    outcome = play([f"load {other}", "quit"], "tic-tac-toe", "--players", "human,human")
    assert outcome.out.count("1 x . .") == 1


def test_a_position_is_kept_with_the_game(play, tmp_path):
    path = tmp_path / "game.jsonl"
    play(["c3"], "tic-tac-toe", "--players", "human,human", "--position", "xx. oo. ...", "--save", path)
    record = read(path)[0]
    assert record["start"] == "xx. oo. ..."
    assert record["reason"] == "finished"
    assert replay(record).utility() == 1


def test_the_end_of_the_input_loses_nothing(play):
    outcome = play(["a1", "b2"], "tic-tac-toe", "--players", "human,human")
    assert outcome.code == 0
    assert outcome.out.endswith("ended\n")
    outcome = play(["quit"], "tic-tac-toe", "--resume")
    assert "2 . o .\n1 x . ." in outcome.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tic-tac-toe", "--players", "human,human,human"], "tic-tac-toe has 2 players, but 3 are given"),
        (["tic-tac-toe", "--players", "humna"], "did you mean human"),
        (["tic-tac-toe", "--load", "nowhere.jsonl"], "there is no game in 'nowhere.jsonl'"),
        (["tic-tac-toe", "--resume"], "there is no game in"),
        (["tic-tac-toe", "--resume", "--load", "x"], "take one"),
        (["tic-tac-toe", "--position", "zz"], "tic-tac-toe position"),
        (["nothing"], "no game is called 'nothing'"),
    ],
)
def test_what_cannot_be_played(refused, arguments, words):
    assert words in refused("play", *arguments)


def test_a_game_of_another_kind_is_not_taken_over(play, refused, tmp_path):
    path = tmp_path / "game.jsonl"
    play(["1"], "nim", "--players", "human,human", "--save", path)
    assert "holds a game of nim" in refused("play", "tic-tac-toe", "--load", path)


def test_a_file_that_cannot_be_written_is_told(play, tmp_path):
    outcome = play(["a1"], "tic-tac-toe", "--players", "human,human", "--save", tmp_path)
    assert outcome.code == 2
    assert "is a folder; give an ordinary file" in outcome.err


NOT_OURS = ["my diary\n", "my diary", "{}\n", '{"a": 1}', "\n\n", "\0\0", '[1, 2]\n"x"\n']


@pytest.mark.parametrize("content", NOT_OURS)
def test_nothing_but_a_game_is_written_over(play, refused, tmp_path, content):
    path = tmp_path / "t.txt"
    path.write_text(content)
    outcome = play([f"save {path}", "a1", "quit"], "tic-tac-toe", "--players", "human,human")
    assert "something else than a game of tic-tac-toe, and is left as it is" in outcome.err
    assert "player 0: a1" in outcome.out  # the game goes on
    assert "and is left as it is" in refused("play", "tic-tac-toe", "--save", path)
    assert path.read_text() == content


def test_another_game_is_not_written_over(play, refused, tmp_path):
    nim = tmp_path / "nim.jsonl"
    play(["1"], "nim", "--players", "human,human", "--save", nim)
    small = tmp_path / "small.jsonl"
    play(["a"], "connect-four", "-o", "width=5", "--players", "human,human", "--save", small)
    assert "something else than a game of tic-tac-toe" in refused("play", "tic-tac-toe", "--save", nim)
    assert "something else than a game of connect-four" in refused("play", "connect-four", "--save", small)


def test_a_file_of_many_games_is_played_on_elsewhere(play, refused, tmp_path):
    path = tmp_path / "games.jsonl"
    play(["a1"], "tic-tac-toe", "--players", "human,human", "--save", path)
    path.write_text(3 * path.read_text())
    kept = path.read_text()
    outcome = play(["b2", "quit"], "tic-tac-toe", "--load", path)
    assert "holds other games too and stays as it is" in outcome.out
    assert "holds 3 games, and is left as it is" in refused("play", "tic-tac-toe", "--save", path)
    assert path.read_text() == kept
    assert "2 . o .\n1 x . ." in play(["quit"], "tic-tac-toe", "--resume").out


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs devices")
def test_devices_and_pipes_are_not_written_to(play, refused, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/full", "/dev/null", tmp_path / "pipe"):
        assert "is a device or a pipe; give an ordinary file" in refused("play", "tic-tac-toe", "--save", path)
        outcome = play([f"save {path}", f"load {path}", "quit"], "tic-tac-toe", "--players", "human,human")
        assert outcome.err.count("is a device or a pipe; give an ordinary file") == 2


def test_a_game_that_cannot_be_kept_goes_on(play, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    outcome = play(["a1", "b2", "quit"], "tic-tac-toe", "--players", "human,human")
    assert outcome.code == 0
    assert outcome.err.count("the game goes on, but it cannot be kept") == 1


@pytest.mark.timed
@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c_ends_it_with_one_word_and_nothing_is_lost(tmp_path):
    hears = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    program = hears + "from zermelo.interfaces.cli import main; sys.exit(main())"
    path = tmp_path / "game.jsonl"
    running = subprocess.Popen(
        [sys.executable, "-c", program, "play", "tic-tac-toe", "--players", "human,human", "--save", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    running.stdin.write("a1\nb2\n")
    running.stdin.flush()
    end = time.monotonic() + 60
    while time.monotonic() < end and not (path.exists() and len(json.loads(path.read_text())["moves"]) == 2):
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err == "interrupted\n"
    assert read(path)[0]["moves"] == ["a1", "b2"]
