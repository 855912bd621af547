"""The card: every kernel of a forest compiled for it without one; and, where there is one, the same trees."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

import zermelo
from zermelo.batch.arrays import SLOT, note_dtype, remembered
from zermelo.batch.batch import make_batch
from zermelo.compile.record import rows
from zermelo.search.forest import Settings, make_forest, search_in_turn
from zermelo.search.forest.settings import options_dtype
from zermelo.search.forest.trees import EDGE, cells, node_dtype, slot_dtype
from zermelo.search.mcts.tree import count_values

pytest.importorskip("numba_cuda", reason="needs numba-cuda: pip install 'zermelo[cuda]'")
pytestmark = pytest.mark.jit

WIDE = ["go", "connect-four", "othello", "hex", "backgammon", "game-2048", "chess", "pursuit"]


def compile_kernel(name, game, monkeypatch):
    """A kernel's machine code for a card, made without one."""
    import numba
    from numba import cuda

    from zermelo.search.forest.card import SLACK, make_loop, make_plain_loop

    card = SimpleNamespace(compute_capability=(9, 0))  # device functions ask for it
    monkeypatch.setattr("numba.cuda.dispatcher.get_current_device", lambda: card)
    rules = game.variant
    trees = [
        slot_dtype(rules.players),
        node_dtype(count_values(game)),
        EDGE,
        cells("f4"),
        cells("i4"),
        *(cells("f4"),) * 2,
        cells("i4"),
        *(cells("f4"),) * 4,
        cells("f8"),
        options_dtype(rules.players),
    ]
    keys = rows(0, remembered(rules) + 1, "u8").dtype
    games = [rules.dtype, SLOT, note_dtype(rules.players), keys, rules.dtype]
    seen = rows(0, rules.plane_shape, "i1").dtype if rules.plane_shape else rules.dtype
    sight = [rows(0, remembered(rules) + 99 if rules.repetition else 1, "u8").dtype, seen]
    if name == "advance":
        loop, kinds = make_loop(rules), [*games, rows(0, rules.width + SLACK).dtype, *trees, *sight]
    else:
        loop, kinds = make_plain_loop(name), trees
    types = [numba.from_dtype(np.dtype(kind))[:] for kind in kinds]
    ptx, _ = cuda.compile_ptx(loop, (*types, numba.int64, numba.int64), cc=(9, 0))
    return ptx


def fused(ptx):
    """Products that are added to something without being rounded first, as the cores round them. Those with a power of
    two (which makes a random number of a whole one) are exact anyway."""
    return [line for line in ptx.splitlines() if "fma." in line and not re.search(r"0d[0-9A-F]{3}0{13}", line)]


@pytest.mark.parametrize("name", ["prepare", "advance", "grow", "conclude"])
def test_kernels_compile_for_a_card(name, monkeypatch):
    for game in ("tic-tac-toe", "pig", "pursuit") if name == "advance" else ("tic-tac-toe", "pursuit"):
        ptx = compile_kernel(name, zermelo.load(game), monkeypatch)
        assert ".visible .entry" in ptx
        assert fused(ptx) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", WIDE)
def test_walks_of_wide_games_compile_for_a_card(name, monkeypatch):
    ptx = compile_kernel("advance", zermelo.load(name), monkeypatch)
    assert ".visible .entry" in ptx
    assert fused(ptx) == []


# -- on a real card ----------------------------------------------------------------------------------------------------


def same_judge(game, xp):
    """Judges planes by sums of whole numbers, which nobody rounds."""

    def judge(planes):
        flat = xp.asarray(planes).reshape(planes.shape[0], -1).astype(np.float32)
        at = xp.arange(flat.shape[1])
        numbers = xp.arange(game.variant.policy_size)
        weights = ((at[:, None] * 7 + numbers[None, :] * 13) % 16 / 8).astype(np.float32)
        return (flat[:, :, None] * weights[None]).sum(1) % 4, (flat * (at % 5)).sum(1) % 9 / 8 - 0.5

    return judge


@pytest.mark.gpu
@pytest.mark.parametrize("kind", ["puct", "gumbel"])
@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "go", "game-2048"])
def test_the_same_trees_on_the_card(name, kind):
    jax = pytest.importorskip("jax")
    from zermelo.batch.handover import to_jax

    game = zermelo.load(name)
    settings = Settings(kind=kind, noise=(0.3, 0.25), temperature=1.0, seed=3)
    here, there = (make_forest(make_batch(game, 64, device=device, seed=1), 40, settings) for device in ("cpu", "cuda"))
    half = make_forest(make_batch(game, 64, device="cuda", seed=1), 40, settings)
    on_card = same_judge(game, jax.numpy)
    for _ in range(3):
        here.search(same_judge(game, np))
        search_in_turn([there, half], lambda planes: on_card(to_jax(planes)))
        for forest in (there, half):
            read = forest.batch.device.read
            for field in ("visits", "policy", "value", "raw_policy", "raw_value", "chosen"):
                assert np.array_equal(getattr(here, field), read(getattr(forest, field))), field
            assert here._trees.nodes.tobytes() == read(forest._trees.nodes).tobytes()
        for forest in (here, there, half):
            forest.batch.step(forest.chosen, by=forest.by)
