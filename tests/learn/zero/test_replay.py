"""What is recorded comes back as it was, turned as the rules allow, with its game's result and nobody else's."""

import numpy as np
import pytest

import zermelo

jax = pytest.importorskip("jax")
jnp = jax.numpy

from zermelo.evaluate.tower.architecture import symmetries_of  # noqa: E402
from zermelo.learn.zero.replay import (  # noqa: E402
    NO_REPLY,
    READY,
    WAITING,
    Layout,
    beyond_bits,
    draw,
    key_of,
    make_ring,
    odds,
    pack,
    plane_kinds,
    put,
    put_reply,
    settle,
    unpack,
)

LAYOUT = Layout((2, 3, 3), (0, 1), (), 9, 1, 3, True)


def test_planes_are_packed_and_come_back():
    layout = Layout((4, 3, 5), (0, 2), (1, 3), 9, 1, 3, False)
    random = np.random.default_rng(0)
    planes = random.integers(0, 2, (7, 4, 3, 5)).astype(np.int8)
    planes[:, [1, 3]] = random.integers(-128, 128, (7, 2, 3, 5))
    packed = pack(layout, jnp.asarray(planes))
    assert packed.shape == (7, layout.packed) == (7, 4 + 30)
    assert np.array_equal(unpack(layout, packed).reshape(planes.shape), planes)
    assert plane_kinds(planes) == ((0, 2), (1, 3))
    bytes_alone = Layout((4, 3, 5), (), (0, 1, 2, 3), 9, 1, 3, False)
    assert np.array_equal(unpack(bytes_alone, pack(bytes_alone, jnp.asarray(planes))).reshape(planes.shape), planes)


def test_what_is_no_bit_any_more_is_noticed():
    layout = Layout((3, 1, 2), (0, 2), (1,), 9, 1, 3, False)
    planes = np.zeros((4, 3, 1, 2), np.int8)
    planes[0, 1] = 5
    assert beyond_bits(layout, planes).tolist() == [False, False, False]
    planes[3, 2, 0, 1] = -1
    assert beyond_bits(layout, planes).tolist() == [False, False, True]


def test_all_of_a_seed_counts():
    drawn = {int(jax.random.randint(key_of(seed), (), 0, 1 << 30)) for seed in (0, 1 << 32, 1 << 40, 1, (1 << 63) - 1)}
    assert len(drawn) == 5
    assert (jax.random.key_data(key_of(7)) == jax.random.key_data(jax.random.key(7))).all()


def test_what_cannot_be_drawn_is_not():
    """Sums of weights that are rounded fall now and then, and something without a weight stands between two."""
    random, n = np.random.default_rng(4), 1 << 17
    ring = make_ring(LAYOUT, 1, n)
    ready = random.random(n) < 0.3
    weight = (0.5 + 0.5 * np.minimum(random.exponential(size=n), 8)).astype(np.float16)
    summed = np.asarray(odds(ring._replace(status=np.where(ready, READY, WAITING)[None], weight=weight[None])))
    steps = np.diff(summed.astype(np.int64), prepend=0)
    assert ((steps > 0) == ready).all()
    assert np.abs(steps[ready] / 64 - weight[ready].astype(float)).max() <= 0.5 / 64 + 1e-9


def record(ring, row, first, mover, episode, n=2, live=True):
    random = np.random.default_rng([row, first])
    planes = random.integers(0, 2, (n, 2, 3, 3)).astype(np.int8)
    policy = random.dirichlet(np.ones(9), n).astype(np.float32)
    ring = put(
        LAYOUT, ring, row, first, planes, policy, np.full((n, 9), 1 / 9, np.float32), np.full((n, 1), 0.25),
        np.full(n, mover), np.full(n, episode, np.int32), np.full(n, live), 0.0,
    )  # fmt: skip
    return ring, planes, policy


def settled(ring, first, episode, over, results, owners=None):
    owners = np.zeros((len(over), 3, 3), np.int8) if owners is None else owners
    return settle(
        LAYOUT, ring, first, np.array(episode, np.int32), np.array(over), np.array(results, np.float32), owners
    )


def test_a_result_goes_to_the_positions_of_its_own_game():
    ring = make_ring(LAYOUT, 3, 4)
    ring, _, _ = record(ring, 0, 0, mover=0, episode=5)
    ring, _, _ = record(ring, 1, 0, mover=1, episode=5)
    ring, _, _ = record(ring, 2, 0, mover=0, episode=6)
    ring, _, _ = record(ring, 0, 2, mover=0, episode=5)
    ring = settled(ring, 0, [5, 5], [True, False], [[1.0, 0.0], [0.0, 1.0]])
    assert ring.status[:, 0].tolist() == [READY, READY, WAITING]
    assert (ring.status[:, 1:] != READY).all()
    assert ring.result[:2, 0, 0].tolist() == [1.0, 0.0]  # the mover's: player 0 won


def test_what_is_not_live_is_not_drawn():
    ring = make_ring(LAYOUT, 1, 2)
    ring, _, _ = record(ring, 0, 0, 0, 0, live=False)
    ring = settled(ring, 0, [0, 0], [True, True], [[1, 0], [1, 0]])
    assert float(odds(ring)[-1]) == 0


def test_a_reply_is_the_next_move_of_the_same_game():
    ring = make_ring(LAYOUT, 1, 2)
    ring, _, _ = record(ring, 0, 0, 0, 3)
    ring = put_reply(ring, 0, 0, np.array([7, 8]), np.array([3, 4], np.int32), np.array([True, True]))
    assert ring.reply[0].tolist() == [7, NO_REPLY]


def test_positions_are_drawn_by_their_weights_and_turned_with_policy_owners_and_reply():
    game = zermelo.load("tic-tac-toe", compiled=False)
    known = symmetries_of(game)
    turns = (np.stack([c for c, _ in known]), np.stack([np.argsort(p) for _, p in known]))
    ring = make_ring(LAYOUT, 1, 2)
    ring, planes, policy = record(ring, 0, 0, mover=1, episode=0)
    owners = np.random.default_rng(3).integers(-1, 2, (2, 3, 3)).astype(np.int8)
    ring = put_reply(ring, 0, 0, np.array([4, 2]), np.zeros(2, np.int32), np.array([True, True]))
    ring = settled(ring, 0, [0, 0], [True, True], [[1.0, 0.0], [0.0, 1.0]], owners)
    ring = ring._replace(weight=jnp.asarray([[0.0, 1.0]], jnp.float16))  # never the first
    sample = draw(LAYOUT, ring, odds(ring), turns, jax.random.key(0), 64, 0.5)
    share = np.where(policy[1] >= np.sort(policy[1])[-3], policy[1], 0)
    share /= share.sum()
    images = []
    for cells, numbers in known:
        seen = planes[1].reshape(2, 9)[:, cells]
        mine = 0.5 - 0.5 * owners[1].reshape(9)[cells]  # the mover is player 1
        images.append((seen, share[numbers], mine, int(np.flatnonzero(numbers == 2)[0])))
    used = set()
    for k in range(64):
        seen = np.asarray(sample.seen[k]).reshape(2, 9)
        fits = [i for i, image in enumerate(images) if np.array_equal(image[0], seen)]
        fits = [i for i in fits if np.allclose(images[i][1], sample.policy[k], atol=2e-3)]
        assert fits, k
        assert np.allclose(sample.owners[k], images[fits[0]][2])
        assert int(sample.reply[k]) == images[fits[0]][3]
        used.add(fits[0])
    assert len(used) > 3
    assert np.allclose(sample.value, 0.5 * 1.0 + 0.5 * 0.25)
