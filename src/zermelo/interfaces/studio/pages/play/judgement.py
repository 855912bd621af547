"""What positions are worth, as the bar and the curve show it: how sure that is, and which opinion to believe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Judgement:
    """One opinion of one position."""

    value: float  # for player 0
    is_proven: bool = False  # the game's own value, whoever plays how
    depth: int = 0  # plies; 0 where that says nothing
    seconds: float = 0.0  # that were spent on it
    best: str | None = None  # the move it is worth that much by

    @classmethod
    def of(cls, report: dict[str, Any]) -> Judgement:
        """That of a search, as `tasks.shown` gives it."""
        is_proven = report["proof"] == "proven"
        depth = 0 if report["sampled"] else report["depth"]
        return cls(report["value"], is_proven, depth, report["seconds"], report["best"])

    def beats(self, other: Judgement | None) -> bool:
        """Is it at least as good as another one of the same position? A proof is; else who looked deeper or longer."""
        if other is None or self.is_proven != other.is_proven:
            return other is None or self.is_proven
        deeper = self.depth - other.depth if self.depth and other.depth else 0
        return deeper > 0 or (deeper == 0 and self.seconds >= other.seconds)

    def text(self, ago: int = 0) -> str:
        """In words; `ago`: so many plies have been played since."""
        sure = "proven" if self.is_proven else f"depth {self.depth}" if self.depth else "an estimate"
        when = "" if not ago else ", one ply ago" if ago == 1 else f", {ago} plies ago"
        return f"value for player 0: {self.value:+.2f} ({sure}{when})"


class Judgements:
    """The best of every ply of a game."""

    def __init__(self, plies: int):
        self._known: list[Judgement | None] = [None] * (plies + 1)

    @property
    def values(self) -> list[float | None]:
        """What each ply was worth to player 0, as far as anybody has said."""
        return [None if one is None else one.value for one in self._known]

    @property
    def present(self) -> Judgement | None:
        """Of the last ply."""
        return self._known[-1]

    def latest(self, ply: int) -> tuple[Judgement | None, int]:
        """The last there is, up to a ply; and how many plies ago that was."""
        return next(((one, ago) for ago, one in enumerate(self._known[ply::-1]) if one is not None), (None, 0))

    def note(self, ply: int, judgement: Judgement) -> None:
        """Somebody says what a ply is worth; believed if nobody knows better."""
        if ply < len(self._known) and judgement.beats(self._known[ply]):
            self._known[ply] = judgement

    def played(self, move: str, is_choice: bool) -> None:
        """One ply more. After the best move of a proven position its value is still proven, unless nature is next."""
        known = self.present
        follows = known is not None and known.is_proven and known.best == move and is_choice
        self._known.append(replace(known, best=None) if known is not None and follows else None)

    def cut(self, plies: int) -> None:
        """Only so many plies are left."""
        del self._known[plies + 1 :]
