"""Tables on a card: every body compiled without one; and, where there is one, the same files as by the cores."""

from types import SimpleNamespace

import numpy as np
import pytest

import zermelo
from tests.solve.graph_game import graph_game
from tests.solve.test_tables import content_of
from zermelo.solve.tables import bodies
from zermelo.solve.tables.build import build_tables
from zermelo.tables.known import CLASS

pytest.importorskip("numba_cuda", reason="needs numba-cuda: pip install 'zermelo[cuda]'")
pytestmark = pytest.mark.jit


def cell(kind):
    return np.dtype([("v", kind)])


@pytest.mark.parametrize("name", ["count", "link", "settle", "collect", "verify"])
def test_bodies_compile_for_a_card(name, monkeypatch):
    import numba
    from numba import cuda

    from zermelo.solve.tables.card import ASKS_RULES, make_loop

    card = SimpleNamespace(compute_capability=(9, 0))  # device functions ask for it
    monkeypatch.setattr("numba.cuda.dispatcher.get_current_device", lambda: card)
    rules = graph_game(0, compiled=True).variant
    group = [bodies.MEMBER, *map(cell, ("i4", "u2", "u4", "u4", "u1"))]
    known = [CLASS, cell("u1"), cell("u2"), np.int64]
    kinds = [np.int64, *group, *known, rules.dtype, cell("u4"), *(np.int64,) * len(bodies.Order._fields)]
    types = tuple(numba.int64 if kind is np.int64 else numba.from_dtype(np.dtype(kind))[:] for kind in kinds)
    ptx, _ = cuda.compile_ptx(make_loop(getattr(bodies, name), rules, name in ASKS_RULES), types, cc=(9, 0))
    assert ".visible .entry" in ptx
    assert ("atom." in ptx or "red." in ptx) == (name != "collect")


@pytest.mark.gpu
@pytest.mark.parametrize("with_plies", [False, True])
def test_a_card_makes_the_same_files(with_plies, tmp_path):
    for game, limit in ((graph_game(2, compiled=True), 3), (zermelo.load("checkers"), 3)):
        for device in ("cpu", "cuda"):
            build_tables(game, limit, with_plies=with_plies, device=device, folder=tmp_path / device)
    assert content_of(tmp_path / "cpu") == content_of(tmp_path / "cuda")
