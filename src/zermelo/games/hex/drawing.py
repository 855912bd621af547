"""How Hex is drawn: hexagons, with the sides that each player joins in that player's colour."""

from math import cos, pi, sin, sqrt

from zermelo.drawing import svg
from zermelo.drawing.board import STYLE as BOARD_STYLE
from zermelo.drawing.board import draw_heat
from zermelo.games._shared.cell_sets import cells_of

RADIUS = 30.0  # from the centre of a hexagon to a corner
STEP = RADIUS * sqrt(3)  # from centre to centre
EDGE = 34.0
STYLE = """
.zb .hex-cell { fill: #f3ead9; stroke: #8d7a62; stroke-width: 1.5 }
.zb .hex-x { fill: #c8402c; stroke: #7d2113; stroke-width: 1.5 }
.zb .hex-o { fill: #2d6fc4; stroke: #173f75; stroke-width: 1.5 }
.zb .hex-side { fill: none; stroke-width: 11; stroke-linejoin: round; stroke-linecap: round }
.zb .hex-side.x { stroke: #c8402c } .zb .hex-side.o { stroke: #2d6fc4 } .zb .hex-last { fill: #fff; fill-opacity: .85 }
"""
CORNERS = [(RADIUS * sin(k * pi / 3), -RADIUS * cos(k * pi / 3)) for k in range(6)]  # from the top, clockwise


def signs(s, cells):
    """What stands on every cell: x, o or a dot."""
    board = ["."] * cells
    for player, sign in enumerate("xo"):
        for cell in cells_of(s.stones[player]):
            board[cell] = sign
    return board


def text(s, size):
    """Red ● joins top and bottom, blue ○ left and right."""
    board = ["·●○"[".xo".index(sign)] for sign in signs(s, size * size)]
    margin = len(str(size))
    lines = [" " * (margin + 1) + " ".join("abcdefghijklmnopqrs"[:size])]
    for y in range(size):
        lines.append(f"{' ' * y}{y + 1:>{margin}} " + " ".join(board[y * size : (y + 1) * size]))
    return "\n".join(lines)


def centre(cell, size):
    x, y = cell % size, cell // size
    return EDGE + (x + y / 2 + 0.5) * STEP, EDGE + 1.5 * RADIUS * y + RADIUS


def corner(cell, size, k):
    x, y = centre(cell, size)
    return x + CORNERS[k % 6][0], y + CORNERS[k % 6][1]


def picture(s, marks, names, size):
    cells = size * size
    place = {name: centre(cells - 1 - i if marks.flip else i, size) for i, name in enumerate(names)}
    parts = list(_sides(size))
    for name, sign in zip(names, signs(s, cells), strict=True):
        x, y = place[name]
        parts.append(svg.polygon([(x + dx, y + dy) for dx, dy in CORNERS], class_="hex-cell", data_at=name))
        if sign != ".":
            parts.append(svg.circle(x, y, 0.7 * RADIUS, class_=f"hex-{sign}", pointer_events="none"))
        if name in marks.last:
            parts.append(svg.circle(x, y, 0.2 * RADIUS, class_="hex-last", pointer_events="none"))
        if name in marks.targets:
            parts.append(svg.circle(x, y, 0.22 * RADIUS, class_="target", pointer_events="none"))
    parts += draw_heat(marks, place, 0.6 * RADIUS)
    parts += [*_arrows(marks, place), *_labels(names, place, size, marks.flip)]
    width = 2 * EDGE + (1.5 * size - 0.5) * STEP
    height = 2 * EDGE + 1.5 * RADIUS * (size - 1) + 2 * RADIUS
    return svg.document(width, height, parts, BOARD_STYLE + STYLE, title="hex", class_="zb")


def _sides(size):
    """The four sides as zigzag lines behind the cells, from corner to corner of the board."""
    last = size * size - 1
    runs = {
        "x": [
            [corner(x, size, k) for x in range(size) for k in (5, 0)] + [corner(size - 1, size, 1)],
            [corner(last - x, size, k) for x in range(size) for k in (2, 3)] + [corner(last - size + 1, size, 4)],
        ],
        "o": [
            [corner(y * size, size, k) for y in range(size) for k in (5, 4)] + [corner(last - size + 1, size, 3)],
            [corner(last - y * size, size, k) for y in range(size) for k in (2, 1)] + [corner(size - 1, size, 0)],
        ],
    }
    for sign, lines in runs.items():
        for points in lines:
            joined = " L ".join(f"{svg.coordinate(x)} {svg.coordinate(y)}" for x, y in points)
            yield svg.path(f"M {joined}", class_=f"hex-side {sign}", pointer_events="none")


def _arrows(marks, place):
    if marks.arrows:
        yield svg.arrow_marker("zb-head", 3.2, class_="head")
    for here, there in marks.arrows:
        if here in place and there in place:
            ends = (*place[here], *place[there])
            yield svg.line(*ends, class_="arrow", marker_end="url(#zb-head)", pointer_events="none")


def _labels(names, place, size, flip):
    """Letters over the first row, numbers before the first column (after the last ones, seen from the other side)."""
    side = -1 if flip else 1
    for x in range(size):
        cx, cy = place[names[x]]
        yield svg.text(cx - side * 0.62 * RADIUS, cy - side * 1.35 * RADIUS + 5, names[x][0], class_="label")
        cx, cy = place[names[x * size]]
        yield svg.text(cx - side * 1.32 * RADIUS, cy + 5 + side * 0.3 * RADIUS, names[x * size][1:], class_="label")
