"""Weights on disk: they come back as they were, and a file that does not fit says why in one sentence."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

import zermelo
from zermelo.compile.rules import rules
from zermelo.core.files import write_atomically
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.evaluate.files import features_hash, load_network, read_card, read_tensors, save_network
from zermelo.evaluate.network import make_network

NOUGHTS = f"{Path(__file__).parents[1] / 'learn' / 'noughts.py'}:Noughts"


@pytest.fixture(scope="module")
def game():
    return zermelo.load(NOUGHTS)


@pytest.fixture
def net(game):
    net = make_network(game, (7,))
    net.w[:] = np.random.default_rng(2).normal(0, 1, net.w.size)
    return net


@pytest.fixture
def path(tmp_path, game, net):
    save_network(tmp_path / "a.safetensors", game, net, command="by hand", games=3)
    return tmp_path / "a.safetensors"


def test_float32_comes_back_to_the_last_bit(game, net, path):
    found = load_network(path, game)
    assert np.array_equal(found.w, net.w)
    assert found.w.dtype == np.float32
    assert found.sizes == net.sizes
    card = read_card(path)
    assert (card.game, card.options, card.sizes, card.levels) == ("noughts", {}, (20, 7, 2), (-1, 0, 1))
    assert card.trained == {"command": "by hand", "games": 3}
    assert card.features == features_hash(game)


def test_float16_is_half_the_size_and_nearly_the_same(game, net, tmp_path):
    save_network(tmp_path / "half.safetensors", game, net, half=True)
    save_network(tmp_path / "whole.safetensors", game, net)
    found = load_network(tmp_path / "half.safetensors", game)
    assert found.w.dtype == np.float32
    assert found.w == pytest.approx(net.w, rel=1e-3, abs=1e-6)
    assert np.array_equal(found.w, net.w.astype(np.float16).astype(np.float32))
    sizes = [(tmp_path / f"{name}.safetensors").stat().st_size for name in ("whole", "half")]
    assert sizes[0] - sizes[1] == pytest.approx(2 * net.w.size, abs=16)


@pytest.mark.parametrize("hidden", [(), (3, 4, 5)])
def test_any_number_of_layers(game, tmp_path, hidden):
    net = make_network(game, hidden, seed=4)
    net.w[-1] = 0.25
    save_network(tmp_path / "w.safetensors", game, net)
    found = load_network(tmp_path / "w.safetensors", game)
    assert found.hidden == hidden
    assert np.array_equal(found.w, net.w)


def test_the_hash_is_of_what_the_features_say(game):
    assert features_hash(game) == features_hash(game.interpreted)
    assert len(features_hash(game)) == 16
    assert features_hash(game) != features_hash(zermelo.load("backgammon"))


# -- what does not fit -------------------------------------------------------------------------------------------------


def refused(path, game, words):
    with pytest.raises(GameError, match=words) as caught:
        load_network(path, game)
    assert "\n" not in str(caught.value)
    assert path.name in str(caught.value)


def changed(path, tensors=None, **card):
    """The file with other tensors, or another card."""
    kept, texts = read_tensors(path)
    told = {**json.loads(texts["card"]), **card}
    save_file(kept if tensors is None else tensors, path, {"card": json.dumps(told)})
    return path


def test_weights_of_another_game(path, game):
    refused(path, zermelo.load("backgammon"), "has weights for noughts, not for backgammon")
    refused(changed(path, game="chess"), game, "has weights for chess, not for noughts")


def test_a_game_without_features(path):
    refused(changed(path, game="game-2048"), zermelo.load("game-2048"), "has no features")


@pytest.mark.parametrize("sizes", [[21, 7, 2], [20], [], [20, 0, 2]])
def test_sizes_that_cannot_be(path, game, sizes):
    refused(changed(path, sizes=sizes), game, "does not hold the weights its card tells of")


def test_other_features_of_the_same_number(path, game):
    refused(changed(path, features="0123456789abcdef"), game, "other features of noughts")


@pytest.mark.parametrize(
    "tensors",
    [
        {},
        {"w": np.zeros(5, np.float32)},
        {"w": np.zeros((163, 1), np.float32)},
        {"w": np.zeros(163, np.float64)},
        {"w": np.zeros(163, np.int32)},
        {"v": np.zeros(163, np.float32)},
    ],
    ids=["nothing", "too few", "a matrix", "float64", "whole numbers", "another name"],
)
def test_weights_that_are_not_those_of_the_card(path, game, net, tensors):
    assert net.w.size == 163
    refused(changed(path, tensors), game, "does not hold the weights")


def test_weights_that_are_not_numbers(path, game, net):
    w = net.w.copy()
    w[3] = np.inf
    refused(changed(path, {"w": w}), game, "not numbers")


def test_other_payoffs(path, game):
    refused(changed(path, levels=[-2, 0, 2]), game, "foresees the payoffs")
    refused(changed(path, levels=[-1, 1]), game, "foresees the payoffs")


@pytest.mark.parametrize(
    "texts",
    [
        {},
        {"card": "{"},
        {"card": "[" * 100_000},
        {"card": "[]"},
        {"card": '{"game": "noughts"}'},
        {"note": "x"},
        {"card": "7"},
    ],
    ids=["nothing", "torn", "deep", "a list", "half of it", "something else", "a number"],
)
def test_no_card(path, game, net, texts):
    save_file({"w": net.w.copy()}, path, texts)
    refused(path, game, "has no card")


@pytest.mark.parametrize("keep", [0, 5, 8, 100, -1, -50])
def test_a_file_that_is_cut_short(path, game, keep):
    path.write_bytes(path.read_bytes()[:keep])
    refused(path, game, "is not a safetensors file")


@pytest.mark.parametrize("content", [b"hello", b"\0" * 1000, b"\xff" * 1000, b"\x80\x04\x95" * 50])
def test_garbage(path, game, content):
    path.write_bytes(content)
    refused(path, game, "is not a safetensors file")


def test_numbers_that_numpy_does_not_know(path, game, net, monkeypatch):
    """bfloat16, unless something else in the process has made it known (JAX does)."""

    def unknown(*arguments):
        raise TypeError("data type 'bfloat16' not understood")

    save_network(path, game, net)
    monkeypatch.setattr("zermelo.evaluate.files.safe_open", unknown)
    with pytest.raises(GameError, match="is not a safetensors file that can be read here: data type 'bfloat16'"):
        read_tensors(path)


def test_no_file_at_all(tmp_path, game):
    refused(tmp_path / "nothing.safetensors", game, "cannot be read")
    (tmp_path / "folder.safetensors").mkdir()
    refused(tmp_path / "folder.safetensors", game, "is a folder; give an ordinary file")


# -- writing -----------------------------------------------------------------------------------------------------------


def test_nothing_is_saved_that_is_not_a_number(path, game, net):
    before = path.read_bytes()
    net.w[0] = np.nan
    with pytest.raises(GameError, match="nothing was saved"):
        save_network(path, game, net)
    net.w[0] = 1e6  # too large for half precision
    with pytest.raises(GameError, match="nothing was saved"), np.errstate(over="ignore"):
        save_network(path, game, net, half=True)
    assert path.read_bytes() == before
    save_network(path, game, net)
    assert load_network(path, game).w[0] == 1e6


def test_files_are_written_whole_or_not_at_all(tmp_path):
    write_atomically(tmp_path / "a", b"one")
    write_atomically(tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"two"
    with pytest.raises(GameError, match="cannot be written"):
        write_atomically(tmp_path / "nowhere" / "a", b"")
    (tmp_path / "folder").mkdir()
    with pytest.raises(GameError, match="is a folder"):
        write_atomically(tmp_path / "folder", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "folder"]


@rules(name="featureless", players=2, max_actions=1, num_features=2)
class Featureless:
    """Forgets to say how many features it wrote."""

    state = {"plies": "i1"}

    def start(s):
        s.plies = 0

    def player(s):
        return OVER if s.plies == 2 else s.plies

    def actions(s, out):
        out[0] = 0
        return 1

    def apply(s, action):
        s.plies += 1

    def utility(s, out):
        out[0], out[1] = 1, -1

    def features(s, index, value):
        index[0], value[0] = 0, 1


def test_rules_that_go_wrong_while_their_features_are_hashed_are_told_of():
    with pytest.raises(zermelo.RulesError, match="featureless: features returns None, not a number"):
        features_hash(Featureless(compiled=False))


def too_far(s, index, value):
    index[0], value[0] = 9, 1
    return 1


def test_features_that_are_not_there_are_told_with_their_position():
    body = {name: value for name, value in vars(Featureless.source).items() if not name.startswith("__")}
    beyond = type("Beyond", (), {**body, "features": too_far})
    game = rules(name="beyond", players=2, max_actions=1, num_features=2)(beyond)(compiled=False)
    with pytest.raises(zermelo.RulesError, match=r"features names number 9 where num_features = 2 .*\(position: "):
        features_hash(game)


@rules(name="idle", players=1, max_actions=1, max_chance_outcomes=1, num_features=1)
class Idle:
    """Dice for ever, and nobody to choose."""

    state = {"rolls": "u1"}

    def start(s):
        s.rolls = 0

    def player(s):
        return CHANCE

    def chances(s, out, probability):
        out[0], probability[0] = 0, 1
        return 1

    def actions(s, out):
        return 0

    def apply(s, action):
        s.rolls = 1 - s.rolls

    def utility(s, out):
        out[0] = 0

    def features(s, index, value):
        return 0


def test_a_game_in_which_nobody_chooses_is_not_followed_for_ever():
    with pytest.raises(zermelo.RulesError, match="hardly anybody ever chooses: 0 positions with a player to move"):
        features_hash(Idle(compiled=False))
