"""The search with a network: what it says comes from the network and from the tree, and what is missing is said."""

import numpy as np
import pytest

import zermelo
from tests.evaluate.tower.test_cores import nudged
from zermelo.core.game import GameError
from zermelo.evaluate.tower.architecture import architecture_for, make_weights
from zermelo.evaluate.tower.files import save_tower
from zermelo.search.limits import Limits
from zermelo.search.mcts.network import NetworkEvaluator
from zermelo.search.mcts.zero import Zero
from zermelo.search.registry import open_search
from zermelo.search.report import PROVEN
from zermelo.search.searcher import answer


@pytest.fixture(scope="module")
def game():
    return zermelo.load("tic-tac-toe", compiled=False)


@pytest.fixture(scope="module")
def weights(game, tmp_path_factory):
    """A file with a network that has opinions, though nobody taught it any."""
    a = architecture_for(game, 1, 8)
    path = tmp_path_factory.mktemp("zero") / "weights.safetensors"
    save_tower(path, game, a, nudged(a))
    return path


def search(game, weights, state=None, nodes=200, **options):
    searcher = Zero(game, weights=weights, memory_mb=2, **options)
    return answer(searcher, game.start() if state is None else state, Limits(nodes=nodes))


def test_one_simulation_is_the_policy_alone(game, weights):
    report = search(game, weights, nodes=1)
    s = game.start()
    _, priors = Zero(game, weights=weights, memory_mb=2).network.evaluate(s.record)
    by_prior = [int(game.actions(s)[j]) for j in np.argsort(-priors[0])]
    assert [move.action for move in report.moves] == by_prior
    assert report.best == by_prior[0]
    assert sum(move.prior for move in report.moves) == pytest.approx(1.0)
    assert report.moves[0].as_dict(game, s)["prior"] == report.moves[0].prior > report.moves[-1].prior
    assert all(move.nodes == 0 for move in report.moves)


def test_priors_follow_the_moves_whatever_their_order(game):
    """A network that likes one move of its policy likes it in every position where it is legal."""
    a = architecture_for(game, 1, 8)
    weights = {name: np.zeros_like(w) for name, w in make_weights(a).items()}
    weights["policy.w"][:], weights["stem.b"][:] = 0.0, 1.0
    weights["stem.w"][1, 1, 1] = -1.0  # a cell that the other side has taken is not seen as free
    weights["policy.w"][:, 0], weights["policy.cells"][0] = 1.0, 1.0
    s = game.parse("x.. .o. ...")
    _, priors = NetworkEvaluator(game, a, weights).evaluate(s.record)
    legal = priors[0, : len(game.actions(s))]
    assert legal.sum() == pytest.approx(1.0)
    assert np.allclose(legal, legal[0])
    assert not priors[0, len(legal) :].any()


def test_the_value_is_the_movers(game):
    a = architecture_for(game, 1, 8)
    weights = {name: np.zeros_like(w) for name, w in make_weights(a).items()}
    weights["value.out_b"][:] = 2.0  # whoever moves is content
    network = NetworkEvaluator(game, a, weights)
    first, second = game.start(), game.parse("x.. ... ...")
    for s, mover in ((first, 0), (second, 1)):
        values, _ = network.evaluate(s.record)
        assert values[0, mover] == pytest.approx(2 / (1 + np.exp(-2.0)) - 1)
        assert values[0, 1 - mover] == -values[0, mover]


@pytest.mark.parametrize("threads", [1, 2])
def test_it_finds_and_proves_what_there_is(game, weights, threads):
    for text, move in (("xx. oo. ...", "c3"), ("xx. o.. ...", "c3")):
        s = game.parse(text)
        assert game.format_action(s, search(game, weights, s, 300, threads=threads).best) == move
    s = game.parse("xo. .x. o..")
    report = search(game, weights, s, 3000, threads=threads)
    assert (report.proof, report.value) == (PROVEN, 1.0)


def test_it_is_the_same_again(game, weights):
    first, second = (search(game, weights, nodes=150, seed=1) for _ in range(2))
    assert [(m.action, m.nodes, m.value) for m in first.moves] == [(m.action, m.nodes, m.value) for m in second.moves]
    assert first.nodes == 150


def test_batches_are_small_while_the_tree_is(game, weights):
    searcher = Zero(game, weights=weights, memory_mb=2, batch=64)
    sizes, evaluate = [], searcher.network.evaluate

    def counted(states):
        sizes.append(len(states))
        return evaluate(states)

    searcher.network.evaluate = counted
    answer(searcher, game.start(), Limits(nodes=400))
    assert set(sizes[:8]) == {1}
    done = np.cumsum([0, *sizes[:-1]])
    assert all(size <= max(1, visits // 8 + 1) for size, visits in zip(sizes[:20], done, strict=False))


def test_untried_moves_wait_longer_with_a_reduction(game, weights):
    narrow, wide = (search(game, weights, nodes=9, reduction=r, exploration=0.3) for r in (0.8, 0.0))
    tried = [sum(move.nodes > 0 for move in report.moves) for report in (narrow, wide)]
    assert tried[0] < tried[1]


def test_a_folder_of_a_training_will_do(game, weights, tmp_path):
    spec = f"zero:simulations=1,weights={weights.parent}"
    searcher, limits = open_search(game, spec)
    assert limits.nodes == 1
    assert answer(searcher, game.start(), limits).best == search(game, weights, nodes=1).best
    with pytest.raises(GameError, match="it is written when `zermelo train zero` stops"):
        open_search(game, f"zero:weights={tmp_path}")


def test_what_is_missing_is_said(game, weights, tmp_path):
    with pytest.raises(GameError, match=r"train one .`zermelo train zero tic-tac-toe`. and give its folder"):
        open_search(game, "zero")
    with pytest.raises(GameError, match="nim-heaps has no policy_size"):
        open_search(zermelo.load("nim-heaps", compiled=False), f"zero:weights={weights}")
    with pytest.raises(GameError, match="weights for tic-tac-toe, not for connect-four"):
        open_search(zermelo.load("connect-four", compiled=False), f"zero:weights={weights}")
    with pytest.raises(GameError, match="cannot be read"):
        open_search(game, f"zero:weights={tmp_path / 'nothing'}")
    with pytest.raises(GameError, match="'cpu' or 'cuda', not 'tpu'"):
        open_search(game, f"zero:device=tpu,weights={weights}")


@pytest.mark.jit
def test_compiled_it_is_the_same(weights):
    reports = [search(zermelo.load("tic-tac-toe", compiled=c), weights, nodes=100) for c in (True, False)]
    first, second = ([(m.action, m.nodes, m.value) for m in report.moves] for report in reports)
    assert first == second


def test_what_takes_long_is_done_before_the_clock_runs(game, weights):
    searcher, asked = Zero(game, weights=weights, memory_mb=2), []
    judge = searcher.network.judge
    searcher.network.judge = lambda planes: asked.append(len(planes)) or judge(planes)
    reports = searcher.reports(game.start(), Limits(nodes=1))
    assert asked == [1]
    assert len(list(reports)) == 1
    assert asked == [1, 1]
    list(searcher.reports(game.start(), Limits(nodes=1)))
    assert len(asked) == 3
