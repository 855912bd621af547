"""`zermelo tables`."""

import json

import pytest


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
def test_what_is_not_there_is_told(refused, folder):
    at = ("--folder", folder)
    assert "in none of the tables there are" in refused("tables", "probe", "checkers", "B:WK9,K10,K11:BK5", *at)
    assert "delete it and build it anew" in _with_a_damaged_file(refused, folder)


def _with_a_damaged_file(refused, folder):
    victim = sorted((folder / "checkers").glob("*.wdl"))[0]
    victim.write_bytes(victim.read_bytes()[:-1])
    return refused("tables", "counts", "checkers", "--folder", folder)


def test_games_without_tables(refused, zermelo_cli, tmp_path):
    at = ("--folder", tmp_path)
    assert "tic-tac-toe does not number its endings" in refused("tables", "build", "tic-tac-toe", "--limit", 3, *at)
    assert "`zermelo tables build checkers --limit N` makes them" in refused("tables", "counts", "checkers", *at)
    assert "there are no tables in" in zermelo_cli("tables", "list", *at).out
    assert "allowed" in refused("tables", "build", "checkers", "--limit", 2, "--memory", 0.01, "--json", *at)
