"""The weights that come with the package: they fit their games, say how they were made, and are what players use."""

import numpy as np
import pytest

import zermelo
from zermelo.compile.evaluator import HANDCRAFTED, estimate
from zermelo.core.game import GameError
from zermelo.evaluate.files import read_card
from zermelo.evaluate.network import Network
from zermelo.evaluate.shipped import FOLDER, evaluator_for, shipped_file

GAMES = sorted(path.stem for path in FOLDER.glob("*.safetensors"))


def test_there_are_some_and_they_are_small():
    assert {"backgammon", "checkers", "chess", "connect-four", "othello"} <= set(GAMES)
    assert sum(path.stat().st_size for path in FOLDER.glob("*.safetensors")) < 4 << 20


@pytest.mark.parametrize("name", GAMES)
def test_each_fits_its_game(name):
    game = zermelo.load(name)
    net = evaluator_for(game)
    assert isinstance(net, Network)
    assert np.isfinite(net.w).all()
    least, most = game.variant.utility_range
    rng, values = np.random.default_rng(1), set()
    s = game.start()
    with np.errstate(over="ignore"):
        for _ in range(30):
            s = game.start() if game.is_end(s) else game.succ(s, game.actions(s)[rng.integers(len(game.actions(s)))])
            if not game.is_end(s):
                value = estimate(net, s.record[0])
                assert least <= value <= most
                values.add(round(value, 4))
    assert len(values) > 10  # it has an opinion
    trained = read_card(shipped_file(game)).trained
    assert trained["command"].startswith(f"zermelo train {name}")
    assert trained["games"] > 0
    assert trained["curve"]


def test_other_variants_are_judged_by_hand():
    assert evaluator_for(zermelo.load("othello", size=6)) is HANDCRAFTED
    assert evaluator_for(zermelo.load("othello"), "handcrafted") is HANDCRAFTED
    with pytest.raises(GameError, match="no weights for othello"):
        evaluator_for(zermelo.load("othello", size=6), "learned")


@pytest.mark.jit
def test_players_use_them():
    game = zermelo.load("connect-four")
    assert isinstance(zermelo.player("alphabeta:depth=2", game).searcher.evaluator, Network)
    assert zermelo.player("alphabeta:depth=2,evaluator=handcrafted", game).searcher.evaluator is HANDCRAFTED
