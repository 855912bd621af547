"""What a search found so far. A search is an iterator of reports; the last one is its answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.core.game import CHANCE, Game
from zermelo.core.words import at_most_plies, count

EXACT, AT_MOST, AT_LEAST = "exact", "at most", "at least"
MAX_PV = 64  # moves of a principal variation that a search keeps
ESTIMATE, PROVEN = "estimate", "proven"


@dataclass(frozen=True)
class RootMove:
    """One move at the root. `value` is from player 0's view, or from that of `Report.view`."""

    action: Any
    value: float
    bound: str = EXACT  # the truth (to this depth) is exact, at most, or at least the value, for `Report.view`
    proof: str = ESTIMATE
    pv: tuple[Any, ...] = ()  # the principal variation, `action` first
    nodes: int = 0  # spent on it; for MCTS its visits; 0: it was not looked at, and `value` is the most it can be
    prior: float | None = None  # how likely the policy had it before the search, where one was asked

    def as_dict(self, game: Game[Any, Any], s: Any) -> dict[str, Any]:
        told = {
            "move": game.format_action(s, self.action),
            "value": self.value,
            "bound": self.bound,
            "proof": self.proof,
            "pv": format_pv(game, s, self.pv),
            "nodes": self.nodes,
        }
        return told if self.prior is None else {**told, "prior": self.prior}


@dataclass(frozen=True)
class Report:
    """The state of a search: its choice and how it came to it."""

    game: Game[Any, Any]
    state: Any
    algorithm: str
    best: Any  # the action to play; None where there is none
    value: float  # from the view of player `view`
    view: int = 0
    proof: str = ESTIMATE  # or PROVEN: the value is the game's own, whoever plays how
    distance: int | None = None  # of a proven win or loss: plies to the end, at most
    distance_exact: bool = False  # is it known that there is no shorter win, and no longer defence?
    depth: int = 0
    deepest: int = 0  # plies below the root that were looked at, extensions and quiescence included
    nodes: int = 0
    seconds: float = 0.0
    pv: tuple[Any, ...] = ()  # the principal variation: what is expected to be played
    moves: tuple[RootMove, ...] = ()  # every root move, the best first
    values: tuple[float, ...] = ()  # of every player, where the search has them (max^n, MCTS)
    table_use: float | None = None  # of the transposition table: the part that is filled
    branching: float | None = None  # effective branching factor: how the nodes grew with the last ply
    stopped: str = "running"  # why it ended: finished, depth, seconds, nodes, proven, stop
    counters: dict[str, float] = field(default_factory=dict)  # what each technique did: hits, cutoffs, …

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def value_for(self, player: int) -> float:
        """The value as `player` sees it (two sides: the opposite for the other side)."""
        if self.values:
            return self.values[player]
        return self.value if self.game.side(player) == self.game.side(self.view) else -self.value

    def pv_text(self) -> str:
        """The principal variation as people write it."""
        return " ".join(format_pv(self.game, self.state, self.pv))

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "game": self.game.name,
            "position": self.game.format(self.state),
            "algorithm": self.algorithm,
            "best": None if self.best is None else self.game.format_action(self.state, self.best),
            "value": self.value,
            "view": self.view,
            "proof": self.proof,
            "distance": self.distance,
            "distance_exact": self.distance_exact,
            "depth": self.depth,
            "deepest": self.deepest,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "nodes_per_second": self.nodes_per_second,
            "pv": format_pv(self.game, self.state, self.pv),
            "moves": [move.as_dict(self.game, self.state) for move in self.moves],
            "values": list(self.values),
            "table_use": self.table_use,
            "branching": self.branching,
            "stopped": self.stopped,
            "counters": dict(self.counters),
        }

    def __str__(self) -> str:
        best = "–" if self.best is None else self.game.format_action(self.state, self.best)
        sure = (
            self.proof
            if self.distance is None
            else f"{self.proof} in {at_most_plies(self.distance, self.distance_exact)}"
        )
        return (
            f"{best}  value {self.value:+.3f} for player {self.view} ({sure})  depth {self.depth}  "
            f"{count(self.nodes, 'node')}  {self.nodes_per_second:,.0f}/s  {self.pv_text()}"
        )


def format_pv(game: Game[Any, Any], s: Any, pv: tuple[Any, ...]) -> list[str]:
    """A variation as people write it; it breaks off where a move does not fit (one from an old table)."""
    words = []
    for a in pv:
        if game.is_end(s) or a not in _moves(game, s):
            break
        words.append(game.format_action(s, a))
        s = game.succ(s, a)
    return words


def _moves(game: Game[Any, Any], s: Any) -> Any:
    return [a for a, _ in game.chances(s)] if game.player(s) == CHANCE else game.actions(s)
