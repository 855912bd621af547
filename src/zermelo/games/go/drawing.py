"""How Go is drawn: a wooden board of lines, stones on their crossings; the same for a terminal."""

from dataclasses import replace

from zermelo.drawing import svg
from zermelo.drawing.board import CELL, EDGE, Board, board_text
from zermelo.games.go.notation import LETTERS, signs

STYLE = """
.zb .go-wood { fill: #e3b86c; stroke: #e3b86c } .zb .go-star { fill: #4c3d24 }
.zb .go-ring { fill: none; stroke-width: 3.5 }
.zb .go-ring.on-black { stroke: #f7f4ec } .zb .go-ring.on-white { stroke: #23211f }
.zb .go-pass { fill: #e3b86c; stroke: #8d6f35 } .zb .go-pass.just-now { fill: #f6d33c }
.zb .go-word { font-size: 13px; fill: #3d3018 }
"""


def star_points(width, height):
    """The points that are marked to find one's way: at the third or fourth line, and halfway."""

    def lines(n):
        near = 3 if n > 11 else 2
        return [near, n - 1 - near] + [n // 2] * (n % 2) if n > 6 else []

    across, down = lines(width), lines(height)
    if width == height and width < 13:  # on small boards the corners and the centre
        corners = [(x, y) for x in across[:2] for y in down[:2]]
        return {y * width + x for x, y in corners + list(zip(across[2:], down[2:], strict=True))}
    return {y * width + x for x in across for y in down}


def text(s, names, width):
    """The board with ● black, ○ white and + the star points."""
    height = len(names) // width
    stars = star_points(width, height)
    shown = {"X": "●", "O": "○"}
    cells = [shown.get(sign) or ("+" if i in stars else "·") for i, sign in enumerate(signs(s, names))]
    return board_text(cells, width, LETTERS[:width], [str(height - y) for y in range(height)])


def picture(s, marks, names, width):
    height = len(names) // width
    rows = [str(height - y) for y in range(height)]
    board = Board(
        names, width, replace(marks, last=()), cells="go-wood", column_labels=LETTERS[:width], row_labels=rows
    )
    board.add(*_lines(width, height))
    for point in star_points(width, height):
        board.add(svg.circle(*board.centre(names[point]), 4.5, class_="go-star", pointer_events="none"))
    for name, sign in zip(names, signs(s, names), strict=True):
        if sign != ".":
            board.disc(name, "black" if sign == "X" else "white", 0.47)
            if name in marks.last:
                ring = f"go-ring on-{'black' if sign == 'X' else 'white'}"
                board.add(svg.circle(*board.centre(name), 0.26 * CELL, class_=ring, pointer_events="none"))
    board.add(*_pass_button(board, "pass" in marks.last))
    return board.svg("go", STYLE)


def _lines(width, height):
    """The lines of the board; they end at the outermost points."""
    first = EDGE + CELL / 2
    right, bottom = first + (width - 1) * CELL, first + (height - 1) * CELL
    for x in range(width):
        yield svg.line(first + x * CELL, first, first + x * CELL, bottom, class_="grid", pointer_events="none")
    for y in range(height):
        yield svg.line(first, first + y * CELL, right, first + y * CELL, class_="grid", pointer_events="none")


def _pass_button(board, last):
    """Above the board, at the right: what somebody clicks to pass."""
    x = board.width - EDGE - 52
    yield svg.rect(x, 3.0, 52, 19, rx=6, class_="go-pass just-now" if last else "go-pass", data_at="pass")
    yield svg.text(x + 26, 17, "pass", class_="go-word", pointer_events="none")
