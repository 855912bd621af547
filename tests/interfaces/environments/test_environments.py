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
