"""A network asked by the page: which there are, what it says before and after the search, what it sees."""

from __future__ import annotations

import numpy as np
import pytest

from tests.evaluate.tower.test_cores import nudged
from zermelo.core.game import GameError
from zermelo.core.registry import load
from zermelo.evaluate.tower.architecture import architecture_for
from zermelo.evaluate.tower.files import save_tower
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.analysis.limits import read_limits
from zermelo.interfaces.studio.pages.analysis.moves_table import moves_about, moves_html, stages_html
from zermelo.interfaces.studio.pages.analysis.networks import networks_for, planes_html
from zermelo.interfaces.studio.pages.analysis.position import heat_html, make_position
from zermelo.interfaces.studio.pages.analysis.rows import summary
from zermelo.interfaces.studio.tasks import perform


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with a training of tic-tac-toe, one of another game, and one that has no weights yet."""
    folder = tmp_path_factory.mktemp("runs")
    for name, trained in (("mine", "tic-tac-toe"), ("other", "connect-four"), ("new", None)):
        (folder / name).mkdir()
        (folder / name / "run.json").write_text("{}")
        if trained is not None:
            game = load(trained, compiled=False)
            a = architecture_for(game, 1, 8)
            save_tower(folder / name / "weights.safetensors", game, a, nudged(a))
    return folder


def test_a_visitor_may_choose_what_fits(runs):
    game = load("tic-tac-toe", compiled=False)
    assert networks_for(game, str(runs)) == {"mine": str(runs / "mine" / "weights.safetensors")}
    assert networks_for(game, str(runs / "nowhere")) == {}
    assert networks_for(load("nim-heaps", compiled=False), str(runs)) == {}
    position = make_position(Catalogue(), "tic-tac-toe", runs=str(runs))
    assert "zero" in position.searches
    assert "zero" in position.after(["a1"]).searches
    assert "zero" not in make_position(Catalogue(), "tic-tac-toe").searches
    assert next(iter(position.searches)) == "alphabeta"
    assert next(iter(make_position(Catalogue(), "hex", runs=str(runs)).searches)) == "zero"  # the rules: the strongest
    assert next(iter(make_position(Catalogue(), "hex", {"size": 5}, runs=str(runs)).searches)) == "alphabeta"
    fields = {"search": "zero", "seconds": 1.0, "simulations": 50, "network": "mine"}
    limits = read_limits(fields, position, Bounds())
    assert (limits["weights"], limits["simulations"]) == (position.networks["mine"], 50)
    with pytest.raises(GameError, match="choose a network"):  # no path comes from a visitor
        read_limits({**fields, "network": position.networks["mine"]}, position, Bounds())


def test_what_is_told(runs):
    weights = str(runs / "mine" / "weights.safetensors")
    message = {"task": "analysis", "game": "tic-tac-toe", "search": "zero", "seconds": 5.0, "weights": weights}
    answer = perform({**message, "simulations": 60, "start": "x.. .o. ..."})
    assert sum(one["prior"] for one in answer["moves"]) == pytest.approx(1.0)
    assert sum(one["visits"] for one in answer["moves"]) == answer["nodes"] - 1
    assert -1 <= answer["judged"] <= 1
    assert np.array(answer["planes"]).shape == (2, 3, 3)
    assert np.array(answer["planes"])[:, 0, 0].sum() + np.array(answer["planes"])[:, 2, 0].sum() == 1  # the corner
    told = " ".join(summary(answer))
    assert "Without any search the network thinks" in told
    assert "judgements by the network" in told
    assert "policy" in moves_html(answer, "")
    assert "policy" in moves_about(answer)
    assert stages_html(answer)


def test_the_board_shows_shares():
    position = make_position(Catalogue(), "tic-tac-toe")
    drawn = heat_html(position, {"a1": 0.7, "b2": 0.3, "c3": 0.0})
    assert drawn.count('class="heat"') == 2
    assert ">70<" in drawn
    assert ">30<" in drawn
    chess = heat_html(make_position(Catalogue(), "chess"), {"e2e4": 0.6, "d2d4": 0.4})
    assert chess.count('class="arrow"') == 2
    hexagons = heat_html(make_position(Catalogue(), "hex"), {"a1": 1.0})
    assert hexagons.count('class="heat"') == 1


def test_planes_are_drawn():
    drawn = planes_html([[[0, 1], [-1, 0]]])
    assert [drawn.count(f'class="{kind}"') for kind in ("none", "some", "less")] == [2, 1, 1]
