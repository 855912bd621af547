"""A record as the 64-bit words it is made of: to be hashed and copied whole. Each target has its own way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compile.targets import by_rules
from zermelo.compile.variant import Variant


@by_rules
def num_words(rules: Variant) -> Callable[[Any], int]:
    """How many words a record has. A constant to the compiler."""
    n = rules.dtype.itemsize // 8
    return lambda s: n


def word(s: Any, i: int) -> np.uint64:
    """The i-th word of a record."""
    words: Any = np.frombuffer(s.tobytes(), np.uint64)
    return np.uint64(words[i])


def assign(to: Any, source: Any) -> None:
    """Make record `to` a copy of record `source`."""
    to.setfield(source, to.dtype)  # a record scalar is a view: this writes through it


def erase(row: Any) -> None:
    """Make a row of a table zeros."""
    row["at"][...] = 0
