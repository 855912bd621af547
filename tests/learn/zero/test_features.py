"""Games without planes: a policy/value network learns from the features that evaluations see."""

import numpy as np
import pytest

import zermelo
from tests.evaluate.tower.test_cores import nudged
from tests.learn.heap import MOST, Heap
from zermelo import rules
from zermelo.core.game import OVER, GameError
from zermelo.search.limits import Limits
from zermelo.search.registry import open_search
from zermelo.search.searcher import answer

jax = pytest.importorskip("jax")

from zermelo.batch.judge import make_judge  # noqa: E402
from zermelo.evaluate.tower.architecture import architecture_for, make_weights, symmetries_of  # noqa: E402
from zermelo.evaluate.tower.files import load_tower, save_tower  # noqa: E402
from zermelo.evaluate.tower.sight import look  # noqa: E402
from zermelo.learn.zero.replay import Layout, pack, unpack  # noqa: E402
from zermelo.learn.zero.run import Run  # noqa: E402
from zermelo.learn.zero.settings import ZeroSettings, settings_for  # noqa: E402
from zermelo.learn.zero.trainer import Trainer  # noqa: E402
from zermelo.learn.zero.yardsticks import _opened, measure  # noqa: E402

SMALL = dict(  # noqa: C408
    rounds=40, opening=8, blocks=1, channels=16, parallel_games=32, moves_per_round=8, simulations=8,
    fast_simulations=4, full_share=0.5, window=1024, batch_size=32, measured_games=8, learning_rate=0.01,
)  # fmt: skip


def heap(name, **functions):
    """The heap without planes, with other functions."""
    body = {word: one for word, one in vars(Heap.source).items() if not word.startswith("__") and word != "planes"}
    declared = {
        "players": 2, "max_actions": 2, "max_plies": MOST, "utility_range": (-1, 1), "utility_values": (-1, 1),
        "num_features": MOST + 1, "max_active_features": 1, "policy_size": 2,
    }  # fmt: skip
    return rules(name=name, **declared)(type("Heap", (), {**body, **functions}))


MoversHeap = heap("movers-heap")  # seen by who is to move
ZerosHeap = heap("zeros-heap", perspective=lambda s: 0)  # always seen by player 0, so that the turn is to be told


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.jit)])
def test_what_is_seen(compiled):
    for make, turns in ((MoversHeap, []), (ZerosHeap, [[MOST + 1, 1]])):
        game = make(compiled=compiled)
        s = game.start()
        after = game.succ(s, 2)
        seen = look(game, np.concatenate([s.record, after.record]))
        assert seen.shape == (2, 2, 2)
        assert [row.tolist() for row in seen[0] if row[1]] == [[MOST, 1]]
        assert [row.tolist() for row in seen[1] if row[1]] == [[MOST - 2, 1], *turns]


def test_a_policy_is_not_turned_without_what_is_seen():
    swapped = [(np.arange(1), np.array([0, 1])), (np.arange(1), np.array([1, 0]))]
    game = heap("turned-heap", symmetries=lambda: swapped)(compiled=False)
    assert [policy.tolist() for _, policy in symmetries_of(game)] == [[0, 1]]


def test_features_are_kept_small_and_come_back():
    layout = Layout((1 << 20, 1, 1), (), (), 2, 1, 2, False, active=3)
    seen = np.array([[[(1 << 20) - 1, 0.5], [70_000, -2], [0, 123_456_789.0]]], np.float32)
    assert pack(layout, seen).shape == (1, layout.packed) == (1, 24)
    assert np.array_equal(unpack(layout, pack(layout, seen)), seen)


def test_a_game_that_shows_nothing_is_refused():
    body = {word: getattr(Heap.source, word) for word in ("state", "start", "player", "actions", "apply", "utility")}
    declared = {"players": 2, "max_actions": 2, "utility_range": (-1, 1), "policy_size": 2}
    game = rules(name="blind-heap", **declared)(type("Heap", (), body))(compiled=False)
    with pytest.raises(GameError, match="blind-heap has neither planes"):
        architecture_for(game, 1, 8)


def test_too_many_features_are_refused():
    body = {word: one for word, one in vars(MoversHeap.source).items() if not word.startswith("__")}
    declared = {"players": 2, "max_actions": 2, "utility_range": (-1, 1), "num_features": 1 << 25, "policy_size": 2}
    game = rules(name="wide-heap", max_active_features=1, **declared)(type("Heap", (), body))(compiled=False)
    with pytest.raises(GameError, match="33,554,433 features, and a policy/value network takes 16,777,216"):
        architecture_for(game, 1, 8)


@pytest.mark.jit
def test_a_card_is_for_planes():
    with pytest.raises(GameError, match="leave out --device"):
        Trainer(MoversHeap(), settings_for(MoversHeap(), SMALL), "cuda")


@pytest.mark.jit
@pytest.mark.parametrize("make", [MoversHeap, ZerosHeap])
def test_a_heap_is_learned(make, tmp_path):
    """Whoever leaves a multiple of three wins; the player's network says so without JAX, too."""
    game = make()
    assert len(symmetries_of(game)) == 1
    with Run.create(tmp_path / "a", game, settings_for(game, SMALL)) as run:
        assert run.go()
    a, _ = load_tower(tmp_path / "a" / "weights.safetensors", game)
    assert (a.shape, a.active) == ((MOST + 2, 1, 1), 2)
    for left in range(1, MOST + 1):
        s = game.start()
        for _ in range(MOST - left):  # one by one, so that both players are to move
            s = game.succ(s, 1)
        searcher, _ = open_search(game, f"zero:weights={tmp_path / 'a'}")
        (payoffs,), (policy,) = searcher.network.evaluate(s.record)
        mover = game.player(s)
        assert (payoffs[mover] > 0) == (left % 3 != 0), left
        if left % 3:
            assert policy.argmax() + 1 == left % 3, left
        if left % 3:
            assert answer(searcher, s, Limits(nodes=50)).best == left % 3


@pytest.mark.jit
def test_a_training_on_features_in_pieces_comes_to_the_same_bits(tmp_path):
    game, settings = ZerosHeap(), settings_for(ZerosHeap(), {**SMALL, "rounds": 3})
    with Run.create(tmp_path / "a", game, settings) as run:
        assert run.go()
        digest = run.digest()
    with Run.create(tmp_path / "b", game, settings) as run:
        assert not run.go(seconds=0.001)
    with Run.open(tmp_path / "b", game=game) as run:
        assert run.trainer.rounds == 1
        assert run.go()
        assert run.digest() == digest


def test_weights_of_other_sight_are_refused(tmp_path):
    game = MoversHeap(compiled=False)
    a = architecture_for(game, 1, 8)
    save_tower(tmp_path / "a.safetensors", game, a, make_weights(a))
    load_tower(tmp_path / "a.safetensors", game)
    same_name = zermelo.load("nim", compiled=False)
    with pytest.raises(GameError, match="for movers-heap, not for nim"):
        load_tower(tmp_path / "a.safetensors", same_name)


@pytest.mark.jit
@pytest.mark.parametrize("name", ["tic-tac-toe", "nim"])
def test_equals_get_equal_shares(name):
    """Every opening is played once from each seat: a network against itself wins as much as it loses."""
    game = zermelo.load(name)
    a = architecture_for(game, 1, 8)
    judge = make_judge(game, a, nudged(a))
    assert measure(game, judge, judge, 32, "cpu", seed=3).share == 0.5
    assert measure(game, judge, None, 32, "cpu", seed=3) == measure(game, judge, None, 32, "cpu", seed=3)


def make_walk(players):
    """Each in turn goes one step or two, twelve times in all, and gets a thousandth of the steps made alone."""

    @rules(name=f"walk-{players}", players=players, max_actions=2, max_plies=12, num_features=13, max_active_features=1,
           policy_size=2, zero_sum=False, utility_range=(0, 1))  # fmt: skip
    class Walk:
        state = {"plies": "i1", "steps": ("i1", (3,))}

        def start(s):
            pass

        def player(s):
            return OVER if s.plies == 12 else s.plies % players

        def actions(s, out):
            out[0], out[1] = 1, 2
            return 2

        def apply(s, steps):
            s.steps[s.plies % players] += steps
            s.plies += 1

        def utility(s, out):
            for p in range(players):
                out[p] = s.steps[p] / 1000

        def features(s, index, value):
            index[0], value[0] = s.plies, 1
            return 1

        def policy_index(s, steps):
            return steps - 1

        def perspective(s):
            return max(0, s.plies) % players

    return Walk(compiled=False)


@pytest.mark.parametrize("players", [1, 3])
def test_alone_and_with_several_equals_get_a_half(players):
    """Payoffs say nothing there: all of these are near the least there is, and a large step is the better one."""
    game = make_walk(players)

    def always(number):
        return lambda seen: (np.tile(np.eye(2)[number], (len(seen), 1)), None)

    short, long = always(0), always(1)
    assert measure(game, short, short, 6, "cpu", seed=3).share == 0.5
    assert measure(game, None, None, 6, "cpu", seed=3).share == 0.5
    assert measure(game, long, short, 6, "cpu", seed=3).share == 1.0
    assert measure(game, short, long, 6, "cpu", seed=3).share == 0.0
    assert measure(game, long, None, 6, "cpu", seed=3).share > 0.9


def make_sharing(highest):
    """Two players, and both get the same."""

    @rules(name=f"sharing-{highest}", players=2, max_actions=2, max_plies=4, num_features=5, max_active_features=1,
           policy_size=2, zero_sum=False, utility_range=(0, 1))  # fmt: skip
    class Sharing:
        state = {"plies": "i1"}

        def start(s):
            pass

        def player(s):
            return OVER if s.plies == 4 else s.plies % 2

        def actions(s, out):
            out[0], out[1] = 0, 1
            return 2

        def apply(s, action):
            s.plies += 1

        def utility(s, out):
            out[0], out[1] = 1, highest

        def features(s, index, value):
            index[0], value[0] = s.plies, 1
            return 1

    return Sharing(compiled=False)


def test_two_who_do_not_play_against_each_other_are_equals():
    game = make_sharing(1)
    assert measure(game, None, None, 6, "cpu", seed=3).share == 0.5


@rules(name="resigning", players=2, max_actions=2, num_features=1, max_active_features=1, policy_size=2,
       utility_range=(-1, 1))  # fmt: skip
class Resigning:
    """Play on, or give up: four random moves leave one game in sixteen."""

    state = {"plies": "i1", "lost": "i1"}

    def start(s):
        pass

    def player(s):
        return OVER if s.lost or s.plies == 40 else s.plies % 2

    def actions(s, out):
        out[0], out[1] = 0, 1
        return 2

    def apply(s, gives_up):
        s.plies += 1
        s.lost = gives_up

    def utility(s, out):
        out[s.plies % 2] = s.lost
        out[1 - s.plies % 2] = -s.lost

    def features(s, index, value):
        index[0], value[0] = 0, 1
        return 1

    def perspective(s):
        return s.plies % 2


def test_openings_that_end_a_game_are_shortened():
    game = Resigning(compiled=False)

    def play_on(seen):
        return np.tile([1.0, 0.0], (len(seen), 1)), None

    opened = _opened(game, 129, "cpu", seed=3)
    plies = opened.states["plies"]
    assert not opened.over.any()
    assert sorted({*plies.tolist()}) == [0, 1, 2, 3, 4]
    assert (plies[0:128:2] == plies[1:128:2]).all()  # the same in both seats
    assert measure(game, play_on, None, 64, "cpu", seed=3).share == 1.0


def test_payoffs_that_a_network_cannot_tell_end_a_training():
    settings = {"rounds": 2, "blocks": 0, "channels": 4, "parallel_games": 4, "moves_per_round": 4, "simulations": 2,
                "fast_simulations": 2, "window": 64, "batch_size": 4, "measured_games": 2}  # fmt: skip
    fine, beyond = make_sharing(1), make_sharing(10)
    Trainer(fine, ZeroSettings.read(settings)).round()
    with pytest.raises(GameError, match="paid 10, and what a network tells is from 0 to 1; declare a utility_range"):
        Trainer(beyond, ZeroSettings.read(settings)).round()
