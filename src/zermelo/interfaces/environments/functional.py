"""`init` and `step` over states that are values, as Pgx has them: a training script written for it needs few changes.

    env = Environment("connect-four", device="cuda")        env = pgx.make("connect_four")
    state = env.init(n, seed=0)                             state = jit(vmap(env.init))(keys)
    state = env.step(state, action)                         state = jit(vmap(env.step))(state, action)
    state.observation, .legal_action_mask, .rewards, .terminated, .current_player

A state holds all n games. It is never changed: `step` copies the games and moves in the copy; `in_place=True` saves the
copy, for loops that do not look back. A finished game stays as it is, with rewards of 0 from then on, unless games
restart. Arrays are NumPy's, or on a card JAX's own without a copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.batch.batch import Batch, make_batch
from zermelo.batch.handover import to_jax
from zermelo.core.game import OVER
from zermelo.interfaces.environments.spaces import need_environment


class State:
    """n games as they stand."""

    def __init__(self, batch: Batch, new: Any):
        self._batch = batch
        self._new = new  # (n,) games that came to their end with the last move

    def _given(self, array: Any) -> Any:
        return array if isinstance(array, np.ndarray) else to_jax(array)

    @property
    def current_player(self) -> Any:
        """(n,) whose turn it is; OVER where the game is over."""
        return self._given(self._batch.player)

    @property
    def observation(self) -> Any:
        """(n, height, width, planes) int8, as the player to move sees it."""
        return self._given(self._batch.planes).transpose(0, 2, 3, 1)

    @property
    def legal_action_mask(self) -> Any:
        """(n, policy_size)."""
        return self._given(self._batch.legal)

    @property
    def rewards(self) -> Any:
        """(n, players): the payoffs, with the move that ended the game."""
        return self._given(self._batch.utilities) * self._new[:, None]

    @property
    def terminated(self) -> Any:
        """(n,) is the game over?"""
        return self.current_player == OVER


class Environment:
    """A game with `init` and `step`."""

    def __init__(
        self, game: Any, device: str = "cpu", *, in_place: bool = False, restart: bool = False, checked: bool = True
    ):
        self.game = need_environment(game)
        self.device, self.in_place, self.restart, self.checked = device, in_place, restart, checked

    @property
    def observation_shape(self) -> tuple[int, ...]:
        count, height, width = self.game.variant.plane_shape  # type: ignore[misc]
        return height, width, count

    @property
    def num_actions(self) -> int:
        return self.game.variant.policy_size  # type: ignore[return-value]

    @property
    def num_players(self) -> int:
        return self.game.players

    def init(self, n: int, seed: int = 0) -> State:
        """n games at their start."""
        watch = ("player", "utilities", "legal", "planes")
        options = {"checked": self.checked, "restart": self.restart, "watch": watch}
        batch = make_batch(self.game, n, device=self.device, seed=seed, **options)  # type: ignore[arg-type]
        return State(batch, np.zeros(n, np.bool_))

    def step(self, state: State, action: Any) -> State:
        """Every game after its action, told by its policy_index."""
        before = state._batch
        batch = before if self.in_place else before.copy()
        already = np.array(before.device.read(before.finished))
        batch.step(action, by="policy")
        return State(batch, np.array(batch.device.read(batch.finished)) > already)
