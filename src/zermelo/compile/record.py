"""The record: a state of a compiled game, as a fixed number of bytes, seen by plain Python through a `View`.

    state = {"mine": "u8", "board": ("i1", (9,)), "turn": "i1"}

becomes a NumPy structured dtype whose fields are laid out widest first, so that there are no gaps, and closed by one
field of zero bytes that rounds the size up to whole 64-bit words and whose *name* carries the game and a fingerprint
of its rules. Numba's record type is made of the field names, so two games, or one game before and after an edit, are
two types, and machine code is never shared by mistake:

    mine      board       turn  _tic_tac_toe_1f3a…
    uint64    int8 × 9    int8  uint8 × 6
    0         8           17    18            24 = 3 words

Interpreted rules see the record through a `View`: `s.turn` is a Python int, as it is an int64 to compiled arithmetic,
so that `s.turn * 100` cannot overflow in one world and not in the other. 64-bit unsigned fields stay `numpy.uint64`.
What does not fit its field, or has a fraction, is refused there; compiled rules would keep what fits of it.
"""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Fields = Mapping[str, Any]
RecordArray = NDArray[np.void]
SLACK = 1 << 15  # bytes: four thousand actions
_RESERVED = {"game", "record", "key"}  # names a State uses for itself


def make_dtype(fields: Fields, tag: str) -> np.dtype[np.void]:
    """The record's dtype; a ValueError says what is wrong with the fields somebody wrote."""
    layout: list[tuple[str, np.dtype[Any], tuple[int, ...]]] = []
    for name, kind in fields.items():
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise ValueError(f"field {name!r} is not a Python name")
        if name.startswith("_") or name in _RESERVED:
            raise ValueError(f"field '{name}' needs another name: _names and {', '.join(sorted(_RESERVED))} are taken")
        try:
            scalar, shape = kind if isinstance(kind, tuple) else (kind, ())
            dtype = np.dtype(scalar)
            shape = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
        except (TypeError, ValueError):
            raise ValueError(f"field '{name}': {kind!r} is not a kind such as 'i1', 'u8' or ('i1', (3, 3))") from None
        if dtype.kind not in "iub":
            raise ValueError(f"field '{name}': {kind!r} is not an integer kind")
        if any(n < 1 for n in shape):
            raise ValueError(f"field '{name}': every length in {shape} must be at least 1")
        layout.append((name, dtype, shape))
    if not layout:
        raise ValueError("a state needs at least one field")
    layout.sort(key=lambda f: -f[1].itemsize)  # stable: equal widths keep the written order
    size = sum(int(np.prod(shape, dtype=int)) * dtype.itemsize for _, dtype, shape in layout)
    layout.append((f"_{tag}", np.dtype("u1"), (-size % 8,)))
    return np.dtype([(name, dtype, shape) for name, dtype, shape in layout], align=True)


def _whole(value: Any) -> Any:
    """`value`, if an integer field can keep it as it is: a fraction would be cut off without a word."""
    if isinstance(value, (float, np.floating)) and not (np.isfinite(value) and value == int(value)):
        raise ValueError(f"{value:g} is not a whole number, and states and actions are nothing else")
    if isinstance(value, (np.ndarray, list, tuple)):
        for part in np.ravel(value) if np.asarray(value).dtype.kind == "f" else ():
            _whole(part)
    return value


class Cells(np.ndarray):  # type: ignore[type-arg]
    """An array field as interpreted rules see it: an element is a Python int, except an unsigned 64-bit one."""

    def __getitem__(self, index: Any) -> Any:
        cell = super().__getitem__(index)
        return int(cell) if isinstance(cell, np.integer) and cell.dtype != np.uint64 else cell

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, int(value) if isinstance(value, np.integer) else _whole(value))


class View:
    """A record by its fields' names, read and written in place. `make_view` makes the class of a dtype."""

    __slots__ = ("_row",)

    def __init__(self, row: np.void):
        self._row = row


def _scalar(name: str, wide: bool) -> property:
    if wide:
        return property(lambda self: self._row[name], lambda self, v: self._row.__setitem__(name, np.uint64(_whole(v))))
    # int(value): NumPy then refuses, instead of wrapping, a value that does not fit the field
    return property(lambda self: int(self._row[name]), lambda self, v: self._row.__setitem__(name, int(_whole(v))))


def _array(name: str) -> property:
    def read(self: View) -> Any:
        return self._row[name].view(Cells)

    def write(self: View, value: Any) -> None:
        self._row[name][...] = _whole(value)

    return property(read, write)


def make_view(dtype: np.dtype[np.void]) -> type[View]:
    body: dict[str, Any] = {"__slots__": ()}
    assert dtype.names is not None
    for name in field_names(dtype):
        kind = dtype[name]
        body[name] = _array(name) if kind.shape else _scalar(name, kind == np.uint64)
    return type("View", (View,), body)


def field_names(dtype: np.dtype[np.void]) -> tuple[str, ...]:
    """The fields somebody wrote, without the closing tag."""
    assert dtype.names is not None
    return dtype.names[:-1]


def rows(plies: int, width: int | tuple[int, ...], kind: str = "i8") -> RecordArray:
    """`plies` rows of `width` numbers, one row a ply; `row(rows, ply)` of zermelo.compile.dispatch is one of them. (A
    row may also be a table: `width` is its shape then.)

    They are records with one array field, not a 2-D array: a slice of a 2-D array carries a reference count, which
    costs a search three quarters of its speed; a field of a record is a bare pointer.
    """
    made: RecordArray = roomy(plies, np.dtype([("at", kind, width if isinstance(width, tuple) else (width,))]))
    return made


def roomy(n: int, dtype: Any) -> Any:
    """`n` zeros for rules to write to, with slack on either side that is nobody's: an overrun is noticed (guards.py)
    when they say how much they wrote, and by then it must have done no harm."""
    size = n * np.dtype(dtype).itemsize
    is_large = size > 8 * SLACK  # pages never written then take no memory; of a small one, slack need not be cleared
    made = (np.zeros if is_large else np.empty)(size + 2 * SLACK, np.uint8)[SLACK : SLACK + size]
    if not is_large:
        made[:] = 0
    return made.view(dtype)
