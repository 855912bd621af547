"""A game as it is played: moves, positions, and what repetition makes of them. The one place where repetition counts.

A position cannot know what came before it, so rules alone cannot say that it stands for the third time. Whoever plays,
records or replays a game goes through a `History`, which knows what the game declared:

    repetition = "draw"       the `repetitions`-th time a position stands, the game is over and everybody gets 0
    repetition = "loss"       … and whoever brought it about has lost
    repetition = "forbidden"  a move that would bring it about is not legal (ko, superko)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, Generic

from zermelo.core.game import CHANCE, OVER, A, Game, GameError, Marks, S
from zermelo.core.registry import as_game


class History(Generic[S, A]):
    """One game in progress. `state` is the current position."""

    def __init__(self, game: Game[S, A], state: S | None = None):
        game = as_game(game)
        self.game = game
        self.states: list[S] = [game.start() if state is None else game.own(state)]
        self.moves: list[A] = []
        self._keys: list[Hashable] = [game.repetition_key(self.states[0])] if game.repetition else []
        self._seen: Counter[Hashable] = Counter(self._keys)
        self._legal: Sequence[A] | None = None

    @classmethod
    def of(cls, game: Game[S, A], position: Any = None) -> History[S, A]:
        """What a position stands for: a game in progress itself, or one that begins at a state, or at the start."""
        if not isinstance(position, History):
            return cls(game, position)
        if type(position.game) is not type(game):
            raise GameError(f"this is a game of {position.game.name}, not of {game.name}")
        game.own(position.state)
        return position

    @property
    def state(self) -> S:
        return self.states[-1]

    @property
    def is_repeated(self) -> bool:
        """Does the current position stand for the deciding time?"""
        if self.game.repetition in (None, "forbidden"):
            return False
        return self._seen[self._keys[-1]] >= self.game.repetitions

    @property
    def is_over(self) -> bool:
        return self.is_repeated or self.game.is_end(self.state) or not self.actions()

    @property
    def last_mover(self) -> int:
        """The player who moved last, nature left out; CHANCE where nobody has moved yet."""
        for s in reversed(self.states[:-1]):
            if (p := self.game.player(s)) >= 0:
                return p
        return CHANCE

    def player(self) -> int:
        return OVER if self.is_over else self.game.player(self.state)

    def actions(self) -> Sequence[A]:
        """The legal actions, without those that a forbidden repetition rules out."""
        if self._legal is None:
            legal = self.game.actions(self.state)
            if self.game.repetition == "forbidden":
                legal = [a for a in legal if not self._would_repeat(a)]
            self._legal = legal
        return () if self.is_repeated else self._legal

    def is_legal(self, a: A) -> bool:
        """Is `a` one of `actions()`? Asked of one action, this need not look at where all the others lead."""
        if self.is_repeated or a not in self.game.actions(self.state):
            return False
        return self.game.repetition != "forbidden" or not self._would_repeat(a)

    def _would_repeat(self, a: A) -> bool:
        if self.game.player(self.state) == CHANCE:  # nobody forbids nature anything
            return False
        key = self.game.repetition_key(self.game.succ(self.state, a))
        return self._seen[key] + 1 >= self.game.repetitions and key != self._keys[-1]  # a pass repeats nothing

    def _repr_svg_(self) -> str | None:
        """A notebook shows the current position and the last move, where the game has a drawing."""
        if not self.moves or self.game.player(self.states[-2]) == CHANCE:
            return self.game.svg(self.state)
        return self.game.svg(self.state, Marks(last=self.game.clicks(self.states[-2], self.moves[-1])))

    def past_keys(self) -> list[Hashable]:
        """The keys of the positions before the current one, where repetition matters."""
        return self._keys[:-1]

    def play(self, a: A) -> S:
        """Play `a`; an illegal one is refused and changes nothing."""
        if not self.is_legal(a):
            if self.is_repeated or self.game.is_end(self.state):
                raise GameError(f"{self.game.name}: the game is over")
            if a not in self.game.actions(self.state):
                raise GameError(f"{self.game.name}: {a!r} is not a legal action here")
            raise GameError(f"{self.game.name}: {self.game.format_action(self.state, a)} would repeat a position")
        after = self.game.succ(self.state, a)
        self.states.append(after)
        self.moves.append(a)
        if self.game.repetition:
            self._keys.append(self.game.repetition_key(after))
            self._seen[self._keys[-1]] += 1
        self._legal = None
        return after

    def copy(self) -> History[S, A]:
        """The same game so far, to be played on elsewhere."""
        other: History[S, A] = History.__new__(History)
        other.game, other.states, other.moves = self.game, [*self.states], [*self.moves]
        other._keys, other._seen, other._legal = [*self._keys], self._seen.copy(), self._legal
        return other

    def undo(self) -> A:
        """Take the last move back."""
        if not self.moves:
            raise GameError(f"{self.game.name}: there is no move to take back")
        if self.game.repetition:
            self._seen[self._keys.pop()] -= 1
        self.states.pop()
        self._legal = None
        return self.moves.pop()

    def utility(self, player: int = 0) -> float:
        """The payoff of `player`, once the game is over."""
        if self.is_repeated:
            if self.game.repetition == "draw":
                return 0.0
            loser = self.last_mover
            if loser == CHANCE:
                return 0.0
            return -1.0 if self.game.side(player) == self.game.side(loser) else 1.0
        if not self.game.is_end(self.state) and not self.actions():
            return self.game.stuck_utility(self.state, player)
        return self.game.utility(self.state, player)
