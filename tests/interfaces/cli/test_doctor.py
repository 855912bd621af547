"""`zermelo doctor`."""

import json

import numba
import numpy as np
import pytest

from tests.solve.graph_game import graph_game
from zermelo.interfaces.cli import doctor
from zermelo.solve.tables.build import build_tables
from zermelo.tables import flat

OURS = [
    "perft.count_lines-" + 24 * "a" + ".nbc",
    "perft.count_lines-" + 24 * "b" + ".nbc",
    "look.look-" + 24 * "c" + ".nbc",
]
HALF = "look.look-" + 24 * "d" + "." + 12 * "e" + ".tmp"
THEIRS = ["notes.txt", "perft.nbc", "x-123.nbc", "other.tmp"]
TABLES = [f"checkers-{16 * 'a'}.uint8", f"kalah,pits=5-{16 * 'b'}.uint16", f"backgammon-{16 * '0'}.float32"]
HALF_A_TABLE = f".checkers-{16 * 'c'}.uint8.{12 * 'd'}.tmp"
NO_TABLES = ["00000.wdl", f"checkers-{16 * 'a'}.txt", "notes-ab.uint8"]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("ZERMELO_CACHE", str(folder))
    for name in [*OURS, HALF, *THEIRS]:
        (folder / name).write_bytes(b"12345678")
    return folder


def test_what_there_is(zermelo_cli, cache):
    told = json.loads(zermelo_cli("doctor", "--json").out)
    assert told["packages"]["numpy"] == np.__version__
    assert told["packages"]["numba"] == numba.__version__
    assert told["compiler"]["works"] is True
    assert told["cores"] >= 1
    assert told["cache"] == {
        "folder": str(cache),
        "writable": True,
        "files": 4,
        "bytes": 32,
        "kernels": {"look.look": 1, "perft.count_lines": 2},
        "tables": 0,
    }


def test_tables_that_were_unpacked_are_counted_and_cleaned(zermelo_cli, cache):
    """They are the largest files there."""
    (cache / "tables").mkdir()
    for name in [*TABLES, HALF_A_TABLE, *NO_TABLES]:
        (cache / "tables" / name).write_bytes(bytes(1000))
    told = json.loads(zermelo_cli("doctor", "--json").out)["cache"]
    assert (told["files"], told["bytes"], told["tables"]) == (8, 4032, 3)
    assert told["kernels"] == {"look.look": 1, "perft.count_lines": 2}
    assert "unpacked tables" in zermelo_cli("doctor").out
    assert json.loads(zermelo_cli("doctor", "--clean", "--json").out)["cache"]["removed"] == 8
    assert sorted(path.name for path in (cache / "tables").iterdir()) == sorted(NO_TABLES)


def test_a_table_that_was_unpacked_is_known_by_its_name(zermelo_cli, cache, monkeypatch):
    monkeypatch.setattr(flat, "LARGE", 8)
    game = graph_game(1)
    build_tables(game, 2, folder=cache.parent, with_plies=True).known(True)
    assert json.loads(zermelo_cli("doctor", "--json").out)["cache"]["tables"] == 2


def test_for_people(zermelo_cli, cache):
    outcome = zermelo_cli("doctor")
    assert outcome.code == 0
    assert "perft.count_lines ×2" in outcome.out
    assert str(cache) in outcome.out.replace("\n", "")
    assert "works" in outcome.out


def test_a_game_that_might_run_on_a_card(zermelo_cli, cache):
    outcome = zermelo_cli("doctor", "tic-tac-toe")
    assert "tic-tac-toe there" in outcome.out
    told = json.loads(zermelo_cli("doctor", "tic-tac-toe", "--json").out)["rules"]
    assert told["game"] == "tic-tac-toe"
    assert told["works"] in (True, None)  # compiled for a card, or there is no compiler for one
    assert zermelo_cli("doctor", "tree").code != 0


def test_cleaning_takes_only_what_is_ours(zermelo_cli, cache):
    outcome = zermelo_cli("doctor", "--clean", "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["cache"]["removed"] == 4
    assert sorted(path.name for path in cache.iterdir()) == sorted(THEIRS)


def test_a_cache_that_is_not_there(zermelo_cli, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "never"))
    told = json.loads(zermelo_cli("doctor", "--clean", "--json").out)
    assert told["cache"]["files"] == told["cache"]["removed"] == 0
    assert not (tmp_path / "never").exists()


def test_a_compiler_that_does_not_work(zermelo_cli, monkeypatch):
    monkeypatch.setattr(doctor, "_compile_something", lambda: {"works": False, "note": "ImportError: no llvm"})
    outcome = zermelo_cli("doctor")
    assert outcome.code == 1
    assert "does not work: ImportError: no llvm" in outcome.out
    assert "interpreted" in outcome.out


def test_a_package_that_is_not_there(zermelo_cli, monkeypatch):
    monkeypatch.setattr(doctor, "_version", lambda name: None)
    assert "not installed (for figures of experiments)" in zermelo_cli("doctor").out


@pytest.mark.parametrize("below", [".", "below"])
def test_a_file_is_no_cache(zermelo_cli, monkeypatch, tmp_path, below):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "file" / below))
    assert json.loads(zermelo_cli("doctor", "--json").out)["cache"]["writable"] is False
    assert "cannot be written to: nothing is kept" in zermelo_cli("doctor").out.replace("\n", " ")
