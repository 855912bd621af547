"""Q-learning and SARSA where what they should learn is known."""

import numpy as np
import pytest

import zermelo
from tests.learn.walk import PLACES, Walk
from tests.learn.walk import game as walk
from zermelo.compile import dispatch
from zermelo.core.game import GameError
from zermelo.learn import qlearning, self_play
from zermelo.learn.qlearning import QLearner, make_q_function
from zermelo.learn.settings import Settings
from zermelo.textbook import minimax


def learn(game, **settings):
    learner = QLearner(game, Settings.read({"seed": 2, **settings}))
    while not learner.finished:
        learner.round()
    return learner


@pytest.mark.jit
def test_what_a_step_of_the_random_walk_is_worth():
    """SARSA learns the walk as it is walked, Q(i, right) = (i + 1) / 6; Q-learning what the best walk brings: 1."""
    wandering = {
        "epsilon": 1.0,
        "games": 20_000,
        "schedule": "inverse",
        "learning_rate": 0.5,
        "final_learning_rate": 0.002,
    }
    sarsa = learn(walk, on_policy=True, **wandering).q.w
    left = np.arange(PLACES) / (PLACES + 1)
    assert np.abs(sarsa - np.stack([left, left + 2 / (PLACES + 1)], axis=1)).max() < 0.04
    best = learn(walk, **{**wandering, "games": 2_000}).q.w
    assert best[0, 0] == 0
    assert np.abs(np.delete(best.ravel(), 0) - 1).max() < 0.01


def test_the_discount():
    """γ for every step after the first: the best walk from the middle is three steps long."""
    learner = learn(Walk(compiled=False), gamma=0.5, epsilon=1.0, games=60, learning_rate=1.0, schedule="constant")
    assert learner.values(walk.start()) == {0: pytest.approx(0.5**4), 1: pytest.approx(0.5**2)}


@pytest.mark.jit
def test_tic_tac_toe_is_never_lost():
    """Off-policy: from games whose moves are all random, and without ever looking at a successor."""
    game = zermelo.load("tic-tac-toe")
    learner = learn(game, epsilon=1.0, games=150_000, learning_rate=0.5, games_per_round=1000)
    memo = {}
    minimax(game, game.start(), memo=memo)
    for seat, sign in ((0, 1), (1, -1)):
        ends, errors, seen, stack = [], [], set(), [game.start()]
        while stack:
            s = stack.pop()
            if game.is_end(s):
                ends.append(sign * game.utility(s))
            elif s not in seen and game.player(s) == seat:
                a = learner.best(s)
                errors.append(abs(learner.values(s)[a] - memo[s]))
                stack.append(game.succ(s, a))
            elif s not in seen:
                stack += [game.succ(s, a) for a in game.actions(s)]
            seen.add(s)
        assert min(ends) == 0
        assert max(ends) == 1
        assert np.mean(errors) < 0.03


@pytest.mark.parametrize(("on_policy", "expected"), [(False, (-27.5, -24.5, -2.0)), (True, (-12.5, -11.75, 0.75))])
def test_off_policy_and_on_policy_behind_chance(on_policy, expected):
    """Coin bins. The opponent takes the smaller number of a bin, and with ε = ½ in a quarter of all games the other.

    Off-policy, A, B and C are worth what best play makes of them; on-policy, what those games come to.
    """
    game = zermelo.load("coin-bins", compiled=False)
    settings = {
        "games": 3_000,
        "epsilon": 0.5,
        "schedule": "inverse",
        "learning_rate": 0.5,
        "final_learning_rate": 0.005,
        "games_per_round": 20,
    }
    values = learn(game, on_policy=on_policy, **settings).values(game.start())
    assert list(values.values()) == pytest.approx(expected, abs=4)
    assert values[2] == pytest.approx(expected[2], abs=1)  # what greedy play takes is seen more often


def test_nim_from_both_sides():
    """One table serves both: Q is seen by whoever moves."""
    game = zermelo.load("nim", compiled=False)
    learner = learn(game, epsilon=0.5, games=300, learning_rate=0.5, games_per_round=10)
    for fruits in (7, 5, 4, 2):
        a = learner.best(game.parse(f"{fruits}"))
        assert (fruits - a) % 3 == 0
        assert learner.best(game.parse(f"{fruits} : 1")) == a
        assert learner.values(game.parse(f"{fruits}"))[a] == pytest.approx(1, abs=0.1)
        assert learner.values(game.parse(f"{fruits} : 1"))[a] == pytest.approx(-1, abs=0.1)


def test_to_choose_nothing_is_applied(monkeypatch):
    """The world moves on once for every action and outcome, and no more."""
    game = zermelo.load("tic-tac-toe", compiled=False)
    applied = []

    def count(s, action):
        applied.append(action)
        dispatch.apply(s, action)

    monkeypatch.setattr(self_play, "apply", count)
    learner = QLearner(game, Settings(games=5, epsilon=0.3))
    learner.round()
    assert len(applied) == learner.totals["decisions"] == learner.totals["positions"] > 20
    applied.clear()
    learner.best(game.start())
    assert applied == []
    assert not hasattr(qlearning, "apply")


@pytest.mark.jit
def test_compiled_and_interpreted_learn_the_same():
    settings = {"epsilon": 0.5, "games": 40, "games_per_round": 10, "opening": 2}
    one, other = learn(walk, **settings), learn(Walk(compiled=False), **settings)
    assert np.abs(one.q.w - other.q.w).max() < 1e-5
    assert one.totals == pytest.approx(other.totals)


def test_what_cannot_be_learned_is_said():
    with pytest.raises(GameError, match=r"pig: .*features.*policy_size"):
        make_q_function(zermelo.load("pig"))
    with pytest.raises(GameError, match="no hidden layers"):
        QLearner(walk, Settings(hidden=(3,)))
    with pytest.raises(GameError, match="begins with nothing"):
        QLearner(walk, Settings(pretrain=10))
    learner = QLearner(Walk(compiled=False), Settings(games=200, learning_rate=900, epsilon=1.0, on_policy=True))
    with pytest.raises(GameError, match="a smaller learning rate"), np.errstate(all="ignore"):
        learner.round()
    with pytest.raises(GameError, match="nobody is to move"):
        learner.best(walk.parse("place=0"))
