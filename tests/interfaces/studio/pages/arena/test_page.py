"""Training runs and files of games as the arena page reads them: what it finds and says, and what damage does."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.arena.match_runner import MatchRunner
from zermelo.arena.plan import ROUND_ROBIN, make_plan
from zermelo.arena.standings import standings
from zermelo.arena.summary import Summary
from zermelo.core.game import GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.arena import games as arena_games
from zermelo.interfaces.studio.pages.arena.folder import MOST, Item, ago, list_folder
from zermelo.interfaces.studio.pages.arena.games import GameFile, brief, parse
from zermelo.interfaces.studio.pages.arena.library import KEPT, Library, OpenGames
from zermelo.interfaces.studio.pages.arena.replay import Replay, game_for, sides_of
from zermelo.interfaces.studio.pages.arena.tables import Contests, contest_html, fraction, game_row
from zermelo.interfaces.studio.pages.arena.training_run import WatchedRun, read_training, round_up, speed_svg
from zermelo.interfaces.studio.site import Site
from zermelo.learn.runs.progress import Log, Row
from zermelo.learn.runs.snapshots import SNAPSHOT, Description, write_snapshot
from zermelo.learn.zero.log import Log as NetworkLog
from zermelo.learn.zero.log import Score
from zermelo.learn.zero.snapshots import NAME as INDEX
from zermelo.learn.zero.snapshots import write_pieces

PLAYERS = ["random", "minimax:depth=1", "minimax:depth=2"]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue()


# -- made for the tests ------------------------------------------------------------------------------------------------


def make_run(folder: Path, games: int = 0, rows: int = 0, of: int = 1000, seconds: float = 0.0) -> Item:
    """A run's folder as a training leaves it; the weights do not matter here."""
    folder.mkdir(parents=True, exist_ok=True)
    description = Description(
        game="connect-four", name="connect-four", options={}, system="", settings={"games": of}, pairs=50, features="f",
        start="", command="zermelo train connect-four --games 1000", code="c", zermelo="0", created="2026-01-01",
    )  # fmt: skip
    description.write(folder)
    made = [Row(100 * (n + 1), 0.1, 0.5 / (n + 1), 30.0, 0.0, 0, 0.1 * n, 0.05, 10, 0, 5) for n in range(rows)]
    log = Log(made, {"positions": 10.0, "error": 1.0} if games else {}, [])
    card = {"trained": {"games": games, "baseline": "the hand-written evaluation"}}
    texts = {
        "run": description.identity, "log": json.dumps(log.as_dict()), "card": json.dumps(card),
        "seconds": repr(seconds),
    }  # fmt: skip
    write_snapshot(folder, {"w": np.zeros(4, np.float32)}, texts)
    return Item(folder.name, "run", folder, time.time())


@pytest.fixture(scope="module")
def tournament(tmp_path_factory) -> Path:
    """Twelve games of a round robin."""
    path = tmp_path_factory.mktemp("games") / "robin.jsonl"
    game = zermelo.load("tic-tac-toe")
    plan = make_plan(game, PLAYERS, kind=ROUND_ROBIN)
    assert len(list(MatchRunner(plan, 12, path=path).records(game))) == 12
    return path


def item_of(path: Path) -> Item:
    return Item(path.name, "games", path, 0.0)


def line(**changes: Any) -> bytes:
    record = {
        "game": "tic-tac-toe", "options": {}, "start": None, "players": ["a", "b"], "moves": ["b2"],
        "payoffs": [0.0, 0.0], "reason": "unfinished", "number": 0, "group": 0, "seats": [0, 1], "plan": "p",
        "kind": "match", "fault": None,
    }  # fmt: skip
    return json.dumps({**record, **changes}).encode() + b"\n"


# -- the list ----------------------------------------------------------------------------------------------------------


def test_the_list_finds_runs_and_games_two_folders_deep(tmp_path):
    make_run(tmp_path / "runs" / "deep" / "one")
    make_run(tmp_path / "runs" / "two")
    (tmp_path / "games.jsonl").write_bytes(line())
    (tmp_path / "runs" / "deep" / "three").mkdir()
    (tmp_path / "runs" / "deep" / "more.jsonl").write_bytes(line())
    (tmp_path / "runs" / "deep" / "three" / "toodeep.jsonl").write_bytes(line())
    (tmp_path / ".hidden.jsonl").write_bytes(line())
    (tmp_path / "notes.txt").write_text("x")
    found = {(item.name, item.kind) for item in list_folder(str(tmp_path))}
    assert found == {("runs/two", "run"), ("games.jsonl", "games"), ("runs/deep/more.jsonl", "games")}


def test_the_newest_come_first_and_no_more_than_so_many(tmp_path):
    for number in range(MOST + 5):
        path = tmp_path / f"{number:03}.jsonl"
        path.write_bytes(b"")
        os.utime(path, (number, number))
    found = list_folder(str(tmp_path))
    assert len(found) == MOST
    assert found[0].name == f"{MOST + 4:03}.jsonl"


def test_a_run_may_itself_be_the_folder(tmp_path):
    make_run(tmp_path / "mine")
    assert [item.name for item in list_folder(str(tmp_path / "mine"))] == ["mine"]


def test_a_folder_that_is_not_there_says_so(tmp_path):
    with pytest.raises(GameError, match="is not there"):
        list_folder(str(tmp_path / "nowhere"))


def test_links_to_folders_are_not_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x.jsonl").write_bytes(b"")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert [item.name for item in list_folder(str(tmp_path))] == ["real/x.jsonl"]


def test_ago():
    assert [ago(s) for s in (-5, 3, 75, 7300, 90000, 200000)] == [
        "0 s ago", "3 s ago", "1 min ago", "2 h ago", "1 day ago", "2 days ago"
    ]  # fmt: skip


# -- a training --------------------------------------------------------------------------------------------------------


def test_a_run_is_read_as_far_as_it_is(tmp_path):
    watched = WatchedRun(make_run(tmp_path / "run"))
    assert watched.refresh() == 1
    assert watched.training is not None
    assert "begins after 4 games" in watched.picture()
    make_run(tmp_path / "run", games=350, rows=3, seconds=10.0)
    assert watched.refresh() == 2
    assert watched.refresh() == 2  # nothing new
    training = watched.training
    assert (training.games, training.of, len(training.rows)) == (350, 1000, 3)
    facts = dict(training.facts())
    assert facts["points a game, last measured"] == "+0.200 ± 0.050"
    assert facts["games/s, on average"] == "35"
    assert facts["TD error since then"] == "0.1"
    assert "the hand-written evaluation" in watched.picture()
    assert training.state(training.changed + 5) == "Running: 350 of 1,000 games; last snapshot 5 s ago"
    assert training.state(training.changed + 500).startswith("Stopped, it seems")
    assert "<td>" in training.html()


def make_network_run(folder: Path, rounds: int, rows: int) -> Item:
    """A run's folder as `train zero` leaves it, without its tensors."""
    folder.mkdir(parents=True, exist_ok=True)
    description = Description(
        game="connect-four", name="connect-four", options={}, system="zero", settings={"rounds": 40}, pairs=50,
        features="f", start="", command="zermelo train zero connect-four", code="c", zermelo="0", created="2026-01-01",
    )  # fmt: skip
    description.write(folder)
    half, certain = Score(20, 0.75, 0.1), Score(20, 1.0, 0.0)
    log = NetworkLog()
    for n in range(rows):
        log.add({"games": 10.0, "plies": 200.0, "updates": 2.0, "loss": 2.0 - n, "policy_accuracy": 0.5})
        log.close(10 * (n + 1), 10 * (n + 1), 0.001, certain, half)
    texts = {"run": description.identity, "log": json.dumps(log.as_dict()), "seconds": "120.0", "rounds": str(rounds)}
    write_pieces(folder, {}, texts)
    return Item(folder.name, "run", folder, time.time())


def test_a_training_of_a_network_is_read_in_rounds(tmp_path):
    watched = WatchedRun(make_network_run(tmp_path / "net", rounds=1, rows=0))
    assert watched.refresh() == 1
    assert "sixteenth" in watched.picture()
    make_network_run(tmp_path / "net", rounds=24, rows=2)
    assert watched.refresh() == 2
    training = watched.training
    assert training is not None
    assert training.state(training.changed + 5) == "Running: 24 of 40 rounds; last snapshot 5 s ago"
    facts = dict(training.facts())
    assert facts["rounds/min, on average"] == "12.0"
    assert facts["won against random moves"] == "100.0% ± 0.0%"
    assert facts["the search's move is the policy's"] == "50.0%"
    assert facts["Elo of the policy alone, last measured"] == "+382"  # twice what 75 % mean
    assert watched.picture().startswith("<svg")


@pytest.mark.parametrize("content", [None, b"", b"[1, 2]", b'{"pieces": [], "texts": {"run": "another"}}'])
def test_a_damaged_training_of_a_network_says_so_and_names_no_path(tmp_path, content):
    item = make_network_run(tmp_path / "net", rounds=24, rows=2)
    assert [one.name for one in list_folder(str(tmp_path))] == ["net"]
    (item.path / INDEX).unlink() if content is None else (item.path / INDEX).write_bytes(content)
    with pytest.raises(GameError, match="net") as problem:
        read_training(item)
    assert str(tmp_path) not in str(problem.value)


def test_speed_is_what_the_snapshots_say(tmp_path):
    watched = WatchedRun(make_run(tmp_path / "run"))
    for games, seconds in ((100, 1.0), (300, 2.0), (1000, 4.0)):
        make_run(tmp_path / "run", games=games, rows=1, seconds=seconds)
        os.utime(tmp_path / "run" / SNAPSHOT, ns=(games, games))
        watched.refresh()
    assert watched.rates() == [(300, 200.0), (1000, 350.0)]
    assert "games/s" in watched.speed_picture()
    assert watched.training is not None
    assert watched.training.state(time.time()) == "Finished: 1,000 games"
    make_run(tmp_path / "run", games=50, rows=1, seconds=1.0)  # begun again
    watched.refresh()
    assert watched.rates() == []
    assert watched.speed_picture() == ""


def test_one_point_is_a_picture_too():
    assert speed_svg([(100, 0.0)]).startswith("<svg")
    assert [round_up(x) for x in (0.3, 1, 3, 70, 4400)] == [1, 1, 5, 100, 5000]


@pytest.mark.parametrize(
    "damage", ["cut", "garbage", "gone", "other run", "no run.json", "strange rows", "strange log"]
)
def test_a_damaged_run_says_so_and_names_no_path(tmp_path, damage):
    item = make_run(tmp_path / "run", games=10, rows=1)
    snapshot = item.path / SNAPSHOT
    if damage == "cut":
        snapshot.write_bytes(snapshot.read_bytes()[:100])
    elif damage == "garbage":
        snapshot.write_bytes(os.urandom(400))
    elif damage == "gone":
        snapshot.unlink()
    elif damage == "other run":
        other = make_run(tmp_path / "other", of=77)
        (item.path / "run.json").write_bytes((other.path / "run.json").read_bytes())
    elif damage == "no run.json":
        (item.path / "run.json").unlink()
    else:
        description = Description.read(item.path)
        row = {**Log([Row(1, *[0.0] * 10)]).as_dict()["rows"][0], "games": 0, "error": "x"}  # type: ignore[arg-type]
        log = {"rows": [row], "sums": {}, "undone": []} if damage == "strange rows" else [1, 2]
        texts = {"run": description.identity, "log": json.dumps(log), "card": '{"trained": {}}', "seconds": "1"}
        write_snapshot(item.path, {"w": np.zeros(1)}, texts)
    with pytest.raises(GameError) as problem:
        read_training(item)
    assert str(tmp_path) not in str(problem.value)
    assert "run" in str(problem.value)
    watched = WatchedRun(item)
    watched.refresh()
    assert watched.training is None
    assert watched.problem


# -- files of games ----------------------------------------------------------------------------------------------------


def test_a_tournament_gets_the_table_its_summary_gives(tournament, catalogue):
    opened = OpenGames(item_of(tournament), catalogue)
    assert opened.refresh() == opened.refresh()
    assert len(opened.file.games) == 12
    assert opened.file.complaints() == []
    game = zermelo.load("tic-tac-toe")
    summary = Summary(make_plan(game, PLAYERS, kind=ROUND_ROBIN))
    for _, record in zip(range(12), map(parse, tournament.read_bytes().splitlines()), strict=True):
        summary.add(record)
    table = standings(summary)
    assert {one.player for one in table} == set(PLAYERS)
    assert sum(one.points for one in table) == 12
    assert [one.elo for one in table] == sorted((one.elo for one in table), reverse=True)
    for one in table:
        assert one.player in opened.html
        assert f"{fraction(one.points)}/{one.games}" in opened.html
        assert f"± {one.half:.0f}" in opened.html
    assert "tournament: 12 games" in opened.html


def test_a_growing_file_is_read_on_and_a_torn_line_waited_for(tournament, tmp_path, catalogue):
    lines = tournament.read_bytes().splitlines(keepends=True)
    path = tmp_path / "g.jsonl"
    path.write_bytes(b"".join(lines[:2]) + lines[2][:30])
    opened = OpenGames(item_of(path), catalogue)
    first = opened.refresh()
    assert len(opened.file.games) == 2
    assert opened.file.complaints() == []
    with path.open("ab") as file:
        file.write(lines[2][30:] + b"".join(lines[3:]))
    assert opened.refresh() != first
    assert len(opened.file.games) == 12
    whole = OpenGames(item_of(tournament), catalogue)
    whole.refresh()
    assert opened.html == whole.html
    path.unlink()
    path.write_bytes(lines[0])  # another file under this name
    opened.refresh()
    assert len(opened.file.games) == 1
    assert "1 game" in opened.html
    path.unlink()
    opened.refresh()
    assert opened.file.games == []
    assert "cannot be read" in opened.file.complaints()[0]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"not JSON\n", "it is not JSON"), (b"[1, 2]\n", "it is a list"), (b"{}\n", "it lacks 'game'"),
        (b"\xff\xfe\n", "not JSON"), (b"[" * 100_000 + b"\n", "not JSON"), (line(moves=[1]), "not texts"),
        (line(payoffs=["x", 1]), "payoffs are not numbers"),
        (line(payoffs=[float("nan"), 0.0]), "payoffs are not numbers"),
    ],
)  # fmt: skip
def test_a_damaged_line_is_told_and_the_others_are_kept(tmp_path, content, says):
    path = tmp_path / "g.jsonl"
    path.write_bytes(line() + content + line(number=1))
    file = GameFile(item_of(path))
    file.refresh()
    assert len(file.games) == 2
    assert len(file.complaints()) == 1
    assert file.complaints()[0].startswith("g.jsonl: line 2 is not a game")
    assert says in file.complaints()[0]
    assert str(tmp_path) not in file.complaints()[0]


def test_much_damage_is_counted(tmp_path):
    path = tmp_path / "g.jsonl"
    path.write_bytes(b"x\n" * 10)
    file = GameFile(item_of(path))
    file.refresh()
    assert file.complaints()[-1] == "7 more lines are damaged"


def test_a_file_without_lines_is_not_read_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(arena_games, "CHUNK", 1000)
    monkeypatch.setattr(arena_games, "LONGEST_LINE", 1000)
    path = tmp_path / "g.jsonl"
    path.write_bytes(b"x" * 5000)
    file = GameFile(item_of(path))
    file.refresh()
    assert "too long" in file.complaints()[0]


def test_a_large_file_is_read_in_pieces_up_to_a_number_of_games(tmp_path, monkeypatch):
    monkeypatch.setattr(arena_games, "CHUNK", 1000)
    path = tmp_path / "g.jsonl"
    path.write_bytes(b"".join(line(number=n, group=n // 2) for n in range(50)))
    file = GameFile(item_of(path))
    file.refresh()
    assert len(file.games) < 50  # a look is short; the next ones go on
    while file.refresh():
        pass
    assert [game.number for game in file.games] == list(range(50))
    assert all(game.options is file.games[0].options for game in file.games)
    monkeypatch.setattr(arena_games, "MOST_GAMES", 10)
    file = GameFile(item_of(path))
    while file.refresh():
        pass
    assert 10 <= len(file.games) < 20
    assert "only the first" in file.complaints()[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": [0]}, {"seats": "ab"}, {"seats": [0, -1]}, {"seats": [0, 10**9]},
        {"number": None}, {"group": 1.5}, {"plan": 3},
    ],
)  # fmt: skip
def test_a_game_of_no_match_is_listed_without_a_table(changes, catalogue):
    found = brief(parse(line(**changes)))
    assert found.plan == ""
    contests = Contests(lambda game: (0, 1))
    contests.add([found])
    assert contests.found == {}
    assert game_row(4, found)["number"] == 5


def test_a_game_for_one_gets_means(catalogue):
    games = [
        brief(parse(line(game="x", players=[name], seats=[n], payoffs=[10.0 * n + g], number=2 * g + n, group=g)))
        for g in range(3) for n, name in enumerate(("calm", "<wild>"))
    ]  # fmt: skip
    contests = Contests(lambda game: (0,))
    contests.add(games)
    html = contest_html(contests.found["p"])
    assert "mean payoff" in html
    assert "&lt;wild&gt;" in html
    assert "+11.000 ± " in html


def test_faults_and_two_players_are_told(catalogue):
    games = [
        brief(parse(line(payoffs=[1.0, -1.0], reason="illegal move", fault={"seat": 1}, number=n, group=n // 2)))
        for n in range(4)
    ]
    contests = Contests(lambda game: sides_of(catalogue, game))
    contests.add(games)
    html = contest_html(contests.found["p"])
    assert "b: 4 lost by a fault (illegal move)" in html
    assert "a against b: 4 won, 0 drawn, 0 lost" in html


# -- one game ----------------------------------------------------------------------------------------------------------


def test_a_game_is_replayed_to_its_final_board(tournament, catalogue):
    opened = OpenGames(item_of(tournament), catalogue)
    opened.refresh()
    replay = opened.replay(3)
    assert replay.problem == ""
    assert replay.game is not None
    assert replay.last == len(replay.moves) == opened.file.games[3].plies
    assert replay.game.is_end(replay.states[-1])
    assert replay.board(replay.last) == replay.game.svg(replay.states[-1])
    assert replay.board(10**9) == replay.board(replay.last)
    assert f"<b>{replay.moves[1]}</b>" in replay.moves_html(2)
    assert opened.file.games[3].players[0] in replay.heading()
    for place in (-1, 12, None, "3", True, 1.0, [3]):
        with pytest.raises(GameError, match="no such game"):
            opened.replay(place)


def test_a_game_with_a_wrong_move_is_shown_as_far_as_it_goes(catalogue):
    replay = Replay(catalogue, parse(line(moves=["b2", "b2", "<i>"])))
    assert replay.last == 1
    assert "move 2 of the record, b2" in replay.problem
    assert "&lt;i&gt;" in replay.moves_html(0)


def test_a_long_game_stops_being_replayed(catalogue):
    replay = Replay(catalogue, parse(line(moves=["b2", "a1"])), seconds=-1)
    assert "too long" in replay.problem
    assert replay.last == 0


@pytest.mark.parametrize(
    "changes",
    [{"game": "/tmp/evil.py:Game"}, {"game": "no-such"}, {"options": {"size": 3}}, {"start": 5}, {"start": "x"}],
)
def test_a_record_opens_no_file_and_its_options_are_checked(catalogue, changes, tmp_path):
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    if "evil" in str(changes):
        changes = {"game": f"{evil}:Game"}
    replay = Replay(catalogue, parse(line(**changes)))
    assert replay.problem
    assert replay.board(0) == ""
    assert replay.moves == ["b2"]
    assert not (tmp_path / "ran").exists()


def test_an_unknown_game_of_two_has_two_sides(catalogue):
    assert sides_of(catalogue, brief(parse(line(game="elsewhere")))) == (0, 1)
    three = line(game="elsewhere", players=["a", "b", "c"], seats=[0, 1, 2], payoffs=[0, 0, 0])
    assert sides_of(catalogue, brief(parse(three))) is None
    assert game_for(catalogue, "tic-tac-toe", {}).players == 2


def test_what_visitors_opened_is_shared_and_bounded(tmp_path, catalogue):
    library = Library(Site(catalogue, Bounds()))
    items = [item_of(tmp_path / f"{n}.jsonl") for n in range(KEPT + 1)]
    first = library.open(items[0])
    assert library.open(items[0]) is first
    for item in items[1:]:
        library.open(item)
    assert library.open(items[0]) is not first
