"""The tables that come with the package, and how they are found."""

import pytest

import zermelo
from zermelo.solve.tables.build import build_tables
from zermelo.tables.files import TableFile
from zermelo.tables.tables import SHIPPED, Tables, find_tables, folder_for

LIMITS = {"backgammon": 6, "checkers": 4, "chess": 3, "kalah": 8, "nine-mens-morris": 3}
MOST = 6_000_000  # bytes in all


def test_all_files_are_whole_and_small_enough():
    paths = [path for path in SHIPPED.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in paths) < MOST
    games = set()
    for path in paths:
        file = TableFile(path)
        file.content()  # by its checksum
        assert path.name == f"{file.header.number:05d}.{file.header.kind}"
        games.add(file.header.game)
    assert games == set(LIMITS)


@pytest.mark.jit
def test_they_are_found_for_these_rules():
    game = zermelo.load("kalah")
    tables = find_tables(game)
    assert {header.limit for header in tables.headers()} == {*range(2, 9)}
    assert tables.folder != tables.places[1] == folder_for(game, SHIPPED)


def test_where_there_are_none(tmp_path):
    assert find_tables(zermelo.load("tic-tac-toe", compiled=False)) is None
    assert find_tables(zermelo.load("kalah", compiled=False, pits=5)) is None
    assert find_tables(zermelo.load("kalah", compiled=False), tmp_path) is None  # a folder is all there is to look at


@pytest.mark.jit
def test_the_users_own_come_first(tmp_path, monkeypatch):
    game = zermelo.load("kalah")
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))
    build_tables(game, 2)
    tables = find_tables(game)
    assert [header.limit for header in Tables(game).headers()] == [2]
    assert {header.limit for header in tables.headers()} == {*range(2, 9)}
    assert tables.file(tables.headers()[0].number).path.parent == tables.folder
    assert tables.file(tables.headers()[-1].number).path.is_relative_to(SHIPPED)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("name", LIMITS)
def test_a_build_makes_the_same_bytes(name, tmp_path):
    game = zermelo.load(name)
    built = build_tables(game, LIMITS[name], with_plies=not game.variant.max_chance_outcomes, folder=tmp_path)
    shipped = folder_for(game, SHIPPED)
    names = {path.name for path in shipped.iterdir()}
    all_but_turns = {path.name for path in built.folder.iterdir() if path.suffix != ".turns"}  # 5.4 MB
    assert names == all_but_turns - {"lock"}
    for each in names:
        assert (shipped / each).read_bytes() == (built.folder / each).read_bytes()
