"""Exact values. `zermelo.solve` is this package, and calling it solves: `zermelo.solve(game, state)`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.solve.exact import Solution


class _Solve(ModuleType):
    def __call__(self, *arguments: Any, **named: Any) -> Solution:
        from zermelo.solve.exact import solve

        return solve(*arguments, **named)


sys.modules[__name__].__class__ = _Solve
