"""Perft on a card, in CUDA's simulator: blocks and threads of plain Python, in a process of its own.

The simulator wraps the arrays that a kernel is given, and the wrappers are no records to rules that run interpreted:
here kernels are given what is in them. (Batches, which find their arrays by address: tests/batch/simulated.py.)
"""

import os
import subprocess
import sys

import pytest

pytest.importorskip("numba_cuda", reason="needs numba-cuda: pip install 'zermelo[cuda]'")
pytestmark = pytest.mark.jit

SIMULATED = """
import numpy as np
from numba.cuda.simulator import kernel, kernelapi
import zermelo
from zermelo.compile.variant import VARIANTS
from zermelo.search import perft_split
from zermelo.search.perft import perft

def fields_by_name(array):
    return array if array.dtype.names is None or array.dtype in VARIANTS else array.view(np.recarray)

local = kernelapi.FakeCUDALocal.array
kernelapi.FakeCUDALocal.array = lambda self, shape, dtype: fields_by_name(local(self, shape, dtype))
kernel.FakeWithinKernelCUDAArray = lambda wrapped: fields_by_name(wrapped._ary)
perft_split.ENOUGH["cuda"] = 40
for name, depth in (("tic-tac-toe", 4), ("pig", 5)):
    game = zermelo.load(name)
    for ended in (False, True):
        assert perft_split.split_perft(game, depth, None, ended, device="cuda")[0] == perft(game, depth, None, ended)
        print(name)
"""


def test_two_small_games():
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", SIMULATED], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stdout.split() == ["tic-tac-toe"] * 2 + ["pig"] * 2, ran.stderr
