"""The star board of Chinese checkers: its points numbered and named, who starts where, what can be reached from where.

A star of size n has six corners of n (n + 1) / 2 points around a hexagon. Its points are numbered row by row from the
top and named by row, from a at the bottom, and place in the row, from 1 at the left. Size 2, with 37 points:

            0                 i1             corners         3
           1 2               h1 h2           clockwise    2     4
      3  4  5  6  7      g1 g2 g3 g4 g5      from the
       8  9 10 11         f1 f2 f3 f4        bottom       1     5
       …                                                     0

A point is three numbers with sum 0, x to the right, y up and to the left, z down and to the left, so that the six
neighbours are one more and one less in two of them. The star is where all three are at least −n, or at most n.
"""

import numpy as np

CORNERS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}  # where the players start, in turn
DIRECTIONS = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))


class Star:
    """A star of size n. Sets of points are two 64-bit words, point c being bit c % 64 of word c // 64."""

    def __init__(self, n):
        around = range(-2 * n, 2 * n + 1)
        inside = [(x, -x - z, z) for z in around for x in around if min(x, -x - z, z) >= -n or max(x, -x - z, z) <= n]
        self.size = n
        self.points = tuple(inside)
        self.number = {point: c for c, point in enumerate(inside)}
        rows = [[point for point in inside if point[2] == z] for z in around]
        self.rows = tuple(tuple(self.number[point] for point in row) for row in rows)
        self.letters = "abcdefghijklmnopq"[: len(rows)][::-1]  # from the top
        self.names = tuple(
            f"{letter}{i + 1}" for letter, row in zip(self.letters, rows, strict=True) for i in range(len(row))
        )
        self.named = {name: c for c, name in enumerate(self.names)}

    def __len__(self):
        return len(self.points)

    def corner(self, k):
        """The points of corner k: 0 at the bottom, on clockwise."""
        axis, sign = ((2, 1), (0, -1), (1, 1), (2, -1), (0, 1), (1, -1))[k]
        return [c for c, point in enumerate(self.points) if sign * point[axis] > self.size]

    def tip(self, k):
        """The outermost point of corner k."""
        return next(c for c in self.corner(k) if max(map(abs, self.points[c])) == 2 * self.size)

    def distance(self, a, b):
        """Steps from point to point on an empty board that goes on for ever."""
        return max(abs(p - q) for p, q in zip(self.points[a], self.points[b], strict=True))

    def beyond(self, c, direction, steps):
        """The point so many steps away, or -1 off the board."""
        return self.number.get(tuple(p + steps * d for p, d in zip(self.points[c], direction, strict=True)), -1)

    def near(self):
        """(points, 2) uint64: the neighbours of every point, as a set."""
        sets = [[self.beyond(c, d, 1) for d in DIRECTIONS] for c in range(len(self))]
        return np.array([words(c for c in each if c >= 0) for each in sets], np.uint64)

    def landings(self):
        """(points, points) int8: where a hop from one point over a neighbour lands; -1 off the board."""
        table = np.full((len(self), len(self)), -1, np.int8)
        for c in range(len(self)):
            for d in DIRECTIONS:
                if self.beyond(c, d, 1) >= 0:
                    table[c, self.beyond(c, d, 1)] = self.beyond(c, d, 2)
        return table


def words(points):
    """A set of points as two 64-bit words."""
    bits = sum(1 << c for c in points)
    return bits & (1 << 64) - 1, bits >> 64
