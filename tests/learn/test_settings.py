"""The settings of a training: the cards of the weights that come with the package are written in them."""

import pytest

import zermelo
from zermelo.evaluate.files import read_card
from zermelo.evaluate.shipped import shipped_file
from zermelo.learn.settings import Settings

WITH_WEIGHTS = ["backgammon", "checkers", "chess", "connect-four", "othello"]


@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_cards_name_settings_that_there_are(name):
    trained = read_card(shipped_file(zermelo.load(name))).trained
    Settings.read(trained.get("settings", {}))
    flags = {f"--{setting.replace('_', '-')}" for setting in Settings().as_dict()}
    given = {word for word in trained["command"].split() if word.startswith("--")}
    assert given - {"--folder", "--weights", "--option"} <= flags
