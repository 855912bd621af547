"""Games as other people's environments."""

import numpy as np
import pytest

import zermelo
from zermelo.interfaces.environments.functional import Environment
from zermelo.interfaces.environments.spaces import need_environment


def plain(name):
    return zermelo.load(name).interpreted


def some(mask, rng):
    """A legal action for every game; anything where there is none."""
    return np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in mask])


def test_states_of_a_functional_environment_are_values():
    env, rng = Environment(plain("tic-tac-toe")), np.random.default_rng(1)
    assert (env.observation_shape, env.num_actions, env.num_players) == ((3, 3, 2), 9, 2)
    first = state = env.init(4, seed=2)
    total = np.zeros((4, 2))
    for _ in range(9):
        state = env.step(state, some(state.legal_action_mask, rng))
        total += state.rewards
    assert state.terminated.all()
    assert (total == np.asarray(state._batch.utilities)).all()  # once each
    assert not first.terminated.any()
    assert first.legal_action_mask.all()
    assert first.observation.shape == (4, 3, 3, 2)
    assert not first.observation.any()


def test_a_game_without_planes_is_no_environment():
    with pytest.raises(zermelo.GameError, match="pig is no environment"):
        need_environment(zermelo.load("pig"))


def test_a_vector_environment():
    gymnasium = pytest.importorskip("gymnasium")
    from zermelo.interfaces.environments.vector import VectorEnv

    env, rng = VectorEnv(plain("tic-tac-toe"), 6, agent=1, seed=3), np.random.default_rng(1)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    seen, info = env.reset(seed=5)
    assert env.observation_space.contains(seen)
    ended, begun = 0, 0
    for _ in range(30):
        before = env._batch.over.copy()
        seen, rewards, over, _, info = env.step(some(info["action_mask"], rng))
        assert env.observation_space.contains(seen)
        assert (rewards[~over] == 0).all()
        assert not (before & over).any()  # what was over has begun anew
        ended, begun = ended + int(over.sum()), begun + int(before.sum())
        assert (env._batch.player[~over] == 1).all()
    assert ended > 10
    assert begun > 5


def test_a_vector_environment_with_an_opponent():
    pytest.importorskip("gymnasium")
    from zermelo.interfaces.environments.vector import VectorEnv

    asked = []

    def lowest(batch, where):
        asked.append(where.copy())
        return np.argmax(batch.legal, axis=1)

    env = VectorEnv(plain("tic-tac-toe"), 2, opponent=lowest)
    env.reset()
    env.step(np.array([8, 7]))
    assert asked[0].tolist() == [True, True]
    assert (env._batch.states["board"][:, 0] != 0).all()


@zermelo.rules(name="quick", players=2, max_actions=2, policy_size=2, plane_shape=(1, 1, 4), max_plies=4)
class Quick:
    """Take one of four, or, which wins, all of them."""

    state = {"left": "i1", "turn": "i1"}

    def start(s):
        s.left = 4

    def player(s):
        return zermelo.OVER if s.left == 0 else s.turn

    def actions(s, out):
        out[0], out[1] = 0, 1
        return 2

    def apply(s, action):
        s.left = 0 if action == 1 else s.left - 1
        s.turn = 1 - s.turn

    def utility(s, out):
        out[s.turn], out[1 - s.turn] = -1, 1

    def planes(s, out):
        if s.left > 0:
            out[0, 0, s.left - 1] = 1


def test_a_refused_step_of_a_vector_environment_changes_nothing():
    pytest.importorskip("gymnasium")
    from zermelo.interfaces.environments.vector import VectorEnv

    env = VectorEnv(Quick(compiled=False), 2, opponent=lambda batch, where: np.zeros(batch.n, int))
    env.reset()
    assert env.step(np.array([1, 0]))[1].tolist() == [1, 0]
    with pytest.raises(zermelo.GameError, match="game 1 of the batch"):
        env.step(np.array([0, 7]))
    assert env._batch.over.tolist() == [True, False]
    _, rewards, over, _, _ = env.step(np.array([1, 1]))  # an action that does not count, and one that does
    assert rewards.tolist() == [0, 1]
    assert over.tolist() == [False, True]


def test_a_game_that_ends_before_the_agent_moves_is_rewarded():
    pytest.importorskip("gymnasium")
    from zermelo.interfaces.environments.vector import VectorEnv

    env = VectorEnv(Quick(compiled=False), 2, agent=1, opponent=lambda batch, where: np.ones(batch.n, int))
    env.reset()
    for _ in range(3):
        _, rewards, over, _, _ = env.step(np.zeros(2, int))
        assert over.all()
        assert rewards.tolist() == [-1, -1]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["tic-tac-toe", "kalah"])
def test_pettingzoo_finds_nothing_to_complain_of(name):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from zermelo.interfaces.environments.turns import TurnEnv

    api_test(TurnEnv(plain(name)), num_cycles=40)


def test_turns_end_with_the_payoffs():
    pytest.importorskip("pettingzoo")
    from zermelo.interfaces.environments.turns import TurnEnv

    env = TurnEnv(plain("tic-tac-toe"), render_mode="ansi")
    env.reset(seed=1)
    for a in (0, 3, 1, 4, 2):
        assert env.last()[0]["action_mask"][a]
        env.step(a)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())
    assert env.render()


def test_environments_refuse_what_makes_no_sense():
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from zermelo.interfaces.environments.turns import TurnEnv
    from zermelo.interfaces.environments.vector import VectorEnv

    game = plain("tic-tac-toe")
    env = TurnEnv(game)
    for ask in (lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(zermelo.GameError, match=r"no game has begun; call reset\(\)"):
            ask()
    env.reset(seed=1)
    for action in ("x", 1.5, True):
        with pytest.raises(zermelo.GameError, match="an action must be a whole number"):
            env.step(action)
    with pytest.raises(zermelo.GameError, match="is not the policy of a legal action"):
        env.step(9)
    env.step(np.int8(4))
    assert env.agent_selection == "player_1"
    for make, told in (
        (lambda: TurnEnv(game, render_mode="human"), "render_mode is 'ansi' or None"),
        (lambda: VectorEnv(game, 2, opponent=3), "an opponent is a function"),
        (lambda: VectorEnv(game, 2**31), "GiB"),
    ):
        with pytest.raises(zermelo.GameError, match=told):
            make()
