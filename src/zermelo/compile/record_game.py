"""`RecordGame`: the lecture's formalism over rules that are written on a record, compiled or interpreted.

A `State` is a value: its record is never written again, and equal records are equal states that hash alike. Fields
are read by name (`state.turn`); `state.game` is the game it belongs to. What a state offers (player, actions, payoffs)
is asked of the rules once, by one call of the kernel `look`, and remembered with the state.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.diagnostics.overrun import explain_overrun
from zermelo.compile.diagnostics.raised import explain_raised
from zermelo.compile.guards import OverrunError
from zermelo.compile.hooks import HOOKS, near
from zermelo.compile.kernel import JIT
from zermelo.compile.questions import (
    identify,
    identify_repetition,
    judge,
    judge_players,
    look,
    number_action,
    pay,
    see,
    see_owners,
    set_up,
    step,
)
from zermelo.compile.record import RecordArray, field_names, roomy, rows
from zermelo.compile.rules import Rules, RulesError
from zermelo.compile.variant import Variant
from zermelo.core.game import CHANCE, NO_MARKS, OVER, Game, GameError, Marks, need_text, shorten


class State:
    """One position. Read its fields by name; it never changes."""

    __slots__ = ("_bytes", "_look", "_row", "_view", "game")

    def __init__(self, game: RecordGame, records: RecordArray):
        records.flags.writeable = False
        self.game = game
        self._row = records
        self._bytes = records.tobytes()
        self._look: _Look | None = None
        self._view = game.variant.view(records[0])

    @property
    def record(self) -> RecordArray:
        """A fresh array of one record, to be changed or handed to a kernel."""
        return self._row.copy()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in field_names(self._row.dtype):
            raise AttributeError(f"a state of {self.game.name} has no field '{name}'")
        return getattr(self._view, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._bytes == other._bytes and self._row.dtype == other._row.dtype

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __str__(self) -> str:
        return self.game.text(self)

    def __repr__(self) -> str:
        return f"<{self.game.name} {self.game.format(self)}>"

    def _repr_svg_(self) -> str | None:
        return self.game.svg(self)

    def __reduce__(self) -> Any:
        return _restore, (self.game, self._bytes)


def _restore(game: RecordGame, content: bytes) -> State:
    return State(game, np.frombuffer(content, game.variant.dtype).copy())


class _Look:
    """What the rules said of a state."""

    __slots__ = ("actions", "payoff", "player", "probability")

    def __init__(
        self, player: int, actions: tuple[int, ...], probability: tuple[float, ...], payoff: tuple[float, ...]
    ):
        self.player = player
        self.actions = actions
        self.probability = probability
        self.payoff = payoff


class _Room(threading.local):
    """What rules are given, and write into, when Python asks them about one state. Every thread has its own."""

    def __init__(self, rules: Variant):
        self.states: RecordArray = roomy(1, rules.dtype)
        self.moves = rows(1, rules.width)
        self.chance = rows(1, rules.width if rules.max_chance_outcomes else 1, "f8")
        self.payoff = roomy(rules.players, np.float64)

    def hold(self, s: State) -> RecordArray:
        """A copy of its record."""
        self.states[:] = s._row
        self.payoff[:] = 0.0
        return self.states


class RecordGame(Game[State, int]):
    """A game over rules. `compiled=False` runs the same functions in plain Python, to debug and to compare with."""

    def __init__(self, variant: Variant, fields: dict[str, Any] | None = None, compiled: bool = True):
        self.variant = variant
        self.fields = dict(fields or {})
        self.compiled = compiled
        self.name = variant.name
        self.players = variant.players
        self.teams = variant.teams
        self.zero_sum = variant.zero_sum
        self.repetition = variant.repetition
        self.repetitions = variant.repetitions
        self.max_actions = variant.max_actions
        self.options = {**variant.parameters, **self.fields}  # what `load` was told, defaults included
        self.__doc__ = variant.doc
        self._start: State | None = None
        self._room = _Room(variant)

    @classmethod
    def of(cls, family: Rules, options: dict[str, Any]) -> RecordGame:
        """The game `options` ask for: a variant's parameters, and fields of the state to set at the start."""
        parameters = {k: v for k, v in options.items() if k in family.parameters}
        compiled = bool(options.pop("compiled", True))
        variant = family.variant(**parameters)
        fields = {k: v for k, v in options.items() if k not in parameters}
        for name in fields:
            if name not in field_names(variant.dtype):
                known = ", ".join(dict.fromkeys([*family.parameters, *field_names(variant.dtype)]))
                raise GameError(f"{family.name} has no option '{name}'; it has: {known}")
        game = cls(variant, fields, compiled)
        if fields:
            game.start()  # a wrong value is told now
        return game

    @property
    def interpreted(self) -> RecordGame:
        """The same game with its rules run by plain Python."""
        return RecordGame(self.variant, self.fields, compiled=False)

    # -- the formalism ---------------------------------------------------------------------------------------------

    def start(self) -> State:
        if self._start is None:
            room = roomy(1, self.variant.dtype)
            self.run(set_up, room)
            records = room.copy()
            for name, value in self.fields.items():
                self._set_field(records, name, value)
            self._start = self._accept(records)
        return self._start

    def own(self, s: State) -> State:
        """`s`, if it is a state of this very variant: another's record means something else, or nothing."""
        if not isinstance(s, State):
            raise GameError(f"{shorten(s)} is not a state of {self.name}: take one that start() or parse(text) gives")
        if s.game is not self and s.game.variant is not self.variant and s._row.dtype != self.variant.dtype:
            theirs, this = _names(s.game, self)
            raise GameError(f"this is a state of {theirs}, not of {this}")
        return s

    def record(self, s: State | None = None) -> RecordArray:
        """A fresh array of one record, of `s` or of the start: what a kernel is given."""
        made: RecordArray = roomy(1, self.variant.dtype)
        made[:] = (self.start() if s is None else self.own(s))._row
        return made

    def player(self, s: State) -> int:
        return self._look(s).player

    def actions(self, s: State) -> Sequence[int]:
        return self._look(s).actions

    def chances(self, s: State) -> Sequence[tuple[int, float]]:
        seen = self._look(s)
        return list(zip(seen.actions, seen.probability, strict=True)) if seen.player == CHANCE else []

    def succ(self, s: State, a: int) -> State:
        if a not in self._look(s).actions:
            raise GameError(f"{self.name}: {a!r} is not a legal action here")
        states = self._room.hold(s)
        self.run(step, states, int(a))
        return State(self, states.copy())

    def utility(self, s: State, player: int = 0) -> float:
        seen = self._look(s)
        if seen.player != OVER:
            raise GameError(f"{self.name}: the game is not over, so it has no utility yet")
        if player not in range(self.players):
            raise GameError(f"{self.name} has players 0 to {self.players - 1}, not {shorten(player)}")
        return seen.payoff[player]

    def stuck_utility(self, s: State, player: int = 0) -> float:
        payoff = self._room.payoff
        self.run(pay, self._room.hold(self.own(s)), payoff)
        return float(payoff[player])

    @property
    def has_evaluation(self) -> bool:
        return "evaluate" in self.variant.functions

    def evaluate(self, s: State) -> float:
        return float(self.run(judge, self._room.hold(self.own(s))))

    @property
    def has_player_evaluation(self) -> bool:
        return self.has_evaluation or "evaluate_players" in self.variant.functions

    def evaluate_players(self, s: State) -> tuple[float, ...]:
        room = self._room
        self.run(judge_players, room.hold(self.own(s)), room.payoff)
        return tuple(room.payoff.tolist())

    def key(self, s: State) -> int:
        """64 bits that stand for the position."""
        return int(self.run(identify, self._room.hold(self.own(s))))

    def repetition_key(self, s: State) -> int:
        """64 bits that stand for the position as far as repetition goes."""
        return int(self.run(identify_repetition, self._room.hold(self.own(s))))

    # -- for a network ---------------------------------------------------------------------------------------------

    def planes(self, s: State) -> NDArray[np.int8]:
        """(count, height, width): what a network sees of `s`, from the view of the player to move."""
        if self.variant.plane_shape is None:
            raise GameError(f"{self.name} has no planes(s, out): it does not say what a network sees")
        out = rows(1, self.variant.plane_shape, "i1")
        self.run(see, self.record(s), out)
        seen: NDArray[np.int8] = out["at"][0]
        return seen

    def owners(self, s: State) -> NDArray[np.int8]:
        """(height, width): at the end of a game, 1 for player 0's cells and -1 for player 1's."""
        if "owners" not in self.variant.functions or self.variant.plane_shape is None:
            raise GameError(f"{self.name} has no owners(s, out): it does not say whose the cells are")
        out = rows(1, (1, *self.variant.plane_shape[1:]), "i1")
        self.run(see_owners, self.record(s), out)
        seen: NDArray[np.int8] = out["at"][0, 0]
        return seen

    def policy_index(self, s: State, a: int) -> int:
        """The place of action `a` in a policy, which has `variant.policy_size` of them."""
        if self.variant.policy_size is None:
            raise GameError(f"{self.name} has no policy_size: its actions are not numbered")
        return int(self.run(number_action, self.record(s), int(a)))

    # -- notation, drawing, exchange -------------------------------------------------------------------------------

    def hook(self, name: str) -> Callable[..., Any] | None:
        row = HOOKS.get(name)
        if row is None or row.is_compiled:
            raise KeyError(f"there is no hook '{name}' to ask a game for{near(name, HOOKS)}")
        return self.variant.presentation.get(name)

    def format_action(self, s: State, a: int) -> str:
        own = self.hook("format_action")
        return own(self.own(s), self._action(a)) if own else str(a)

    def parse_action(self, s: State, text: str) -> int:
        own = self.hook("parse_action")
        if own is None:
            return super().parse_action(s, text)
        a = int(own(self.own(s), need_text(self.name, "a move", text)))
        if a not in self.actions(s):
            raise GameError(f"'{text.strip()}' is not a legal move here")
        return a

    def format(self, s: State) -> str:
        own, s = self.hook("format"), self.own(s)
        if own:
            return str(own(s))
        return self._format_fields(s)

    def _format_fields(self, s: State) -> str:
        return " ".join(f"{name}={_plain(getattr(s, name))}" for name in field_names(self.variant.dtype))

    def parse(self, text: str) -> State:
        need_text(self.name, "a position", text)
        records = np.zeros(1, self.variant.dtype)
        own = self.hook("parse")
        if own:
            own(self.variant.view(records[0]), text)
        else:
            self._parse_fields(records, text)
        return self._accept(records)

    def text(self, s: State) -> str:
        own = self.hook("text")
        return own(self.own(s)) if own else self.format(s)

    def svg(self, s: State, marks: Marks = NO_MARKS) -> str | None:
        own = self.hook("svg")
        return own(self.own(s), marks) if own else None

    def clicks(self, s: State, a: int) -> tuple[str, ...]:
        own = self.hook("clicks")
        return tuple(own(self.own(s), self._action(a))) if own else ()

    def _action(self, a: int) -> int:
        if not isinstance(a, Integral):
            raise GameError(f"an action of {self.name} is a whole number, not {shorten(a)}")
        return a

    # -- inside ----------------------------------------------------------------------------------------------------

    def run(self, op: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel, compiled or, for an interpreted game, as the plain Python it is written in. Rules that answer
        more than they declare, or raise something where no line can be told, are told of in a sentence."""
        try:
            if self.compiled and JIT:
                return op(*arguments)
            with np.errstate(over="ignore"):  # 64-bit boards and hashes wrap around on purpose
                return getattr(op, "py_func", op)(*arguments)
        except OverrunError as fault:
            title = self.origin or self.name
            raise explain_overrun(fault, self.variant, title, arguments, self._show) from None
        except IndexError:
            if not (self.compiled and JIT):
                raise  # interpreted, it says which line
            title = self.origin or self.name
            raise RulesError(
                f"{title}: the rules use an index outside of a tuple or an array; `zermelo check {title}` looks into it"
            ) from None
        except (ArithmeticError, AssertionError, ValueError) as wrong:
            if isinstance(wrong, GameError) or not (self.compiled and JIT):
                raise
            raise explain_raised(self.origin or self.name, wrong) from wrong

    def _show(self, records: RecordArray) -> str:
        """A position that something is wrong with, as text: its notation may not have words for it."""
        try:
            return self.format(State(self, records))
        except Exception:
            return self._format_fields(State(self, records))

    def _look(self, s: State) -> _Look:
        self.own(s)
        if s._look is None:
            room = self._room
            p, n = self.run(look, room.hold(s), room.moves, room.chance, room.payoff)
            if n == 0 and p != OVER:
                raise RulesError(f"{self.name}: player {p} has no action, and stuck_ends is not declared")
            s._look = _Look(
                int(p),
                tuple(room.moves["at"][0, :n].tolist()),
                tuple(room.chance["at"][0, :n].tolist()) if p == CHANCE else (),
                tuple(room.payoff.tolist()) if p == OVER else (),
            )
        return s._look

    def _accept(self, records: RecordArray) -> State:
        """A state made from outside, if the rules find no problem with it."""
        state = State(self, records)
        own = self.hook("validate")
        problem = own(state) if own else None
        if problem:
            raise GameError(f"{self.name}: {problem}")
        return state

    def _set_field(self, records: RecordArray, name: str, value: Any) -> None:
        shape, kind = self.variant.dtype[name].shape, self.variant.dtype[name].base.kind
        try:
            if np.asarray(value).dtype.kind not in ("biu" if kind == "b" else "iu"):
                raise TypeError  # NumPy would cut off what stands after the point, and take true for 1
            records[0][name] = value
        except (TypeError, ValueError, OverflowError):
            holds = f"; it holds {' × '.join(map(str, shape))} whole numbers" if shape else ""
            raise GameError(f"{self.name}: {name} cannot be {value!r}{holds}") from None

    def _parse_fields(self, records: RecordArray, text: str) -> None:
        for word in text.split():
            name, equals, value = word.partition("=")
            if not equals or name not in field_names(self.variant.dtype):
                raise GameError(f"{self.name}: '{word}' is not one of {', '.join(field_names(self.variant.dtype))}=…")
            try:
                numbers: Any = [int(n) for n in value.split(",")]
            except ValueError:
                raise GameError(f"{self.name}: {name}={value} is not a whole number or a list of them") from None
            shape = self.variant.dtype[name].shape
            room = int(np.prod(shape, dtype=int))
            if len(numbers) != room:
                raise GameError(f"{self.name}: {name} holds {room} numbers, not {len(numbers)}")
            self._set_field(records, name, np.reshape(numbers, shape).tolist() if shape else numbers[0])

    def __reduce__(self) -> Any:
        from zermelo.core.registry import reload_game

        return reload_game, (self.origin, {**self.options}, self.compiled)

    origin: str = ""  # what `zermelo.load` was given, so that another process can load the same game


def _names(one: RecordGame, other: RecordGame) -> tuple[str, str]:
    """What to call two games so that they can be told apart."""
    if one.name != other.name:
        return one.name, other.name
    mine, theirs = one.variant.parameters, other.variant.parameters
    differ = [k for k in mine if k not in theirs or mine[k] != theirs[k]]
    if not differ:
        return f"{one.name} with other rules", f"this {one.name}"
    with_options = (", ".join(f"{k}={shorten(given.get(k), 30)}" for k in differ) for given in (mine, theirs))
    first, second = (f"{one.name} with {options}" for options in with_options)
    return first, second


def _plain(value: Any) -> str:
    return ",".join(str(int(v)) for v in np.ravel(value)) if isinstance(value, np.ndarray) else str(int(value))
