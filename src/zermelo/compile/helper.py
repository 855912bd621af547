"""`@helper`: a function that rules and kernels may call: plain Python, or compiled into its callers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, overload

from zermelo.compile.declarations import RulesError
from zermelo.compile.overloads import announce_helper

F = TypeVar("F", bound=Callable[..., Any])


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
    announce_helper(function, inline)
    function.is_helper, function.is_inline = True, inline  # type: ignore[attr-defined]
    return function
