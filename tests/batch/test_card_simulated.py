"""Batches of two small games in CUDA's simulator: a warp's threads of plain Python play the games of the cores."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("numba_cuda", reason="needs numba-cuda: pip install 'zermelo[cuda]'")
pytestmark = pytest.mark.jit


def test_two_small_games():
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.batch.simulated"], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stdout.split() == ["tic-tac-toe", "pig", "tic-tac-toe"], ran.stderr
