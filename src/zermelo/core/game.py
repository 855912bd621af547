"""A game, as a lecture writes it: (start, player, actions, succ, is_end, utility), and chances where nature moves.

States are values: nothing here ever changes a state under you, and equal states are equal and hash alike.
A game is had in two ways, and everything that plays, draws or teaches takes either:

- rules over a record, compiled (see `zermelo.compile.rules`): `zermelo.load("tic-tac-toe")`;
- a subclass of `Game` over any hashable Python object, with lists and dicts and no compilation at all:

      class Countdown(Game[tuple[int, int], int]):
          '''Count down from ten by one or two; whoever says zero wins. A state is (what was said, whose turn it is).'''
          name = "countdown"
          def start(self): return 10, 0
          def player(self, s): return OVER if s[0] == 0 else s[1]
          def actions(self, s): return [a for a in (1, 2) if a <= s[0]]
          def succ(self, s, a): return s[0] - a, 1 - s[1]
          def utility(self, s, player=0): return -1.0 if player == s[1] else 1.0

Players are 0, 1, 2 …; player 0 is MAX. The same player may move twice in a row: whose turn it is, is the state's
business. `teams[p]` names the side player p plays for; without teams everybody plays for themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

CHANCE = -1  # player(s) when nature moves
OVER = -2  # player(s) when the game has ended

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


@dataclass(frozen=True)
class Marks:
    """What a drawing points out, in the names of cells that `Game.clicks` uses."""

    last: tuple[str, ...] = ()  # the cells of the last move
    targets: tuple[str, ...] = ()  # where a legal move may go
    arrows: tuple[tuple[str, str], ...] = ()  # from cell to cell
    flip: bool = False  # seen from the other side
    heat: tuple[tuple[str, float], ...] = ()  # how likely cells are, from 0 to 1: what a policy thinks of moving there


NO_MARKS = Marks()


class GameError(ValueError):
    """Bad input from outside (a name, a position, a move, a file), in one sentence meant for a person."""


def shorten(thing: object, most: int = 60) -> str:
    """Something that was given by mistake, as a sentence can show it."""
    shown = repr(thing)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def need_text(name: str, what: str, text: object) -> str:
    """`text`, if it is one; `what` is read from it."""
    if not isinstance(text, str):
        raise GameError(f"{name}: {what} is read from text, not from {shorten(text)}")
    return text


class GameFamily:
    """What makes games: called with a variant's options it gives one. `@rules` returns such a thing."""

    name: str
    __module__: str


class Game(ABC, Generic[S, A]):
    """The formalism. Subclass it over any hashable state; see the module's docstring."""

    name: str = "game"
    players: int = 2
    teams: tuple[int, ...] | None = None
    zero_sum: bool = True
    repetition: str | None = None  # "draw", "loss", "forbidden": what a repeated position means; None: nothing
    repetitions: int = 2  # … and how often it must have stood for that; the first time counts

    # -- the formalism ---------------------------------------------------------------------------------------------

    @abstractmethod
    def start(self) -> S: ...

    @abstractmethod
    def player(self, s: S) -> int:
        """Whose turn it is: 0, 1, …, or CHANCE, or OVER."""

    @abstractmethod
    def actions(self, s: S) -> Sequence[A]:
        """The legal actions of the player to move; the possible outcomes at a chance node; nothing at the end."""

    @abstractmethod
    def succ(self, s: S, a: A) -> S:
        """The state after `a`; `s` stays as it was."""

    @abstractmethod
    def utility(self, s: S, player: int = 0) -> float:
        """At the end: the payoff of `player`."""

    def stuck_utility(self, s: S, player: int = 0) -> float:
        """The same where the rules know no end, but every action is forbidden, as it would repeat a position."""
        return self.utility(s, player)

    def is_end(self, s: S) -> bool:
        return self.player(s) == OVER

    def chances(self, s: S) -> Sequence[tuple[A, float]]:
        """At a chance node: every outcome with its probability."""
        raise GameError(f"{self.name} has a chance node but no chances(s)")

    def own(self, s: S) -> S:
        """`s`, if it is a state of this game; else a GameError that says what it is. Every door asks this.

        Here a state may be anything, so only what the rules cannot read is refused.
        """
        try:
            hash(s)
            self.player(s)
        except GameError:
            raise
        except Exception:
            usual = type(self.start()).__name__
            if type(s).__name__ == usual:  # the rules' own mistake
                raise
            raise GameError(f"{shorten(s)} is not a state of {self.name}, whose states are of type {usual}") from None
        return s

    # -- estimates -------------------------------------------------------------------------------------------------

    @property
    def has_evaluation(self) -> bool:
        return type(self).evaluate is not Game.evaluate

    def evaluate(self, s: S) -> float:
        """An estimate of the value of `s`, from player 0's side; a game without one says 0 of everything."""
        return 0.0

    @property
    def has_player_evaluation(self) -> bool:
        """Is there an estimate for every player, at least one that follows from `evaluate`?"""
        return self.has_evaluation or type(self).evaluate_players is not Game.evaluate_players

    def evaluate_players(self, s: S) -> tuple[float, ...]:
        """An estimate for every player; by default `evaluate`, of which the others share what makes the sum zero."""
        value, first = self.evaluate(s), sum(self.side(p) == 0 for p in range(self.players))
        share = first / max(1, self.players - first)
        return tuple(value if self.side(p) == 0 else -value * share for p in range(self.players))

    # -- sides -----------------------------------------------------------------------------------------------------

    def side(self, player: int) -> int:
        """The team `player` plays for; its own number where there are no teams. Side 0 is MAX."""
        return player if self.teams is None or player < 0 else self.teams[player]

    def repetition_key(self, s: S) -> Hashable:
        """What must be equal for a position to count as repeated."""
        return s

    # -- notation, drawing, exchange -------------------------------------------------------------------------------

    def hook(self, name: str) -> Callable[..., Any] | None:
        """A function that only some games offer: `uci`, `sgf`, `click_orders`, … (docs/contract.md lists them all).

        None where this one does not. A plain Python game offers it as a method.
        """
        found = getattr(self, name, None)
        return found if callable(found) else None

    def format_action(self, s: S, a: A) -> str:
        return str(a)

    def parse_action(self, s: S, text: str) -> A:
        """The legal action somebody means by `text`, or a GameError that says what would have been understood."""
        wanted = need_text(self.name, "a move", text).strip()
        legal = {self.format_action(s, a): a for a in self.actions(s)}
        if wanted in legal:
            return legal[wanted]
        shown = ", ".join(list(legal)[:12]) + (", …" if len(legal) > 12 else "")
        raise GameError(f"'{wanted}' is not a legal move here; legal are: {shown}" if legal else "the game is over")

    def format(self, s: S) -> str:
        """The position as one line of text that `parse` reads again."""
        return str(s)

    def parse(self, text: str) -> S:
        raise GameError(f"{self.name} cannot read positions")

    def text(self, s: S) -> str:
        """The position drawn for a terminal."""
        return self.format(s)

    def svg(self, s: S, marks: Marks = NO_MARKS) -> str | None:
        """The position drawn as SVG, or None where the game has no drawing."""
        return None

    def clicks(self, s: S, a: A) -> tuple[str, ...]:
        """The cells somebody clicks, in order, to play `a`: ("e2", "e4"). Empty where the game has no drawing."""
        return ()

    def __repr__(self) -> str:
        return f"<zermelo game {self.name}>"

    def _repr_svg_(self) -> str | None:
        """A notebook shows the first position, where the game has a drawing."""
        return self.svg(self.start())
