"""Nine men's morris drawn: the three rings for a terminal, and as SVG."""

import re

from zermelo.drawing import svg as draw
from zermelo.drawing.board import CELL, Board
from zermelo.games.nine_mens_morris.notation import COLOURS, RINGS, ROWS, hands, signs

LINES = """\
7 *─────────*─────────*
  │         │         │
6 │  *──────*──────*  │
  │  │      │      │  │
5 │  │  *───*───*  │  │
  │  │  │       │  │  │
4 *──*──* hands *──*──*
  │  │  │       │  │  │
3 │  │  *───*───*  │  │
  │  │      │      │  │
2 │  *──────*──────*  │
  │         │         │
1 *─────────*─────────*
  a  b  c   d   e  f  g"""
STYLE = ".zb .hand { font-size: 14px } .zb .hand.onwhite { fill: #23211f } .zb .hand.onblack { fill: #fbfaf6 }"


def text(s):
    stands = signs(s, "○", "●", "·")
    in_order = iter([stands[name] for row in ROWS for name in row])
    white, black = hands(s)
    drawn = LINES.replace("hands", f"○{white} ●{black}" if s.left else " " * 5)
    return re.sub(r"\*", lambda _: next(in_order), drawn)


def svg(s, marks):
    grid = [f"{column}{row}" for row in "7654321" for column in "abcdefg"]
    board = Board(grid, 7, marks, cells="wood", column_labels="abcdefg", row_labels="7654321")
    for here, there in _strokes():
        ends = (*board.centre(here), *board.centre(there))
        board.add(draw.line(*ends, class_="grid", stroke_linecap="round", pointer_events="none"))
    for name, kind in signs(s, "white", "black", None).items():
        if kind:
            board.disc(name, kind, 0.38)
        else:
            board.add(draw.circle(*board.centre(name), 4, fill="#4c3d24", pointer_events="none"))
    if s.left:
        x, y = board.centre("d4")
        for kind, count, dx in zip(COLOURS, hands(s), (-0.27, 0.27), strict=True):
            x_hand = x + dx * CELL
            board.add(
                draw.circle(x_hand, y, 0.22 * CELL, class_=kind, pointer_events="none"),
                draw.text(x_hand, y + 5, count, class_=f"hand on{kind}", pointer_events="none"),
            )
    return board.svg("nine men's morris", STYLE)


def _strokes():
    """The ends of the board's 16 lines."""
    for ring in RINGS:
        yield from zip(ring[::2], ring[2::2] + ring[:1], strict=True)
    yield from zip(RINGS[0][1::2], RINGS[2][1::2], strict=True)
