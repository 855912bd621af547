"""Ten levels for people. A level is weaker by a softened choice, not by silliness.

Every level searches properly, the lower ones less far, and so learns what each move is worth. Then it draws lots, and
a move that is worse by x is the less likely the higher the level:

    weight = exp(-x / (temperature · spread))        spread: how much worse than the best the average move is

Two moves of a person of some sense are in every level: it does not overlook that it loses at once when there is
another move, and (from level 2 on) it takes a win when one is there. Level 10 plays as well as the game's best search
can within its seconds.

Where a policy/value network plays the game best, all levels are made of it: the lower ones know its policy alone, the
higher ones search a little, and all but the last draw lots among the moves, by how likely the policy has them or how
often the search went there, to the power of 1 / temperature.

`report` tells what the level saw: the best move, its value and line, and all the others. What it plays may be another.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import Game
from zermelo.core.history import History
from zermelo.players.move_values import (
    MoveValue,
    Valued,
    asked,
    ends_at_once,
    expected_line,
    is_two_sided,
    loses_at_once,
    value_moves,
)
from zermelo.players.player import Player, as_history, first_choice
from zermelo.search.endings import AUTO
from zermelo.search.limits import Limits
from zermelo.search.registry import make_searcher
from zermelo.search.report import Report, RootMove
from zermelo.search.searcher import Searcher


@dataclass(frozen=True)
class Strength:
    depth: int  # plies
    nodes: int  # in all, over all moves
    temperature: float


LEVELS = {
    1: Strength(2, 3_000, 1.0),
    2: Strength(2, 6_000, 0.6),
    3: Strength(2, 12_000, 0.35),
    4: Strength(3, 30_000, 0.25),
    5: Strength(3, 70_000, 0.15),
    6: Strength(4, 150_000, 0.1),
    7: Strength(5, 400_000, 0.06),
    8: Strength(7, 1_000_000, 0.035),
    9: Strength(10, 2_500_000, 0.015),
}
FULL = 10


class Softness(NamedTuple):
    """How a level plays with a network."""

    simulations: int  # 1: the policy alone
    temperature: float


NETWORK_LEVELS = {
    1: Softness(1, 2.0),
    2: Softness(1, 1.4),
    3: Softness(1, 1.0),
    4: Softness(1, 0.7),
    5: Softness(1, 0.4),
    6: Softness(8, 0.4),
    7: Softness(24, 0.3),
    8: Softness(80, 0.2),
    9: Softness(250, 0.1),
}
TABLE, MEMORY = 8, 16  # megabytes
TAKES_WINS = 2  # from this level on, always
FROM = 7  # from this level on, the full search is used where it suits the game: it looks further
NETWORK = "zero"
SMALL = 45  # plies: a game without an evaluation that is no longer can be searched to its end


class Level(Player):
    """A search, and a choice softened by the level."""

    def __init__(
        self,
        game: Game[Any, Any],
        name: str,
        level: int,
        seconds: float | None = None,
        seed: int = 0,
        weights: str | None = None,
    ):
        super().__init__(game, name, seed)
        self.level = level
        self.full: Player | None = None
        if level == FULL:
            self.full = best_player(game, seconds, weights)
            self.seconds = self.full.seconds
        self.searcher: Searcher | None = None
        self.by_network = level < FULL and (weights is not None or plays_by_network(game))
        if self.by_network:
            self.searcher = make_searcher(game, "zero", weights=weights, memory_mb=MEMORY, tables=AUTO)
        elif FROM <= level < FULL and isinstance(game, RecordGame) and suits_alphabeta(game):
            self.searcher = make_searcher(game, "alphabeta", table=TABLE, multi_pv=True, tables=AUTO)

    def choose(self, position: Any) -> Any:
        with self.choosing():
            return self._choose(as_history(self.game, position))

    def _choose(self, history: History[Any, Any]) -> Any:
        if self.full is not None:
            self.full.on_report = self.on_report
            self.full.begin()
            if self.is_stopped:
                self.full.stop()
            try:
                return self.full.choose(history)
            finally:
                self.report = self.full.report
        actions, self.report = history.actions(), None
        if len(actions) == 1:
            return actions[0]
        if self.by_network:
            return self._choose_by_network(history)
        strength, began = LEVELS[self.level], time.perf_counter()
        seed = self.random.getrandbits(31)
        valued = value_moves(
            history, strength.depth, strength.nodes, seed, self.searcher, lambda: self.is_stopped, self.on_report
        )
        self.report = valued.report or self._tell(history, valued, began)
        self.on_report(self.report)
        return self._draw(valued.moves, strength.temperature)

    def _choose_by_network(self, history: History[Any, Any]) -> Any:
        assert self.searcher is not None
        simulations, temperature = NETWORK_LEVELS[self.level]
        limits = Limits(nodes=simulations)
        self.searcher.clear()  # what it saw before would make it stronger
        report = self.report = asked(self.searcher, history, limits, lambda: self.is_stopped, self.on_report)
        ends, others = ends_at_once(history)
        wins = [move.action for move in ends if move.wins]
        if wins and self.level >= TAKES_WINS:
            return wins[0]
        loses = {move.action for move in ends if move.loses}
        loses |= {a for a, after in others if loses_at_once(self.game, after, history.player())}
        weights = {m.action: float(m.nodes if simulations > 1 else m.prior or 0.0) for m in report.moves}
        sane = [a for a in history.actions() if a not in loses] or list(history.actions())
        most = max(weights.get(a, 0.0) for a in sane)
        if most <= 0.0:
            return self.random.choice(sane)
        return self.random.choices(sane, [(weights.get(a, 0.0) / most) ** (1 / temperature) for a in sane])[0]

    def _tell(self, history: History[Any, Any], valued: Valued, began: float) -> Report:
        """What it saw: its choice, if it did not draw lots."""
        moves = sorted(valued.moves, key=lambda move: -move.value)
        best, pv = moves[0], (moves[0].action,)
        if self.game.has_evaluation and not self.is_stopped:
            pv += expected_line(self.game, best.after, valued.depth - 1)
        return Report(
            self.game, history.state, self.name, best.action, best.value, history.player(),
            depth=valued.depth, nodes=valued.nodes, seconds=time.perf_counter() - began, pv=pv,
            moves=tuple(RootMove(move.action, move.value, pv=(move.action,)) for move in moves),
            stopped="stop" if self.is_stopped else "depth",
        )  # fmt: skip

    def pass_stop(self) -> None:
        if self.full is not None:
            self.full.stop()
        if self.searcher is not None:
            self.searcher.stop()

    def _draw(self, moves: list[MoveValue], temperature: float) -> Any:
        wins = [move for move in moves if move.wins]
        if wins and self.level >= TAKES_WINS:
            return max(wins, key=lambda move: move.value).action
        sane = [move for move in moves if not move.loses] or moves
        best = max(move.value for move in sane)
        spread = best - sum(move.value for move in sane) / len(sane)
        if spread <= 0:
            return self.random.choice(sane).action
        weights = [math.exp((move.value - best) / (temperature * spread)) for move in sane]
        return self.random.choices(sane, weights)[0].action

    def reset(self, seed: int | None = None) -> None:
        super().reset(seed)
        if self.full is not None:
            self.full.reset(seed)
        if self.searcher is not None:
            self.searcher.clear()

    def prepare(self) -> None:
        if self.full is not None:
            self.full.prepare()
            return
        history = first_choice(self.game)
        if history is not None:
            if self.by_network:
                self._choose_by_network(history)
            else:
                value_moves(history, 1, 1, 0, self.searcher)
            self.reset()

    def make_ready(self, position: Any) -> None:
        if self.full is not None:
            self.full.make_ready(position)
        elif self.searcher is not None:
            self.searcher.make_ready(as_history(self.game, position))

    def close(self) -> None:
        if self.full is not None:
            self.full.close()


def suits_alphabeta(game: Game[Any, Any]) -> bool:
    """Two sides, and something to go by: an evaluation, or an end that is not too far away."""
    if not isinstance(game, RecordGame) or not is_two_sided(game):
        return False
    plies = game.variant.max_plies
    return game.has_evaluation or (plies is not None and plies <= SMALL)


def plays_by_network(game: Game[Any, Any]) -> bool:
    """Do the rules say that a network plays best, and does one come with the package?"""
    if not isinstance(game, RecordGame) or game.variant.strongest != NETWORK:
        return False
    from zermelo.evaluate.tower.files import shipped_tower

    return shipped_tower(game) is not None


def best_player(game: Game[Any, Any], seconds: float | None = None, weights: str | None = None) -> Player:
    """The player that does best in `game`, as far as can be told from what the game says and offers; or with the
    network of these `weights`."""
    from zermelo.players.registry import player

    limit = 1.0 if seconds is None else seconds
    if weights is not None:
        return player(f"{NETWORK}:seconds={limit!r},weights={weights}", game)
    if plays_by_network(game) or (isinstance(game, RecordGame) and game.variant.strongest not in (None, NETWORK)):
        return player(f"{game.variant.strongest}:seconds={limit!r}", game)  # type: ignore[attr-defined]
    if not isinstance(game, RecordGame):
        return player("minimax:depth=4", game) if is_two_sided(game) else player("random", game)
    return player(f"{'alphabeta' if suits_alphabeta(game) else 'mcts'}:seconds={limit!r}", game)
