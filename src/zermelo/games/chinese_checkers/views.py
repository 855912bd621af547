"""The star as one player sees it: turned so that home is at the bottom; as a grid; and mirrored."""

import numpy as np


def seen_by(star, corner):
    """For every point, the point it seems to be to a player whose home is `corner`: there, corner 0."""
    seen = list(range(len(star)))
    while {seen[c] for c in star.corner(corner)} != set(star.corner(0)):
        seen = [star.number[_turned(star.points[c])] for c in seen]
    return seen


def _turned(point):
    """By a sixth."""
    x, y, z = point
    return -y, -z, -x


def cell_numbers(star):
    """For every point, its cell in a grid of 4 n + 1 rows, counted row by row from the top left."""
    n = star.size
    return [(z + 2 * n) * (4 * n + 1) + x + 2 * n for x, _, z in star.points]


def mirror(star):
    """(cells, policy) of left and right exchanged. Cells of the grid that are no points stay where they are."""
    points = np.array([star.number[y, x, z] for x, y, z in star.points])
    numbers = np.array(cell_numbers(star))
    cells = np.arange((4 * star.size + 1) ** 2)
    cells[numbers] = numbers[points]
    return cells, (len(star) * points[:, None] + points).ravel()
