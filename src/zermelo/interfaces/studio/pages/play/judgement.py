"""What positions are worth, as the bar and the curve show it: how sure that is, and which opinion to believe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from zermelo.interfaces.studio.endings import result_words


@dataclass(frozen=True)
class Judgement:
    """One opinion of one position."""

    value: float  # for player 0
    is_proven: bool = False  # the game's own value, whoever plays how
    depth: int = 0  # plies; 0 where that says nothing
    seconds: float = 0.0  # that were spent on it
    best: str | None = None  # the move it is worth that much by
    by_tables: bool = False  # looked up in endgame tables, which are never wrong
    is_average: bool = False  # … on average over what chance may do
    plies: int | None = None  # … of a win or a loss: to the end, where the tables say it
    known: dict[str, Any] | None = None  # … and all they say, its moves too (endings.py)

    @classmethod
    def of(cls, report: dict[str, Any]) -> Judgement:
        """That of a search, as `tasks.shown` gives it."""
        is_proven = report["proof"] == "proven"
        depth = 0 if report["sampled"] else report["depth"]
        return cls(report["value"], is_proven, depth, report["seconds"], report["best"])

    @classmethod
    def of_tables(cls, known: dict[str, Any]) -> Judgement:
        """That of endgame tables, as `endings.known_json` gives it."""
        average = known["is_average"]
        return cls(known["value"], True, by_tables=True, is_average=average, plies=known["plies"], known=known)

    @property
    def is_final(self) -> bool:
        """Is there nothing more to be found out? Tables say what every move is worth, too."""
        return self.is_proven and not (self.by_tables and self.known is None)

    def beats(self, other: Judgement | None) -> bool:
        """Is it at least as good as another one of the same position? A proof is; else who looked deeper or longer."""
        if other is None or self.is_proven != other.is_proven:
            return other is None or self.is_proven
        if self.by_tables or other.by_tables:
            return self.by_tables
        deeper = self.depth - other.depth if self.depth and other.depth else 0
        return deeper > 0 or (deeper == 0 and self.seconds >= other.seconds)

    def text(self, ago: int = 0) -> str:
        """In words; `ago`: so many plies have been played since."""
        when = "" if not ago else ", one ply ago" if ago == 1 else f", {ago} plies ago"
        if self.by_tables and not self.is_average:
            told = {"value": self.value, "plies": self.plies, "is_average": False}
            return f"{result_words(told)} (by the endgame tables{when})"
        sure = "proven" if self.is_proven else f"depth {self.depth}" if self.depth else "an estimate"
        if self.by_tables:
            sure = "exact on average, by the endgame tables"
        return f"value for player 0: {self.value:+.{4 if self.by_tables else 2}f} ({sure}{when})"


class Judgements:
    """The best of every ply of a game."""

    def __init__(self, plies: int):
        self._judged: list[Judgement | None] = [None] * (plies + 1)

    @property
    def values(self) -> list[float | None]:
        """What each ply was worth to player 0, as far as anybody has said."""
        return [None if one is None else one.value for one in self._judged]

    @property
    def present(self) -> Judgement | None:
        """Of the last ply."""
        return self._judged[-1]

    def known(self, ply: int) -> dict[str, Any] | None:
        """All that endgame tables say of a ply and its moves, where somebody has looked them up."""
        judged = self._judged[ply]
        return None if judged is None else judged.known

    def latest(self, ply: int) -> tuple[Judgement | None, int]:
        """The last there is, up to a ply; and how many plies ago that was."""
        return next(((one, ago) for ago, one in enumerate(self._judged[ply::-1]) if one is not None), (None, 0))

    def note(self, ply: int, judgement: Judgement) -> None:
        """Somebody says what a ply is worth; believed if nobody knows better."""
        if ply < len(self._judged) and judgement.beats(self._judged[ply]):
            self._judged[ply] = judgement

    def settle(self, ply: int, judgement: Judgement) -> None:
        """A ply has been decided: the game is over there."""
        if ply < len(self._judged):
            self._judged[ply] = judgement

    def played(self, move: str, is_choice: bool) -> None:
        """One ply more. What tables say of the move is known then; else, after the best move of a proven position, its
        value is still proven, unless nature is next."""
        judged = self.present
        told = None if judged is None or judged.known is None else _move_of(judged.known, move)
        if judged is not None and told is not None:
            left = None if told["plies"] is None else told["plies"] - 1
            after = Judgement(told["value"], True, by_tables=True, is_average=judged.is_average, plies=left)
            self._judged.append(after)
            return
        follows = judged is not None and judged.is_proven and judged.best == move and is_choice
        self._judged.append(replace(judged, best=None) if judged is not None and follows else None)

    def cut(self, plies: int) -> None:
        """Only so many plies are left."""
        del self._judged[plies + 1 :]


def _move_of(known: dict[str, Any], move: str) -> dict[str, Any] | None:
    """What tables say of a move, if they do."""
    return next((one for one in known["moves"] if one["move"] == move and one["value"] is not None), None)
