"""One scale for many players: the ratings under which the results are the likeliest (Bradley and Terry 1952; Elo 1978).

    P(i beats j) = 1 / (1 + 10^((r_j - r_i) / 400)),    a draw is half a win and half a loss

To this every player gets two drawn games against an imagined one of the average rating (a weak prior), so that
somebody who has won everything has a finite rating. Ratings are found by Newton's method; the intervals come from the
curvature there (the inverse of the Fisher information). They add up to 0: only differences mean anything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.arena.statistics import Z

PRIOR = 2.0  # drawn games against the average
UNIT = 400 / math.log(10)  # Elo points in one unit of the logistic scale


@dataclass(frozen=True)
class Rating:
    elo: float
    half: float  # half the width of its 95 % interval


def ratings(points: NDArray[np.float64], games: NDArray[np.float64]) -> list[Rating]:
    """From points[i, j], what i scored against j, and games[i, j] = games[j, i], how many they played."""
    n = len(points)
    strength = np.zeros(n)  # in units of the logistic scale
    for _ in range(100):
        expected = _logistic(strength[:, None] - strength[None, :])
        anchor = _logistic(strength)
        gradient = points.sum(1) - (games * expected).sum(1) + PRIOR * (0.5 - anchor)
        information = _information(games, expected, anchor)
        step = np.linalg.solve(information, gradient)
        strength += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-9:
            break
    expected, anchor = _logistic(strength[:, None] - strength[None, :]), _logistic(strength)
    centre = np.eye(n) - 1 / n  # ratings are relative to their average
    covariance = centre @ np.linalg.inv(_information(games, expected, anchor)) @ centre
    values = (centre @ strength) * UNIT
    halves = Z * np.sqrt(np.maximum(np.diag(covariance), 0)) * UNIT
    return [Rating(float(value), float(half)) for value, half in zip(values, halves, strict=True)]


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(x, -50, 50)))
    return result


def _information(
    games: NDArray[np.float64], expected: NDArray[np.float64], anchor: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Minus the second derivatives of the log-likelihood."""
    weight = games * expected * (1 - expected)
    result: NDArray[np.float64] = np.diag(weight.sum(1) + PRIOR * anchor * (1 - anchor)) - weight
    return result
