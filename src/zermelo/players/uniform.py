"""A player that draws lots: the weakest that plays by the rules."""

from __future__ import annotations

from typing import Any

from zermelo.core.game import Game
from zermelo.players.player import Player, as_history


class Uniform(Player):
    """Any legal move, all equally likely."""

    def __init__(self, game: Game[Any, Any], name: str, seed: int = 0):
        super().__init__(game, name, seed)

    def choose(self, position: Any) -> Any:
        actions = as_history(self.game, position).actions()
        return actions[int(self.random.random() * len(actions))]
