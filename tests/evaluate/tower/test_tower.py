"""The network: its sizes follow from the game, it learns what it can, and its weights come back from disk."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import save_file

import zermelo
from zermelo.core.game import GameError
from zermelo.evaluate.files import read_tensors
from zermelo.evaluate.tower.architecture import (
    VALUE,
    Architecture,
    architecture_for,
    count_weights,
    grow,
    make_weights,
    payoff_range,
    read_symmetries,
    shapes,
    symmetries_of,
)
from zermelo.evaluate.tower.cores import CoreTower
from zermelo.evaluate.tower.files import (
    SHIPPED,
    grown_tower,
    is_tower,
    load_tower,
    planes_hash,
    read_tower,
    save_tower,
    shipped_tower,
)

jax = pytest.importorskip("jax")
jnp = jax.numpy

from zermelo.batch.judge import PIECE, make_judge  # noqa: E402
from zermelo.evaluate.tower.judging import judge_positions  # noqa: E402


@pytest.fixture(scope="module")
def game():
    return zermelo.load("tic-tac-toe", compiled=False)


def nudged(a, seed=0):
    """Weights of which none is 0, so that everything has a say."""
    random = np.random.default_rng(seed)
    return {name: w + random.normal(0, 0.1, w.shape).astype(np.float32) for name, w in make_weights(a).items()}


@pytest.mark.parametrize(
    ("name", "policy", "by_cells"),
    [
        ("tic-tac-toe", 9, True),
        ("connect-four", 7, False),
        ("go", 82, True),
        ("chess", 4672, True),
        ("kalah", 6, False),
    ],
)
def test_the_sizes_follow_from_the_rules(name, policy, by_cells):
    game = zermelo.load(name, compiled=False)
    a = architecture_for(game, 2, 8)
    assert (a.shape, a.policy, a.values, a.cells) == (game.variant.plane_shape, policy, 1, by_cells)


def test_a_tower_of_6_by_96_for_go_is_small_enough_to_ship():
    a = architecture_for(zermelo.load("go", compiled=False), 6, 96)
    assert 1_000_000 < count_weights(a) < 1_300_000  # 2 bytes each on disk


def test_a_new_network_knows_nothing(game):
    a = architecture_for(game, 2, 8)
    said = judge_positions(a, make_weights(a), np.array([game.planes(game.start())]))
    assert {name: one.shape for name, one in said.items()} == {"policy": (1, 9), "value": (1, 1), "reply": (1, 9)}
    assert all(not np.asarray(one).any() for one in said.values())


def test_the_policy_is_numbered_by_cells(game):
    """Shift-free check: turning the board by a symmetry turns the policy in the same way, if the weights are
    symmetric; here by making every convolution a constant over its window."""
    a = architecture_for(game, 2, 8)
    weights = {
        n: np.broadcast_to(w.mean((0, 1), keepdims=True), w.shape) if w.ndim == 4 else w for n, w in nudged(a).items()
    }
    planes = game.planes(game.parse("x.. .o. ..."))
    before = np.asarray(judge_positions(a, weights, planes[None])["policy"])[0]
    for cells, policy in symmetries_of(game):
        turned = planes.reshape(2, 9)[:, cells].reshape(1, 2, 3, 3)
        assert np.asarray(judge_positions(a, weights, turned)["policy"])[0] == pytest.approx(before[policy], abs=1e-4)


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        ([], "the first symmetry must be the identity"),
        ("none", "must list pairs of permutations"),
        ([([0, 1], [0, 1, 2])], "cells of symmetry 0 is not a permutation of the numbers from 0 to 2"),
        ([([0, 1, 2], [0, 1, 2]), ([2, 1, 0], [0, 0, 1])], "policy of symmetry 1 is not a permutation"),
    ],
)
def test_what_is_no_symmetry_is_refused(listed, words):
    game = zermelo.load("tic-tac-toe", compiled=False)
    with pytest.raises(GameError, match=words):
        read_symmetries(listed, (2, 1, 3), 3)
    with pytest.raises(GameError, match=r"no policy_size"):
        read_symmetries(listed, (2, 1, 3), None)
    game.variant = replace(game.variant, presentation={**game.variant.presentation, "symmetries": lambda: listed})
    with pytest.raises(GameError, match="tic-tac-toe: "):
        architecture_for(game, 1, 8)


def test_the_judge_gives_payoffs_of_the_mover():
    game = zermelo.load("go", size=2, height=1, komi=1, score=True, compiled=False)
    assert payoff_range(game) == (-3, 3)  # of -3 to 1: black's, and so white's -1 to 3
    a = architecture_for(game, 1, 4)
    weights = make_weights(a)
    weights["value.out_b"] = np.array([20.0], np.float32)
    logits, values = make_judge(game, a, weights)(np.zeros((5, *a.shape), np.int8))
    assert logits.shape == (5, 3)
    assert np.asarray(values) == pytest.approx([3.0] * 5)


def test_many_positions_are_judged_in_pieces(monkeypatch):
    game = zermelo.load("connect-four", compiled=False)
    a = architecture_for(game, 1, 8)
    weights, n = nudged(a), 2 * PIECE + 7
    planes = (np.random.default_rng(0).random((n, *a.shape)) < 0.4).astype(np.int8)
    logits, values = make_judge(game, a, weights)(planes)
    expected, foreseen = CoreTower(a, weights).judge(planes)
    assert (logits.shape, values.shape) == ((n, 7), (n,))
    assert np.allclose(logits, expected, atol=1e-4)
    assert np.allclose(values, 2 / (1 + np.exp(-foreseen[:, 0])) - 1, atol=1e-4)
    monkeypatch.setattr("zermelo.batch.judge._cores", lambda: ThreadPoolExecutor(1))  # as many cores as there may be
    alone = make_judge(game, a, weights)(planes)
    assert np.array_equal(alone[0], logits)
    assert np.array_equal(alone[1], values)


def test_a_plain_network_over_features():
    a = Architecture((10, 1, 1), 4, 3, blocks=2, channels=8, active=3)
    assert a.is_plain
    seen = np.array([[[1, 0.5], [7, 2], [0, 0]], [[7, 2], [1, 0.25], [1, 0.25]]], np.float32)
    said = judge_positions(a, nudged(a), seen)
    assert np.allclose(said["policy"][0], said["policy"][1], atol=1e-5)  # a sum, in whatever order
    assert not np.allclose(said["policy"][0], judge_positions(a, nudged(a), seen * [1, 2])["policy"][0], atol=1e-2)
    assert (said["policy"].shape, said["value"].shape) == ((2, 4), (2, 3))
    assert all(shape[:2] == (1, 1) for shape in shapes(a).values() if len(shape) == 4)


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(game, tmp_path):
    a = architecture_for(game, 1, 4)
    save_tower(tmp_path / "a.safetensors", game, a, nudged(a), command="by hand", games=3)
    return tmp_path / "a.safetensors"


def test_weights_come_back_as_float16(game, kept):
    a, weights = load_tower(kept, game)
    assert a == architecture_for(game, 1, 4)
    for name, w in nudged(a).items():
        assert np.array_equal(weights[name], w.astype(np.float16).astype(np.float32))
    card, _ = read_tower(kept)
    assert (card.game, card.options, card.planes) == ("tic-tac-toe", {}, planes_hash(game))
    assert card.trained == {"command": "by hand", "games": 3}
    assert is_tower(kept)


def test_a_file_that_does_not_fit_says_why(game, kept, tmp_path):
    with pytest.raises(GameError, match="for tic-tac-toe, not for connect-four"):
        load_tower(kept, zermelo.load("connect-four", compiled=False))
    tensors, texts = read_tensors(kept)
    card = json.loads(texts["card"])
    for change, why in (
        ({"planes": "0" * 16}, "other planes"),
        ({"architecture": {**card["architecture"], "channels": 5}}, "does not hold"),
        ({"architecture": {}}, "no card"),
        ({"architecture": {**card["architecture"], "policy": 10}}, "does not hold"),
    ):
        save_file(tensors, tmp_path / "b.safetensors", {"card": json.dumps({**card, **change})})
        with pytest.raises(GameError, match=why):
            load_tower(tmp_path / "b.safetensors", game)
    tensors["stem.b"] = np.full_like(tensors["stem.b"], np.nan)
    save_file(tensors, tmp_path / "b.safetensors", texts)
    with pytest.raises(GameError, match="not numbers"):
        load_tower(tmp_path / "b.safetensors", game)


def test_weights_for_another_board_name_their_options(tmp_path):
    small = zermelo.load("go", size=5, compiled=False)
    a = architecture_for(small, 1, 4)
    save_tower(tmp_path / "a.safetensors", small, a, make_weights(a))
    assert load_tower(tmp_path / "a.safetensors", zermelo.load("go", size=5, komi=0.5, compiled=False))[0] == a
    with pytest.raises(GameError, match="size=5"):
        load_tower(tmp_path / "a.safetensors", zermelo.load("go", compiled=False))


def test_weights_that_are_no_numbers_are_not_saved(game, tmp_path):
    a = architecture_for(game, 1, 4)
    weights = {**make_weights(a), "stem.b": np.array([0, 0, np.inf, 0], np.float32)}
    with pytest.raises(GameError, match="nothing was saved"):
        save_tower(tmp_path / "a.safetensors", game, a, weights)
    assert not list(tmp_path.iterdir())


def test_a_game_that_a_network_cannot_play_says_what_is_missing():
    with pytest.raises(GameError, match="no policy_size"):
        architecture_for(zermelo.load("backgammon", compiled=False), 1, 4)


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.safetensors")), ids=lambda path: path.stem)
def test_what_comes_with_the_package_fits_its_game(file):
    card, _ = read_tower(file)
    game = zermelo.load(card.game, compiled=False, **card.options)
    assert shipped_tower(game) == file
    load_tower(file, game)
    assert file.stat().st_size < 8 << 20
    assert card.trained["command"].startswith(f"zermelo train zero {card.game}")
    assert card.trained["measured"]
    assert shipped_tower(zermelo.load("go", size=5, compiled=False)) is None


# -- another size of board ---------------------------------------------------------------------------------------------


def test_a_network_grows_with_the_board():
    small, large = (zermelo.load("hex", compiled=False, size=size) for size in (4, 7))
    a, b = architecture_for(small, 3, 8), architecture_for(large, 3, 8)
    w = nudged(a)
    grown = grow(a, w, b)
    assert {name: one.shape for name, one in grown.items()} == shapes(b)
    assert all(one is w[name] for name, one in grown.items() if name != "value.hidden")
    again = grow(a, w, a)["value.hidden"]
    np.testing.assert_allclose(again, w["value.hidden"], atol=1e-6)
    looks = [one["value.hidden"][2 * VALUE :].reshape(size, size, -1) for one, size in ((w, 4), (grown, 7))]
    np.testing.assert_allclose(looks[1][::2, ::2] * 49 / 16, looks[0], atol=1e-6)  # every second cell lies on one of 4


def test_what_lies_in_the_middle_of_a_larger_board_is_seen_alike():
    """Without pooling a policy of the middle knows nothing of the size."""
    sizes = {size: architecture_for(zermelo.load("hex", compiled=False, size=size), 1, 8) for size in (7, 9)}
    w = nudged(sizes[7])
    w["policy.pool"] *= 0
    seen = np.random.default_rng(3).integers(0, 2, (5, 2, 9, 9)).astype(np.int8)
    middle = seen[:, :, 1:8, 1:8]
    small = judge_positions(sizes[7], w, middle)["policy"].reshape(-1, 7, 7)
    large = judge_positions(sizes[9], grow(sizes[7], w, sizes[9]), seen)["policy"].reshape(-1, 9, 9)
    np.testing.assert_allclose(large[:, 4:5, 4:5], small[:, 3:4, 3:4], atol=1e-5)


def test_a_network_grows_for_its_own_game_only(tmp_path):
    small, file = zermelo.load("hex", compiled=False, size=4), tmp_path / "hex.safetensors"
    a = architecture_for(small, 1, 8)
    save_tower(file, small, a, make_weights(a))
    assert grown_tower(file, small)[0] == a
    larger, _ = grown_tower(file, zermelo.load("hex", compiled=False, size=6))
    assert larger.shape == (2, 6, 6)
    with pytest.raises(GameError, match="has weights for hex, not for go"):
        grown_tower(file, zermelo.load("go", compiled=False))
    four, columns = zermelo.load("connect-four", compiled=False), tmp_path / "four.safetensors"
    b = architecture_for(four, 1, 8)  # its policy is numbered by columns
    save_tower(columns, four, b, make_weights(b))
    with pytest.raises(GameError, match="numbered by cells can begin on a larger"):
        grown_tower(columns, zermelo.load("connect-four", compiled=False, width=6))
    card, weights = read_tower(file)
    tensors = {name: one.astype(np.float16) for name, one in weights.items()}
    save_file(tensors, file, {"card": json.dumps(card.as_dict() | {"planes": "0" * 16})})
    with pytest.raises(GameError, match="was learned with other planes"):
        grown_tower(file, zermelo.load("hex", compiled=False, size=6))
