"""`zermelo tables`."""

import dataclasses
import json

import pytest

import zermelo
from tests.solve.test_tables import rewrite
from zermelo import GameError
from zermelo.compile.endings import read_endings
from zermelo.interfaces.cli.tables.build import need_limit
from zermelo.tables.tables import SHIPPED

ON_ACE_AND_SIX = ([14, 0, 0, 0, 0, 0, 1] + [0] * 19, [14, 1] + [0] * 24)  # one checker each


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


@pytest.mark.jit
def test_built_counted_probed_and_verified(zermelo_cli, folder):
    at = ("--folder", folder)
    built = zermelo_cli("tables", "build", "checkers", "--limit", 2, "--distance", *at)
    assert built.code == 0
    assert "3,488 positions to work out, in about 0.10 GiB of memory" in built.out
    again = zermelo_cli("tables", "build", "checkers", "--limit", 2, "--json", *at)
    assert [row["win"] for row in json.loads(again.out)["classes"] if row["class"] is None] == [716]
    counted = zermelo_cli("tables", "counts", "checkers", *at)
    assert [line.split() for line in counted.out.splitlines() if line.startswith("2      all")] == [
        ["2", "all", "3,488", "716", "402", "2,370", "13"]
    ]
    probed = zermelo_cli("tables", "probe", "checkers", "B:WK9:BK5", *at)
    assert "won in 1 ply" in probed.out
    told = json.loads(zermelo_cli("tables", "probe", "checkers", "W:WK9:BK5", "--json", *at).out)
    assert (told["value"], told["view"]) == (0, "mover")
    assert zermelo_cli("tables", "verify", "checkers", *at).out.startswith("3,488 positions agree")
    listed = json.loads(zermelo_cli("tables", "list", "--json", *at).out)["tables"]
    assert [(row["game"], row["limit"], row["positions"], row["with_plies"]) for row in listed] == [
        ("checkers", 2, 3488, True)
    ]


@pytest.mark.jit
def test_a_book_is_drawn_a_match_is_played_from_it_and_reviewed(zermelo_cli, refused, folder, tmp_path):
    at, book, games = ("--folder", folder), tmp_path / "book.txt", tmp_path / "games.jsonl"
    drawn = zermelo_cli("tables", "sample", "checkers", "--limit", 2, "--worth", "won,drawn", "-n", 20, *at).out
    assert (
        drawn == zermelo_cli("tables", "sample", "checkers", "--limit", 2, "--worth", "won, drawn", "-n", 20, *at).out
    )
    book.write_text(f"# two pieces\n\n{drawn}")
    played = zermelo_cli("match", "checkers", "random", "random", "--book", book, "-g", 40, "-j", 0, "-r", games)
    assert played.code == 0
    told = json.loads(zermelo_cli("tables", "review", games, "--json", *at).out)
    rows = {row["worth"]: row for row in told["rows"]}
    assert told["passed over"] == 0
    assert sum(row["games"] for row in rows.values()) == 80  # both sides of forty games
    assert rows["won"]["games"] == rows["lost"]["games"] > 0
    assert rows["lost"]["kept"] == rows["lost"]["games"]  # less cannot be had
    assert rows["drawn"]["kept"] < rows["drawn"]["games"]
    assert rows["drawn"]["faults"] > rows["drawn"]["games"] - rows["drawn"]["faultless"] > 0
    assert "from a position that was" in zermelo_cli("tables", "review", games, *at).out
    assert "not 'fun'" in refused("tables", "sample", "checkers", "--limit", 2, "--worth", "fun", *at)
    assert "up to exactly 3" in refused("tables", "sample", "checkers", "--limit", 3, *at)


@pytest.mark.jit
def test_what_is_not_there_is_told(refused, folder):
    at = ("--folder", folder)
    assert "in none of the tables there are" in refused("tables", "probe", "checkers", "B:WK18,K19,K27:BK5", *at)
    assert "delete it and build it anew" in _with_a_damaged_file(refused, folder)


def test_where_the_game_is_over_the_rules_say_what_it_is_worth(zermelo_cli):
    probe = ("tables", "probe", "chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "-o", "compiled=false")
    assert zermelo_cli(*probe).out.strip() == "chess, the game is over: +1 for player 0, -1 for player 1"
    told = json.loads(zermelo_cli(*probe, "--json").out)
    assert (told["value"], told["plies"], told["view"], told["moves"]) == (1.0, 0, "player 0", [])


def _with_a_damaged_file(refused, folder):
    victim = sorted((folder / "checkers").glob("*.wdl"))[0]
    victim.write_bytes(victim.read_bytes()[:-1])
    return refused("tables", "counts", "checkers", "--folder", folder)


def test_files_that_make_no_sense_are_told_of(refused, zermelo_cli, tmp_path):
    for said in ({"counts": {}}, {"size": 10_000_000}):
        place = tmp_path / str(*said) / "chess"
        place.mkdir(parents=True)
        rewrite(next(SHIPPED.glob("chess/*.wdl")), place / "00008.wdl", number=8, **said)
        at = ("--folder", place.parent)
        assert "anew" in refused("tables", "counts", "chess", "-o", "compiled=false", *at)
        if "counts" in said:
            listed = zermelo_cli("tables", "list", *at)
            assert (listed.code, listed.out) == (1, "")
            assert "is damaged" in listed.err


def test_games_without_tables(refused, zermelo_cli, tmp_path):
    at = ("--folder", tmp_path)
    assert "tic-tac-toe does not number its endings" in refused("tables", "build", "tic-tac-toe", "--limit", 3, *at)
    assert "`zermelo tables build checkers --limit N` makes them" in refused("tables", "counts", "checkers", *at)
    assert "there are no tables in" in zermelo_cli("tables", "list", *at).out
    assert "allowed" in refused("tables", "build", "checkers", "--limit", 2, "--memory", 0.01, "--json", *at)


@pytest.mark.parametrize("name", ["checkers", "chess", "backgammon", "kalah", "nine-mens-morris"])
def test_what_takes_seconds_is_built_if_nothing_is_said(name):
    game = zermelo.load(name, compiled=False)
    sizes = [one.size for group in read_endings(game, need_limit(game, None)) for one in group]
    assert 100_000 < sum(sizes) < 8_000_000


def test_without_a_limit_there_must_be_one(monkeypatch):
    game = zermelo.load("kalah", compiled=False)
    monkeypatch.setattr(game, "variant", dataclasses.replace(game.variant, small_endings=None))
    assert need_limit(game, 3) == 3
    with pytest.raises(GameError, match="give --limit"):
        need_limit(game, None)


@pytest.mark.slow
@pytest.mark.jit
def test_a_game_with_chance(zermelo_cli, tmp_path):
    at = ("--folder", tmp_path)
    assert zermelo_cli("tables", "build", "backgammon", "--limit", 2, *at).code == 0
    s = zermelo.load("backgammon", points=ON_ACE_AND_SIX, dice=(0, 0), turn=0).start()
    probed = zermelo_cli("tables", "probe", "backgammon", s.game.format(s), *at).out
    assert "player 0 needs 1.250000 turns on average" in probed
    assert (
        "backgammon, chance to move: +0.500000 on average" in probed
    )  # 27 rolls of 36 bear it off, and else the other does
    rolled = s.game.succ(s, 65)
    told = json.loads(zermelo_cli("tables", "probe", "backgammon", s.game.format(rolled), "--json", *at).out)
    assert [move["value"] for move in told["moves"]] == [1.0]
    assert zermelo_cli("tables", "verify", "backgammon", *at).out.startswith("54,993 positions agree")
    assert "54,300" in zermelo_cli("tables", "counts", "backgammon", *at).out
    listed = json.loads(zermelo_cli("tables", "list", "--json", *at).out)["tables"]
    assert [(row["game"], row["positions"]) for row in listed] == [("backgammon", 54_993)]


def test_a_build_makes_anew_what_is_damaged(refused, zermelo_cli, tmp_path):
    """It says what a file holds, so the file must hold it. A list tells of the others, and which one is damaged."""
    at = ("tables", "build", "checkers", "-o", "compiled=false", "--limit", 1, "--folder", tmp_path)
    build = ("tables", "build", "kalah", "-o", "compiled=false", "-o", "pits=1", "--limit", 2, "--folder", tmp_path)
    other = [word.replace("pits=1", "pits=2") if isinstance(word, str) else word for word in build]
    assert refused(*at)  # nobody has an ending of one piece
    zermelo_cli(*build)
    victim = sorted(tmp_path.glob("kalah*/*.wdl"))[0]
    whole = victim.read_bytes()
    for content, told in (
        (b"", "is damaged: "),
        (b"no table", "is no table of endings: "),
        (whole[:14] + b"?" + whole[15:], "is of another version of zermelo: "),
        (whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:], "is damaged: "),
    ):
        victim.write_bytes(content)
        if len(content) < len(whole):
            zermelo_cli(*other)
            listed = zermelo_cli("tables", "list", "--folder", tmp_path)
            assert listed.code == 1
            assert "pits=2" in listed.out
            assert f"'{victim}' {told}delete it and build it anew" in " ".join(listed.err.split())
            assert json.loads(zermelo_cli("tables", "list", "--json", "--folder", tmp_path).out)["damaged"]
        built = zermelo_cli(*build)
        assert built.code == 0
        assert f"'{victim}' {told}built anew" in " ".join(built.err.split())
        assert victim.read_bytes() == whole
    victim.unlink()
    zermelo_cli(*build)
    assert victim.read_bytes() == whole
    victim.unlink()
    victim.mkdir()  # nobody's table, and nothing that is deleted for one
    assert str(victim) in refused(*build)
    assert victim.is_dir()


def test_a_build_says_what_it_does_not_do(refused, zermelo_cli, tmp_path):
    build = ("tables", "build", "checkers", "-o", "compiled=false", "--folder", tmp_path, "--memory", 0.01)
    told = zermelo_cli(*build, "--limit", 99)
    assert "checkers numbers no endings between 8 and 99: these are those up to 8" in " ".join(told.out.split())
    kept = ("tables", "build", "kalah", "-o", "compiled=false", "-o", "pits=1", "--limit", 2, "--folder", tmp_path)
    assert zermelo_cli(*kept).code == 0
    assert "not 'foo'" in refused(*kept, "--device", "foo")  # also where there is nothing left to do


def test_a_review_knows_the_tables_of_the_package(zermelo_cli, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path / "none"))
    book, games = tmp_path / "book.txt", tmp_path / "games.jsonl"
    position = zermelo_cli("tables", "sample", "checkers", "--limit", 2, "--worth", "won", "-n", 1).out
    book.write_text(position)
    played = zermelo_cli("match", "checkers", "random", "random", "--book", book, "-g", 2, "-j", 0, "-r", games)
    assert played.code == 0
    told = json.loads(zermelo_cli("tables", "review", games, "--json").out)
    assert told["passed over"] == 0


@pytest.mark.parametrize("memory", ["inf", "nan"])
def test_memory_is_a_number(refused, memory, tmp_path):
    said = refused("tables", "build", "checkers", "--limit", 2, "--memory", memory, "--folder", tmp_path)
    assert "--memory" in said


def test_folders_and_tables_have_names(refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "'' is not the name of a" in refused("tables", "build", "checkers", "--limit", 2, "--folder", "")
    assert "'' is not the name of a" in refused("experiment", "truth", "checkers", "--folder", "")
    for word in ("--folder", "--resume"):
        assert "'' is not the name of a" in refused("train", "tic-tac-toe", word, "")
    assert not list(tmp_path.iterdir())
    checkers = zermelo.load("checkers", compiled=False)
    for tables in (True, 3, ""):
        with pytest.raises(GameError, match=r"tables must be auto, on, off or the folder|is not the name of a"):
            zermelo.solve(checkers, "B:WK9:B1,K20", tables=tables)


def test_averages_are_not_sampled_by_worth(refused):
    assert "backgammon has chance: its endings" in refused("tables", "sample", "backgammon", "--limit", 6)
