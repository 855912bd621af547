"""`zermelo games`, and the catalogue it reads from the files, which must say what the games themselves say."""

import json

import pytest

import zermelo
from zermelo.compile.record_game import RecordGame
from zermelo.core.registry import find
from zermelo.interfaces.cli.common.catalogue import catalogue, read_entry


def test_every_game_is_listed(zermelo_cli):
    outcome = zermelo_cli("games")
    assert outcome.code == 0
    for name in zermelo.games():
        assert any(line.startswith(f"{name} ") for line in outcome.out.splitlines())


def test_as_json(zermelo_cli):
    told = json.loads(zermelo_cli("games", "--json").out)
    assert [entry["name"] for entry in told] == zermelo.games()
    assert all(entry["description"] for entry in told)


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.name)
def test_the_catalogue_is_right(entry):
    game = zermelo.load(entry.name)
    assert entry.players in (game.players, None)
    if isinstance(game, RecordGame):
        assert entry.chance in (bool(game.variant.max_chance_outcomes), None)
        assert entry.options == find(entry.name).parameters
    assert entry.description


def test_a_file_that_says_nothing(tmp_path):
    (tmp_path / "x.py").write_text('"""Nothing here."""\n')
    entry = read_entry("x", tmp_path / "x.py")
    assert (entry.players, entry.chance, entry.description, entry.options) == (None, None, "Nothing here.", {})
