"""A gymnasium.vector.VectorEnv over any game: one agent in n games, the other players beside it.

The agent is one of the players; the others move by `opponent(batch, where)`, which chooses a policy_index for every
game in which it is asked, or at random. An observation is the planes, `info["action_mask"]` the legal moves, the reward
the agent's payoff with the move that ends the game. A game that has ended begins anew with the next step, whose action
does not count (Gymnasium's AutoresetMode.NEXT_STEP).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from zermelo.batch.batch import Batch, make_batch
from zermelo.core.game import OVER, GameError, shorten
from zermelo.core.spec import whole
from zermelo.interfaces.environments.spaces import need_environment

Opponent = Callable[[Batch, Any], Any]


class VectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[misc]
    """n games of one agent."""

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}  # noqa: RUF012 - Gymnasium's own way

    def __init__(self, game: Any, num_envs: int, *, agent: int = 0, opponent: Opponent | None = None, seed: int = 0):
        self.game = need_environment(game)
        self.agent, self.opponent = whole("agent", agent, 0, self.game.players - 1), opponent
        self.num_envs = whole("num_envs", num_envs, 1)
        if opponent is not None and not callable(opponent):
            raise GameError(f"an opponent is a function of the batch and of where it is asked, not {shorten(opponent)}")
        self._seed = seed
        self._batch = self._begin()  # says in a sentence if there is no room
        spaces, shape = gymnasium.spaces, self.game.variant.plane_shape
        self.single_observation_space = spaces.Box(-128, 127, shape, np.int8)
        self.single_action_space = spaces.Discrete(self.game.variant.policy_size)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def _begin(self) -> Batch:
        return make_batch(self.game, self.num_envs, seed=self._seed)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        if seed is not None:
            self._seed = whole("seed", seed)
            self._batch = self._begin()
        else:
            self._batch.reset()
        self._let_others_move()
        return self._seen()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        over = self._batch.over.copy()
        self._batch.step(np.asarray(actions), by="policy", where=~over)  # first, since it may be refused
        if over.any():
            self._batch.reset(where=over)
        self._let_others_move()
        rewards = np.where(self._batch.over, self._batch.utilities[:, self.agent], 0.0)  # what was over began anew
        observation, info = self._seen()
        return observation, rewards, self._batch.over.copy(), np.zeros(self.num_envs, np.bool_), info

    def _let_others_move(self) -> None:
        """Until it is the agent's turn in every game that is not over."""
        while True:
            where = (self._batch.player != OVER) & (self._batch.player != self.agent)
            if not where.any():
                return
            if self.opponent is None:
                self._batch.random_steps(1, where=where)
            else:
                self._batch.step(np.asarray(self.opponent(self._batch, where)), by="policy", where=where)

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        return self._batch.planes.copy(), {"action_mask": self._batch.legal.copy()}
