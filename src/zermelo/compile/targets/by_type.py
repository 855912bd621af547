"""Compiled: which function stands for a call, given the types of its arguments. Every compiling target asks these.

What they close over is what a fingerprint sees: a hook's name and its default, and not its sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.compile.guards import guarded
from zermelo.compile.variant import VARIANTS, Variant


def hook_by_type(name: str, default: Callable[..., Any] | None) -> Callable[..., Any]:
    """The rules' own function, or the default, with its answer looked at."""

    def choose(s: Any, *rest: Any) -> Any:
        return guarded(VARIANTS[s], name, default)

    return choose


def rules_by_type(of: Callable[[Variant], Any]) -> Callable[..., Any]:
    """What `of` makes of the variant."""

    def choose(s: Any, *rest: Any) -> Any:
        return of(VARIANTS[s])

    return choose
