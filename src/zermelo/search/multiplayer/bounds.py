"""What pruning may rely on in a game of any number of players: who can get how much, and that it sums to zero."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError


class Bounds(NamedTuple):
    """Infinite where nothing is known. A kernel that meets a leaf outside says so, and is run again without."""

    zero_sum: bool  # every leaf's payoffs, or estimates, sum to zero
    least: NDArray[np.float64]  # (players,) that the side of p can get
    most: NDArray[np.float64]  # (players,)
    rest: NDArray[np.float64]  # (players, players) the least that all sides but those of p and q get together


def find_bounds(game: RecordGame, utility_range: tuple[float, float] | None, pruning: bool) -> Bounds:
    """What is known of `game`.

    `utility_range` is anybody's. What the game declares is player 0's: the opposite of the other side's between two
    sides, and taken to be anybody's where all play for themselves.
    """
    if utility_range is not None and not utility_range[0] < utility_range[1]:
        raise GameError(f"utility_range must be (least, most), not {utility_range!r}")
    players = game.players
    sides = np.array([game.side(p) for p in range(players)])
    size = np.array([np.sum(sides == side) for side in sides], float)
    least, most = np.full(players, -np.inf), np.full(players, np.inf)
    declared, two = game.variant.utility_range, len(set(sides.tolist())) == 2
    if utility_range is not None:
        least, most = utility_range[0] * size, utility_range[1] * size
    elif declared is not None and two and game.zero_sum and size[0] == 1:
        least = np.where(sides == 0, declared[0], -declared[1]).astype(float)
        most = np.where(sides == 0, declared[1], -declared[0]).astype(float)
    elif declared is not None and np.all(size == 1):
        least, most = np.full(players, declared[0]), np.full(players, declared[1])
    rest = np.zeros((players, players))
    for p in range(players):
        for q in range(players):
            others = {int(sides[r]): least[r] for r in range(players) if sides[r] not in (sides[p], sides[q])}
            rest[p, q] = sum(others.values())
    if not pruning:
        return Bounds(False, np.full(players, -np.inf), np.full(players, np.inf), rest)
    return Bounds(game.zero_sum, least, most, rest)
