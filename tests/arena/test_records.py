"""Games kept as lines of JSON: appended whole, read back, replayed; torn and damaged files."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import GameError
from zermelo.arena.export import export, formats_of
from zermelo.arena.match_runner import MatchRunner
from zermelo.arena.plan import make_plan
from zermelo.arena.records import RecordFile, read, replay

MINIMAL = {"game": "nim", "options": {}, "players": ["a", "b"], "moves": [], "payoffs": [0, 0], "reason": "unfinished"}


@pytest.fixture(scope="module")
def some_games():
    game = zermelo.load("tic-tac-toe")
    return list(MatchRunner(make_plan(game, ["random", "random:seed=1"]), 6).records(game))


def write(path, games):
    with RecordFile(path) as file:
        for record in games:
            file.append(record)


def test_what_is_written_is_read(tmp_path, some_games):
    path = tmp_path / "games.jsonl"
    write(path, some_games[:4])
    assert read(path) == some_games[:4]
    write(path, some_games[4:])
    assert read(path) == some_games
    assert path.read_bytes().count(b"\n") == 6
    for record in read(path):
        history = replay(record)
        assert history.is_over
        assert [history.utility(p) for p in (0, 1)] == record["payoffs"]


@pytest.mark.parametrize("torn", [b"{", b'{"game": "nim"', b"\x00\x00\x00", '{"Zürich": "…'.encode()[:-1]])
def test_a_torn_last_line_is_set_aside(tmp_path, some_games, torn):
    path = tmp_path / "games.jsonl"
    write(path, some_games[:3])
    with path.open("ab") as file:
        file.write(torn)
    assert read(path) == some_games[:3]
    with RecordFile(path) as file:
        assert "was torn" in file.torn
        assert file.games == some_games[:3]
        file.append(some_games[3])
    assert read(path) == some_games[:4]
    assert torn in (tmp_path / "games.jsonl.torn").read_bytes()
    with RecordFile(path) as file:
        assert file.torn == ""


def test_a_file_cut_anywhere_keeps_all_whole_games(tmp_path, some_games):
    path = tmp_path / "games.jsonl"
    write(path, some_games[:3])
    content = path.read_bytes()
    ends = [n + 1 for n, byte in enumerate(content) if byte == ord("\n")]
    for cut in range(0, len(content) + 1, 7):
        path.write_bytes(content[:cut])
        whole = sum(end <= cut for end in ends)
        assert read(path) == some_games[:whole]
        with RecordFile(path) as file:
            assert file.games == some_games[:whole]
            file.append(some_games[whole])
        assert read(path) == some_games[: whole + 1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"not json", "line 2 .* is not JSON"),
        (b"[1, 2]", "line 2 .* it is a list"),
        (b"{}", "line 2 .* it lacks 'game'"),
        (b'{"game": 3}', "it lacks 'game'"),
        (json.dumps({**MINIMAL, "moves": "abc"}).encode(), "it lacks 'moves'"),
        (b"[" * 100_000, "is not JSON"),
    ],
)
def test_a_damaged_line_is_told_and_nothing_is_touched(tmp_path, some_games, line, words):
    path = tmp_path / "games.jsonl"
    write(path, some_games[:1])
    path.write_bytes(path.read_bytes() + line + b"\n")
    before = path.read_bytes()
    for open_it in (read, RecordFile):
        with pytest.raises(GameError, match=words):
            open_it(path)
    assert path.read_bytes() == before


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_a_sentence_or_games(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("any") / "games.jsonl"
    path.write_bytes(content)
    try:
        found = read(path)
    except GameError as told:
        found = str(told)
    assert isinstance(found, list) or "\n" not in found


def test_files_that_cannot_be_had(tmp_path):
    with pytest.raises(GameError, match="cannot be read"):
        read(tmp_path / "nothing")
    with pytest.raises(GameError, match="is a folder; give an ordinary file"):
        RecordFile(tmp_path)
    with pytest.raises(GameError, match="cannot be written"):
        RecordFile(tmp_path / "no" / "folder")


@pytest.mark.skipif(os.name == "nt", reason="needs flock")
def test_two_matches_do_not_write_to_one_file(tmp_path):
    path = tmp_path / "games.jsonl"
    program = f"from zermelo.arena.records import RecordFile; RecordFile({str(path)!r})"
    with RecordFile(path):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert "another match is writing to" in done.stderr
    with RecordFile(path):
        pass


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"moves": ["a1", "a1"]}, "move 2 of the record, a1"),
        ({"moves": ["a1", 7]}, "move 2 of the record is not text"),
        ({"moves": ["nonsense"]}, "move 1 of the record, nonsense"),
        ({"payoffs": [5.0, -5.0]}, "the record gives the payoffs"),
        ({"moves": ["a1"]}, "is not over"),
        ({"dice": ["66"]}, "the dice of the record"),
        ({"start": "???"}, "tic-tac-toe"),
        ({"game": "no-such-game"}, "no game is called"),
        ({"options": {"sise": 3}}, "has no option"),
    ],
)
def test_a_record_that_does_not_fit_the_rules(some_games, change, words):
    with pytest.raises(GameError, match=words):
        replay({**some_games[0], **change})


def test_dice_are_replayed():
    game = zermelo.load("pig", goal=10)
    record = next(iter(MatchRunner(make_plan(game, ["random", "random"]), 1).records(game)))
    assert record["dice"]
    assert record["options"]["goal"] == 10
    history = replay(record)
    assert history.is_over
    with pytest.raises(GameError, match="the dice"):
        replay({**record, "dice": record["dice"][1:]})


def test_games_in_the_formats_of_other_programs():
    for name, form, words in (
        ("go", "sgf", "(;GM[1]"),
        ("checkers", "pdn", '[Black "random"]'),
        ("backgammon", "mat", "random : 0"),
    ):
        game = zermelo.load(name).interpreted
        assert form in formats_of(game)
        plan = make_plan(game, ["random", "random:seed=1"], max_plies=6, origin=name)
        record = next(iter(MatchRunner(plan, 1).records(game)))
        assert words in export(replay(record, game), form, record["players"])
    nim = zermelo.load("nim")
    assert formats_of(nim) == []
    with pytest.raises(GameError, match="nim cannot be written as 'pgn'; it has: none"):
        export(zermelo.History(nim), "pgn")
    with pytest.raises(GameError, match="cannot be written as 'read'"):
        export(zermelo.History(nim), "read")


def test_chess_as_pgn():
    pytest.importorskip("chess")
    game = zermelo.load("chess").interpreted
    history = zermelo.History(game)
    for text in ("f3", "e5", "g4", "Qh4"):
        history.play(game.parse_action(history.state, text))
    text = export(history, "pgn", ["somebody", "somebody else"])
    assert '[White "somebody"]' in text
    assert "2. g4 Qh4# 0-1" in text


@pytest.mark.parametrize("content", [b"my diary", b"my diary\n", b'{"name": "package"}', b"[1, 2]", b"\0\0\0"])
def test_a_file_of_something_else_stays_as_it_is(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(GameError, match=r"is not a (file of games|game)"):
        RecordFile(path)
    assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs devices")
def test_devices_folders_and_pipes_hold_no_games(tmp_path):
    """From a device one could read for ever, and a pipe waits for somebody at its other end."""
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/full", "/dev/zero", tmp_path / "pipe", tmp_path):
        for use in (RecordFile, read):
            with pytest.raises(GameError, match="give an ordinary file"):
                use(path)


def test_a_line_without_an_end_is_no_game(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.arena.records.LONGEST", 100)
    (tmp_path / "long").write_bytes(b"x" * 101)
    with pytest.raises(GameError, match="a line has more than 100 bytes"):
        read(tmp_path / "long")


@pytest.mark.parametrize(
    "wrong",
    [
        {"start": 17},
        {"players": [1, 2]},
        {"payoffs": ["x", "y"]},
        {"payoffs": [True, False]},
        {"opening": "x"},
        {"fault": 5},
        {"fault": {"seat": "x", "details": ""}},
    ],
    ids=str,
)
def test_lines_that_say_impossible_things(tmp_path, wrong):
    (tmp_path / "games.jsonl").write_text(json.dumps({**MINIMAL, **wrong}) + "\n")
    with pytest.raises(GameError, match=f"line 1 of .* is not a game: its '{next(iter(wrong))}' cannot be"):
        read(tmp_path / "games.jsonl")
