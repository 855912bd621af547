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

import inspect
import re
from typing import Any

from numba import from_dtype

from zermelo.compile.declarations import DECLARATIONS, NOT_COMPILED, read_declarations
from zermelo.compile.declarations import RulesError as RulesError
from zermelo.compile.fingerprint import fingerprint
from zermelo.compile.guards import GUARDS
from zermelo.compile.helper import helper as helper
from zermelo.compile.hooks import HOOKS, near
from zermelo.compile.overloads import announce_helper
from zermelo.compile.record import make_dtype, make_view
from zermelo.compile.variant import VARIANTS, Variant
from zermelo.core.game import GameError, GameFamily

NUMBERED = {"ending", "rank", "unrank", "endings"}  # hooks of endgame tables: all of them or none


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
            self.variant()  # a class has one variant: what is wrong with it is told where it is written

    def variant(self, **parameters: Any) -> Variant:
        chosen = {**self.parameters, **parameters}
        unknown = [p for p in chosen if p not in self.parameters]
        if unknown:
            known = ", ".join(self.parameters) or "none"
            raise GameError(f"{self.name} has no parameter '{unknown[0]}'; it has: {known}")
        for name, value in chosen.items():
            default = self.parameters[name]
            kind = type(default)
            fits = isinstance(value, (int, float) if kind is float else kind)
            if default is not None and not (fits and (kind is bool or not isinstance(value, bool))):
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
            if word not in DECLARATIONS:
                raise RulesError(f"{title}: @rules knows no '{word}'{near(word, DECLARATIONS)}")
        return Rules(source, title, declared)

    return decorate if source is None else decorate(source)


def _make_variant(family: Rules, source: Any, parameters: dict[str, Any]) -> Variant:
    name = family.name
    if not isinstance(source, type):
        raise RulesError(f"{name}: the function under @rules must return a class, not {source!r}")
    functions, presentation = _functions(name, source)
    said = {**family._declared, **{word: getattr(source, word) for word in DECLARATIONS if hasattr(source, word)}}
    says = read_declarations(name, said, functions)
    fields = getattr(source, "state", None)
    if not isinstance(fields, dict):
        raise RulesError(f'{name}: needs  state = {{"field": "i1", …}}')
    # what is not said is no part of the fingerprint: a new declaration recompiles nobody who does not use it
    compiled = {word: value for word, value in says.items() if word not in NOT_COMPILED and value is not None}
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
        presentation=presentation,
        dtype=dtype,
        view=make_view(dtype),
        source=source,
        family=family,
        **says,
    )
    for hook in GUARDS.keys() & functions.keys():
        announce_helper(functions[hook], True)  # what looks at its answer calls it
    VARIANTS[dtype] = VARIANTS[from_dtype(dtype)] = variant
    return variant


def _functions(name: str, source: type) -> tuple[dict[str, Any], dict[str, Any]]:
    """The hooks that are compiled, and those that stay plain Python, each with the right number of parameters."""
    functions: dict[str, Any] = {}
    presentation: dict[str, Any] = {}
    for word, value in vars(source).items():
        if isinstance(value, staticmethod):
            value = value.__func__
        if not inspect.isfunction(value):
            continue
        if word not in HOOKS:
            if word.startswith("_"):
                continue
            raise RulesError(
                f"{name}: rules have no function '{word}'{near(word, HOOKS)}; "
                "put a function of your own outside the class, with @helper"
            )
        row = HOOKS[word]
        expected = len(row.parameters)
        if len(inspect.signature(value).parameters) != expected:
            line = value.__code__.co_firstlineno
            raise RulesError(
                f"{name}: {word} (line {line}) takes {expected or 'no'} parameter{'s' * (expected != 1)}"
                f"{expected and ': '}{', '.join(row.parameters)}"
            )
        (functions if row.is_compiled else presentation)[word] = value
    for row in HOOKS.values():
        if row.is_required and row.name not in functions:
            raise RulesError(f"{name}: the rules lack {row.name}({', '.join(row.parameters)})")
    if len(NUMBERED & {*functions, *presentation}) not in (0, len(NUMBERED)):
        raise RulesError(f"{name}: ending(s), rank(s), unrank(s, ending, rank) and endings(limit) go together")
    return functions, presentation


def _a(kind: type) -> str:
    return {int: "a whole number", float: "a number", str: "a word", tuple: "a list", bool: "true or false"}.get(
        kind, kind.__name__
    )
