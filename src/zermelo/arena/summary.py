"""What the games of a plan say: a match between two, a match of many, a round robin."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

from zermelo.arena.plan import Plan
from zermelo.arena.playing import FAULTS
from zermelo.arena.records import Record
from zermelo.arena.statistics import Comparison, Mean, Tally, compare, mean

LEAST = 0.0005  # what is rounded to 0.001


class Summary:
    """Grows by one record at a time. Players are known by their numbers, their places among the plan's specs."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.games = 0
        self.seconds = 0.0
        self.plies = 0
        self.faults: Counter[tuple[int, str]] = Counter()  # (player, kind)
        self.results: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])  # (i, j): won drawn lost
        self.by_seat: defaultdict[tuple[int, int], list[float]] = defaultdict(list)  # (player, seat) → scores
        self._scores: defaultdict[tuple[int, int], dict[int, list[float]]] = defaultdict(dict)  # → group → scores of i
        self._whole: defaultdict[tuple[int, int], Tally] = defaultdict(Tally)  # of the groups that are complete
        self._payoffs: defaultdict[int, dict[int, list[float]]] = defaultdict(dict)  # player → group → payoffs

    def add(self, record: Record) -> None:
        self.games += 1
        self.seconds += record.get("seconds", 0.0)
        self.plies += len(record["moves"])
        seats, payoffs, group = record["seats"], record["payoffs"], record["group"]
        if record["reason"] in FAULTS and record["fault"]:
            self.faults[seats[record["fault"]["seat"]], record["reason"]] += 1
        for player in dict.fromkeys(seats):
            own = [payoff for seat, payoff in zip(seats, payoffs, strict=True) if seat == player]
            self._payoffs[player].setdefault(group, []).append(sum(own) / len(own))
        if self.plan.is_two_sided and len(set(seats)) == 2:
            first, second = sorted(set(seats))
            a, b = payoffs[seats.index(first)], payoffs[seats.index(second)]
            score = 1.0 if a > b else 0.0 if a < b else 0.5
            scores = self._scores[first, second].setdefault(group, [])
            scores.append(score)
            if len(scores) == self.plan.per_group:
                self._whole[first, second].add(sum(scores) / len(scores))
            self.results[first, second][{1.0: 0, 0.5: 1, 0.0: 2}[score]] += 1
            self.by_seat[first, seats.index(first)].append(score)

    def comparison(self, i: int = 0, j: int = 1) -> Comparison:
        """Player i against player j, from whole groups; from single games while there is no whole group."""
        if self._whole[i, j].groups:
            return self._whole[i, j].comparison(self.plan.per_group)
        return compare((score for scores in self._scores[i, j].values() for score in scores), 1)

    def pairs(self, i: int = 0, j: int = 1) -> list[int]:
        """How many pairs of games brought player i 0, ½, 1, 1½ and 2 points."""
        counts = [0] * 5
        for scores in self._scores[i, j].values():
            if len(scores) == 2:
                counts[round(2 * sum(scores))] += 1
        return counts

    def payoff(self, player: int) -> Mean:
        """The average payoff of a player, and its error from the scatter between groups."""
        return mean([sum(group) / len(group) for group in self._payoffs[player].values()])

    def advantage(self, i: int, j: int) -> Mean:
        """How much more player i got than player j in the same groups: what dice they shared cancels out."""
        mine, theirs = self._payoffs[i], self._payoffs[j]
        shared = [g for g in mine if g in theirs and len(mine[g]) == len(theirs[g])]
        return mean([sum(mine[g]) / len(mine[g]) - sum(theirs[g]) / len(theirs[g]) for g in shared])

    @property
    def has_points(self) -> bool:
        """Do payoffs say more than who has won?"""
        return any(abs(p) not in (0.0, 1.0) for groups in self._payoffs.values() for ps in groups.values() for p in ps)

    def points(self, i: int, j: int) -> float:
        """What i scored against j, a draw being half a point."""
        won, drawn, lost = self.results[min(i, j), max(i, j)]
        return (won if i < j else lost) + drawn / 2

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        plan = self.plan
        told: dict[str, Any] = {
            "kind": plan.kind,
            "game": plan.game,
            "options": plan.options,
            "players": list(plan.players),
            "seed": plan.seed,
            "opening": plan.opening,
            "games": self.games,
            "plies": self.plies,
            "faults": [{"player": p, "fault": fault, "games": n} for (p, fault), n in sorted(self.faults.items())],
            "payoffs": [self._mean(self.payoff(p)) for p in range(len(plan.players))],
        }
        if len(plan.players) == 2:
            told["advantage"] = self._mean(self.advantage(0, 1))
        if plan.is_two_sided and len(plan.players) == 2:
            told |= comparison_dict(self.comparison())
            told |= dict(zip(("wins", "draws", "losses"), self.results[0, 1], strict=True))
            told["pairs"] = self.pairs()
        return told

    def _mean(self, m: Mean) -> dict[str, float]:
        return {"mean": m.value, "error": m.error}

    def fault_lines(self) -> list[str]:
        """Who lost how many games by a fault."""
        names = self.plan.players
        return [f"{names[p]}: {n} lost by fault ({fault})" for (p, fault), n in sorted(self.faults.items())]


def comparison_dict(seen: Comparison) -> dict[str, Any]:
    return {
        "score": seen.score,
        "elo": seen.elo,
        "elo_interval": [seen.elo_low, seen.elo_high],
        "los": seen.los,
        "complete_pairs": seen.groups,
    }


def format_elo(seen: Comparison) -> str:
    """`+35 [+12, +58]`; an end that is open is an ∞."""
    return f"{_signed(seen.elo)} [{_signed(seen.elo_low)}, {_signed(seen.elo_high)}]"


def format_mean(mean: Mean) -> str:
    """With its interval, if there are games enough for one."""
    if math.isnan(mean.value):
        return "–"
    if mean.is_always:
        return f"{mean.value:+.3f} (the same every time)"
    if math.isnan(mean.half):
        return f"{mean.value:+.3f}"
    return f"{mean.value:+.3f} ± {f'{mean.half:.3f}' if mean.half >= LEAST else 'less than 0.001'} (95 %)"


def format_percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _signed(x: float) -> str:
    if math.isinf(x):
        return "+∞" if x > 0 else "−∞"
    return f"{x:+.0f}".replace("-", "−")
