"""The CUDA target: rules unchanged, compiled to PTX, for which neither a card nor a driver is needed."""

from types import SimpleNamespace

import numpy as np
import pytest

from zermelo.compile.dispatch import apply, assign, expand, has_chance, key
from zermelo.compile.random import scramble
from zermelo.core.game import CHANCE, OVER

pytest.importorskip("numba_cuda", reason="needs numba-cuda: pip install 'zermelo[cuda]'")
pytestmark = pytest.mark.jit


def random_plies(width, outcomes):
    """A kernel that plays at random, one thread a game, and begins again at the end of one."""
    from numba import cuda, float64, int64

    def play(states, begin, seeds, plies, keys):
        i = cuda.grid(1)
        if i < states.shape[0]:
            out, probability = cuda.local.array(width, int64), cuda.local.array(outcomes, float64)
            s, x = states[i], seeds[i]
            for _ in range(plies):
                p, count = expand(s, out, probability)
                if p == OVER:
                    assign(s, begin[0])
                    continue
                x = scramble(x + np.uint64(1))
                chosen = np.int64(((x >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))
                if has_chance(s) and p == CHANCE:
                    chosen = np.int64(0)
                apply(s, out[chosen])
            keys[i] = key(s)

    return play


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "pig", "othello"])
def test_rules_compile_for_a_card(name, monkeypatch):
    import numba
    from numba import cuda, types

    import zermelo.compile.targets.cuda

    card = SimpleNamespace(compute_capability=(9, 0))  # device functions ask for it
    monkeypatch.setattr("numba.cuda.dispatcher.get_current_device", lambda: card)
    rules = zermelo.load(name).variant
    record = numba.from_dtype(rules.dtype)
    kinds = (record[:], record[:], types.uint64[:], types.int64, types.uint64[:])
    body = random_plies(rules.width, max(1, rules.max_chance_outcomes))
    ptx, _ = cuda.compile_ptx(body, kinds, cc=(9, 0))
    assert ".visible .entry" in ptx
    assert ".target sm_90" in ptx
