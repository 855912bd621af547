"""Chinese checkers drawn: the star for a terminal, and as SVG."""

from math import sqrt

from zermelo.drawing import svg
from zermelo.drawing.board import STYLE as BOARD_STYLE
from zermelo.games.chinese_checkers.notation import LETTERS, owners
from zermelo.games.chinese_checkers.star import CORNERS, DIRECTIONS

SIGNS = "●○▲△■□"  # of the players, in a terminal
NAMES = ("red", "blue", "yellow", "green", "purple", "black")  # … and in a picture
COLOURS = ("#c8402c", "#2f6fc4", "#e3b92c", "#2f8f57", "#8a4fb0", "#3a3632")
EDGES = ("#7d2113", "#17427d", "#93731a", "#1a5533", "#522b6c", "#100e0c")
GAP, EDGE, ROW = 44.0, 44.0, 44.0 * sqrt(3) / 2  # between points, around the star, between rows
RADIUS = 16.0
STYLE = """
.zb .cc-board { fill: #ead9b8; stroke: #b89a68; stroke-width: 2; stroke-linejoin: round }
.zb .cc-line { stroke: #b89a68 } .zb .cc-hole { fill: #f8f1e1; stroke: #a98b5b } .zb .cc-corner { fill-opacity: .28 }
.zb .cc-last { fill: none; stroke: #f2c200; stroke-width: 5 } .zb .cc-turn { font-size: 15px }
"""


def draw_text(star, players, s):
    """Half a point's width a character; the letters of the rows stand at the left."""
    owner = owners(players, s)
    widest = max(len(row) for row in star.rows)
    lines = []
    for letter, row in zip(star.letters, star.rows, strict=True):
        signs = " ".join(SIGNS[owner[c]] if c in owner else "·" for c in row)
        lines.append(f"{letter} {' ' * (widest - len(row))}{signs}")
    return "\n".join([*lines, _says(players, s, SIGNS)])


def _says(players, s, signs):
    end = s.game.is_end(s)
    won = [p for p in range(players) if end and s.game.utility(s, p) > 0]
    if end:
        return f"player {LETTERS[won[0]]} ({signs[won[0]]}) has won" if won else "a draw"
    return f"player {LETTERS[s.turn]} ({signs[s.turn]}) to move"


def draw_svg(star, players, s, marks):
    turn = -1 if marks.flip else 1
    half = 2 * star.size
    width, height = 3 * star.size * GAP + 2 * EDGE, 2 * half * ROW + 2 * EDGE + 22
    middle = (width / 2, EDGE + half * ROW)

    def at(c):
        x, _, z = star.points[c]
        return middle[0] + turn * (x + z / 2) * GAP, middle[1] + turn * z * ROW

    parts = [svg.arrow_marker("zb-head", 3.2, class_="head")] if marks.arrows else []
    parts += [*_draw_board(star, players, at), *_draw_points(star, players, s, marks, at)]
    parts += _draw_marks(star, marks, at)
    parts += _draw_turn(players, s, width, height)
    return svg.document(width, height, parts, BOARD_STYLE + STYLE, title="Chinese checkers", class_="zb")


def _draw_board(star, players, at):
    """The star, its corners tinted in the colours of those who start there, and the lines that pieces follow."""
    cx, cy = at(len(star) // 2)
    grow = 1 + 0.45 / star.size  # the outline leaves room around the outermost points
    tips = [(cx + grow * (x - cx), cy + grow * (y - cy)) for x, y in (at(star.tip(k)) for k in range(6))]

    def third(k, j):
        """Where the star's outline turns in: a third of the way from tip k to the tip next but one."""
        return tuple((2 * a + b) / 3 for a, b in zip(tips[k], tips[j % 6], strict=True))

    yield svg.polygon([point for k in range(6) for point in (tips[k], third(k, k + 2))], class_="cc-board")
    for p, k in enumerate(CORNERS[players]):
        yield svg.polygon([third(k, k + 2), tips[k], third(k, k - 2)], class_="cc-corner", fill=COLOURS[p])
    for c in range(len(star)):
        for direction in DIRECTIONS[:3]:
            there = star.beyond(c, direction, 1)
            if there >= 0:
                yield svg.line(*at(c), *at(there), class_="cc-line")


def _draw_points(star, players, s, marks, at):
    owner = owners(players, s)
    for c, name in enumerate(star.names):
        if c in owner:
            paint = {"fill": COLOURS[owner[c]], "stroke": EDGES[owner[c]], "stroke_width": 1.5}
            yield svg.circle(*at(c), RADIUS, data_at=name, **paint)
            x, y = at(c)
            yield svg.circle(x - 5, y - 5, 4.5, fill="#fff", fill_opacity=0.35, pointer_events="none")
        else:
            yield svg.circle(*at(c), 0.72 * RADIUS, data_at=name, class_="cc-hole")
        if name in marks.last:
            yield svg.circle(*at(c), RADIUS + 1, class_="cc-last", pointer_events="none")


def _draw_marks(star, marks, at):
    for name in dict.fromkeys(marks.targets):
        if name in star.named:
            yield svg.circle(*at(star.named[name]), 7, class_="target", pointer_events="none")
    for here, there in marks.arrows:
        if here in star.named and there in star.named:
            ends = (*at(star.named[here]), *at(star.named[there]))
            yield svg.line(*ends, class_="arrow", marker_end="url(#zb-head)", pointer_events="none")


def _draw_turn(players, s, width, height):
    """Whose turn it is, under the star; somebody who cannot move passes by clicking there."""
    says = _says(players, s, NAMES)
    must_pass = not s.game.is_end(s) and tuple(s.game.actions(s)) == (0,)
    words = f"{says}: pass" if must_pass else says
    yield svg.text(width / 2, height - 10, words, class_="label cc-turn", data_at="pass" if must_pass else None)
