"""V or Q: all positions of small games by the textbook, and the experiment on them."""

from itertools import product

import numpy as np
import pytest

import zermelo
from zermelo.compile.record_game import State
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.experiments import run_td_or_q
from zermelo.experiments.positions import BEST, CHOICE, RANDOM, all_positions
from zermelo.experiments.td_or_q import LEARNERS, examine
from zermelo.textbook import expectiminimax, policy_value

SMALL = [zermelo.load(name, compiled=False) for name in ("nim", "three-bins", "coin-bins")]
GAMES = pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)


def state(positions, i):
    return State(positions.game, positions.states[i : i + 1].copy())


@GAMES
def test_every_position_stands_behind_those_that_follow(game):
    positions = all_positions(game)
    assert state(positions, -1 + len(positions.player)) == game.start()
    for i, p in enumerate(positions.player):
        s = state(positions, i)
        edges = range(positions.first[i], positions.first[i + 1])
        assert p == game.player(s)
        assert [positions.action[e] for e in edges] == list(game.actions(s))
        assert [state(positions, positions.child[e]) for e in edges] == [game.succ(s, a) for a in game.actions(s)]
        assert all(positions.child[e] < i for e in edges)
        if p == CHANCE:
            assert [positions.probability[e] for e in edges] == [chance for _, chance in game.chances(s)]
        if p == OVER:
            assert positions.payoff[i] == game.utility(s)
    assert positions.exact() == pytest.approx(
        [expectiminimax(game, state(positions, i)) for i in range(len(positions.player))]
    )


def uniform(game, s):
    actions = game.actions(s)
    return {a: 1 / len(actions) for a in actions}


@GAMES
@pytest.mark.parametrize("seed", range(3))
def test_what_keeping_to_some_moves_comes_to(game, seed):
    """By the textbook: against a random opponent, and against each of the replies there are."""
    positions = all_positions(game)
    choice = positions.greedy(np.random.default_rng(seed).random(len(positions.child)))
    moves = {state(positions, i): int(positions.action[choice[i]]) for i in np.flatnonzero(positions.player >= 0)}
    exact = positions.exact()
    lost, short, kept = [], [], []
    for seat, sign in ((0, 1), (1, -1)):
        policies = {seat: lambda s: {moves[s]: 1.0}, 1 - seat: lambda s: uniform(game, s)}
        modes = (CHOICE, RANDOM) if seat == 0 else (RANDOM, CHOICE)
        assert positions.values(modes, choice)[-1] == pytest.approx(policy_value(game, game.start(), policies))
        ends = list(replies(game, game.start(), seat, moves))
        modes = (CHOICE, BEST) if seat == 0 else (BEST, CHOICE)
        worst = positions.values(modes, choice)[-1]
        if game.name != "coin-bins":
            assert sign * worst == min(sign * game.utility(s) for s in ends)
            lost.append(min(sign * game.utility(s) for s in ends) < 0)
        short.append(sign * (exact[-1] - worst))
        seen = {s for s in reached(game, game.start(), seat, moves) if game.player(s) == seat}
        kept.append(np.mean([expectiminimax(game, game.succ(s, moves[s])) == expectiminimax(game, s) for s in seen]))
    optimal, best, _, below = examine(positions, exact, choice)
    assert optimal == pytest.approx(np.mean(kept))
    assert below == pytest.approx(np.mean(short))
    if lost:
        assert best == np.mean(lost)


def reached(game, s, seat, moves):
    yield s
    for a in [moves[s]] if game.player(s) == seat else game.actions(s):
        yield from reached(game, game.succ(s, a), seat, moves)


def replies(game, s, seat, moves):
    return (t for t in reached(game, s, seat, moves) if game.is_end(t))


def test_who_plays_best_has_no_flaw():
    game = SMALL[2]
    positions = all_positions(game)
    exact = positions.exact()
    optimal, _, _, short = examine(positions, exact, positions.greedy(exact[positions.child]))
    assert (optimal, short) == (1, 0)
    worst = positions.greedy(-exact[positions.child])
    assert examine(positions, exact, worst)[3] > 10


def test_what_cannot_be_looked_at_whole():
    with pytest.raises(GameError, match="positions come back"):
        all_positions(zermelo.load("pig", compiled=False, goal=4))
    with pytest.raises(GameError, match="more than 50 positions"):
        all_positions(zermelo.load("tic-tac-toe", compiled=False), 50)
    with pytest.raises(GameError, match="Q\\(s, a\\) needs features"):
        run_td_or_q(zermelo.load("kalah", compiled=False))
    with pytest.raises(GameError, match="begin where the rules say"):
        run_td_or_q(zermelo.load("nim", compiled=False, fruits=4))
    for wrong in ({"games": ()}, {"games": (0,)}, {"runs": 0}):
        with pytest.raises(GameError, match="one run of one game"):
            run_td_or_q(SMALL[0], **wrong)


def test_the_experiment():
    found = run_td_or_q(SMALL[0], games=(80, 20), epsilon=0.5, runs=2)
    assert [(row.learner, row.games) for row in found.rows] == list(product([x.name for x in LEARNERS], (20, 80)))
    assert found.value == 1
    for row in found.rows:
        assert (row.successors > 1.5) == row.learner.startswith("TD")  # who has Q looks at none
        assert 0 <= row.short <= 2
        if row.games == 80:
            assert (row.optimal, row.short, row.flawless) == (1, 0, 2)
            assert (row.start > 0.8) == (row.learner == "Q-learning"), row  # the others know less, or are on-policy
    lines = found.table().splitlines()
    assert lines[0].startswith("nim: greedy play after n games")
    assert lines[4].split()[:3] == ["TD(0)", "80", "100.00%"]
    assert "succ(s, a)" in lines[-2]
    assert "off-policy" in lines[-1]


def test_the_same_seed_is_the_same_experiment():
    one, other = (run_td_or_q(SMALL[2], games=(20,), runs=1, seed=3) for _ in range(2))
    assert one == other


def test_the_figure(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    path = run_td_or_q(SMALL[1], games=(10, 20), runs=1).figure(tmp_path / "learners.svg")
    assert "<svg" in path.read_text()


@pytest.mark.jit
@pytest.mark.slow
def test_on_tic_tac_toe():
    """The lecture's point: from random moves, those who learn off-policy learn to play best, the others do not."""
    found = run_td_or_q(zermelo.load("tic-tac-toe"), games=(100_000,), epsilon=1.0, runs=2)
    flawless = {row.learner: row.flawless for row in found.rows}
    assert flawless == {"TD(0)": 0, "TD(0), cut": 2, "SARSA": 0, "Q-learning": 2}
