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
