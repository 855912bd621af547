"""Everybody against everybody, in one call: `tournament`, a cross-table, and ratings on one scale.

A round robin of pairs of games with sides swapped, same opening, same dice. In a game for one, everybody plays the same
dice, and the table is one of mean payoffs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.arena.match import Match
from zermelo.arena.plan import ROUND_ROBIN, Plan
from zermelo.arena.standings import Standing, standings
from zermelo.arena.summary import Summary, format_mean
from zermelo.core.game import Game
from zermelo.core.words import count


@dataclass(frozen=True)
class TournamentResult:
    summary: Summary
    planned: int  # games
    resumed: int = 0  # games that had been played before

    @property
    def games(self) -> int:
        return self.summary.games

    @property
    def players(self) -> tuple[str, ...]:
        return self.summary.plan.players

    @property
    def standings(self) -> list[Standing]:
        """Everybody's rating, points and points against the others, the best first; for games of two sides."""
        return standings(self.summary)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        table = self._rated_dicts() if self.summary.plan.is_two_sided else self._alone_dicts()
        return self.summary.as_dict() | {"standings": table, "resumed": self.resumed}

    def lines(self) -> list[str]:
        """Everything, for people."""
        said = [f"{self.summary.plan.game}: {count(len(self.players), 'player')}, {count(self.games, 'game')}"]
        said += self._rated_lines() if self.summary.plan.is_two_sided else self._alone_lines()
        return said + self.summary.fault_lines()

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _rated_dicts(self) -> list[dict[str, Any]]:
        table = self.standings
        return [
            {
                "player": one.player,
                "elo": one.elo,
                "interval": [one.elo - one.half, one.elo + one.half],
                "points": one.points,
                "games": one.games,
                "against": {
                    str(other.number + 1): one.against[k][0] for k, other in enumerate(table) if other is not one
                },
            }
            for one in table
        ]

    def _rated_lines(self) -> list[str]:
        table = self.standings
        width = max(len("player"), *(len(one.player) for one in table))
        column = max(6, 1 + max(len(f"{games:.1f}") for one in table for _, games in one.against))
        lines = [
            f"    {'player':{width}}  {'rating':>12}  {'points':>10}  "
            + "".join(f"{place:>{column}}" for place in range(1, len(table) + 1))
        ]
        for place, one in enumerate(table, 1):
            rating = f"{one.elo:+.0f} ± {one.half:.0f}"
            total = f"{_points(one.points)}/{one.games}"
            row = "".join(
                f"{'·' if k == place else _points(points):>{column}}" for k, (points, _) in enumerate(one.against, 1)
            )
            lines.append(f"{place:>2}  {one.player:{width}}  {rating:>12}  {total:>10}  {row}")
        return lines

    def _alone(self) -> list[tuple[str, Any]]:
        """(player, mean payoff), the best first; who has not played yet comes last."""
        means = [(name, self.summary.payoff(i)) for i, name in enumerate(self.players)]
        return sorted(means, key=lambda one: (math.isnan(one[1].value), -one[1].value))

    def _alone_dicts(self) -> list[dict[str, Any]]:
        return [{"player": name, "mean": mean.value, "error": mean.error} for name, mean in self._alone()]

    def _alone_lines(self) -> list[str]:
        width = max(map(len, self.players))
        return [
            f"{place:>2}  {name:{width}}  {format_mean(mean)}" for place, (name, mean) in enumerate(self._alone(), 1)
        ]


class Tournament(Match):
    """A round robin to be played: `games` of every two players."""

    kind = ROUND_ROBIN

    def _count(self, plan: Plan, games: int) -> int:
        if not plan.is_two_sided:
            return games * plan.per_group
        return -(-games // plan.per_group) * plan.per_group * len(plan.lineups)

    def standings(self) -> TournamentResult:
        """What can be said so far."""
        return TournamentResult(self.summary, self.runner.games, self.runner.resumed)


def tournament(
    game: str | Game[Any, Any],
    *players: str,
    games: int = 20,
    seconds: float | None = None,
    openings: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    record: Path | str | None = None,
    margin: float = 1.0,
    position: str | None = None,
    book: Path | str | None = None,
    options: Mapping[str, Any] | None = None,
    on_game: Callable[[Match], None] = lambda match: None,
) -> TournamentResult:
    """Let every two of `players` play `games` games; what `zermelo tournament` does. The rest is as for `match`."""
    one = Tournament(
        game, *players, games=games, seconds=seconds, openings=openings, seed=seed, jobs=jobs,
        record=record, margin=margin, position=position, book=book, options=options,
    )  # fmt: skip
    one.play(on_game)
    return one.standings()


def _points(x: float) -> str:
    """17½ for 17.5."""
    whole = int(x)
    return f"{whole or ''}½" if x != whole and whole else "½" if x != whole else str(whole)
