"""Checkers on a screen: black at the top, where the squares' numbers begin, as books print it."""

from itertools import pairwise

from zermelo.drawing import svg as draw
from zermelo.drawing.board import CELL, Board, board_text
from zermelo.games.checkers.notation import squares_of

STYLE = """
.zb .number { fill: #6a5740; font-size: 10px }
.zb .rim { fill: none; stroke-width: 1.5; stroke: #77726a } .zb .rim.black { stroke: #5d5852 }
.zb .crown { fill: #d9a520; stroke: #7a5a08; stroke-width: 1.2; stroke-linejoin: round }
"""
CROWN = ((-13, 9), (-15, -7), (-7, 0), (0, -12), (7, 0), (15, -7), (13, 9))  # from the centre of the piece


def _cells():
    """The 64 cells row by row: the number of a dark square, the chess name of a light one, which nobody clicks."""
    names = []
    for row in range(8):
        for column in range(8):
            dark = (row + column) % 2 == 1
            names.append(str(4 * row + column // 2 + 1) if dark else f"{'abcdefgh'[column]}{8 - row}")
    return names


CELLS = _cells()


def text(s):
    signs = dict.fromkeys(range(1, 33), "·")
    for board, man, king in ((s.black, "●", "♛"), (s.white, "○", "♕")):
        signs |= dict.fromkeys(squares_of(board & ~s.kings), man) | dict.fromkeys(squares_of(board & s.kings), king)
    cells = [signs[int(name)] if name.isdigit() else " " for name in CELLS]
    rows = board_text(cells, 8, row_labels=[str(4 * row + 1) for row in range(8)]).split("\n")
    return "\n".join(f"{row:18} {4 * i + 4:>2}" for i, row in enumerate(rows))


def svg(s, marks):
    return _draw(squares_of(s.black), squares_of(s.white), squares_of(s.kings), marks)


def halfway(s, cells, marks):
    """A capture of several jumps after some of them: the piece has come so far, what it jumped is off the board."""
    pieces = {"black": squares_of(s.black), "white": squares_of(s.white), "kings": squares_of(s.kings)}
    route = [int(cell) for cell in cells]
    gone = {between(here, there) for here, there in pairwise(route)}
    moved = {kind: [route[-1] if n == route[0] else n for n in squares] for kind, squares in pieces.items()}
    return _draw(*([n for n in squares if n not in gone] for squares in moved.values()), marks)


def between(here, there):
    """The square a jump from `here` to `there` goes over; None for a step."""
    (x, y), (x2, y2) = (divmod(CELLS.index(str(square)), 8) for square in (here, there))
    return int(CELLS[4 * (x + x2) + (y + y2) // 2]) if abs(x - x2) == 2 else None


def _draw(black, white, kings, marks):
    board = Board(CELLS, 8, marks)
    for square in range(1, 33):
        x, y = board.centre(str(square))
        corner = (x - CELL / 2 + 3, y - CELL / 2 + 10)
        board.add(draw.text(*corner, square, class_="number", text_anchor="start", pointer_events="none"))
    for squares, kind in ((black, "black"), (white, "white")):
        for square in squares:
            x, y = board.centre(str(square))
            board.disc(str(square), kind, 0.36)
            board.add(draw.circle(x, y, 0.27 * CELL, class_=f"rim {kind}", pointer_events="none"))
            if square in kings:
                crown = [(x + dx, y + dy) for dx, dy in CROWN]
                board.add(draw.polygon(crown, class_="crown", pointer_events="none"))
    return board.svg("checkers", STYLE)
