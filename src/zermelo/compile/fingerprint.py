"""A fingerprint of functions and of everything they depend on, so that no stale machine code is ever found.

It covers the byte code (not comments, docstrings or line numbers), the constants, and, through globals, closures and
modules, the functions and values they name, however many files away. Of a function that compiled code knows in another
form (`overload`) that form counts, not the plain one. What stands inside NumPy, Numba and the standard library counts
by name only; the name under which machine code is kept holds Numba's version.
"""

from __future__ import annotations

import dis
import enum
import hashlib
import types
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from zermelo.compile.overloads import compiled_from

_FOREIGN = {"numpy", "numba", "llvmlite", "math", "builtins", "typing", "functools", "itertools", "operator"}


def fingerprint(*roots: Any) -> str:
    """Sixteen hexadecimal digits that change when anything `roots` depend on changes."""
    digest = hashlib.sha256()
    for part in _parts(roots):
        digest.update(part)
        digest.update(b"\0")
    return digest.hexdigest()[:16]


def _parts(roots: Iterable[Any]) -> Iterator[bytes]:
    seen: dict[int, int] = {}
    keep: list[Any] = []  # ids stay unique only while their objects live
    todo = list(roots)[::-1]
    while todo:
        thing = todo.pop()
        if id(thing) in seen:  # functions call each other in circles
            yield f"again {seen[id(thing)]}".encode()
            continue
        part, following = _describe(thing)
        if following:
            seen[id(thing)] = len(keep)
            keep.append(thing)
        yield part
        todo.extend(reversed(following))


def _describe(thing: Any) -> tuple[bytes, list[Any]]:
    """One thing's own bytes, and the things it leads to."""
    inner = getattr(thing, "py_func", None) or getattr(thing, "_defn", None)  # Numba's dispatchers and intrinsics
    if isinstance(inner, types.FunctionType):
        return b"compiled", [inner]
    if isinstance(thing, types.FunctionType):
        if _is_foreign(thing.__module__):
            return f"{thing.__module__}.{thing.__qualname__}".encode(), []
        if sources := compiled_from(thing):
            return b"overloaded", list(sources)
        defaults = [*(thing.__defaults__ or ()), thing.__kwdefaults__ or {}]
        kind = b"inline function" if getattr(thing, "is_inline", False) else b"function"
        return kind, [thing.__code__, defaults, *_referenced(thing)]
    if isinstance(thing, types.CodeType):
        counts = (thing.co_argcount, thing.co_posonlyargcount, thing.co_kwonlyargcount)
        own = repr((thing.co_names, thing.co_varnames, thing.co_freevars, thing.co_cellvars, counts))
        steps, constants = _steps(thing)
        return steps + own.encode(), constants
    if isinstance(thing, np.ndarray):
        return repr((thing.dtype, thing.shape)).encode() + np.ascontiguousarray(thing).tobytes(), []
    if isinstance(thing, (list, tuple)):
        return f"{type(thing).__name__} {len(thing)}".encode(), list(thing)
    if isinstance(thing, (set, frozenset)):
        return repr(sorted(map(repr, thing))).encode(), []
    if type(thing) is dict:
        return f"dict {len(thing)}".encode(), [part for item in thing.items() for part in item]
    if isinstance(thing, types.ModuleType):
        return thing.__name__.encode(), []
    if isinstance(thing, type):
        if _is_foreign(thing.__module__):
            return thing.__qualname__.encode(), []
        named = {k: v for k, v in vars(thing).items() if not k.startswith("__")}
        return f"class {thing.__qualname__}".encode(), [named]
    if isinstance(thing, enum.Enum):
        return f"{type(thing).__qualname__} {thing.name}".encode(), [thing.value]
    if isinstance(thing, (int, float, complex, str, bytes, bool, type(None), np.generic, np.dtype, range, slice)):
        return f"{type(thing).__name__} {thing!r}".encode(), []
    return f"{type(thing).__module__}.{type(thing).__qualname__}".encode(), []


def _is_foreign(module: str | None) -> bool:
    return (module or "builtins").split(".")[0] in _FOREIGN


def _steps(code: types.CodeType) -> tuple[bytes, list[Any]]:
    """The byte code with its constants numbered as they come up, and those constants: a docstring is not among them,
    and a function that gets one stays what it was."""
    steps, number = bytearray(code.co_code), dict[int, int]()
    for i in range(0, len(steps), 2):
        if steps[i] in dis.hasconst:
            if i and steps[i - 2] == dis.EXTENDED_ARG:  # hundreds of constants: as they are
                return code.co_code, list(code.co_consts)
            steps[i + 1] = number.setdefault(steps[i + 1], len(number))
    return bytes(steps), [code.co_consts[at] for at in number]


def _referenced(function: types.FunctionType) -> list[Any]:
    """The values of the globals, closure cells and module attributes that a function names."""
    names = list(_names(function.__code__))
    found: list[Any] = []
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            found += [name, value]
            if isinstance(value, (types.ModuleType, type)) and not _is_foreign(value.__name__):
                found += [getattr(value, attribute) for attribute in names if hasattr(value, attribute)]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found += [name, cell.cell_contents]
        except ValueError:  # a name that is not bound yet
            found += [name]
    return found


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
