"""The settings of a training: the cards of the weights that come with the package are written in them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer

import zermelo
from zermelo.core.game import GameError
from zermelo.evaluate.files import read_card
from zermelo.evaluate.shipped import shipped_file
from zermelo.interfaces.cli import train
from zermelo.learn import commands, settings, systems
from zermelo.learn.settings import Settings, setting, table

WITH_WEIGHTS = ["backgammon", "checkers", "chess", "connect-four", "othello"]


@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_cards_name_settings_that_there_are(name):
    trained = read_card(shipped_file(zermelo.load(name))).trained
    Settings.read(trained.get("settings", {}))
    flags = {f"--{setting.replace('_', '-')}" for setting in Settings().as_dict()}
    given = {word for word in trained["command"].split() if word.startswith("--")}
    assert given - {"--folder", "--weights", "--option"} <= flags


def test_the_documents_have_all_settings():
    assert table() in (Path(__file__).parents[2] / "docs" / "learning.md").read_text(encoding="utf-8")


def test_a_setting_is_declared_once(monkeypatch, capsys):
    """One field, and there is an option, a check, a word on the card and a row of the table."""

    @dataclass(frozen=True)
    class More(Settings):
        patience: float = setting(0.5, "How long to wait.", 0, 1)

    for module in (settings, train, commands):
        monkeypatch.setattr(module, "Settings", More, raising=False)
    monkeypatch.setattr(systems, "Settings", More)
    assert "| `patience` | 0.5 | How long to wait. |" in settings.table()
    with pytest.raises(GameError, match="patience must be a number from 0 to 1, not 2"):
        More(patience=2)
    given = {}

    @train.with_settings
    def command(subject: str = "x", **told: Any) -> None:
        given.update(train.read_settings(told))

    app = typer.Typer()
    app.command()(command)
    app(["--patience", "0.25", "--hidden", "4,2", "--num-features", "none"], standalone_mode=False)
    assert given == {"patience": 0.25, "hidden": (4, 2), "num_features": None}
    game = zermelo.load("nim")
    assert commands.command_for(game, More(patience=0.25), systems.PLAIN).endswith("--patience 0.25")
