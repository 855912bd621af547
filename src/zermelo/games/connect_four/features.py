"""Connect four: what a learned evaluation sees. Whole lines and columns, each content with a weight of its own.

All of it is seen from the first player's side, and twice over, by whose turn it is: the two sides are not the same here
turned round, because the rows they get when the columns fill up are not (see `evaluate` in connect_four.py). Mirror
images share their weights. On 7 × 6, for either turn:

    kind        what its number is made of                                              places   numbers
    column      where in the empty part each side would complete a four                      7   4 × 5,461
    pair        all discs of two columns side by side                                        6   3 × 16,384
    row         each place: first's, second's, empty, or empty and the next to be filled     6   6 × 8,320
    diagonal    the same, for those of four places and more                                 12   10,752 in all

A position whose result two plies of looking ahead would tell has a single feature instead: the side to move completes a
four, or cannot keep the other side from one. So no other weight is spent on that.

The places of a line lie d bits apart. A multiplication brings them side by side, as in a chess program's magic
bitboards: each shift in the product carries one place to its target, and no two bits meet while the line is not
longer than d. Three places at 0, d and 2d, times the shifts 2(d-1), d-1 and 0:

    ..2......1......0     · (1 << 2(d-1) | 1 << (d-1) | 1)     has 0, 1, 2 side by side from bit 2(d-1) up

Lines longer than LONGEST are seen in windows that overlap by three places, so that each four lies in one.
Reference: M. Thill, P. Koch and W. Konen, Reinforcement learning with n-tuples on the game Connect-4 (2012), who found
that it pays to tell the next place to be filled from those above it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.rules import helper

u64 = np.uint64
NONE, ONE = u64(0), u64(1)
LONGEST = 7  # places of a line that are seen at once: 4^7 numbers
TALLEST = 7  # rows of a board whose columns fit the tables


class Features(NamedTuple):
    """How many features a board has and how many a position, and the helper that writes a position's."""

    sizes: tuple[int, int]  # features, and how many are active at most
    write: Callable[..., Any]


class Gather(NamedTuple):
    """(board >> shift & mask) * magic >> top & ones: the places of a line side by side, the first being bit 0."""

    shift: int
    mask: int
    magic: int
    top: int
    ones: int


def gather(places):
    """How to read bits that lie the same step apart, in this order: upwards or downwards."""
    last, step = len(places) - 1, abs(places[1] - places[0])
    upwards = places[1] > places[0]
    assert last < step  # else bits would meet
    mask = sum(1 << step * i for i in range(last + 1))
    turn = step - 1 if upwards else step + 1
    magic = sum(1 << turn * (last - i) for i in range(last + 1))
    return Gather(min(places), mask, magic, (step - 1 if upwards else step) * last, (1 << last + 1) - 1)


def lines(width, height):
    """All windows of all rows and diagonals, as lists of (column, row): the kind, and the places in its order.

    Mirror images are of one kind, and read in the order that makes their numbers equal.
    """
    found = []
    for row in range(height):
        long = min(LONGEST, width, height + 1)
        starts = {*range(0, width - long + 1, max(1, long - 3)), width - long}
        for start in sorted(starts | {width - long - start for start in starts}):
            places = [(start + i, row) for i in range(long)]
            image = width - long - start
            found.append((("row", row, min(start, image)), places if start <= image else places[::-1]))
    corners = [(0, row) for row in range(height)] + [(column, 0) for column in range(1, width)]
    for column, row in corners:
        places = [(column + i, row + i) for i in range(min(width - column, height - row))]
        found.append((("diagonal", column, row), places))
        found.append((("diagonal", column, row), [(width - 1 - x, y) for x, y in places]))
    return [(kind, places) for kind, places in found if len(places) >= 4]


def fold(count):
    """For every number of a line of `count` places its feature, the same when it is read from the other end."""
    numbers = np.arange(4**count)
    ones = (1 << count) - 1
    turned = [
        sum((half >> i & 1) << count - 1 - i for i in range(count)) for half in (numbers & ones, numbers >> count)
    ]
    least = np.minimum(numbers, turned[0] | turned[1] << count)
    return np.unique(least, return_inverse=True)[1].reshape(-1)


def make_features(width, height, threats):
    """The features of a board; None where its columns are too tall for tables."""
    if height > TALLEST or width * height < 4:
        return None
    STRIDE = height + 1
    BOTTOM = u64(sum(1 << STRIDE * column for column in range(width)))
    FULL = u64(int(BOTTOM) * ((1 << height) - 1))
    COLUMN = u64((1 << STRIDE) - 1)
    HEIGHT = u64(STRIDE)
    count = 4  # the known results: for either turn a win and a loss

    # Columns. `code` has a bit for how high the discs are and above it the first player's threats.
    KINDS = (width + 1) // 2
    CODES = (4**STRIDE - 1) // 3
    SHIFT = np.array([STRIDE * column for column in range(width)], u64)
    WHERE = np.array([min(column, width - 1 - column) * CODES for column in range(width)]) + count
    LOW, BASE = np.zeros(1 << STRIDE, u64), np.zeros(1 << STRIDE, np.int64)
    for code in range(1, 1 << STRIDE):
        low = (code & -code).bit_length() - 1
        left = height - low
        LOW[code], BASE[code] = low, (4**left - 1) // 3 + (code >> low + 1 << left)
    count += KINDS * CODES

    # Pairs of columns, the outer one first.
    PAIRS = max(width - 1, 0)
    OUTER = np.array([STRIDE * (c if 2 * c < PAIRS else c + 1) for c in range(PAIRS)], u64)
    INNER = np.array([STRIDE * (c + 1 if 2 * c < PAIRS else c) for c in range(PAIRS)], u64)
    PAIR = np.array([count + (min(c, PAIRS - 1 - c) << 2 * STRIDE) for c in range(PAIRS)], np.int64)
    MIDDLE = PAIRS // 2 if PAIRS % 2 == 1 else -1  # its mirror image is itself
    count += (PAIRS + 1) // 2 << 2 * STRIDE

    # Lines. Rows in the middle can be read from either end: those come first.
    all_lines = lines(width, height)
    kinds = [kind for kind, _ in all_lines]
    folded = [line for line in all_lines if line[0][0] == "row" and kinds.count(line[0]) == 1]
    ordered = folded + [line for line in all_lines if line not in folded]
    LINES, FOLDS = len(ordered), len(folded)
    long = len(folded[0][1]) if folded else 1
    FOLDED = fold(long).astype(np.uint16)
    FIRST, first = np.zeros(LINES, np.int64), {}
    for k, (kind, places) in enumerate(ordered):
        if kind not in first:
            first[kind] = count
            count += int(FOLDED.max()) + 1 if k < FOLDS else 4 ** len(places)
        FIRST[k] = first[kind]
    reads = [gather([STRIDE * x + y for x, y in places]) for _, places in ordered]
    FROM, MASK, MAGIC, TOP, ONES = (np.array(part, u64) for part in zip(*reads, strict=True)) if reads else 5 * (SHIFT,)
    LENGTH = np.array([len(places) for _, places in ordered], u64)
    PER_TURN, MOST = count - 4, width + PAIRS + LINES

    @helper
    def read(board, k):
        """The places of line k side by side."""
        return (((board >> FROM[k]) & MASK[k]) * MAGIC[k]) >> TOP[k] & ONES[k]

    @helper
    def known(mine, theirs, room):
        """1: the side to move completes a four; -1: it cannot keep the other side from one; 0: neither."""
        if mine & room != NONE:
            return 1
        must = theirs & room
        safe = (room if must == NONE else must) & ~(theirs >> ONE)
        return -1 if must & (must - ONE) != NONE or safe == NONE else 0

    @helper
    def write(first, mask, turn, index, value):
        """The features of a position; `first` has the first player's discs."""
        # 1. Is the result plain?
        second, empty, room = first ^ mask, FULL & ~mask, (mask + BOTTOM) & FULL
        ours, theirs = threats(first, empty), threats(second, empty)
        value[0] = 1.0
        result = known(ours, theirs, room) if turn == 0 else known(theirs, ours, room)
        if result != 0:
            index[0] = 2 * turn + (1 if result > 0 else 0)
            return 1
        start = PER_TURN * turn
        # 2. Columns: the empty part
        rising = (mask + BOTTOM) | (ours << ONE)
        for k in range(width):
            code = (rising >> SHIFT[k]) & COLUMN
            index[k] = start + WHERE[k] + BASE[code] + np.int64(((theirs >> SHIFT[k]) & COLUMN) >> LOW[code])
        # 3. Pairs of columns: the discs. Every column of first + mask + BOTTOM is a number of its own
        content = first + mask + BOTTOM
        for k in range(PAIRS):
            outer, inner = (content >> OUTER[k]) & COLUMN, (content >> INNER[k]) & COLUMN
            if k == MIDDLE and outer > inner:
                outer, inner = inner, outer
            index[width + k] = start + PAIR[k] + np.int64(outer | (inner << HEIGHT))
        # 4. Rows and diagonals. Two bits a place: the first's, the second's, neither, or both for the next to be filled
        one, other = first | room, second | room
        for k in range(FOLDS):
            number = read(one, k) | (read(other, k) << LENGTH[k])
            index[width + PAIRS + k] = start + FIRST[k] + np.int64(FOLDED[number])
        for k in range(FOLDS, LINES):
            number = read(one, k) | (read(other, k) << LENGTH[k])
            index[width + PAIRS + k] = start + FIRST[k] + np.int64(number)
        for k in range(MOST):
            value[k] = 1.0
        return MOST

    return Features((4 + 2 * PER_TURN, MOST), write)
