"""What a notebook shows by itself: games, states, games in progress and trees draw themselves as SVG."""

from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.compile.record_game import RecordGame
from zermelo.core.trace import Node
from zermelo.drawing.tree.drawing import draw, game_tree


def is_svg(text):
    return ElementTree.fromstring(text).tag.rpartition("}")[2] == "svg"


@pytest.mark.parametrize("name", zermelo.games())
def test_a_game_and_its_states_show_themselves(name):
    game = zermelo.load(name)
    if isinstance(game, RecordGame):
        game = game.interpreted
    shown = game._repr_svg_()
    assert shown == game.svg(game.start())
    assert is_svg(shown)
    history = zermelo.History(game)
    assert history._repr_svg_() == shown
    history.play(next(iter(history.actions())))
    assert is_svg(history._repr_svg_())
    if isinstance(game, RecordGame):
        assert history.state._repr_svg_() == game.svg(history.state)


def test_a_tree_shows_itself():
    tree = game_tree(zermelo.load("three-bins"))
    assert isinstance(tree, Node)
    assert is_svg(draw(tree)._repr_svg_())
