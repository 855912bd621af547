"""The symmetries of a board: its cells turned and mirrored, as the permutations that the hook `symmetries` gives.

Cells are numbered row by row from the top left. A permutation lists for every cell the one that comes to lie there:

    0 1 2     turned by a quarter   6 3 0     so  [6, 3, 0, 7, 4, 1, 8, 5, 2]
    3 4 5                           7 4 1
    6 7 8                           8 5 2
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Permutation = NDArray[np.int64]


def turned_and_mirrored(height: int, width: int) -> list[Permutation]:
    """All symmetries of the board, the identity first: eight of a square, four of a rectangle, two of a line."""
    cells = np.arange(height * width).reshape(height, width)
    quarters = range(4) if height == width else (0, 2)
    return distinct(np.rot90(side, k, (1, 0)).ravel() for side in (cells, cells[:, ::-1]) for k in quarters)


def distinct(permutations: Iterable[Permutation]) -> list[Permutation]:
    """Each of them once, in the order in which they come: a small board turned may be itself."""
    return [np.array(p) for p in dict.fromkeys(tuple(p.tolist()) for p in permutations)]


def with_policy(permutations: Iterable[Permutation], others: int = 0) -> list[tuple[Permutation, Permutation]]:
    """(cells, policy), where an action is a cell, or one of `others` beyond them (a pass) that stay what they are."""
    return [(cells, np.append(cells, len(cells) + np.arange(others))) for cells in permutations]


def number_pairs(permutations: NDArray[np.int64], used: Iterable[int], allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Pairs of cells, numbered up to symmetry: three tables [a, b] in one.

    First the number of a pair that is allowed, -1 where it is not; then which of the permutations leads to the first
    pair that has this number, then the last one that does, which is another where a symmetry leaves that pair alone.
    The first pair is its own image under permutation 0, the identity.
    """
    cells = len(allowed)
    pairs = np.arange(cells * cells).reshape(cells, cells)
    images = np.array([cells * p[:, None] + p[None, :] for p in permutations])  # [permutation, a, b]
    chosen = list(used)
    first = images[chosen].min(axis=0)
    leads = np.array(chosen)[:, None, None], images[chosen] == first
    lowest_one = np.where(leads[1], leads[0], len(permutations)).min(axis=0)
    last_one = np.where(leads[1], leads[0], -1).max(axis=0)
    firsts = np.unique(first[allowed])
    numbers = np.where(allowed, np.searchsorted(firsts, first), -1)
    assert (lowest_one[first == pairs] == 0).all()
    return np.array([numbers, lowest_one, last_one])
