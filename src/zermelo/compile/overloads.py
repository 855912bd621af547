"""`overload`: another body for a function in compiled code, in every target, and in every kernel's fingerprint.

    @overload(popcount)            popcount(x) is plain Python …
    def _popcount(x): …            … and in compiled code what this returns, given the types of the arguments

So the plain function's own text is no part of any machine code (unless it is compiled `itself`), and the other's is.
A target (targets/cpu.py) is told of every overload and of every helper, whichever of them comes first.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Protocol

_compiled_from: dict[Any, list[Any]] = {}
METHODS = {"estimate"}  # the functions that are picked by the type of their first argument: a NamedTuple's methods


class Target(Protocol):
    """What compiles kernels: how it is told that a function has a compiled form."""

    name: str

    def overload(self, function: Any, implementation: Any, options: dict[str, Any]) -> None:
        """`implementation(types …)` returns the Python function that is compiled for a call of `function`."""

    def helper(self, function: Any, inline: bool) -> None:
        """`function` is compiled as it is written."""


_targets: list[Target] = []
_announced: list[Callable[[Target], None]] = []


def add_target(target: Target) -> None:
    """Tell `target` of everything that compiled code may call, now and from now on."""
    _targets.append(target)
    for tell in _announced:
        tell(target)


def overload(function: Any, *, itself: bool = False, target: str = "", **options: Any) -> Callable[[Any], Any]:
    """Compile what the decorated function returns wherever compiled code calls `function`.

    Parameters may be renamed. `itself`: what is returned compiles `function` as it is written. `target`: only there,
    and other targets need another.
    """

    def decorate(implementation: Any) -> Any:
        if target in ("", "cpu"):
            remember(function, implementation, *([function.__code__] if itself else []))
        _announce(lambda to: to.overload(function, implementation, options) if target in ("", to.name) else None)
        return implementation

    return decorate


def announce_helper(function: Any, inline: bool) -> None:
    """Let compiled code call `function`."""
    _announce(lambda to: to.helper(function, inline))


def _announce(tell: Callable[[Target], None]) -> None:
    _announced.append(tell)
    for target in _targets:
        tell(target)


def remember(compiled: Any, *sources: Any) -> None:
    """`compiled`, a function or a Numba type, is compiled from `sources`: a fingerprint follows it into them."""
    _compiled_from.setdefault(compiled, []).extend(sources)


def compiled_from(compiled: Any) -> list[Any]:
    """What stands for it in compiled code; nothing for a function that is compiled as it is written."""
    try:
        return _compiled_from.get(compiled, [])
    except TypeError:  # cannot be hashed
        return []


def method(function: Any) -> Any:
    """`function(thing, …)` is the method of this name of the class of `thing`, a NamedTuple: in plain Python, and in
    compiled code, where the type says which. Where a class has no such method, `function` itself is called."""
    name = function.__name__
    METHODS.add(name)

    @functools.wraps(function)
    def call(thing: Any, *rest: Any) -> Any:
        return getattr(type(thing), name, function)(thing, *rest)

    @overload(call)
    def pick(thing: Any, *rest: Any) -> Any:
        kind = getattr(thing, "instance_class", None)  # of the type of a NamedTuple
        return None if kind is None else getattr(kind, name, function)

    return call
