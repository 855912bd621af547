"""Recorded games looked at again with tables: who gave away what a position was worth?

    review = Review(tables)
    review.add(record)    a game as arena/records.py keeps it; what tables do not know is passed over
    review.rows()         a row for every player, and for what the first known position was worth to it

A game counts for a player from the first position on that tables know. It is *kept* if its payoff is at least what that
position was worth, and *without a fault* if no move of the player made a position worth less to it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from zermelo.arena.records import replay
from zermelo.core.game import CHANCE, OVER
from zermelo.tables.tables import Tables

WORTH = {1: "won", 0: "drawn", -1: "lost"}


@dataclass(frozen=True)
class ReviewRow:
    """What became of the games that were worth the same to a player."""

    player: str
    worth: str  # the first known position, to the player
    games: int
    kept: int  # ended at least as well as that
    faultless: int  # no move gave anything away
    moves: int  # in known positions
    faults: int  # … that gave something away


class Review:
    """Adds games up."""

    def __init__(self, tables: Tables):
        self.tables = tables
        self._counts: dict[tuple[str, int], Counter[str]] = {}
        self.passed_over = 0  # games without a known position

    def add(self, record: dict[str, Any]) -> None:
        game = self.tables.game
        history = replay(record, game)
        players, payoffs = record["players"], record["payoffs"]
        worths: dict[int, int] = {}  # of the first known position, by seat
        moves: Counter[int] = Counter()
        faults: Counter[int] = Counter()
        before: tuple[int, int] | None = None  # who moved from a known position, and what that was worth
        for s in history.states:
            mover = game.player(s)
            if mover == OVER:
                now = None
                value = None if before is None else _sign(game.utility(s, before[0]))
            else:
                found = self.tables.probe(s) if mover != CHANCE else None
                now = None if found is None else (mover, found.value)
                value = None if now is None or before is None else now[1] * (1 if mover == before[0] else -1)
            if before is not None and value is not None:
                moves[before[0]] += 1
                faults[before[0]] += value < before[1]
            if now is not None and not worths:
                worths = {p: now[1] if game.side(p) == game.side(mover) else -now[1] for p in range(game.players)}
            before = now
        self.passed_over += not worths
        for seat, worth in worths.items():
            counts = self._counts.setdefault((players[seat], worth), Counter())
            counts["games"] += 1
            counts["kept"] += _sign(payoffs[seat]) >= worth
            counts["faultless"] += not faults[seat]
            counts["moves"] += moves[seat]
            counts["faults"] += faults[seat]

    def rows(self) -> list[ReviewRow]:
        """Player by player, the won positions first."""
        listed = sorted(self._counts, key=lambda key: (key[0], -key[1]))
        names = ("games", "kept", "faultless", "moves", "faults")
        return [ReviewRow(p, WORTH[w], **{n: self._counts[p, w][n] for n in names}) for p, w in listed]

    def as_dict(self) -> dict[str, Any]:
        return {"rows": [asdict(row) for row in self.rows()], "passed over": self.passed_over}


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)
