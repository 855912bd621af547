"""What is wrong with rules that do not compile, in one sentence: the game, the function, the line, the reason.

A compiler's complaint names types and passes; somebody who writes rules thinks of fields and moves. So the source is
read first, where the commonest mistakes can be seen (a misspelt field, a name that is not defined, a plain function
where a helper is needed), and only then the complaint, for the deepest place in somebody's own file that it mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, get_type_hints

import numba
from numba import njit, types

from zermelo.compile.declarations import RulesError
from zermelo.compile.diagnostics.compiler import plain_type, read_complaint
from zermelo.compile.diagnostics.source import Function, Place, seen_in_source
from zermelo.compile.hooks import HOOKS, Actions, Planes, Reals, Record, Singles
from zermelo.compile.variant import VARIANTS, Variant

Compile = Callable[[Function, tuple[Any, ...]], Any]  # a rule, given the types of its arguments: the type of its result
Complaint = tuple[Place, str]


def explain(error: Exception, arguments: list[Any], options: dict[str, Any]) -> Exception:
    """The RulesError behind a compiler's complaint; the complaint itself where no rules are compiled."""
    for record in _records(arguments):
        return diagnose(VARIANTS[record], by_numba(options)) or not_together(VARIANTS[record], error)
    return error


def not_together(variant: Variant, error: Exception) -> RulesError:
    """What is left to say where no function is to blame."""
    reason = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return RulesError(f"{variant.name}: each function of the rules compiles, but not all together: {reason}")


def by_numba(options: dict[str, Any]) -> Compile:
    def compile_rule(function: Function, kinds: tuple[Any, ...]) -> Any:
        compiled = njit(**options)(function)
        compiled.compile(kinds)
        return compiled.nopython_signatures[0].return_type

    return compile_rule


def _records(kinds: Iterable[Any]) -> Iterator[Any]:
    """The types of games' records among types, and inside them."""
    for kind in kinds:
        if isinstance(kind, types.BaseTuple):
            yield from _records(kind.types)
        else:
            record = kind.dtype if isinstance(kind, types.Array) else kind
            if record in VARIANTS:
                yield record


def diagnose(
    variant: Variant, compile_rule: Compile, inspect: Callable[[Function], Complaint | None] = lambda rule: None
) -> RulesError | None:
    """Compile each function of the rules by itself; what is wrong with the first that will not. `inspect` finds what a
    compiler takes and its machine does not."""
    for name, row in HOOKS.items():
        function = variant.functions.get(name)
        if function is None:
            continue
        hints = get_type_hints(row.function)
        complaint = inspect(function)
        try:
            if complaint is None:
                result = compile_rule(function, tuple(_form(hints[p], variant) for p in row.parameters))
                if wrong := _wrong_result(hints["return"], result):
                    complaint = (function, function.__code__.co_firstlineno), wrong
        except Exception as error:
            complaint = seen_in_source(variant, function) or read_complaint(function, error)
        if complaint is not None:
            (culprit, line), reason = complaint
            within = "" if culprit is function else f" (in {culprit.__name__})"
            file = Path(culprit.__code__.co_filename).name
            return RulesError(f"{variant.name}: {name}{within}, line {line} of {file}: {reason}")
    return None


def _form(hint: Any, variant: Variant) -> Any:
    """What the compiler calls the type of a parameter in the table."""
    if hint == Record:
        return numba.from_dtype(variant.dtype)
    return {
        int: types.int64,
        Actions: types.int64[::1],
        Reals: types.float64[::1],
        Singles: types.float32[::1],
        Planes: types.int8[:, :, ::1],
    }[hint]


def _wrong_result(hint: Any, kind: Any) -> str:
    if hint is type(None):
        return ""
    wanted = (types.Number, types.Boolean) if hint is float else (types.Integer, types.Boolean)
    if isinstance(kind, wanted):
        return ""
    if isinstance(kind, (types.NoneType, types.Optional)):
        return "it does not return a number on every way through"
    return f"it returns {plain_type(str(kind))}, not a {'number' if hint is float else 'whole number'}"
