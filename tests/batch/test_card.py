"""The card: every body compiled for it without one; and, where there is one, the same games as on the cores."""

import numpy as np
import pytest

import zermelo
from zermelo.batch.arrays import Order, shapes
from zermelo.batch.batch import make_batch
from zermelo.compile.rules import rules
from zermelo.core.game import OVER

pytest.importorskip("numba_cuda", reason="needs numba-cuda: pip install 'zermelo[cuda]'")
pytestmark = pytest.mark.jit

BODIES = ["reset", "locate", "step", "random_steps", "look", "play_out"]
GAMES = sorted(set(zermelo.games()) - {"tree"})


def compile_body(name, game, watched=()):
    """A body's machine code for a card, made without one."""
    import numba
    from numba import cuda

    from zermelo.batch import bodies
    from zermelo.batch.card_kernels import make_loop
    from zermelo.compile.targets.cuda import some_card

    loop = make_loop(getattr(bodies, name), game.variant, game.variant.repetition is not None, watched)
    with some_card():
        return cuda.compile_ptx(loop, (numba.int64[:], *(numba.int64,) * (1 + len(Order._fields))), cc=(9, 0))[0]


@pytest.mark.parametrize("name", BODIES)
def test_bodies_compile_for_a_card(name):
    watched = {"play_out": ("sums",), "look": ("actions", "count")}.get(name, ())
    for game in ("tic-tac-toe", "pig"):
        assert ".visible .entry" in compile_body(name, zermelo.load(game), watched)


def test_a_warp_writes_whole_lines_of_planes_and_masks():
    ptx = compile_body("random_steps", zermelo.load("tic-tac-toe"), ("legal", "planes"))
    stores = [line.split()[0] for line in ptx.splitlines() if line.strip().startswith("st.global")]
    assert "st.global.v4.u32" in stores
    assert "st.global.u8" not in stores


def compile_perft(rules):
    """The same of what counts lines below a position."""
    from numba import boolean, cuda, from_dtype, int64

    from zermelo.compile.targets.cuda import some_card
    from zermelo.search.perft_card import make_counter

    kinds = (from_dtype(rules.dtype)[:], int64, boolean, int64[:], int64[:])
    with some_card():
        return cuda.compile_ptx(make_counter(rules, 2), kinds, cc=(9, 0))[0]


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig"])
def test_perft_compiles_for_a_card(name):
    assert ".visible .entry" in compile_perft(zermelo.load(name).variant)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_game_compiles_for_a_card(name):
    assert ".visible .entry" in compile_perft(zermelo.load(name).variant)
    game = zermelo.load(name)
    seen = [watched for watched, (_, shape) in shapes(game.variant).items() if shape is not None]
    for body, watched in (("random_steps", ()), ("random_steps", tuple(seen)), ("locate", ())):
        ptx = compile_body(body, game, watched)
        assert ".visible .entry" in ptx
        assert ".const" not in ptx  # tables are global: threads look up different squares


# -- on a real card ----------------------------------------------------------------------------------------------------


def pair(name, n, **options):
    game = zermelo.load(name)
    return [make_batch(game, n, device=device, **options) for device in ("cpu", "cuda")]


def same(here, there):
    """Everything the two batches say is the same."""
    read = there.device.read
    assert here.states.tobytes() == read(there.states).tobytes()
    for field in ("player", "utilities", "plies", "finished", "digest", "count"):
        assert np.array_equal(getattr(here, field), read(getattr(there, field))), field
    listed = np.arange(here.actions.shape[1]) < here.count[:, None]  # behind them stands what is left over
    assert np.array_equal(here.actions[listed], read(there.actions)[listed])
    if here.game.variant.policy_size:
        assert np.array_equal(here.legal, read(there.legal))
    if here.game.variant.plane_shape:
        assert np.array_equal(here.planes, read(there.planes))


@pytest.mark.gpu
@pytest.mark.parametrize("repetition", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_the_same_games_on_the_card(name, repetition):
    here, there = pair(name, 1000, seed=4, restart=True, repetition=repetition)
    for _ in range(3):
        for batch in (here, there):
            batch.random_steps(70, digests=True)
        same(here, there)


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["connect-four", "backgammon", "chess"])
def test_steps_on_the_card(name):
    here, there = pair(name, 200, seed=8)
    rng = np.random.default_rng(1)
    for _ in range(30):
        chosen = here.actions[np.arange(200), rng.integers(0, np.maximum(here.count, 1))]
        here.step(chosen)
        there.step(chosen)
        same(here, there)


@pytest.mark.gpu
def test_a_wrong_action_on_the_card_names_its_game():
    _, there = pair("tic-tac-toe", 100)
    actions = np.full(100, 4)
    actions[17] = 9
    with pytest.raises(zermelo.GameError, match="9 is not a legal action in game 17"):
        there.step(actions)


@pytest.mark.gpu
def test_playouts_on_the_card():
    here, there = pair("connect-four", 50, seed=3)
    assert np.array_equal(here.playouts(100), there.playouts(100))


@pytest.mark.gpu
def test_arrays_go_to_jax_and_back_without_a_copy():
    jax = pytest.importorskip("jax")
    from zermelo.batch.handover import to_jax

    _, there = pair("connect-four", 300, seed=3)
    legal = there.actions
    seen = to_jax(legal)
    assert seen.unsafe_buffer_pointer() == legal.__cuda_array_interface__["data"][0]
    there.step(seen[:, 3])
    assert (there.device.read(there.count) == 7).all()
    assert jax.numpy.all(to_jax(there.player) == 1)


@rules(name="careless", players=2, max_actions=2)
class Careless:
    """Offers three actions from the fifth ply on."""

    state = {"plies": "i1"}

    def start(s):
        s.plies = 0

    def player(s):
        return OVER if s.plies == 9 else s.plies & 1

    def actions(s, out):
        n = 2 if s.plies < 5 else 3
        for k in range(n):
            out[k] = k
        return n

    def apply(s, action):
        s.plies += 1

    def utility(s, out):
        out[0], out[1] = 1, -1


@pytest.mark.gpu
def test_rules_that_overrun_what_they_declare_are_told_of():
    batch = make_batch(Careless(), 10, device="cuda", restart=True)
    with pytest.raises(zermelo.RulesError, match="max_actions"):
        batch.random_steps(50)
