"""What is wrong with rules that do not compile, in one sentence: the game, the function, the line, the reason.

A compiler's complaint names types and passes; somebody who writes rules thinks of fields and moves. So the source is
read first, where the commonest mistakes can be seen (a misspelt field, a name that is not defined, a plain function
where a helper is needed), and only then the complaint, for the deepest place in somebody's own file that it mentions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
from numba import njit, types

from zermelo.compile.diagnostics.compiler import plain_type, read_complaint
from zermelo.compile.diagnostics.source import seen_in_source
from zermelo.compile.rules import VARIANTS, RulesError, Variant


def explain(error: Exception, arguments: list[Any], options: dict[str, Any]) -> Exception:
    """The RulesError behind a compiler's complaint, or the complaint itself when the rules compile on their own."""
    for kind in arguments:
        record = kind.dtype if isinstance(kind, types.Array) else kind
        if record in VARIANTS:
            mistake = find_mistake(VARIANTS[record], options)
            if mistake is not None:
                return mistake
    return error


def find_mistake(variant: Variant, options: dict[str, Any]) -> RulesError | None:
    """Compile each function of the rules by itself; what is wrong with the first that will not."""
    for name, form in _forms(variant).items():
        function = variant.functions.get(name)
        if function is None:
            continue
        try:
            compiled = njit(**options)(function)
            compiled.compile(form)
        except Exception as error:
            (culprit, line), reason = seen_in_source(variant, function) or read_complaint(function, error)
            within = "" if culprit is function else f" (in {culprit.__name__})"
            file = Path(culprit.__code__.co_filename).name
            return RulesError(f"{variant.name}: {name}{within}, line {line} of {file}: {reason}")
        wrong = _wrong_result(name, compiled.nopython_signatures[0].return_type)
        if wrong:
            line = function.__code__.co_firstlineno
            file = Path(function.__code__.co_filename).name
            return RulesError(f"{variant.name}: {name}, line {line} of {file}: {wrong}")
    return None


def _forms(variant: Variant) -> dict[str, tuple[Any, ...]]:
    s = numba.from_dtype(variant.dtype)
    out, real = types.int64[::1], types.float64[::1]
    return {
        "start": (s,),
        "player": (s,),
        "actions": (s, out),
        "apply": (s, types.int64),
        "utility": (s, real),
        "chances": (s, out, real),
        "evaluate": (s,),
        "key": (s,),
        "repetition_key": (s,),
        "noisy": (s, out),
    }


def _wrong_result(name: str, kind: Any) -> str:
    if name in ("start", "apply", "utility"):
        return ""
    wanted = (types.Number, types.Boolean) if name == "evaluate" else (types.Integer, types.Boolean)
    if isinstance(kind, wanted):
        return ""
    if isinstance(kind, (types.NoneType, types.Optional)):
        return "it does not return a number on every way through"
    return f"it returns {plain_type(str(kind))}, not a {'number' if name == 'evaluate' else 'whole number'}"
