"""`@rules`: a game from a record of named integer fields and plain functions over it. `@helper`: what those call.

    @rules(name="nim", players=2, max_actions=2)
    class Nim:
        '''Take one or two; whoever takes the last one wins.'''

        state = {"fruits": "i4", "turn": "i1"}

        def start(s):
            s.fruits = 7
        def player(s):
            return OVER if s.fruits == 0 else s.turn
        def actions(s, out):
            n = min(2, s.fruits)
            for i in range(n):
                out[i] = i + 1
            return n
        def apply(s, action):
            s.fruits -= action
            s.turn = 1 - s.turn
        def utility(s, out):
            out[s.turn] = -1
            out[1 - s.turn] = 1

A game with variants is a function of its parameters that returns such a class; inside, parameters are constants to the
compiler, and every variant is a type of its own:

    @rules(name="connect-four")
    def connect_four(width=7, height=6):
        class ConnectFour: ...
        return ConnectFour

What `players=`, `max_actions=` … say may also stand in the class as attributes, which a variant may compute.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, overload

import numpy as np
from numba import from_dtype
from numba.extending import register_jitable

from zermelo.compile.fingerprint import fingerprint
from zermelo.compile.record import View, make_dtype, make_view
from zermelo.core.game import GameError, GameFamily

F = TypeVar("F", bound=Callable[..., Any])

# What rules may define, with the number of parameters. Compiled: plain functions of the record.
REQUIRED = {"start": 1, "player": 1, "actions": 2, "apply": 2, "utility": 2}
OPTIONAL = {
    "chances": 3,
    "evaluate": 1,
    "key": 1,
    "repetition_key": 1,  # the key as far as repetition goes (positional superko ignores whose turn it is)
    "search_key": 1,  # the key as far as the value goes: equal for mirror images, different near a move limit
    "noisy": 2,
    "move_score": 2,  # (s, action): the higher, the earlier a search tries it; 0: quiet; -inf: another is as good
    "threatened": 1,  # a forced position (check): searched deeper, never judged as it stands
    "null_move": 1,  # hand the turn over in place; False where that may be better than every move
    "known_result": 2,  # (s, out): the result where it is known without search: out[0] player 0's payoff, out[1] plies
    "evaluate_players": 2,  # (s, out): like evaluate, for every player
    "features": 3,  # (s, index, value): what a learned evaluation sees; how many pairs (feature, its value) it wrote
    "perspective": 1,  # the player who sees the features, and whose value they give; without it always player 0
    "planes": 2,
    "policy_index": 2,
}
# For people, never compiled: plain Python over a State (`parse` fills an empty record and may raise GameError).
PEOPLE = {
    "parse": 2,
    "format": 1,
    "parse_action": 2,
    "format_action": 2,
    "text": 1,
    "svg": 2,  # (s, marks)
    "clicks": 2,  # the cells somebody clicks to play an action
    "validate": 1,  # a sentence, if a state made from outside is not a position of this game
}
# What a game says about itself.
DECLARED: dict[str, Any] = {
    "players": 2,
    "max_actions": None,  # no state offers more
    "max_chance_outcomes": 0,  # no chance node offers more
    "teams": None,  # teams[p]: the side player p plays for
    "zero_sum": True,
    "utility_range": None,  # (least, most) that player 0 can get, evaluate's answers included
    "utility_values": None,  # all payoffs a game can end with, ascending: what a learned evaluation may expect
    "num_features": None,  # how many features there are
    "max_active_features": None,  # … and how many of them are written at most; all of them, if nothing is said
    "policy_size": None,  # how many numbers policy_index gives; it may be left out where actions are below this
    "training": None,  # how an evaluation is best learned: settings of zermelo.learn, by name
    "max_plies": None,  # no game is longer; None: rules that always come to an end, or repetition says how
    "repetition": None,  # "draw", "loss" or "forbidden"
    "repetitions": 2,  # … when a position stands for the how-manieth time
    "stuck_ends": False,  # a player without a legal action ends the game (mate, stalemate, blocked)
}
REPETITIONS = (None, "draw", "loss", "forbidden")


class RulesError(GameError):
    """A mistake in somebody's rules: names the game, the function and, where there is one, the line."""


@overload
def helper(function: F) -> F: ...


@overload
def helper(*, inline: bool) -> Callable[[F], F]: ...


def helper(function: Any = None, *, inline: bool = False) -> Any:
    """Lets rules call `function`: plain Python when interpreted, compiled into them when compiled.

    `inline` copies it into every caller: what a caller does not use of its results is then not computed there. For few
    callers; small functions are copied anyway.
    """
    if function is None:
        return partial(helper, inline=inline)
    if not inspect.isfunction(function):
        raise RulesError("@helper goes on a plain function")
    register_jitable(forceinline=inline)(function)
    function.is_helper, function.is_inline = True, inline  # type: ignore[attr-defined]
    return function


@dataclass(frozen=True, eq=False)
class Variant:
    """One concrete set of rules: its functions, its record, what it declares. A record's type stands for one."""

    name: str
    parameters: dict[str, Any]
    doc: str
    functions: dict[str, Callable[..., Any]]  # REQUIRED and OPTIONAL, plain: for interpreting, CUDA, reading
    people: dict[str, Callable[..., Any]]
    dtype: np.dtype[np.void]
    view: type[View]
    players: int
    max_actions: int
    max_chance_outcomes: int
    teams: tuple[int, ...] | None
    zero_sum: bool
    utility_range: tuple[float, float] | None
    utility_values: tuple[float, ...] | None
    num_features: int | None
    max_active_features: int | None
    policy_size: int | None
    training: dict[str, Any] | None
    max_plies: int | None
    repetition: str | None
    repetitions: int
    stuck_ends: bool
    source: type

    @property
    def width(self) -> int:
        """How many numbers `out` must have room for."""
        return max(self.max_actions, self.max_chance_outcomes)


class _Variants(dict[Any, Variant]):
    """By NumPy dtype and by Numba record type. No part of any fingerprint: a record's type already says which."""


VARIANTS = _Variants()


class Rules(GameFamily):
    """What `@rules` returns: a family of variants. Calling it with a variant's parameters gives the game."""

    def __init__(self, source: Any, name: str, declared: dict[str, Any]):
        self.name = name
        self.source = source
        self.__doc__ = inspect.getdoc(source)
        self.__name__ = getattr(source, "__name__", name)
        self.__module__ = source.__module__
        self._declared = declared
        self._variants: dict[Any, Variant] = {}
        self.parameters: dict[str, Any] = {}
        if not isinstance(source, type):
            for parameter in inspect.signature(source).parameters.values():
                if parameter.default is inspect.Parameter.empty:
                    raise RulesError(f"{name}: parameter '{parameter.name}' needs a default")
                self.parameters[parameter.name] = parameter.default
        else:
            self.variant()  # a class has one variant: its mistakes are told where it is written

    def variant(self, **parameters: Any) -> Variant:
        chosen = {**self.parameters, **parameters}
        unknown = [p for p in chosen if p not in self.parameters]
        if unknown:
            known = ", ".join(self.parameters) or "none"
            raise GameError(f"{self.name} has no parameter '{unknown[0]}'; it has: {known}")
        for name, value in chosen.items():
            default = self.parameters[name]
            kind = type(default)
            if default is not None and not isinstance(value, (int, float) if kind is float else kind):
                raise GameError(f"{self.name}: {name} must be {_a(kind)}, not {value!r}")
        cached = repr(sorted(chosen.items()))
        if cached not in self._variants:
            source = self.source if isinstance(self.source, type) else self.source(**chosen)
            self._variants[cached] = _make_variant(self, source, chosen)
        return self._variants[cached]

    def __call__(self, **options: Any) -> Any:
        from zermelo.compile.record_game import RecordGame  # the game stands on the rules, not the other way round

        return RecordGame.of(self, options)

    def __repr__(self) -> str:
        return f"<rules of {self.name}>"


def rules(source: Any = None, *, name: str | None = None, **declared: Any) -> Any:
    """Make a game of a class (or of a function of parameters that returns one); see the module's docstring."""

    def decorate(source: Any) -> Rules:
        if not (isinstance(source, type) or inspect.isfunction(source)):
            raise RulesError("@rules goes on a class, or on a function that returns one")
        title = name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", source.__name__).replace("_", "-").lower()
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", title):
            raise RulesError(f"'{title}' is not a game's name: small letters, digits and single dashes")
        for word in declared:
            if word not in DECLARED:
                raise RulesError(f"{title}: @rules knows no '{word}'{_near(word, DECLARED)}")
        return Rules(source, title, declared)

    return decorate if source is None else decorate(source)


def _make_variant(family: Rules, source: Any, parameters: dict[str, Any]) -> Variant:
    name = family.name
    if not isinstance(source, type):
        raise RulesError(f"{name}: the function under @rules must return a class, not {source!r}")
    functions, people = _functions(name, source)
    says = {w: getattr(source, w, family._declared.get(w, default)) for w, default in DECLARED.items()}
    _check_declared(name, says, functions)
    fields = getattr(source, "state", None)
    if not isinstance(fields, dict):
        raise RulesError(f'{name}: needs  state = {{"field": "i1", …}}')
    compiled = {word: value for word, value in says.items() if word != "training"}  # no machine code depends on that
    tag = fingerprint(list(functions.items()), fields, compiled, sorted(parameters.items()))
    try:
        dtype = make_dtype(fields, f"{name.replace('-', '_')}_{tag}")
    except ValueError as problem:
        raise RulesError(f"{name}: {problem}") from None
    variant = Variant(
        name=name,
        parameters=parameters,
        doc=inspect.getdoc(source) or family.__doc__ or "",
        functions=functions,
        people=people,
        dtype=dtype,
        view=make_view(dtype),
        source=source,
        **says,
    )
    VARIANTS[dtype] = VARIANTS[from_dtype(dtype)] = variant
    return variant


def _functions(name: str, source: type) -> tuple[dict[str, Any], dict[str, Any]]:
    """The rules' functions and the people's, with the right number of parameters."""
    functions: dict[str, Any] = {}
    people: dict[str, Any] = {}
    known = {**REQUIRED, **OPTIONAL, **PEOPLE}
    for word, value in vars(source).items():
        if isinstance(value, staticmethod):
            value = value.__func__
        if not inspect.isfunction(value):
            continue
        if word not in known:
            if word.startswith("_"):
                continue
            raise RulesError(
                f"{name}: rules have no function '{word}'{_near(word, known)}; "
                "put a function of your own outside the class, with @helper"
            )
        expected = known[word]
        if len(inspect.signature(value).parameters) != expected:
            line = value.__code__.co_firstlineno
            raise RulesError(f"{name}: {word} (line {line}) takes {expected} parameter{'s' * (expected > 1)}")
        (people if word in PEOPLE else functions)[word] = value
    for word in REQUIRED:
        if word not in functions:
            raise RulesError(f"{name}: the rules lack {word}({'s' if REQUIRED[word] == 1 else 's, …'})")
    return functions, people


def _check_declared(name: str, says: dict[str, Any], functions: dict[str, Any]) -> None:
    _whole(name, says, "players", 1)
    _whole(name, says, "max_actions", 1)
    _whole(name, says, "max_chance_outcomes", 1 if "chances" in functions else 0)
    _whole(name, says, "repetitions", 2)
    if says["max_plies"] is not None:
        _whole(name, says, "max_plies", 1)
    if says["utility_range"] is not None:
        says["utility_range"] = tuple(map(float, says["utility_range"]))
        if len(says["utility_range"]) != 2 or not says["utility_range"][0] < says["utility_range"][1]:
            raise RulesError(f"{name}: utility_range must be (least, most), not {says['utility_range']!r}")
    _check_learning(name, says, functions)
    if says["repetition"] not in REPETITIONS:
        raise RulesError(f"{name}: repetition must be 'draw', 'loss' or 'forbidden', not {says['repetition']!r}")
    if says["teams"] is not None:
        says["teams"] = tuple(says["teams"])
        if len(says["teams"]) != says["players"] or says["teams"][0] != 0:
            raise RulesError(f"{name}: teams must name a side for each of {says['players']} players, 0 for player 0")


def _whole(name: str, says: dict[str, Any], word: str, least: int) -> None:
    if not isinstance(says[word], (int, np.integer)) or says[word] < least:
        raise RulesError(f"{name}: {word} must be a whole number of at least {least}, not {says[word]!r}")
    says[word] = int(says[word])


def _check_learning(name: str, says: dict[str, Any], functions: dict[str, Any]) -> None:
    values = says["utility_values"]
    if (says["num_features"] is None) != ("features" not in functions):
        raise RulesError(f"{name}: features(s, index, value) and num_features go together")
    if says["max_active_features"] is None:
        says["max_active_features"] = says["num_features"]
    for word in ("num_features", "max_active_features", "policy_size"):
        if says[word] is not None:
            _whole(name, says, word, 1)
    if says["num_features"] is None and says["max_active_features"] is not None:
        raise RulesError(f"{name}: max_active_features needs num_features")
    if says["training"] is not None and not isinstance(says["training"], dict):
        raise RulesError(f"{name}: training must be a dict of settings, not {says['training']!r}")
    if values is not None:
        says["utility_values"] = tuple(map(float, values))
        if len(values) < 2 or list(says["utility_values"]) != sorted(set(says["utility_values"])):
            raise RulesError(f"{name}: utility_values must be two payoffs or more, ascending, not {values!r}")


def _near(word: str, known: Any) -> str:
    close = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean '{close[0]}'?)" if close else ""


def _a(kind: type) -> str:
    return {int: "a whole number", float: "a number", str: "a word", tuple: "a list", bool: "true or false"}.get(
        kind, kind.__name__
    )
