"""The mistakes that can be seen in the source of rules, whatever the types are; and how that source is read."""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import textwrap
import types as python
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from zermelo.compile.record import field_names
from zermelo.compile.variant import Variant

Function = Callable[..., Any]
Place = tuple[Function, int]  # a function and a line of its file


def seen_in_source(variant: Variant, rule: Function) -> tuple[Place, str] | None:
    """A mistake that is one whatever the types are, in a rule or in a helper it calls."""
    fields = field_names(variant.dtype)
    for function in with_helpers(rule):
        code = function.__code__
        state = code.co_varnames[0] if function is rule and code.co_argcount else ""
        found = nodes(function)
        for node in found:
            reason = ""
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == state:
                reason = _field(node.attr, fields)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                reason = _name(node.id, function, found)
            if reason:
                return (function, line_of(node, function)), reason
    return None


def _field(name: str, fields: tuple[str, ...]) -> str:
    if name in fields:
        return ""
    close = difflib.get_close_matches(name, fields, 1)
    meant = f"did you mean '{close[0]}'?" if close else f"it has: {', '.join(fields)}"
    return f"the state has no field '{name}'; {meant}"


_MISSING = object()


def _name(name: str, function: Function, around: list[ast.AST]) -> str:
    value = _value(name, function, around)
    if value is _MISSING:
        return f"the name '{name}' is not defined"
    if isinstance(value, (dict, list, set)):
        kind = type(value).__name__
        return f"'{name}' is a {kind}, and compiled rules know only constants: make it a tuple or a NumPy array"
    if isinstance(value, python.FunctionType) and not hasattr(value, "is_helper"):
        module = value.__module__ or ""
        if not module.startswith(("zermelo.compile.", "numba.", "numpy.")):
            return f"'{name}' is a plain Python function: put @helper on it"
    return ""


def _value(name: str, function: Function, around: list[ast.AST]) -> Any:
    """What a name stands for in a function, None where that is known only when it runs."""
    code = function.__code__
    if name in code.co_varnames or name in code.co_cellvars:
        return None
    if name in code.co_freevars:
        cell = (function.__closure__ or ())[code.co_freevars.index(name)]
        try:
            return cell.cell_contents
        except ValueError:
            return _MISSING
    bound = {n.id for n in around if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    bound |= {n.arg for n in around if isinstance(n, ast.arg)}
    if name in bound:
        return None
    return function.__globals__.get(name, getattr(builtins, name, _MISSING))


def with_helpers(rule: Function) -> Iterator[Function]:
    """A rule and the helpers it calls, and those they call."""
    todo, seen = [rule], {rule}
    for function in todo:
        yield function
        found = nodes(function)
        for node in found:
            value = _value(node.id, function, found) if isinstance(node, ast.Name) else None
            if isinstance(value, python.FunctionType) and hasattr(value, "is_helper") and value not in seen:
                seen.add(value)
                if not value.__module__.startswith("zermelo.compile."):
                    todo.append(value)


def recursion(rule: Function) -> Place | None:
    """Where a rule, or what it calls, comes to call itself. (Compilers other than the CPU's may take that, but a thread
    of a card has no room for calls within calls without end.)"""

    def look(function: Function, above: tuple[Function, ...]) -> Place | None:
        for name, called in _called(function).items():
            if called in (function, *above):
                place = (node for node in nodes(function) if isinstance(node, ast.Name) and node.id == name)
                return function, next((line_of(node, function) for node in place), function.__code__.co_firstlineno)
            if called not in seen:
                seen.add(called)
                if (found := look(called, (function, *above))) is not None:
                    return found
        return None

    seen: set[Function] = set()
    return look(rule, ())


def large_table(rule: Function, most: int) -> tuple[Place, str] | None:
    """Where a rule names an array of more than `most` bytes; and its name."""
    for function in with_helpers(rule):
        around = nodes(function)
        for node in around:
            if isinstance(node, ast.Name):
                value, name = _value(node.id, function, around), node.id
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                value, name = getattr(_value(node.value.id, function, around), node.attr, None), node.attr
            else:
                continue
            if isinstance(value, np.ndarray) and value.nbytes > most:
                return (function, line_of(node, function)), name
    return None


def _called(function: Function) -> dict[str, Function]:
    """The helpers, and the functions somebody compiled with Numba, whose names stand in a function."""
    code = function.__code__
    found: dict[str, Function] = {}
    for name in (*code.co_names, *code.co_freevars):
        value = _value(name, function, [])
        value = getattr(value, "py_func", value)
        if isinstance(value, python.FunctionType):
            module = value.__module__ or ""
            if not module.startswith(("zermelo.compile.", "numba.")):
                found[name] = value
    return found


def nodes(function: Function) -> list[ast.AST]:
    """A function's source as the nodes of its syntax tree, with the line numbers of its file; empty without source."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return []
    ast.increment_lineno(tree, max(first, 1) - 1)
    return sorted(ast.walk(tree), key=lambda node: getattr(node, "lineno", 0))


def line_of(node: ast.AST, function: Function) -> int:
    return int(getattr(node, "lineno", function.__code__.co_firstlineno))
