"""Searches by sampling whose random games a device plays, many at a time. The cores stand for the card."""

import numpy as np
import pytest

import zermelo
from zermelo.batch.sampling import Sampler
from zermelo.core.game import GameError
from zermelo.search.limits import Limits
from zermelo.search.montecarlo import MonteCarlo
from zermelo.search.registry import open_search
from zermelo.search.searcher import answer


def positions(game, *texts):
    return np.concatenate([game.parse(text).record for text in texts])


def test_payoffs_of_games_from_each_position():
    game = zermelo.load("tic-tac-toe").interpreted
    after = positions(game, "xx. oo. x..", "xxx oo. ...", "x.. ... ...")
    payoff = Sampler(game, 31, seed=2).play(after)
    assert payoff.shape == (31, 2)
    assert (payoff.sum(axis=1) == 0).all()
    assert (payoff[1::3] == [1, -1]).all()  # over: the payoffs of the end
    assert len({tuple(row) for row in payoff[0::3].tolist()}) > 1


def test_the_generators_go_on_and_begin_anew():
    game = zermelo.load("tic-tac-toe").interpreted
    sampler, start = Sampler(game, 40, seed=5), game.start().record
    first, second = sampler.play(start), sampler.play(start)
    assert not np.array_equal(first, second)
    sampler.clear(sampler.seed)
    assert np.array_equal(sampler.play(start), first)


def test_flat_monte_carlo_gives_every_move_its_games():
    game = zermelo.load("tic-tac-toe").interpreted
    report = answer(MonteCarlo(game, paths=7, device="cpu", playouts=20), game.start(), Limits())
    assert [m.nodes for m in report.moves] == [7] * 9
    assert (report.nodes, report.stopped) == (63, "finished")
    report = answer(MonteCarlo(game, device="cpu", playouts=20), game.start(), Limits(nodes=30))
    assert (report.nodes, report.stopped) == (30, "nodes")
    assert sorted(m.nodes for m in report.moves) == [3] * 6 + [4] * 3


@pytest.mark.jit
def test_flat_monte_carlo_finds_the_centre_and_the_win():
    game = zermelo.load("tic-tac-toe")
    searcher, limits = open_search(game, "montecarlo:paths=3000,device=cpu,seed=1")
    assert game.format_action(game.start(), answer(searcher, game.start(), limits).best) == "b2"
    s = game.parse("xx. oo. x..")
    report = answer(MonteCarlo(game, paths=300, device="cpu"), s, Limits())
    assert game.format_action(s, report.best) == "c2"
    assert report.counters["error"] == 0
    assert answer(searcher, game.start(), Limits(seconds=0.1)).best is not None


@pytest.mark.jit
def test_chance_at_the_root_and_the_same_seed():
    game = zermelo.load("pig")
    rolled = game.succ(game.start(), game.actions(game.start())[0])
    assert game.player(rolled) == zermelo.CHANCE
    one, two = (answer(MonteCarlo(game, paths=50, device="cpu", seed=4), rolled, Limits()) for _ in range(2))
    assert one.best is None
    assert one.values == two.values
    assert [m.nodes for m in one.moves] == [50] * 6


@pytest.mark.jit
def test_tree_search():
    game = zermelo.load("tic-tac-toe")
    searcher, limits = open_search(game, "mcts:simulations=500,device=cpu,playouts=4,seed=3")
    report = answer(searcher, game.start(), limits)
    again, _ = open_search(game, "mcts:simulations=500,device=cpu,playouts=4,seed=3")
    assert [m.nodes for m in answer(again, game.start(), limits).moves] == [m.nodes for m in report.moves]
    s = game.parse("xx. oo. x..")
    assert game.format_action(s, answer(searcher, s, limits).best) == "c2"
    player = zermelo.player("mcts:simulations=200,device=cpu", game)
    assert player.choose(game.start()) in game.actions(game.start())


def test_what_is_refused():
    game = zermelo.load("tic-tac-toe")
    for spec, sentence in [
        ("mcts:device=tpu", "'cpu' or 'cuda', not 'tpu'"),
        ("montecarlo:device=tpu", "'cpu' or 'cuda', not 'tpu'"),
        ("mcts:device=cpu,threads=2", "neither threads nor rave"),
        ("mcts:device=cpu,rave=100", "neither threads nor rave"),
        ("mcts:playouts=0", "playouts"),
        ("montecarlo:playouts=0", "playouts"),
    ]:
        with pytest.raises(GameError, match=sentence):
            open_search(game, spec)
    with pytest.raises(GameError, match="random"):
        MonteCarlo(zermelo.load("chess"), rollouts="heuristic", device="cpu")


@pytest.mark.gpu
@pytest.mark.jit
@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "connect-four", "chess"])
def test_the_same_numbers_on_a_card(name):
    game = zermelo.load(name)
    for spec in ("montecarlo:paths=100,playouts=256,seed=2", "mcts:simulations=100,playouts=32,seed=2"):
        reports = []
        for device in ("cpu", "cuda"):
            searcher, limits = open_search(game, f"{spec},device={device}")
            reports.append(answer(searcher, game.start(), limits))
        assert reports[0].values == reports[1].values
        assert [(m.action, m.nodes) for m in reports[0].moves] == [(m.action, m.nodes) for m in reports[1].moves]
