"""Monte Carlo: estimate a value by playing, not by looking at everything.

    V(s) ≈ (u_1 + … + u_n) / n        u_i the utility at the end of path i

Everybody, nature too, follows a stochastic policy; the paths end where the game ends. The average tends to
`policy_value` of these policies (not to minimax), with an error that shrinks like 1/√n whatever the size of the tree.
Paths may also be given, recorded from games or written by hand, and averaged just the same.

References: Metropolis and Ulam 1949; Abramson 1990 (expected outcome).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from zermelo.core.game import A, Game, GameError, S
from zermelo.textbook.policies import Policies, odds, sample


class Estimate(NamedTuple):
    """An average of `n` utilities, and the standard error of that average (infinite for a single one)."""

    mean: float
    error: float
    n: int


def average(utilities: Iterable[float]) -> Estimate:
    u = list(utilities)
    if not u:
        raise GameError("there is nothing to average: no path was given")
    return Estimate(fmean(u), stdev(u) / sqrt(len(u)) if len(u) > 1 else inf, len(u))


def sample_path(game: Game[S, A], s: S, policies: Policies[S, A], rng: Random) -> list[A]:
    """One path from `s` to the end, as its actions and chance outcomes."""
    path: list[A] = []
    while not game.is_end(s):
        path.append(sample(odds(game, policies, s), rng))
        s = game.succ(s, path[-1])
    return path


def follow(game: Game[S, A], s: S, path: Iterable[A]) -> S:
    """The state in which `path` ends."""
    for a in path:
        s = game.succ(s, a)
    return s


def average_paths(game: Game[S, A], s: S, paths: Iterable[Sequence[A]], *, player: int = 0) -> Estimate:
    """The mean utility of `player` over paths from `s` to the end."""
    return average(game.utility(follow(game, s, path), player) for path in paths)


def monte_carlo(
    game: Game[S, A], s: S, policies: Policies[S, A], n: int, rng: Random | int, *, player: int = 0
) -> Estimate:
    """The mean utility of `player` over `n` random paths from `s`; `rng` is a generator or a seed.

    An estimate of `policy_value(game, s, policies, player=player)`: it assumes of everybody just their policies.
    """
    dice = rng if isinstance(rng, Random) else Random(rng)
    return average_paths(game, s, (sample_path(game, s, policies, dice) for _ in range(n)), player=player)
