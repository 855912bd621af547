"""Backgammon boards, for a terminal and as SVG.

Player 0 (X, light) plays towards the lower right; `marks.flip` turns top and bottom over. Cells are named by player
0's points, "24" … "1", "bar" and "off", whoever moves; the numbers written beside the board are those of the player to
move, as are the numbers in the notation. Where there is nothing to play a cell "pass" lies across the middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.core.game import CHANCE, OVER, Marks
from zermelo.drawing import svg
from zermelo.drawing.board import STYLE as BOARD_STYLE
from zermelo.games.backgammon.plays import BAR, CANNOT_MOVE

Points = list[list[int]]  # a state's points, as lists
SIGNS = "XO"
COLUMN, RADIUS, RISE = 44.0, 20.0, 215.0  # a point is COLUMN wide and RISE high
BAR_WIDTH, TRAY, EDGE, GAP = 52.0, 56.0, 26.0, 62.0
WIDTH = 2 * EDGE + 12 * COLUMN + BAR_WIDTH + TRAY
HEIGHT = 2 * EDGE + 2 * RISE + GAP
MIDDLE = HEIGHT / 2
STYLE = (
    BOARD_STYLE
    + """
.zb .frame { fill: #5b4330 } .zb .field { fill: #e9dcc0 } .zb .tray { fill: #cbb791 } .zb .middle { fill: #7a5c43 }
.zb .dark { fill: #a5643f } .zb .light { fill: #c9a36d } .zb .touch { fill: #fff; fill-opacity: 0 }
.zb .numbers { font-size: 15px; font-weight: 600 } .zb .on-white { fill: #23211f } .zb .on-black { fill: #fbfaf6 }
.zb .on-frame { fill: #f0e7d8; font-size: 13px } .zb .die { stroke-width: 1.2; stroke: #555 }
.zb .pass { fill: #fbfaf6; stroke: #5b4330 } .zb .pass-text { fill: #23211f; font-size: 17px }
"""
)


# -- text --------------------------------------------------------------------------------------------------------------


def draw_text(s: Any) -> str:
    numbers, points = _numbers(s), s.points.tolist()
    top, bottom = [13 + c for c in range(12)], [12 - c for c in range(12)]
    lines = [_text_labels([numbers[i] for i in top]), f"┌{'─' * 18}┬{'─' * 3}┬{'─' * 18}┐"]
    lines += [_text_row(points, top, 1, depth) for depth in range(5)]
    lines.append(f"│{' ' * 18}│BAR│{' ' * 18}│")
    lines += [_text_row(points, bottom, 0, depth) for depth in range(4, -1, -1)]
    lines += [f"└{'─' * 18}┴{'─' * 3}┴{'─' * 18}┘", _text_labels([numbers[i] for i in bottom])]
    lines[2] += f"  O: {pips(points[1])} pips, {points[1][0]} off"
    lines[7] += f"  {status(s)}"
    lines[12] += f"  X: {pips(points[0])} pips, {points[0][0]} off"
    return "\n".join(line.rstrip() for line in lines)


def status(s: Any) -> str:
    """Whose turn it is, in words."""
    player = s.game.player(s)
    if player == OVER:
        winner = 0 if s.game.utility(s, 0) > 0 else 1
        kind = {1: "wins", 2: "wins a gammon", 3: "wins a backgammon"}[round(s.game.utility(s, winner))]
        return f"{SIGNS[winner]} {kind}"
    if player == CHANCE:
        return "the opening roll" if s.turn < 0 else f"{SIGNS[s.turn]} to roll"
    return f"{SIGNS[player]} to play {s.dice[0]}-{s.dice[1]}"


def pips(row: list[int]) -> int:
    return sum(i * count for i, count in enumerate(row))


def _numbers(s: Any) -> dict[int, int]:
    """What player 0's points are called by the player to move."""
    turned = s.turn == 1
    return {i: BAR - i if turned else i for i in range(1, 25)}


def _text_labels(numbers: list[int]) -> str:
    words = "".join(f"{n:>3}" for n in numbers)
    return f"{words[:18]}     {words[18:]}"


def _text_row(points: Points, row: list[int], bar: int, depth: int) -> str:
    cells = "".join(f" {_text_checker(*_standing(points, i), depth)} " for i in row)
    on_bar = _text_checker(points[bar][BAR], bar, depth)
    return f"│{cells[:18]}│ {on_bar} │{cells[18:]}│"


def _standing(points: Points, i: int) -> tuple[int, int]:
    """(how many, whose) on player 0's point i."""
    return (points[1][BAR - i], 1) if points[1][BAR - i] else (points[0][i], 0)


def _text_checker(count: int, p: int, depth: int) -> str:
    if depth >= count:
        return " "
    return f"{count:x}".upper() if depth == 4 and count > 5 else SIGNS[p]  # more than nine: A, B, … F


# -- svg ---------------------------------------------------------------------------------------------------------------


def halfway(s: Any, cells: tuple[str, ...], marks: Marks) -> str:
    """A play after some of its steps: the checkers stand where they have come to."""
    points, p = s.points.tolist(), s.turn
    for here, there in zip(cells[::2], cells[1::2], strict=False):
        source, target = _point_of(here, p), _point_of(there, p)
        points[p][source] -= 1
        points[p][target] += 1
        if target and points[1 - p][BAR - target] == 1:  # hit
            points[1 - p][BAR - target] = 0
            points[1 - p][BAR] += 1
    return draw_svg(s, marks, points)


def _point_of(name: str, p: int) -> int:
    """Player p's number of a cell."""
    if name in ("bar", "off"):
        return BAR if name == "bar" else 0
    return int(name) if p == 0 else BAR - int(name)


def draw_svg(s: Any, marks: Marks, points: Points | None = None) -> str:
    """The board; with `points`, checkers stand there and not where the state has them."""
    head = svg.arrow_marker("zb-head", 3.2, class_="head") if marks.arrows else ""
    checkers = _draw_checkers(s.points.tolist() if points is None else points, marks)
    parts = [head, *_draw_board(s, marks), *checkers, *_draw_dice(s), *_draw_marks(marks)]
    if s.game.player(s) >= 0 and s.game.actions(s)[0] == CANNOT_MOVE:
        x = _column_x(2.5)
        parts.append(svg.rect(x - 80, MIDDLE - 20, 160, 40, rx=8, class_="pass", data_at="pass"))
        parts.append(svg.text(x, MIDDLE + 6, "cannot move", class_="pass-text", pointer_events="none"))
    return svg.document(WIDTH, HEIGHT, parts, STYLE, title=f"backgammon: {status(s)}", class_="zb")


def _column_x(column: float) -> float:
    """The middle of a column, counted from 0 at the left."""
    return EDGE + (column + 0.5) * COLUMN + (BAR_WIDTH if column >= 6 else 0)


def _place(name: str, flip: bool) -> tuple[float, bool]:
    """(x, is it in the upper half) of a cell."""
    if name in ("bar", "off"):
        return (EDGE + 6 * COLUMN + BAR_WIDTH / 2 if name == "bar" else WIDTH - EDGE - TRAY / 2), False
    i = int(name)
    return _column_x(i - 13 if i > 12 else 12 - i), (i > 12) != flip


def _draw_board(s: Any, marks: Marks) -> Iterator[str]:
    yield svg.rect(0, 0, WIDTH, HEIGHT, rx=8, class_="frame")
    inner = HEIGHT - 2 * EDGE
    for column in (0, 6):
        yield svg.rect(_column_x(column) - COLUMN / 2, EDGE, 6 * COLUMN, inner, class_="field")
    numbers = _numbers(s)
    for i in range(1, 25):
        x, upper = _place(str(i), marks.flip)
        base, tip = (EDGE, EDGE + RISE - 8) if upper else (HEIGHT - EDGE, HEIGHT - EDGE - RISE + 8)
        kind = "dark" if i % 2 == 0 else "light"
        yield svg.polygon([(x - COLUMN / 2, base), (x + COLUMN / 2, base), (x, tip)], class_=kind)
        yield svg.text(x, EDGE - 8 if upper else HEIGHT - 9, numbers[i], class_="on-frame")
        yield _touch(str(i), marks)
    for name, kind in (("bar", "middle"), ("off", "tray")):
        x, width = _place(name, False)[0], BAR_WIDTH if name == "bar" else TRAY - 10
        yield svg.rect(x - width / 2, EDGE, width, inner, class_=kind)
        yield _touch(name, marks)


def _touch(name: str, marks: Marks) -> str:
    """What is clicked, and lit if the last move touched it."""
    x, upper = _place(name, marks.flip)
    kind = "last" if name in marks.last else "touch"
    if name in ("bar", "off"):
        width = BAR_WIDTH if name == "bar" else TRAY - 10
        return svg.rect(x - width / 2, EDGE, width, HEIGHT - 2 * EDGE, class_=kind, data_at=name)
    return svg.rect(x - COLUMN / 2, EDGE if upper else HEIGHT - EDGE - RISE, COLUMN, RISE, class_=kind, data_at=name)


def _draw_checkers(points: Points, marks: Marks) -> Iterator[str]:
    for i in range(1, 25):
        count, p = _standing(points, i)
        x, upper = _place(str(i), marks.flip)
        start, step = (EDGE + RADIUS + 1, 2 * RADIUS) if upper else (HEIGHT - EDGE - RADIUS - 1, -2 * RADIUS)
        yield from _stack(x, start, step, count, p)
    for p in (0, 1):
        up = (p == 1) != marks.flip
        x = _place("bar", marks.flip)[0]
        yield from _stack(x, MIDDLE + (-50 if up else 50), -2 * RADIUS if up else 2 * RADIUS, points[p][BAR], p, 3)
        for n in range(points[p][0]):
            y = EDGE + 4 + 13 * n if up else HEIGHT - EDGE - 4 - 13 * (n + 1)
            kind = ("white", "black")[p]
            yield svg.rect(WIDTH - EDGE - TRAY + 9, y, TRAY - 18, 12, rx=2, class_=kind, pointer_events="none")


def _stack(x: float, y: float, step: float, count: int, p: int, most: int = 5) -> Iterator[str]:
    """`count` checkers of player p, drawn as at most `most` with the number on the last."""
    kind = ("white", "black")[p]
    for n in range(min(count, most)):
        yield svg.circle(x, y + n * step, RADIUS - 0.5, class_=kind, pointer_events="none")
    if count > most:
        yield svg.text(x, y + (most - 1) * step + 5, count, class_=f"numbers on-{kind}", pointer_events="none")


_PIPS = {1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679"}  # places as on a telephone


def _draw_dice(s: Any) -> Iterator[str]:
    if not s.dice[0]:
        return
    kind, other = (("white", "black"), ("black", "white"))[s.turn]
    for n, x in enumerate((_column_x(8) - 2, _column_x(9) + 2)):
        yield svg.rect(x - 18, MIDDLE - 18, 36, 36, rx=6, class_=f"{kind} die", pointer_events="none")
        for place in _PIPS[s.dice[n]]:
            column, row = (int(place) - 1) % 3 - 1, (int(place) - 1) // 3 - 1
            yield svg.circle(x + 10 * column, MIDDLE + 10 * row, 3.4, class_=other, pointer_events="none")


def _draw_marks(marks: Marks) -> Iterator[str]:
    for name in marks.targets:
        if _known(name):
            yield svg.circle(*_centre(name, marks.flip), 8, class_="target", pointer_events="none")
    for here, there in marks.arrows:
        if _known(here) and _known(there):
            ends = (*_centre(here, marks.flip), *_centre(there, marks.flip))
            yield svg.line(*ends, class_="arrow", marker_end="url(#zb-head)", pointer_events="none")


def _known(name: str) -> bool:
    return name in ("bar", "off") or (name.isdigit() and 1 <= int(name) <= 24)


def _centre(name: str, flip: bool) -> tuple[float, float]:
    x, upper = _place(name, flip)
    if name in ("bar", "off"):
        return x, MIDDLE
    return x, EDGE + 0.72 * RISE if upper else HEIGHT - EDGE - 0.72 * RISE
