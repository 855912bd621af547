import pytest

import zermelo
from tests.search.search_games import pacing
from zermelo.core.game import GameError
from zermelo.core.history import History
from zermelo.search.limits import Limits
from zermelo.search.montecarlo import MonteCarlo
from zermelo.search.report import PROVEN
from zermelo.search.searcher import answer


def test_every_move_gets_its_games():
    game = zermelo.load("tic-tac-toe").interpreted
    report = answer(MonteCarlo(game, paths=12), game.start(), Limits())
    assert [m.nodes for m in report.moves] == [12] * 9
    assert (report.nodes, report.stopped) == (108, "finished")
    values = [m.value for m in report.moves]
    assert values == sorted(values, reverse=True)
    assert report.value == values[0] == report.values[0] == -report.values[1]
    errors = [report.counters[f"error {game.format_action(game.start(), m.action)}"] for m in report.moves]
    assert report.counters["error"] == errors[0]
    assert all(0 <= e <= 0.3 for e in errors)


@pytest.mark.jit
def test_it_finds_the_centre_and_the_win():
    game = zermelo.load("tic-tac-toe")
    report = answer(MonteCarlo(game, paths=3000), game.start(), Limits())
    assert game.format_action(game.start(), report.best) == "b2"
    s = game.parse("xx. oo. x..")  # noughts to move
    report = answer(MonteCarlo(game, paths=300), s, Limits())
    assert game.format_action(s, report.best) == "c2"
    assert report.value == -1
    assert report.counters["error"] == 0


@pytest.mark.jit
def test_the_averages_are_those_between_random_players():
    game = zermelo.load("three-bins")
    report = answer(MonteCarlo(game, paths=20_000, seed=3), game.start(), Limits())
    for move in report.moves:
        middle = game.succ(game.start(), move.action)
        ends = [game.succ(middle, a) for a in game.actions(middle)]
        truth = sum(game.utility(e) for e in ends) / len(ends)
        assert move.value == pytest.approx(truth, abs=1.0)


def test_limits():
    game = zermelo.load("tic-tac-toe").interpreted
    report = answer(MonteCarlo(game, paths=100), game.start(), Limits(nodes=30))
    assert (report.nodes, report.stopped) == (30, "nodes")
    assert sorted(m.nodes for m in report.moves) == [3] * 6 + [4] * 3
    report = answer(MonteCarlo(game, paths=10**9), game.start(), Limits(seconds=0.2))
    assert report.stopped == "seconds"
    assert report.best is not None
    assert report.seconds < 3


def test_the_same_seed_is_the_same_answer():
    game = zermelo.load("tic-tac-toe").interpreted
    search = MonteCarlo(game, paths=5, seed=7)
    first = answer(search, game.start(), Limits()).moves
    search.clear()
    assert answer(search, game.start(), Limits()).moves == first


def test_nature_to_move():
    game = zermelo.load("coin-bins").interpreted
    s = game.succ(game.start(), game.actions(game.start())[0])
    while game.player(s) >= 0:
        s = game.succ(s, game.actions(s)[0])
    report = answer(MonteCarlo(game, paths=5), s, Limits())
    assert report.best is None
    assert len(report.moves) == len(game.actions(s))


def test_repetition_is_known_without_sampling():
    game = pacing(rule="draw", compiled=False)
    history = History(game, game.parse("place=1 turn=1"))
    history.play(-1)
    report = answer(MonteCarlo(game, paths=10), history, Limits())
    back = next(m for m in report.moves if m.action == 1)
    assert (back.value, back.proof) == (0, PROVEN)
    game = pacing(rule="loss", compiled=False)
    history = History(game, game.parse("place=1 turn=1"))
    history.play(-1)
    back = next(m for m in answer(MonteCarlo(game, paths=10), history, Limits()).moves if m.action == 1)
    assert (back.value, back.proof) == (-1, PROVEN)


def test_what_is_refused():
    with pytest.raises(GameError, match="at least 1"):
        MonteCarlo(zermelo.load("nim"), paths=0)
