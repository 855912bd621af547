"""What an explanation holds: the choice, the alternatives, how the choice came about, the top of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.core.game import Game
from zermelo.core.trace import Node
from zermelo.search.report import ESTIMATE, Report
from zermelo.tables.verdict import Verdict

if TYPE_CHECKING:
    from zermelo.drawing.tree.drawing import TreeDrawing

TABLE = "table"  # a proof: looked up in endgame tables


@dataclass(frozen=True)
class Alternative:
    """One root move, or one outcome of a chance node at the root. Values are from the view of `Explanation.view`."""

    action: Any
    name: str
    value: float
    bound: str  # the truth (to this depth) is exact, at most or at least the value
    proof: str  # estimate, proven, or table
    distance: int | None  # of a proven win or loss: plies to the end, at most
    distance_exact: bool  # … and no fewer
    depth: int  # to which the move was asked for its own value; 0: what the search for the choice knew of it
    worse: float | None  # than the choice to the same depth, by at least this much where the value is a bound
    pv: tuple[Any, ...]  # the move first
    words: tuple[str, ...]  # the same, as people write it
    answered: bool  # is the second move of the line the other side's: what refutes the first?
    probability: float | None = None
    is_perfect: bool = False  # by endgame tables: it gives nothing away, and no ply where they know plies

    @property
    def is_proven(self) -> bool:
        return self.proof != ESTIMATE

    @property
    def reply(self) -> str | None:
        """The move that refutes this one."""
        return self.words[1] if self.answered and len(self.words) > 1 else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "move": self.name,
            "value": self.value,
            "bound": self.bound,
            "proof": self.proof,
            "distance": self.distance,
            "distance_exact": self.distance_exact,
            "depth": self.depth,
            "worse": self.worse,
            "reply": self.reply,
            "pv": list(self.words),
            "probability": self.probability,
            "is_perfect": self.is_perfect,
        }


@dataclass(frozen=True)
class Stage:
    """What the search thought after one depth. The value is from the view of `Explanation.view`."""

    depth: int
    move: str | None
    value: float
    nodes: int
    seconds: float
    finished: bool = True  # False: the time ended in the middle of this depth

    def as_dict(self) -> dict[str, Any]:
        return {
            "depth": self.depth,
            "move": self.move,
            "value": self.value,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "finished": self.finished,
        }


@dataclass(frozen=True)
class Explanation:
    """Why the search chose as it did."""

    game: Game[Any, Any]
    state: Any
    view: int  # whose view all values take but those of the tree: the player to move, 0 where it is chance's turn
    report: Report  # of the search that made the choice; its own values are from player 0's view
    value: float
    pv: tuple[str, ...]  # the principal line as people write it
    alternatives: tuple[Alternative, ...]  # the choice first, then from good to bad; outcomes from likely to unlikely
    is_complete: bool  # was every move asked as deep as the choice was searched? Else the limits came before
    stages: tuple[Stage, ...]
    root: Node  # the top of the tree of the search that made the choice, from player 0's view
    breadth: int
    verdict: Verdict | None = None  # what endgame tables say of the position and its moves

    @property
    def proof(self) -> str:
        """How sure the value is: an estimate, proven, or a proof from a table."""
        return self.report.proof if self.verdict is None else TABLE

    @property
    def as_good(self) -> tuple[str, ...]:
        """Other moves that endgame tables know to be as perfect as the choice."""
        return tuple(one.name for one in self.alternatives if one.is_perfect and one.name != self.choice)

    @property
    def choice(self) -> str | None:
        """The move, as people write it; None at a chance node."""
        return None if self.report.best is None else self.game.format_action(self.state, self.report.best)

    def tree(self) -> Node:
        """The top of the tree, for zermelo.drawing.tree.drawing.draw; all its values are from player 0's view."""
        return self.root

    def text(self, most: int = 20) -> str:
        """All of it in words; no more than `most` moves are listed."""
        from zermelo.search.explain.text import text_of

        return text_of(self, most)

    def draw(self) -> TreeDrawing:
        """The top of the tree as a drawing: `.text`, `.svg`, `.save(path)`."""
        from zermelo.search.explain.text import drawing_of

        return drawing_of(self)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        from zermelo.search.explain.text import content_of

        return content_of(self)

    def __str__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        return self.draw().svg
