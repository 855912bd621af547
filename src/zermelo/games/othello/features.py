"""Othello: what a learned evaluation sees. Which discs lie on lines, edges and corners, whole patterns at a time.

A pattern is some squares that matter together. Its discs, read as digits (0 empty, 1 of the side to move, 2 of the
other side), are a number in base 3, and every number is a feature with a weight of its own. On 8 × 8:

    E E E E E E E E     . . . D . . . .     C C C . . . . .     O O O O O . . .     the edge, with the squares
    . E . . . . E .     . . . . D . . .     C C C . . . . .     O O O O O . . .     diagonally before its corners
    L L L L L L L L     . . . . . D . .     C C C . . . . .     . . . . . . . .     the second to fourth Line
    . . . . . . . .     . . . . . . D .     . . . . . . . .     . . . . . . . .     Diagonals of 4 to 8 squares
    . . . . . . . .     . . . . . . . D     . . . . . . . .     . . . . . . . .     Corners of 3 × 3, Oblong ones

A pattern lies in all places where the board's eight symmetries carry it, and has the same weights in all of them. Where
a symmetry carries it onto itself (an edge, read from its other end), both numbers are one feature.

    number  = Σ over the rows of the board of DIGITS[row, my discs in it, place] + 2 · DIGITS[row, theirs, place]
    feature = FIRST[phase, place] + FOLDED[FOLD[place] + number]

Beside the patterns: how many moves each side has, and how many discs there are. The phase goes by the number of discs,
because what is good early may be bad late.
Reference: M. Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello" (1997).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.bits import popcount
from zermelo.compile.rules import helper
from zermelo.games.othello.discs import u64

PHASES = (0.4, 0.65)  # how full the board is when a new phase begins
MOST_MOVES = 20  # whoever has more is counted as having so many


class Place(NamedTuple):
    """A pattern in one of its places."""

    squares: list[int]
    first: int  # feature of the pattern
    fold: Any  # for every number its feature, counted from the first; None where they are the same


class Features(NamedTuple):
    """How many features a board has and how many a position, and the helper that writes a position's."""

    sizes: tuple[int, int]  # features, and how many are active at most
    write: Callable[..., Any]


def patterns(size):
    """One place of every pattern, as lists of (column, row)."""
    lines = [[(x, y) for x in range(size)] for y in range(1, size // 2)]
    diagonals = [[(size - n + i, i) for i in range(n)] for n in range(4, size + 1)]
    edge = [(1, 1), *((x, 0) for x in range(size)), (size - 2, 1)]
    square = [(x, y) for x in range(3) for y in range(3)]
    oblong = [(x, y) for x in range(5) for y in range(2)]
    return [*lines, *diagonals, edge, square, *([oblong] if size > 4 else [])]


def images(size, pattern):
    """Where the board's eight symmetries carry a pattern: lists of squares, in the pattern's order."""
    last = size - 1
    flipped = [[(x if a else last - x, y if b else last - y) for x, y in pattern] for a in (1, 0) for b in (1, 0)]
    turned = [[(y, x) for x, y in image] for image in flipped]
    return [[y * size + x for x, y in image] for image in flipped + turned]


def fold(orders):
    """For every number of a pattern its feature, from 0 up: the same, in whichever of these orders it is read."""
    if len(orders) == 1:
        return None
    numbers = np.arange(3 ** len(orders[0]))
    digit = {q: numbers // 3**i % 3 for i, q in enumerate(orders[0])}
    least = np.min([sum(digit[q] * 3**i for i, q in enumerate(order)) for order in orders], axis=0)
    return np.unique(least, return_inverse=True)[1].reshape(-1)


def lay_out(size):
    """All places of all patterns, those without a fold last, and how many features they have."""
    places, count = [], 0
    for pattern in patterns(size):
        seen = images(size, pattern)
        table = fold([image for image in seen if set(image) == set(seen[0])])
        places += [Place(q, count, table) for q in {frozenset(image): image for image in reversed(seen)}.values()]
        count += 3 ** len(pattern) if table is None else int(table.max()) + 1
    return sorted(places, key=lambda place: place.fold is None), count


def join(tables):
    """The different ones among these tables in one, and where each begins."""
    start, parts, end = {}, [], 0
    for table in tables:
        if table.tobytes() not in start:
            start[table.tobytes()] = end
            parts.append(table)
            end += len(table)
    return np.concatenate(parts), np.array([start[table.tobytes()] for table in tables])


def make_features(size, mobility):
    """The features of a board of `size` × `size`."""
    places, count = lay_out(size)
    PLACES = len(places)
    FIRST = np.array([place.first for place in places])
    FOLDED, FOLD = join([place.fold for place in places if place.fold is not None])
    FOLDS = len(FOLD)
    assert FOLDED.max() < 1 << 16
    FOLDED = FOLDED.astype(np.uint16)
    DIGITS = np.zeros((size, 1 << size, PLACES), np.uint16)  # Σ 3^i over the squares i of the place that have a disc
    discs = np.arange(1 << size)
    for k, place in enumerate(places):
        for i, q in enumerate(place.squares):
            DIGITS[q // size, :, k] += ((discs >> q % size & 1) * 3**i).astype(np.uint16)
    MY_MOVES, THEIR_MOVES = count, count + MOST_MOVES + 1
    PER_PHASE = count + 2 * (MOST_MOVES + 1)
    PHASE = np.array([PER_PHASE * sum(n >= part * size * size for part in PHASES) for n in range(size * size + 1)])
    DISCS = PER_PHASE * (len(PHASES) + 1)
    ROW = u64((1 << size) - 1)
    SHIFT = np.arange(size, dtype=np.uint64) * u64(size)

    @helper
    def write(mine, theirs, moves, index, value):
        """The features of a position, for the side to move."""
        discs = popcount(mine | theirs)
        phase = PHASE[discs]
        for k in range(PLACES):
            number = 0
            for y in range(size):
                number += np.int32(DIGITS[y, mine >> SHIFT[y] & ROW, k])
                number += np.int32(2) * np.int32(DIGITS[y, theirs >> SHIFT[y] & ROW, k])
            index[k] = number
        for k in range(FOLDS):
            index[k] = FOLDED[np.uintp(FOLD[k] + index[k])]
        for k in range(PLACES):
            index[k] += phase + FIRST[k]
        index[PLACES] = phase + MY_MOVES + min(popcount(moves), MOST_MOVES)
        index[PLACES + 1] = phase + THEIR_MOVES + min(popcount(mobility(theirs, mine)), MOST_MOVES)
        index[PLACES + 2] = DISCS + discs
        for k in range(PLACES + 3):
            value[k] = 1.0
        return PLACES + 3

    return Features((DISCS + size * size + 1, PLACES + 3), write)
