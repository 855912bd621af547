"""Tables on a card: every body compiled without one; and, where there is one, the same files as by the cores."""

import os
import subprocess
import sys
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

    from zermelo.solve.tables.card import make_loop

    card = SimpleNamespace(compute_capability=(9, 0))  # device functions ask for it
    monkeypatch.setattr("numba.cuda.dispatcher.get_current_device", lambda: card)
    rules = graph_game(0, compiled=True).variant
    group = [bodies.MEMBER, bodies.STATUS, *map(cell, ("u4", "u4", "u2", "u1"))]
    known = [CLASS, cell("u1"), cell("u2"), np.int64]
    kinds = [np.int64, *group, *known, rules.dtype, cell("u4"), *(np.int64,) * len(bodies.Order._fields)]
    types = tuple(numba.int64 if kind is np.int64 else numba.from_dtype(np.dtype(kind))[:] for kind in kinds)
    ptx, _ = cuda.compile_ptx(make_loop(name, rules), types, cc=(9, 0))
    assert ".visible .entry" in ptx
    assert ("atom." in ptx or "red." in ptx) == (name != "collect")


SIMULATED = """
import sys
from pathlib import Path
import numpy as np
from numba.cuda.simulator import kernel, kernelapi
from tests.solve.graph_game import graph_game
from zermelo.compile.variant import VARIANTS
from zermelo.solve.tables import card
from zermelo.solve.tables.build import build_tables

def fields_by_name(array):
    return array if array.dtype.names is None or array.dtype in VARIANTS else array.view(np.recarray)

local = kernelapi.FakeCUDALocal.array
kernelapi.FakeCUDALocal.array = lambda self, shape, dtype: fields_by_name(local(self, shape, dtype))
kernel.FakeWithinKernelCUDAArray = lambda wrapped: fields_by_name(wrapped._ary)
card.THREADS = 1  # of plain Python, in which two may add at the same time
build_tables(graph_game(2), 3, with_plies=True, device="cuda", memory=1 << 30, folder=Path(sys.argv[1]))
"""


def test_a_simulated_card_makes_the_same_files(tmp_path):
    """In CUDA's simulator, in a process of its own: everything but the card."""
    build_tables(graph_game(2), 3, with_plies=True, folder=tmp_path / "cpu")
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", SIMULATED, str(tmp_path / "card")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert content_of(tmp_path / "cpu") == content_of(tmp_path / "card")


@pytest.mark.gpu
@pytest.mark.parametrize("with_plies", [False, True])
def test_a_card_makes_the_same_files(with_plies, tmp_path):
    for game, limit in ((graph_game(2, compiled=True), 3), (zermelo.load("checkers"), 3)):
        for device in ("cpu", "cuda"):
            build_tables(game, limit, with_plies=with_plies, device=device, folder=tmp_path / device)
    assert content_of(tmp_path / "cpu") == content_of(tmp_path / "cuda")
