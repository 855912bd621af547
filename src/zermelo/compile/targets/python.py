"""Interpreted: the functions that kernels call when they run as the plain Python they are written in.

The record's dtype says whose rules. These see the record through a View, where a field is a Python int, and are given
and give Python numbers; a hook's default is ours, and sees the record itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from numbers import Number
from typing import Any, TypeVar, get_type_hints

import numpy as np

from zermelo.compile.declarations import RulesError
from zermelo.compile.guards import guard
from zermelo.compile.variant import VARIANTS, Variant
from zermelo.core.game import shorten

F = TypeVar("F", bound=Callable[..., Any])
_NUMBERS = (int, float, bool, np.uint64)


def hook_function(default: F, is_required: bool) -> F:
    """`default`'s name, parameters and docstring; called with a record, the rules' own function of that name."""
    name, hints = default.__name__, get_type_hints(default)
    gives = hints.get("return")
    takes = [hints.get(p) for p in _parameters(default)[1:]]
    convert = [kind if kind in _NUMBERS else None for kind in takes]
    has_numbers = any(convert)
    made: dict[Variant, Any] = {}

    @functools.wraps(default)
    def call(s: Any, *rest: Any) -> Any:
        if has_numbers:
            rest = tuple(kind(value) if kind else value for kind, value in zip(convert, rest, strict=True))
        rules = VARIANTS[s.dtype]
        if rules not in made:
            own = rules.functions.get(name)
            made[rules] = guard(rules, name, default if own is None else _answering(rules, name, gives))
        if name in rules.functions:
            answer = made[rules](rules.view(s), *rest)
        elif is_required:
            raise NotImplementedError(f"{rules.name} lacks {name}")
        else:
            with np.errstate(over="ignore"):  # hashes wrap around on purpose
                answer = made[rules](s, *rest)
        return gives(answer) if gives in _NUMBERS else answer

    return call  # type: ignore[return-value]


def _answering(rules: Variant, name: str, gives: Any) -> Callable[..., Any]:
    """The rules' own function, which must answer with a number where one is wanted; a compiler would see to that."""
    own = rules.functions[name]
    if gives not in _NUMBERS:
        return own

    def answer(*rest: Any) -> Any:
        said = own(*rest)
        if not isinstance(said, Number | np.bool_):
            raise RulesError(f"{rules.name}: {name} returns {shorten(said)}, not a number")
        return said

    return answer


def by_rules_function(choose: Callable[[Variant], F]) -> F:
    """What `choose` makes of a variant, called with a record of that variant."""
    made: dict[Variant, Any] = {}

    def call(s: Any, *rest: Any) -> Any:
        rules = VARIANTS[s.dtype]
        if rules not in made:
            made[rules] = choose(rules)
        return made[rules](s, *rest)

    call.__name__, call.__qualname__ = choose.__name__, choose.__qualname__
    call.__module__, call.__doc__ = choose.__module__, choose.__doc__
    return call  # type: ignore[return-value]


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]
