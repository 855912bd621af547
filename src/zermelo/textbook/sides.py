"""Who wants what.

Two-sided searches know MAX and MIN: side 0 maximizes the utility of player 0, every other side minimizes it. The sign
follows the player to move, never the ply, since a player may move twice in a row. In max^n there are as many sides as
teams, and every player maximizes the sum of the utilities of its team.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.core.game import A, Game, S


def maximizes(game: Game[S, A], player: int) -> bool:
    """Whether `player` is on MAX's side."""
    return game.side(player) == 0


def team_total(game: Game[S, A], player: int, utilities: Sequence[float]) -> float:
    """What `player` maximizes in max^n, from the utilities of all players."""
    return sum(u for p, u in enumerate(utilities) if game.side(p) == game.side(player))
