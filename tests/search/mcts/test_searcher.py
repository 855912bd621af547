import itertools
import time
from random import Random

import numpy as np
import pytest

import zermelo
from tests.search.cyclic_games import circles, value_along_paths
from tests.search.kernel_oracles import tree
from tests.search.search_games import pacing
from zermelo.core.game import CHANCE, GameError
from zermelo.core.history import History
from zermelo.search.exhaustive import exhaustive
from zermelo.search.limits import Limits
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.report import AT_MOST, PROVEN
from zermelo.search.searcher import answer


def found(game, state=None, nodes=2000, **options):
    """The answer after so many simulations, in a small tree."""
    options = {"memory_mb": 8, **options}
    return answer(MCTS(game, **options), game.start() if state is None else state, Limits(nodes=nodes))


def shape(number):
    """Small trees of all kinds: chance in every second, extra turns in every other pair."""
    return tree(
        branching=2 + number % 3,
        depth=1 + number % 5,
        seed=number,
        chance=(0, 30)[number % 2],
        extra=(0, 30)[number // 2 % 2],
        turn=number // 4 % 2,
    )


# -- the truth, when there is time for it ------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.parametrize("threads", [1, 2])
def test_proven_values_are_the_exhaustive_ones(threads):
    for number in range(300 if threads == 1 else 60):
        game = shape(number)
        truth, report = exhaustive(game), found(game, nodes=20_000, threads=threads, seed=number, memory_mb=2)
        assert (report.proof, report.stopped) == (PROVEN, "proven"), number
        assert report.value == pytest.approx(truth.value, abs=1e-12), number
        assert report.best == truth.best, number
        assert report.values == (report.value, -report.value)


@pytest.mark.jit
def test_without_the_solver_the_best_move_comes_out_on_top():
    regrets = []
    for number in range(100):
        game = shape(number)
        truth, report = exhaustive(game), found(game, nodes=20_000, solver=False, seed=number)
        assert report.proof != PROVEN
        assert report.nodes == 20_000
        assert abs(report.value - truth.value) < 0.3
        if truth.best is not None:
            regrets.append(abs(exhaustive(game, game.succ(game.start(), report.best)).value - truth.value))
    assert max(regrets) < 0.25
    assert np.mean(regrets) < 0.02


@pytest.mark.jit
def test_tic_tac_toe_is_a_draw():
    for options in ({}, {"threads": 2}):
        report = found(zermelo.load("tic-tac-toe"), nodes=100_000, **options)
        assert (report.value, report.proof, report.distance) == (0, PROVEN, None), options
        assert len(report.pv) == 9


def test_a_win_in_one_is_proven_at_once():
    game = zermelo.load("tic-tac-toe")
    s = game.parse("xx. oo. ...")
    report = found(game, s, nodes=200)
    assert game.format_action(s, report.best) == "c3"
    assert (report.value, report.proof, report.distance, report.stopped) == (1, PROVEN, 1, "proven")
    assert report.nodes < 200
    assert report.moves[0].action == report.best
    assert {m.bound for m in report.moves if m.nodes == 0} <= {AT_MOST}


def test_a_threat_is_met():
    game = zermelo.load("tic-tac-toe")
    s = game.parse("xx. o.. ...")
    report = found(game, s, nodes=300)
    assert game.format_action(s, report.best) == "c3"


@pytest.mark.jit
def test_nim_is_solved():
    for fruits in range(1, 13):
        game = zermelo.load("nim", fruits=fruits)
        report = found(game, nodes=20_000)
        assert (report.value, report.proof) == (1 if fruits % 3 else -1, PROVEN)
        if fruits % 3:
            assert report.best == fruits % 3


@pytest.mark.jit
def test_connect_four_on_a_small_board():
    game, random = zermelo.load("connect-four", width=4, height=4), Random(1)  # whose rules foresee some ends
    for _ in range(60):
        history = History(game)
        for _ in range(random.randrange(6, 12)):
            if not history.is_over:
                history.play(random.choice(history.actions()))
        if not history.is_over:
            truth, report = exhaustive(game, history.state), found(game, history.state, nodes=100_000)
            assert (report.value, report.proof) == (truth.value, PROVEN), game.format(history.state)
            assert exhaustive(game, game.succ(history.state, report.best)).value == truth.value


@pytest.mark.slow
@pytest.mark.jit
def test_chess_mates():
    game = zermelo.load("chess")
    for fen, move, plies in (
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "Ra8#", 1),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", "Ra7", 3),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "Ra6", 3),
    ):
        s = game.parse(fen)
        report = found(game, s, nodes=30_000, memory_mb=64)
        assert (report.value, report.proof) == (1, PROVEN), fen
        if plies == 1 or "kbK5" in fen:
            assert game.format_action(s, report.best) == move
        assert report.distance >= plies


# -- many players ------------------------------------------------------------------------------------------------------


def max_n(game, s):
    """What everybody gets when everybody maximizes his own."""
    if game.is_end(s):
        return [game.utility(s, p) for p in range(game.players)]
    if game.player(s) == CHANCE:
        return sum(p * np.array(max_n(game, game.succ(s, a))) for a, p in game.chances(s))
    return max((max_n(game, game.succ(s, a)) for a in game.actions(s)), key=lambda v: v[game.player(s)])


@pytest.mark.jit
def test_three_players():
    for number in range(40):
        game = tree(players=3, branching=2 + number % 2, depth=2 + number % 3, seed=number, chance=(0, 30)[number % 2])
        report = found(game, nodes=20_000, seed=number)
        assert report.proof == PROVEN, number
        assert report.values == pytest.approx(max_n(game, game.start()), abs=1e-12), number
        assert report.value == report.values[0]


def test_teams():
    game = zermelo.load("partners", length=6).interpreted
    report = found(game, nodes=2000)
    assert (report.value, report.proof) == (exhaustive(game).value, PROVEN)
    assert report.values == (report.value, -report.value) * 2


# -- chance ------------------------------------------------------------------------------------------------------------


def pig_values(goal):
    """The chance to win from (mine, theirs, total) for the player at the die, by value iteration."""
    value = {(i, j, k): 0.5 for i in range(goal) for j in range(goal) for k in range(goal - i)}
    for _ in range(200):
        for i, j, k in value:
            other = 1 - value[j, i, 0]
            roll = sum(value[i, j, k + r] if i + k + r < goal else 1.0 for r in range(2, 7)) / 6 + other / 6
            hold = 1 - value[j, i + k, 0] if k else 0.0
            value[i, j, k] = max(roll, hold)
    return value


@pytest.mark.jit
def test_pig():
    game = zermelo.load("pig", goal=12)
    truth = pig_values(12)[0, 0, 0] * 2 - 1
    report = found(game, nodes=60_000, memory_mb=64)
    assert report.value == pytest.approx(truth, abs=0.08)
    assert report.proof != PROVEN
    at_the_die = game.succ(game.start(), report.best)
    report = found(game, at_the_die, nodes=30_000, memory_mb=64)
    assert report.best is None  # nobody's move
    assert report.value == pytest.approx(truth, abs=0.08)
    assert len(report.moves) == 6


# -- repetition, on a line of five places ------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "value"), [("draw", 0), ("loss", 1), ("forbidden", 1)])
def test_repetition_along_the_path(rule, value):
    game = pacing(rule=rule, compiled=False)
    report = found(game, nodes=300)
    assert (report.value, report.proof, report.best) == (value, PROVEN, 1)


def test_repetition_counts_the_game_so_far():
    game = pacing(rule="forbidden", compiled=False)
    history = History(game, game.parse("place=1 turn=1"))
    history.play(-1)
    assert found(game, history, nodes=100).value == -1  # the way back is forbidden, the other way is lost
    assert found(game, history.state, nodes=100).value == 1


@pytest.mark.parametrize("rule", ["draw", "loss"])
@pytest.mark.parametrize("options", [{}, {"luck": True}, {"luck": True, "positional": True}])
def test_what_is_proven_is_the_value_along_all_paths(rule, options):
    """… by `History`'s rules of repetition, the game so far included."""
    proven = 0
    for seed in range(12):
        game = circles(rule=rule, **options, seed=seed, places=4, compiled=False)
        history = History(game)
        for n in range(seed % 3):
            if not history.is_over:
                history.play(history.actions()[n % len(history.actions())])
        if history.is_over:
            continue
        report = found(game, history, nodes=400, max_rollout_plies=4, memory_mb=2)
        if report.proof == PROVEN:
            proven += 1
            assert report.value == pytest.approx(value_along_paths(game, 1000, history), abs=1e-9), seed
    assert proven >= 3


@pytest.mark.jit
def test_forbidden_repetition_in_compiled_play():
    game = pacing(rule="forbidden")
    history = History(game, game.parse("place=1 turn=1"))
    history.play(-1)
    for threads in (1, 2):
        report = found(game, history, nodes=100, threads=threads)
        assert (report.value, report.proof) == (-1, PROVEN)
        assert [m.action for m in report.moves] == [-1]


# -- plain Python, the same search -------------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.parametrize("options", [{}, {"rave": 20.0}, {"solver": False}])
def test_interpreted_is_the_same_search(options):
    for number in range(12):
        game = shape(number)
        compiled, plain = (found(g, nodes=150, seed=number, **options) for g in (game, game.interpreted))
        assert [m.nodes for m in plain.moves] == [m.nodes for m in compiled.moves], number
        assert plain.pv == compiled.pv
        assert (plain.nodes, plain.best, plain.stopped) == (compiled.nodes, compiled.best, compiled.stopped)
        assert plain.value == pytest.approx(compiled.value, abs=1e-9)


# -- limits, memory, what is refused -----------------------------------------------------------------------------------


@pytest.mark.timed
@pytest.mark.jit
def test_it_stops_in_time():
    game = zermelo.load("connect-four", width=4, height=4)
    search = MCTS(game, solver=False)
    answer(search, game.start(), Limits(nodes=10))
    began = time.perf_counter()
    reports = list(search.reports(game.start(), Limits(seconds=0.5)))
    assert time.perf_counter() - began < 3
    assert reports[-1].stopped == "seconds"
    assert len(reports) > 3
    assert all(a.nodes <= b.nodes for a, b in itertools.pairwise(reports))
    assert answer(search, game.start(), Limits(seconds=0.001)).best is not None


@pytest.mark.timed
@pytest.mark.jit
def test_it_ends_when_nobody_listens():
    game = zermelo.load("connect-four", width=4, height=4)
    reports = MCTS(game, solver=False, threads=2).reports(game.start(), Limits())
    next(reports)
    began = time.perf_counter()
    reports.close()
    assert time.perf_counter() - began < 3


@pytest.mark.jit
def test_a_small_memory_is_enough_to_go_on():
    game = zermelo.load("connect-four", width=4, height=4)
    for options in ({}, {"threads": 2}):
        report = found(game, nodes=60_000, memory_mb=1, solver=False, **options)
        assert report.nodes == 60_000
        assert report.counters["memory_full"] > 0
        assert report.counters["tree_nodes"] <= 2**20 / 48
        assert report.table_use <= 1
        assert report.best is not None


@pytest.mark.jit
def test_depth_limits_the_tree():
    game = zermelo.load("connect-four", width=4, height=4)
    report = answer(MCTS(game), game.start(), Limits(nodes=5000, depth=3))
    assert report.deepest <= 3
    assert report.nodes == 5000


def test_one_simulation_has_an_answer():
    game = zermelo.load("tic-tac-toe")
    report = found(game, nodes=1)
    assert report.nodes == 1
    assert report.best in game.actions(game.start())
    assert len(report.moves) == 9
    assert report.as_dict()["best"] == game.format_action(game.start(), report.best)


def test_what_is_refused():
    game = zermelo.load("nim")
    for options, words in (
        ({"threads": 0}, "threads"),
        ({"exploration": -1}, "exploration"),
        ({"memory_mb": 0.00001}, "megabytes"),
        ({"rollouts": "clever"}, "random"),
        ({"rollouts": "heuristic"}, "look good"),
        ({"max_rollout_plies": -1}, "plies"),
    ):
        with pytest.raises(GameError, match=words):
            MCTS(game, **options)
    with pytest.raises(GameError, match="over"):
        answer(MCTS(game), zermelo.load("nim", fruits=0).start(), Limits(nodes=1))
