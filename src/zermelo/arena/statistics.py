"""What a number of games says about two players: the score, the Elo difference, their intervals, sequential tests.

Games come in groups that share an opening and dice (pairs with sides swapped), so the groups, not the games, are
independent, and their scatter is usually smaller than that of single games. A group's score x is the mean of its games'
(win 1, draw ½, loss 0): for pairs one of 0, ¼, ½, ¾, 1 (the "pentanomial" model).

    score      s = mean of x,   Elo difference = 400 log10(s / (1 - s))
    weight     n = s (1 - s) / var(s): the groups say as much as n independent games without draws would
    interval   Wilson's for s with weight n, turned into Elo: sane also where everything was won, where the upper end
               is open
    LOS        likelihood of superiority: Φ of the score test against ½
    SPRT       Wald's sequential test of "Elo difference is elo0" against "is elo1", in the normal approximation of the
               generalized likelihood ratio: LLR = groups · (s1 - s0) (2 s - s0 - s1) / (2 var(x))

The variance of x gets one observation more than was made, of what a pair of independent games would give, so that a
few equal results do not look like certainty.

References: Wilson 1927; Wald 1945; M. Van den Bergh, "A practical introduction to the GSPRT", 2020.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

ALIKE = 1e-9  # values closer than this are the same, but for rounding
Z = NormalDist().inv_cdf(0.975)  # of a 95 % interval


def elo(score: float) -> float:
    """The difference in rating at which `score` is expected."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """What a player rated higher by `difference` scores."""
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True)
class Comparison:
    """The first player against the second."""

    score: float
    low: float  # a 95 % interval of the score
    high: float
    los: float  # likelihood of superiority: the first is the better one
    groups: int
    variance: float  # of one group's score

    @property
    def elo(self) -> float:
        return elo(self.score)

    @property
    def elo_low(self) -> float:
        return elo(self.low)

    @property
    def elo_high(self) -> float:
        return elo(self.high)


def compare(scores: Iterable[float], games_per_group: int = 2) -> Comparison:
    """From the scores of independent groups, each the mean of `games_per_group` games."""
    tally = Tally()
    for score in scores:
        tally.add(score)
    return tally.comparison(games_per_group)


@dataclass
class Tally:
    """All that is needed of the groups' scores: how many there are, their sum, and that of their squares."""

    groups: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, score: float) -> None:
        self.groups += 1
        self.total += score
        self.squares += score * score

    def comparison(self, games_per_group: int) -> Comparison:
        if self.groups == 0:
            return Comparison(0.5, 0.0, 1.0, 0.5, 0, 0.25 / games_per_group)
        score = self.total / self.groups
        games = self.groups * games_per_group
        shrunk = (score * games + 1) / (games + 2)  # not 0 and not 1
        prior = shrunk * (1 - shrunk) / games_per_group
        scatter = max(0.0, self.squares - self.groups * score * score)
        return _compare(score, self.groups, games, (scatter + prior) / self.groups)


def _compare(score: float, groups: int, games: int, variance: float) -> Comparison:
    spread = score * (1 - score)
    weight = games if spread <= 0 else spread * groups / variance
    low, high = wilson(score, weight)
    los = NormalDist().cdf((score - 0.5) * 2 * math.sqrt(weight))
    return Comparison(score, low, high, los, groups, variance)


def wilson(score: float, weight: float) -> tuple[float, float]:
    """A 95 % interval for a proportion seen in `weight` trials."""
    middle = (score + Z * Z / (2 * weight)) / (1 + Z * Z / weight)
    half = Z / (1 + Z * Z / weight) * math.sqrt(score * (1 - score) / weight + Z * Z / (4 * weight * weight))
    return max(0.0, middle - half) if score > 0 else 0.0, min(1.0, middle + half) if score < 1 else 1.0


@dataclass(frozen=True)
class SPRT:
    """A sequential test between two hypotheses about the Elo difference, each error at most `error` likely."""

    elo0: float
    elo1: float
    error: float = 0.05

    @property
    def bound(self) -> float:
        """Where the log-likelihood ratio decides."""
        return math.log((1 - self.error) / self.error)

    def ratio(self, seen: Comparison) -> float:
        """The log-likelihood ratio: positive speaks for elo1."""
        if seen.groups == 0:
            return 0.0
        s0, s1 = expected_score(self.elo0), expected_score(self.elo1)
        return seen.groups * (s1 - s0) * (2 * seen.score - s0 - s1) / (2 * seen.variance)

    def verdict(self, seen: Comparison) -> str | None:
        """Which hypothesis is accepted, "elo1" or "elo0"; None: more games are needed."""
        ratio = self.ratio(seen)
        return "elo1" if ratio >= self.bound else "elo0" if ratio <= -self.bound else None


@dataclass(frozen=True)
class Mean:
    """An average and its standard error; that is not known (NaN) from less than two observations, or where all are
    alike: a few equal results are no certainty."""

    value: float
    error: float
    is_always: bool = False  # it was the same every time

    @property
    def half(self) -> float:
        """Half the width of a 95 % interval."""
        return Z * self.error


def mean(values: Sequence[float]) -> Mean:
    n = len(values)
    if n == 0:
        return Mean(math.nan, math.nan)
    average = sum(values) / n
    if n == 1:
        return Mean(average, math.nan)
    if max(values) - min(values) <= ALIKE * (1 + abs(average)):
        return Mean(average, math.nan, is_always=True)
    return Mean(average, math.sqrt(sum((v - average) ** 2 for v in values) / (n - 1) / n))
