"""How Kalah is drawn: a board of pits and two stores, seeds as small discs with their number beside them."""

from math import cos, pi, sin, sqrt

from zermelo.drawing import svg
from zermelo.drawing.board import STYLE as BOARD_STYLE

PIT = 34.0  # radius
STEP = 82.0  # from pit to pit
STORE = 40.0  # half the width of a store
EDGE = 16.0
SEED = 5.6
SPREAD = 7.4  # of the seeds in a pit
HEIGHT = 300.0
STYLE = """
.zb .kalah-board { fill: #a9743f; stroke: #6d4620; stroke-width: 3 } .zb .kalah-pit { fill: #7c4f26; stroke: #5b3817 }
.zb .kalah-seed { fill: #f3e3bd; stroke: #6b5326; stroke-width: .9 } 
.zb .kalah-last { fill: none; stroke: #f6d33c; stroke-width: 5 }
.zb .kalah-count { fill: #fdf6e6; font-size: 17px; font-weight: 600 } .zb .kalah-name { fill: #e9cfa6; font-size: 12px }
"""


def text(s, pits):
    """North's row above, from right to left; the stores at the ends."""
    wide = max(2, len(str(max(s.board))))
    seeds = [f"{n:>{wide}}" for n in s.board]
    numbers = [f"{i + 1:>{wide}}" for i in range(pits)]
    gap = " " * (wide + 1)
    between = " " * (pits * (wide + 1) + 1)
    lines = [
        gap + " ".join(numbers[::-1]),
        gap + " ".join(seeds[pits + 1 : 2 * pits + 1][::-1]) + "   north",
        seeds[2 * pits + 1] + between + seeds[pits],
        gap + " ".join(seeds[:pits]) + "   south",
        gap + " ".join(numbers),
    ]
    return "\n".join(lines)


def picture(s, marks, names, pits):
    width = 2 * EDGE + 4 * STORE + pits * STEP + 40
    turned = -1 if marks.flip else 1

    def place(x, y):
        """From the middle of the board, turned with it."""
        return width / 2 + turned * x, HEIGHT / 2 + turned * y

    spots = {}
    for i in range(pits):
        x = (i - (pits - 1) / 2) * STEP
        spots[names[i]] = place(x, 58)
        spots[names[pits + i]] = place(-x, -58)
    parts = [svg.rect(4, 4, width - 8, HEIGHT - 8, rx=46, class_="kalah-board", pointer_events="none")]
    for i, name in enumerate(names):
        parts += _pit(spots[name], name, s.board[i + i // pits], marks, (1 if i < pits else -1) * turned)
    reach = pits * STEP / 2 + 10 + STORE
    parts += [*_store(place(reach, 0), s.board[pits]), *_store(place(-reach, 0), s.board[2 * pits + 1])]
    parts += _arrows(marks, spots)
    return svg.document(width, HEIGHT, parts, BOARD_STYLE + STYLE, title="kalah", class_="zb")


def _pit(spot, name, seeds, marks, side):
    """A pit with its seeds; its number towards the edge of the board, their number beyond that."""
    x, y = spot
    yield svg.circle(x, y, PIT, class_="kalah-pit", data_at=name)
    yield from _seeds(x, y, seeds, 14)
    if name in marks.last:
        yield svg.circle(x, y, PIT, class_="kalah-last", pointer_events="none")
    if name in marks.targets:
        yield svg.circle(x, y - side * (PIT + 9), 5, class_="target", pointer_events="none")
    yield svg.text(x, y + side * (PIT + 17) + 6, seeds, class_="kalah-count", pointer_events="none")
    yield svg.text(x, y + side * (PIT + 35) + 4, name[1:], class_="kalah-name", pointer_events="none")


def _store(spot, seeds):
    x, y = spot
    half = 88.0
    yield svg.rect(x - STORE, y - half, 2 * STORE, 2 * half, rx=STORE, class_="kalah-pit", pointer_events="none")
    yield from _seeds(x, y, seeds, 20)
    yield svg.text(x, y + half + 22, seeds, class_="kalah-count", pointer_events="none")


def _seeds(x, y, seeds, room):
    """Discs in the order of a sunflower's seeds; what does not fit is told by the number alone."""
    for k in range(min(seeds, room)):
        radius, angle = SPREAD * sqrt(k + 0.3 * (seeds > 1)), k * pi * (3 - sqrt(5))
        place = (x + radius * cos(angle), y + radius * sin(angle))
        yield svg.circle(*place, SEED, class_="kalah-seed", pointer_events="none")


def _arrows(marks, spots):
    if marks.arrows:
        yield svg.arrow_marker("zb-head", 3.2, class_="head")
    for here, there in marks.arrows:
        if here in spots and there in spots:
            ends = (*spots[here], *spots[there])
            yield svg.line(*ends, class_="arrow", marker_end="url(#zb-head)", pointer_events="none")
