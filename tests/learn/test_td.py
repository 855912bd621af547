"""TD(0), TD(λ) and Monte Carlo on a chain and on small games whose values are known."""

import numpy as np
import pytest

import zermelo
from tests.learn.walk import PLACES, game, places
from zermelo.compile.evaluator import estimate
from zermelo.core.game import GameError
from zermelo.learn.settings import Settings
from zermelo.learn.trainer import Trainer
from zermelo.textbook import expectiminimax, minimax

TRUTH = np.arange(1, PLACES + 1) / (PLACES + 1)
WANDERING = {
    "epsilon": 1.0,
    "on_policy": True,
    "games": 20_000,
    "schedule": "inverse",
    "learning_rate": 0.5,
    "final_learning_rate": 0.00025,
}
VIEWS = pytest.mark.parametrize("traces", [False, True], ids=["forward", "traces"])


def train(game, **settings):
    trainer = Trainer(game, Settings.read({"seed": 1, **settings}), threads=1)
    while not trainer.finished:
        trainer.round()
    assert trainer.undone == 0
    return trainer.net


def value(net, s):
    """What the network says of `s`, by plain Python, from player 0's view."""
    return s.game.interpreted.run(estimate, net, s.record[0])


def values(net):
    return np.array([value(net, s) for s in places])


# -- a random walk -----------------------------------------------------------------------------------------------------


@pytest.mark.jit
@VIEWS
@pytest.mark.parametrize("lam", [0.0, 0.8, 1.0], ids=["TD(0)", "TD(0.8)", "Monte Carlo"])
def test_the_values_of_a_random_walk(lam, traces):
    net = train(game, lam=lam, traces=traces, **WANDERING)
    assert np.abs(values(net) - TRUTH).max() < 0.03  # 0.15 and more apart


@pytest.mark.jit
@VIEWS
def test_a_hidden_layer_learns_them_too(traces):
    """As TD-Gammon does: hidden units, the squared error, λ = 0.7."""
    settings = {**WANDERING, "learning_rate": 1.0, "final_learning_rate": 0.002}
    net = train(game, hidden=(5,), squared_error=True, lam=0.7, traces=traces, **settings)
    assert np.abs(values(net) - TRUTH).max() < 0.05


@pytest.mark.jit
@VIEWS
def test_discounted(traces):
    """V(i) = γ (V(i - 1) + V(i + 1)) / 2, with 0 and 1 at the ends."""
    gamma = 0.8
    chain = np.eye(PLACES) - gamma / 2 * (np.eye(PLACES, k=1) + np.eye(PLACES, k=-1))
    expected = np.linalg.solve(chain, gamma / 2 * (np.arange(PLACES) == PLACES - 1))
    net = train(game, lam=0.5, gamma=gamma, traces=traces, **WANDERING)
    assert np.abs(values(net) - expected).max() < 0.03
    assert expected[2] < 0.3  # where without a discount it is ½


@pytest.mark.jit
@VIEWS
def test_off_policy_the_best_walk_is_learned_from_a_random_one(traces):
    """Whoever goes right gets 1 from everywhere; experiments tell nothing about that."""
    net = train(
        game, lam=0.8, traces=traces, **{**WANDERING, "on_policy": False, "final_learning_rate": 0.05, "games": 5_000}
    )
    assert values(net).min() > 0.9


@pytest.mark.parametrize("seed", range(4))
def test_after_one_walk_who_is_to_blame(seed):
    """TD(0) blames the last place only: all others led to a place thought just as good. Monte Carlo blames them all,
    for every visit alike, as long as the weights stand still."""
    once = {**WANDERING, "games": 1, "seed": seed, "traces": True}
    blamed = train(game.interpreted, lam=0.0, **once).w
    last = 4 if blamed[PLACES] > 0 else 0  # the last weight is the bias
    assert np.flatnonzero(blamed).tolist() == [last, PLACES]
    assert blamed[last] == blamed[PLACES] == (0.25 if last else -0.25)  # η (1 - ½), or η (0 - ½)
    visits = train(game.interpreted, lam=1.0, **once).w / blamed[last]
    assert visits[:PLACES].sum() == visits[PLACES] >= 2
    assert (visits == visits.round()).all()
    assert visits[[3, 4] if last else [0, 1]].min() >= 1  # the least it takes from the middle to this end


# -- small games -------------------------------------------------------------------------------------------------------


def choose(net, s):
    """Where greedy play goes from `s`."""
    game = s.game
    after = [game.succ(s, a) for a in game.actions(s)]
    worth = [game.utility(t) if game.is_end(t) else value(net, t) for t in after]
    return after[int(np.argmax(worth) if game.player(s) == 0 else np.argmin(worth))]


def greedy_positions(net, game, seat):
    """Every position that comes about when `seat` plays greedily, whatever the other side replies."""
    seen, stack = set(), [game.start()]
    while stack:
        s = stack.pop()
        if s not in seen:
            seen.add(s)
            stack += [choose(net, s)] if game.player(s) == seat else [game.succ(s, a) for a in game.actions(s)]
    return seen


@pytest.mark.jit
def test_tic_tac_toe_is_never_lost():
    """Against every reply there is, in both seats; and what is thought of the positions on the way is nearly exact."""
    game = zermelo.load("tic-tac-toe")
    net = train(game, **game.variant.training)
    memo = {}
    minimax(game, game.start(), memo=memo)
    for seat, sign in ((0, 1), (1, -1)):
        seen = greedy_positions(net, game, seat)
        ends = [sign * game.utility(s) for s in seen if game.is_end(s)]
        assert min(ends) == 0
        assert max(ends) == 1  # whoever blunders is beaten
        moved_to = [s for s in seen if not game.is_end(s) and game.player(s) != seat and s != game.start()]
        errors = np.abs([value(net, s) - memo[s] for s in moved_to])
        assert len(moved_to) > 10
        assert errors.mean() < 0.04
        assert errors.max() < 0.2


@pytest.mark.parametrize(("name", "games"), [("nim", 150), ("three-bins", 300), ("coin-bins", 300)])
def test_other_games_of_the_lecture(name, games):
    """Few games, by plain Python: every move keeps the value, and where greedy play goes it is nearly known."""
    game = zermelo.load(name).interpreted
    net = train(game, **{**game.variant.training, "games": games, "games_per_round": 10})
    spread = game.variant.utility_range[1] - game.variant.utility_range[0]
    for seat in (0, 1):
        for s in greedy_positions(net, game, seat):
            if game.player(s) == seat:
                chosen = choose(net, s)
                exact = expectiminimax(game, s)
                assert expectiminimax(game, chosen) == pytest.approx(exact), (seat, s)
                if not game.is_end(chosen):
                    assert abs(value(net, chosen) - exact) < 0.15 * spread


@pytest.mark.parametrize("name", [n for n in zermelo.games() if getattr(zermelo.load(n), "variant", None)])
def test_the_settings_games_declare_make_sense(name):
    game = zermelo.load(name)
    if game.variant.training is not None:
        assert game.variant.num_features is not None
        Settings.read(game.variant.training)


def test_traces_and_look_ahead_do_not_go_together():
    with pytest.raises(GameError, match="look-ahead"):
        Settings(traces=True, depth=2)
