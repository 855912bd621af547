"""A pettingzoo.AECEnv over any game: the players in turn, `player_0` first or whoever the rules say.

An observation is {"observation": planes, "action_mask": legal moves}, as the player to move sees them; an action is a
policy_index. Chance moves by itself, from the seed of `reset`. The payoffs come with the move that ends the game.
(`pettingzoo.utils.conversions.turn_based_aec_to_parallel` makes a parallel environment of it.)
"""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

from zermelo.batch.batch import Batch, make_batch
from zermelo.core.game import OVER, GameError, shorten
from zermelo.core.spec import whole
from zermelo.interfaces.environments.spaces import need_environment


class TurnEnv(pettingzoo.AECEnv):  # type: ignore[misc]
    """One game of all its players."""

    def __init__(self, game: Any, render_mode: str | None = None):
        self.game = need_environment(game)
        if render_mode not in (None, "ansi"):
            raise GameError(f"render_mode is 'ansi' or None, not {shorten(render_mode)}")
        self._games: Batch | None = None
        self.metadata = {"name": self.game.name, "render_modes": ["ansi"], "is_parallelizable": True}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{p}" for p in range(self.game.players)]
        seen = gymnasium.spaces.Box(-128, 127, self.game.variant.plane_shape, np.int8)
        mask = gymnasium.spaces.Box(0, 1, (self.game.variant.policy_size,), np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.game.variant.policy_size) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._games = make_batch(self.game, 1, seed=Random().getrandbits(62) if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    @property
    def _batch(self) -> Batch:
        if self._games is None:
            raise GameError(f"{self.game.name}: no game has begun; call reset()")
        return self._games

    def observe(self, agent: str) -> dict[str, Any]:
        batch = self._batch
        mine = not self.terminations[agent] and agent == self.agent_selection
        mask = batch.legal[0].astype(np.int8)
        return {"observation": batch.planes[0].copy(), "action_mask": mask if mine else np.zeros_like(mask)}

    def step(self, action: Any) -> None:
        batch, agent = self._batch, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise GameError(f"{self.game.name}: it is the turn of {agent}, who must move")
        batch.step(np.array([whole("an action", action)]), by="policy")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if batch.over[0]:
            for p, name in enumerate(self.possible_agents):
                self.rewards[name] = float(batch.utilities[0, p])
                self.terminations[name] = True
            self.agent_selection = self.possible_agents[(self.possible_agents.index(agent) + 1) % len(self.agents)]
        else:
            self.agent_selection = self._to_move()
        self._accumulate_rewards()

    def render(self) -> str | None:
        return self.game.text(self._batch.state(0)) if self.render_mode == "ansi" else None

    def close(self) -> None: ...

    def _to_move(self) -> str:
        p = int(self._batch.player[0])
        if p == OVER:
            raise GameError(f"{self.game.name} is over before it has begun")
        return self.possible_agents[p]
