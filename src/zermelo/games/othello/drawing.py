"""Othello drawn: the board for a terminal, and as SVG."""

from zermelo.drawing import svg
from zermelo.drawing.board import CELL, EDGE, Board, board_text

STYLE = """
.zb .felt ~ .target { fill: #0b2b1b; fill-opacity: .5 } .zb .felt ~ .last { fill-opacity: .7 }
.zb .felt ~ .spot { fill: #22593d } .zb .felt ~ .word { fill: #3d350c; font-size: 14px }
.zb .felt ~ .pass { fill: #f6d33c; stroke: #a08a1c }
"""


def draw_text(notation, s):
    drawn = [{"X": "●", "O": "○", "-": "·"}[sign] for sign in notation.signs(s)]
    return board_text(drawn, notation.size, notation.columns, notation.rows)


def draw_svg(notation, s, marks):
    board = Board(
        notation.squares, notation.size, marks, cells="felt", column_labels=notation.columns, row_labels=notation.rows
    )
    if notation.size == 8:  # the four spots of a tournament board
        for x in (2, 6):
            for y in (2, 6):
                board.add(svg.circle(EDGE + x * CELL, EDGE + y * CELL, 4.5, class_="spot", pointer_events="none"))
    for square, sign in zip(notation.squares, notation.signs(s), strict=True):
        if sign != "-":
            board.disc(square, "black" if sign == "X" else "white")
    if not (s.moves or s.over):
        middle = board.width / 2
        board.add(svg.rect(middle - 40, 3, 80, 20, rx=8, class_="pass", data_at="pass"))
        board.add(svg.text(middle, 18, "pass", class_="word", pointer_events="none"))
    return board.svg("othello", STYLE)
