"""A game in progress that people take part in: the players, what has been played, dice, how it ended, its record.

The terminal and the page both stand on this. Dice depend on the seed and on how many rolls came before, so a move that
is taken back and played again meets the same luck.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import zermelo
from zermelo.arena.playing import Dice, forfeit
from zermelo.arena.records import Record, replay
from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History


class GameSession:
    """One game in progress. `players[p]` is the spec of who sits in seat p."""

    def __init__(
        self,
        game: Game[Any, Any],
        players: Sequence[str],
        *,
        position: str | None = None,
        seed: int | None = None,
        origin: str = "",
        options: dict[str, Any] | None = None,
    ):
        self.game = game
        self.players = list(players)
        self.position = position  # where the game began, as text; None: at its beginning
        self.history: History[Any, Any] = History(game, None if position is None else game.parse(position))
        self.seed = random.SystemRandom().getrandbits(32) if seed is None else seed
        self.origin = origin or game.name
        self.options = getattr(game, "options", options or {})
        self.resigned: int | None = None
        self._told: list[tuple[Any, Any, str]] = []  # (state, action, how it is written)

    def take_over(self, record: Record) -> None:
        """Go on with a recorded game, every move checked; its dice go on too."""
        self.adopt(replay({**record, "reason": "unfinished"}, self.game), record)

    def adopt(self, history: History[Any, Any], record: Record) -> None:
        """Go on with a game that was replayed from `record`."""
        self.history = history
        self.position = record.get("start")
        self.resigned = None
        if isinstance(record.get("seed"), int):
            self.seed = record["seed"]

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.history.is_over

    def roll(self) -> Any:
        """Nature's next outcome."""
        rolls = sum(self.game.player(s) == CHANCE for s in self.history.states)
        return Dice(hash_seed(self.seed, rolls)).roll(self.game, self.history.state)

    def take_back(self, is_human: Callable[[int], bool]) -> None:
        """Back to where a person chose the last time: past dice and programs."""
        game, states = self.game, self.history.states
        mine = [n for n, s in enumerate(states[:-1]) if game.player(s) >= 0 and is_human(game.player(s))]
        if not mine:
            raise GameError("there is no move of yours to take back")
        self.go_back(mine[-1])

    def go_back(self, plies: int) -> None:
        """Back to the position after so many plies."""
        self.resigned = None
        while len(self.history.moves) > plies:
            self.history.undo()

    def moves(self) -> list[str]:
        """What has been played, dice included, as people write it."""
        told = self._told
        for n, (s, a) in enumerate(zip(self.history.states, self.history.moves, strict=False)):
            if n < len(told) and told[n][0] is s and told[n][1] == a:
                continue  # written before: a long game is not written anew after every move
            told[n:] = [(s, a, self.game.format_action(s, a))]
        del told[len(self.history.moves) :]
        return [text for _, _, text in told]

    def payoffs(self) -> list[float]:
        """What everybody got; zeros while nobody has got anything."""
        if self.resigned is not None:
            return forfeit([self.game.side(p) for p in range(self.game.players)], self.resigned)
        if self.history.is_over:
            return [float(self.history.utility(p)) + 0.0 for p in range(self.game.players)]  # and no -0.0
        return [0.0] * self.game.players

    def result(self) -> str:
        """How the game ended, in a few words."""
        if self.resigned is not None:
            return f"player {self.resigned} resigns"
        payoffs = self.payoffs()
        why = " by repetition" if self.history.is_repeated else ""
        if self.game.players == 1:
            return f"the game is over: {payoffs[0]:g}"
        best = [p for p, payoff in enumerate(payoffs) if payoff == max(payoffs)]
        told = "" if set(map(abs, payoffs)) <= {0, 1} else f" ({' : '.join(f'{p:g}' for p in payoffs)})"
        if len(set(payoffs)) == 1:
            return f"the game is drawn{why}{told}"
        winners = " and ".join(f"player {p}" for p in best)
        return f"{winners} {'win' if len(best) > 1 else 'wins'}{why}{told}"

    def record(self) -> Record:
        """The game so far, as a line of a record file."""
        reason = "unfinished"
        if self.resigned is not None:
            reason = "resigned"
        elif self.history.is_over:
            reason = "repetition" if self.history.is_repeated else "finished"
        return {
            "zermelo": zermelo.__version__,
            "kind": "play",
            "game": self.origin,
            "options": self.options,
            "start": self.position,
            "players": list(self.players),
            "moves": self.moves(),
            "payoffs": self.payoffs(),
            "reason": reason,
            "seed": self.seed,
        }


def hash_seed(*numbers: int) -> int:
    """A seed made of several numbers."""
    return random.Random("/".join(map(str, numbers))).getrandbits(56)
