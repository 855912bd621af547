"""Chess: the board drawn. The men are shapes of their own, so that they look the same wherever they are shown."""

from typing import Any

from zermelo.core.game import Marks
from zermelo.drawing import svg
from zermelo.drawing.board import CELL, Board
from zermelo.games.chess.notation import FILES, NAMES, gives_check, signs_of

# A man stands on a field of 60 by 60 with the origin in its middle: (shape, detail drawn as lines on it).
SHAPES = {
    "P": (
        "M-15 23 Q-15 15 -9 12 Q-4 8 -3.5 2 H-7.5 Q-9 -1 -6.5 -2.5 Q-9 -5 -9 -9 A9 9 0 0 1 9 -9 Q9 -5 6.5 -2.5 "
        "Q9 -1 7.5 2 H3.5 Q4 8 9 12 Q15 15 15 23 Z",
        "M-10.5 16 H10.5",
    ),
    "R": (
        "M-17 23 V17.5 H-13 L-10.5 11 V-8 L-14.5 -12.5 V-22 H-8.5 V-18 H-3 V-22 H3 V-18 H8.5 V-22 H14.5 V-12.5 "
        "L10.5 -8 V11 L13 17.5 H17 V23 Z",
        "M-12.5 17.5 H12.5 M-10 11 H10 M-10 -8 H10 M-14 -12.5 H14",
    ),
    "N": (
        "M-14 23 Q-14 9 -3 1 Q-8 0 -11 4 Q-13 7.5 -16.5 6.5 Q-21 5 -20 0 Q-14 -8 -11.5 -13 Q-12 -18 -9.5 -23.5 "
        "Q-6 -22 -4 -18.5 Q-2 -22.5 1.5 -24 Q3 -21 3 -18.5 Q18 -12 17 23 Z",
        "M-11 17 H14 M5 -12 Q11.5 -2 10.5 12 M-7.5 -11.5 h1.2",
    ),
    "B": (
        "M-17 23 Q-16 17.5 -9 17.5 L-7 11.5 Q-12.5 6 -12.5 -1 Q-12.5 -11 -3 -18 A4 4 0 1 1 3 -18 Q12.5 -11 12.5 -1 "
        "Q12.5 6 7 11.5 L9 17.5 Q16 17.5 17 23 Z",
        "M-8.5 17.5 H8.5 M-7 11.5 H7 M0 -11 V1 M-5 -5 H5",
    ),
    "Q": (
        "M-17 23 V17.5 H-13.5 L-12.5 11 L-19.5 -10 A3.2 3.2 0 1 1 -16.3 -11.5 L-9.5 -3 L-9.5 -15.5 "
        "A3.2 3.2 0 1 1 -6 -15.8 L0 -5 L6 -15.8 A3.2 3.2 0 1 1 9.5 -15.5 L9.5 -3 L16.3 -11.5 "
        "A3.2 3.2 0 1 1 19.5 -10 L12.5 11 L13.5 17.5 H17 V23 Z",
        "M-13 17.5 H13 M-12.5 11 Q0 7.5 12.5 11",
    ),
    "K": (
        "M-17 23 V17.5 H-13 L-12 12 Q-21 6 -20 -2.5 Q-18 -11 -9.5 -10.5 Q-4.5 -10 -2 -6.5 V-15 H-6.5 V-19 H-2 V-23.5 "
        "H2 V-19 H6.5 V-15 H2 V-6.5 Q4.5 -10 9.5 -10.5 Q18 -11 20 -2.5 Q21 6 12 12 L13 17.5 H17 V23 Z",
        "M-12.5 17.5 H12.5 M-12 12 Q0 8 12 12 M0 9 V-6",
    ),
}
STYLE = """
.zb .man { stroke-width: 1.7; stroke-linejoin: round; stroke-linecap: round }
.zb .man .line { fill: none }
.zb .man.light { fill: #fdfbf5; stroke: #2a2622 } .zb .man.dark { fill: #3a3531; stroke: #171412 }
.zb .man.dark .line { stroke: #d9d0c4; stroke-width: 1.4 }
.zb .check { fill: #d8321f; fill-opacity: .55 }
"""


def draw_man(sign: str, x: float, y: float) -> str:
    """The man of a letter of FEN, centred on (x, y)."""
    shape, lines = SHAPES[sign.upper()]
    parts = [svg.path(shape), svg.path(lines, class_="line")]
    place = f"translate({svg.coordinate(x)} {svg.coordinate(y)})"
    colour = "light" if sign.isupper() else "dark"
    return svg.group(parts, class_=f"man {colour}", transform=place, pointer_events="none")


def draw(s: Any, marks: Marks) -> str:
    names = [NAMES[8 * y + x] for y in range(7, -1, -1) for x in range(8)]
    board = Board(names, 8, marks, column_labels=FILES, row_labels="87654321")
    king = "Kk"[s.turn] if gives_check(s) else ""
    for name, sign in zip(NAMES, signs_of(s), strict=True):
        if sign == ".":
            continue
        x, y = board.centre(name)
        if sign == king:
            board.add(svg.circle(x, y, 0.46 * CELL, class_="check", pointer_events="none"))
        board.add(draw_man(sign, x, y))
    return board.svg("chess", STYLE)
