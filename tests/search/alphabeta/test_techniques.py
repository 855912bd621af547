"""The alpha-beta engine: the textbook's values, whatever is switched on or off."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import zermelo
from tests.search.cyclic_games import circles, value_along_paths
from tests.search.kernel_oracles import tree, trees
from zermelo.core.game import GameError
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.alphabeta.workspace import Options
from zermelo.search.exhaustive import exhaustive
from zermelo.search.limits import Limits
from zermelo.search.report import PROVEN
from zermelo.search.searcher import answer

PLAIN = Options.plain()
HARMLESS = ("table", "scout", "aspiration", "killers", "history", "ordering")
SMALL = 0.25  # megabytes


def search(game, depth, options=PLAIN, state=None, **settings):
    engine = AlphaBeta(game, options=options, table_mb=SMALL, **settings)
    return answer(engine, game.start() if state is None else state, Limits(depth=depth))


_engines: dict = {}


def value_of(game, depth, options):
    """By an engine that is kept for all trees of a kind: they differ in fields of the state, not in type."""
    key = (game.variant.name, game.compiled, options)
    if key not in _engines:
        _engines[key] = AlphaBeta(game, options=options, table_mb=SMALL)
    engine = _engines[key]
    engine.clear()
    return answer(engine, game.start(), Limits(depth=depth))


def inner(trees):
    return trees.filter(lambda game: not game.is_end(game.start()))


# -- against all nodes -------------------------------------------------------------------------------------------------


@given(inner(trees()), st.integers(1, 6))
@settings(max_examples=1500, deadline=None)
def test_the_value_is_that_of_all_nodes(game, depth):
    found, truth = value_of(game, depth, PLAIN), exhaustive(game, depth=depth)
    assert found.value == pytest.approx(truth.value, abs=1e-9)
    if truth.best is not None:
        child = exhaustive(game, game.succ(game.start(), found.best), depth=found.depth - 1)
        assert child.value == pytest.approx(truth.value, abs=1e-9)


@given(inner(trees(chance=(30, 60, 100))), st.integers(1, 6), st.integers(0, 2))
@settings(max_examples=1000, deadline=None)
def test_star_bounds_change_nothing_but_the_work(game, depth, star):
    found = value_of(game, depth, replace(PLAIN, star=star))
    assert found.value == pytest.approx(exhaustive(game, depth=depth).value, abs=1e-9)


@given(inner(trees()), st.integers(1, 6), st.sets(st.sampled_from(HARMLESS)))
@settings(max_examples=1000, deadline=None)
def test_each_technique_switched_off_changes_nothing_but_the_work(game, depth, off):
    found = value_of(game, depth, replace(PLAIN, **dict.fromkeys(off, False)))
    assert found.value == pytest.approx(exhaustive(game, depth=depth).value, abs=1e-9)


@given(inner(trees()), st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_plain_python_finds_the_same(game, depth):
    compiled, interpreted = value_of(game, depth, PLAIN), value_of(game.interpreted, depth, PLAIN)
    assert compiled.value == interpreted.value
    assert (compiled.best, compiled.nodes, compiled.pv) == (interpreted.best, interpreted.nodes, interpreted.pv)


@pytest.mark.jit
@pytest.mark.parametrize("off", [None, *HARMLESS])
@pytest.mark.parametrize(
    ("name", "options", "depth"),
    [
        ("connect-four", {"width": 4, "height": 4}, 7),
        ("tic-tac-toe", {}, 9),
        ("kalah", {"pits": 3, "seeds": 2}, 6),
        ("dots-and-boxes", {}, 5),
        ("othello", {"size": 4}, 6),
        ("checkers", {}, 5),
    ],
)
def test_games_with_transpositions(name, options, depth, off):
    game = zermelo.load(name, **options)
    options = PLAIN if off is None else replace(PLAIN, **{off: False})
    assert search(game, depth, options).value == pytest.approx(exhaustive(game, depth=depth).value, abs=1e-9)


# -- repetition --------------------------------------------------------------------------------------------------------


CIRCLES = [
    {"rule": rule, "luck": luck, "positional": positional, "compiled": False}
    for rule in ("draw", "loss", "forbidden")
    for luck, positional in ((False, False), (True, False), (True, True))
]
COMPILED_CIRCLES = [
    {"rule": "draw"},
    {"rule": "loss", "luck": True},
    {"rule": "forbidden", "luck": True, "positional": True},
]


def repetition_counts(kind, seed, depth, past):
    """Along the path, and over the game so far."""
    game = circles(**kind, seed=seed)
    history = zermelo.History(game)
    for n in range(past):
        if not history.is_over:
            history.play(history.actions()[n % len(history.actions())])
    assume(not history.is_over)
    truth = value_along_paths(game, depth, history)
    engine = AlphaBeta(game, options=replace(PLAIN, table=False), table_mb=SMALL)
    assert answer(engine, history, Limits(depth=depth)).value == pytest.approx(truth, abs=1e-9)
    with_table = answer(AlphaBeta(game, options=PLAIN, table_mb=SMALL), history, Limits(depth=depth))
    if with_table.proof == PROVEN:  # else an entry may come from a path on which something else stood before
        assert with_table.value == pytest.approx(truth, abs=1e-9)


@pytest.mark.jit
@given(st.sampled_from(COMPILED_CIRCLES), st.integers(0, 2**32), st.integers(1, 5), st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_repetition_counts_along_the_path(kind, seed, depth, past):
    repetition_counts(kind, seed, depth, past)


@given(st.sampled_from(CIRCLES), st.integers(0, 2**32), st.integers(1, 3), st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_repetition_counts_in_plain_python(kind, seed, depth, past):
    repetition_counts(kind, seed, depth, past)


def test_the_past_counts_too():
    counted = differing = 0
    for seed in range(60):
        game = circles(rule="draw", seed=seed)
        history = zermelo.History(game)
        for _ in range(3):
            if not history.is_over:
                history.play(history.actions()[0])
        if history.is_over:
            continue
        engine = AlphaBeta(game, options=replace(PLAIN, table=False), table_mb=SMALL)
        truth = value_along_paths(game, 4, history)
        assert answer(engine, history, Limits(depth=4)).value == pytest.approx(truth, abs=1e-9)
        counted += 1
        differing += truth != value_along_paths(game, 4, zermelo.History(game, history.state))
    assert counted >= 10
    assert differing > 0  # in some of them what came before makes the difference


# -- proofs ------------------------------------------------------------------------------------------------------------


@given(inner(trees(chance=(0,))))
@settings(max_examples=300, deadline=None)
def test_what_is_called_proven_is_the_game_itself(game):
    for report in AlphaBeta(game, table_mb=SMALL).reports(game.start(), Limits(depth=8)):
        if report.proof == PROVEN:
            assert report.value == pytest.approx(exhaustive(game).value, abs=1e-9)
    assert report.proof == PROVEN


@pytest.mark.jit
def test_the_fast_win_and_the_slow_loss():
    game = zermelo.load("chess")
    mate_in_two = game.parse("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    found = answer(AlphaBeta(game), mate_in_two, Limits(depth=8))
    assert (found.value, found.proof, found.distance) == (1, PROVEN, 3)
    lost = game.parse("7k/8/8/8/8/R7/1R6/7K b - - 0 1")
    found = answer(AlphaBeta(game), lost, Limits(depth=8))
    assert (found.value, found.proof) == (1, PROVEN)
    assert found.distance == 6  # plain alpha-beta sees it at six plies, and not at five


# -- limits ------------------------------------------------------------------------------------------------------------


def test_nodes_are_counted_exactly():
    game = tree(branching=5, depth=9, seed=1)
    for n in (1, 2, 10, 77, 1000):
        report = answer(AlphaBeta(game, table_mb=SMALL), game.start(), Limits(nodes=n))
        assert report.stopped == "nodes"
        assert report.nodes <= n + 1
        assert report.best in game.actions(game.start())


def test_wrong_settings_are_told():
    game = zermelo.load("tic-tac-toe")
    for wrong in ({"threads": 0}, {"table_mb": -1}, {"table_mb": 0}):
        with pytest.raises(GameError):
            AlphaBeta(game, **wrong)
    with pytest.raises(GameError, match="sides"):
        AlphaBeta(zermelo.load("chinese-checkers", players=3))
    for wrong in ({"seconds": 0}, {"depth": 0}, {"nodes": -3}):
        with pytest.raises(GameError):
            Limits(**wrong)
