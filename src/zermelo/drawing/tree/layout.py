"""Where the nodes of a tree stand: no two boxes in a row overlap, parents stand over the middle of their children.

After Reingold and Tilford, "Tidier Drawings of Trees" (1981). A subtree is settled once and then moved as one piece.
Its contour is how far it reaches to the left and to the right, row by row:

        ┌───┐            row 0   left[0] … right[0]
      ┌─┴─┐ ├────┐       row 1   left[1] … right[1]

How close two sibling subtrees may come follows from their contours. Pushing every subtree as far left as it goes gives
one drawing, as far right another; each satisfies every distance, so their mean does too, and it spreads small subtrees
evenly between large ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SIBLINGS = 10.0  # the least distance between the boxes of two children of one node
COUSINS = 18.0  # … and of any other two neighbours in a row
LABEL_AT = 0.66  # an edge's label stands this far down the edge
LABELS = 8.0  # the least distance between two labels
UPRIGHT = 14.0  # a middle edge that would lean by less than this stands upright


@dataclass(eq=False)
class Box:
    """A node to be placed: how far it reaches from its own x, and how wide the label on the edge to it is."""

    left: float
    right: float
    label: float = 0.0
    children: list[Box] = field(default_factory=list)
    x: float = 0.0  # set by place
    offset: float = 0.0  # from the parent's x


Contour = tuple[list[float], list[float]]  # (left, right) by row, from the x of the subtree's root


def place(root: Box) -> float:
    """Set every x, with the leftmost box beginning at 0; how wide it all is."""
    left, right = _settle(root)
    root.x = -min(left)
    stack = [root]
    while stack:
        box = stack.pop()
        for child in box.children:
            child.x = box.x + child.offset
            stack.append(child)
    return root.x + max(right)


def _settle(box: Box) -> Contour:
    reach = box.label / 2
    left, right = [-max(box.left, reach)], [max(box.right, reach)]
    if not box.children:
        return left, right
    contours = [_settle(child) for child in box.children]
    spots = _spread(box.children, contours)
    middle = (spots[0] + spots[-1]) / 2
    centre = spots[len(spots) // 2]
    if len(spots) % 2 and abs(centre - middle) < UPRIGHT:
        middle = centre
    for child, spot in zip(box.children, spots, strict=True):
        child.offset = spot - middle
    for row in range(max(len(low) for low, _ in contours)):
        here = [(child.offset, c) for child, c in zip(box.children, contours, strict=True) if row < len(c[0])]
        left.append(min(offset + low[row] for offset, (low, _) in here))
        right.append(max(offset + high[row] for offset, (_, high) in here))
    return left, right


def _spread(children: list[Box], contours: list[Contour]) -> list[float]:
    """Positions of the children: the mean of all pushed left and all pushed right."""
    n = len(children)
    apart = {(i, j): _distance(children, contours, i, j) for j in range(n) for i in range(j)}
    pushed_left = [0.0] * n
    for j in range(1, n):
        pushed_left[j] = max(pushed_left[i] + apart[i, j] for i in range(j))
    pushed_right = list(pushed_left)
    for i in reversed(range(n - 1)):
        pushed_right[i] = min(pushed_right[j] - apart[i, j] for j in range(i + 1, n))
    return [(a + b) / 2 for a, b in zip(pushed_left, pushed_right, strict=True)]


def _distance(children: list[Box], contours: list[Contour], i: int, j: int) -> float:
    """The least distance of sibling j from sibling i on its left."""
    right, left = contours[i][1], contours[j][0]
    rows = min(len(right), len(left))
    apart = max(right[row] - left[row] + (COUSINS if row else SIBLINGS) for row in range(rows))
    if children[i].label and children[j].label:
        apart = max(apart, ((children[i].label + children[j].label) / 2 + LABELS) / LABEL_AT)
    return apart
