"""Pruning as the theory says, counted in nodes: the same in every run."""

from dataclasses import replace

import pytest

import zermelo
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.alphabeta.workspace import Options
from zermelo.search.exhaustive import exhaustive
from zermelo.search.limits import Limits
from zermelo.search.searcher import answer

pytestmark = pytest.mark.jit
PLAIN = Options.plain()


def nodes(game, state, depth, options):
    """The nodes of one iteration at this depth, not of those before it."""
    reports = list(AlphaBeta(game, options=options, table_mb=16).reports(state, Limits(depth=depth)))
    before = [r.nodes for r in reports if r.depth == depth - 1]
    return reports[-1].nodes - (before[0] if before else 0), reports[-1].value


@pytest.mark.slow
def test_star2_saves_more_than_half_on_backgammon():
    game = zermelo.load("backgammon")
    state = _after_the_roll(game)
    everything = exhaustive(game, state, depth=2)
    by_star = {}
    for star in (0, 1, 2):
        by_star[star], value = nodes(game, state, 2, replace(PLAIN, star=star))
        assert value == pytest.approx(everything.value, abs=1e-9)
    assert by_star[2] < by_star[1] < by_star[0]
    assert by_star[2] < everything.nodes / 2


def _after_the_roll(game):
    state = game.start()
    while game.player(state) == zermelo.CHANCE:
        state = game.succ(state, game.chances(state)[0][0])
    return state


def test_the_branching_of_chess_is_below_four():
    game = zermelo.load("chess")
    state = game.parse("r1bqkb1r/pp2pppp/2np1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 2 6")
    assert len(game.actions(state)) > 30
    report = answer(AlphaBeta(game, table_mb=32), state, Limits(depth=9))
    assert report.nodes ** (1 / 9) < 4


def test_good_order_comes_first():
    game = zermelo.load("chess")
    report = answer(AlphaBeta(game, table_mb=32), game.start(), Limits(depth=7))
    assert report.counters["first_cuts"] > 0.8 * report.counters["cuts"]
    plain = answer(AlphaBeta(game, options=PLAIN, table_mb=32), game.start(), Limits(depth=4))
    bad = answer(
        AlphaBeta(game, options=replace(PLAIN, ordering=False, killers=False, history=False), table_mb=32),
        game.start(),
        Limits(depth=4),
    )
    assert plain.nodes < bad.nodes
    assert plain.value == pytest.approx(bad.value, abs=1e-9)
