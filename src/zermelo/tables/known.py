"""Values of endings in memory, as kernels look them up: what is worth what to whoever moves.

classes    by the number of the class: first     where its values begin; -1: it is not known
                                       size      how many positions it has
                                       here      where it begins in the group that is being worked out, or -1
                                       start     where its values will begin once they are known
values     two bits a position, four positions a byte, the first in the lowest bits; a class begins with a byte
plies      to the end of the game, a number of two bytes a position, where somebody wants them

bits       DRAW 0   WIN 1   LOSS 2   NOTHING 3: a number that is no position's
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import ending, rank, side, side_to_move
from zermelo.compile.guards import OverrunError
from zermelo.compile.pointers import item
from zermelo.compile.rules import helper

DRAW, WIN, LOSS, NOTHING = 0, 1, 2, 3
NAMES = ("draw", "win", "loss")  # to whoever moves
CLASS = np.dtype([("first", "i8"), ("count", "i8"), ("here", "i8"), ("start", "i8")])


class Known(NamedTuple):
    """What is known. `Any` is an array, or in compiled code its first record (compile/pointers.py)."""

    classes: Any  # CLASS
    values: Any  # u1
    plies: Any  # u2; one number where they are not wanted
    highest: int  # no class has a greater number


def cells(array: NDArray[Any]) -> Any:
    """An array of numbers as records of one, which is how kernels take it (a bare pointer); of records, as it is."""
    return array.view(array.dtype if array.dtype.fields else [("v", array.dtype)]).view(np.recarray)


def packed_size(positions: int) -> int:
    """Bytes of the values of a class."""
    return -(-positions // 4)


@helper
def mover_of(s: Any) -> Any:
    """The side that moves in `s`; 0 where nobody does."""
    p = side_to_move(s)
    return np.int64(side(s, p)) if p >= 0 else np.int64(0)


@helper
def class_number(s: Any, known: Any) -> Any:
    """The class of `s`; -1 where none of that number is known."""
    number = np.int64(ending(s))
    return number if number <= known.highest else np.int64(-1)


@helper
def rank_within(s: Any, size: Any) -> Any:
    """The number of `s` in its class, which has `size` positions."""
    r = np.int64(rank(s))
    if not 0 <= r < size:
        raise OverrunError("rank")
    return r


@helper
def value_at(known: Any, i: Any) -> Any:
    """DRAW, WIN, LOSS or NOTHING: the i-th of all values, from the view of whoever moves there."""
    return (np.int64(item(known.values, i >> 2).v) >> ((i & 3) << 1)) & 3


@helper
def turned(value: Any, is_same: Any) -> Any:
    """A value seen by whoever moved before: the same side, or the other."""
    if is_same or value in (DRAW, NOTHING):
        return value
    return WIN + LOSS - value
