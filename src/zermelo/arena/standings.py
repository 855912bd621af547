"""The table of a tournament: everybody's rating with its interval, points, and points against each other player."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.arena.ratings import ratings
from zermelo.arena.summary import Summary


@dataclass(frozen=True)
class Standing:
    """A player in a table of two-sided games."""

    number: int  # in the plan
    player: str
    elo: float
    half: float  # of the 95 % interval
    points: float
    games: int
    against: list[tuple[float, int]]  # (points, games) against each, in the order of the table; (0, 0) against itself


def standings(summary: Summary) -> list[Standing]:
    """Everybody, the best first."""
    names, n = summary.plan.players, len(summary.plan.players)
    points, played = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                points[i, j] = summary.points(i, j)
                played[i, j] = sum(summary.results[min(i, j), max(i, j)])
    rated = ratings(points, played)
    order = sorted(range(n), key=lambda i: -rated[i].elo)
    return [
        Standing(
            i, names[i], rated[i].elo, rated[i].half, float(points[i].sum()), int(played[i].sum()),
            [(float(points[i, j]), int(played[i, j])) for j in order],
        )
        for i in order
    ]  # fmt: skip
