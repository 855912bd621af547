"""A variant: one concrete set of rules. The type of a record stands for one, in plain Python and in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.compile.declarations import Declarations
from zermelo.compile.record import View


@dataclass(frozen=True, eq=False, kw_only=True)
class Variant(Declarations):
    """Its functions, its record, and all that it declares."""

    name: str
    parameters: dict[str, Any]
    doc: str
    functions: dict[str, Callable[..., Any]]  # the compiled hooks as they are written: for every target, and to read
    presentation: dict[str, Callable[..., Any]]  # the hooks that stay plain Python
    dtype: np.dtype[np.void]
    view: type[View]
    source: type
    family: Any  # the Rules that made it, and can make others

    @property
    def width(self) -> int:
        """How many numbers `out` must have room for."""
        return max(self.max_actions, self.max_chance_outcomes)


class _Variants(dict[Any, Variant]):
    """By NumPy dtype and by Numba record type. No part of any fingerprint: a record's type already says which."""


VARIANTS = _Variants()
