"""The grid of dots and boxes: names of lines, positions as text, drawings.

Lines and boxes are numbered as the game's docstring draws them. Dots are named by column, from a, and by row from the
bottom, from 1, and a line by its two dots, the left or lower one first.
"""

from zermelo.core.game import GameError
from zermelo.drawing import board, svg

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GAP, EDGE = 78.0, 44.0  # between dots, and around them
STYLE = f"""{board.STYLE}
.zb .dot {{ fill: #23211f }} .zb .drawn {{ stroke: #4c3d24; stroke-width: 7; stroke-linecap: round }}
.zb .free {{ stroke: #b9a184; stroke-width: 2; stroke-dasharray: 2 8; stroke-linecap: round }}
.zb .drawn.last {{ stroke: #d99a12 }} .zb .free.target {{ stroke: #1d7f4e; stroke-width: 4 }}
.zb .box0 {{ fill: #c8402c; fill-opacity: .3 }} .zb .box1 {{ fill: #1f6fd1; fill-opacity: .3 }}
.zb .owner {{ font-size: 30px; font-weight: bold }}
.zb .owner.of0 {{ fill: #a5301e }} .zb .owner.of1 {{ fill: #1a5aa8 }}
@media (prefers-color-scheme: dark) {{
  .zb .dot {{ fill: #e8e2d8 }} .zb .drawn {{ stroke: #c9b795 }}
  .zb .owner.of0 {{ fill: #ee8a79 }} .zb .owner.of1 {{ fill: #7fb2f0 }}
}}
"""


class Grid:
    """rows × columns boxes. `edges` lists the lines as (row, column, is it a line across) of the upper or left dot."""

    def __init__(self, rows, columns):
        if rows < 1 or columns < 1 or 2 * rows * columns + rows + columns > 63:
            raise GameError(f"dots-and-boxes: {rows} × {columns} boxes do not make 4 to 63 lines, as 1 × 1 to 5 × 5 do")
        self.rows, self.columns = rows, columns
        self.edges = [(r, c, True) for r in range(rows + 1) for c in range(columns)]
        self.edges += [(r, c, False) for r in range(rows) for c in range(columns + 1)]
        self.number = {edge: e for e, edge in enumerate(self.edges)}
        self.names = [self._name(*edge) for edge in self.edges]

    def _dot(self, r, c):
        return f"{LETTERS[c]}{self.rows + 1 - r}"

    def _name(self, r, c, across):
        return self._dot(r, c) + self._dot(r, c + 1) if across else self._dot(r + 1, c) + self._dot(r, c)

    def find_edge(self, text):
        """The line somebody means by its two dots in either order, with or without a dash: a1b1, b1-a1."""
        wanted = "".join(ch for ch in text.lower() if ch not in " -−")
        for e, (r, c, across) in enumerate(self.edges):
            there = (r, c + 1) if across else (r + 1, c)
            if wanted in (self._dot(r, c) + self._dot(*there), self._dot(*there) + self._dot(r, c)):
                return e
        raise GameError(f"'{text.strip()}' does not name two neighbouring dots, as in {self.names[0]}")

    def box(self, b):
        """The edges of box b, as bits."""
        r, c = divmod(b, self.columns)
        around = ((r, c, True), (r + 1, c, True), (r, c, False), (r, c + 1, False))
        return sum(1 << self.number[edge] for edge in around)

    def boxes_beside(self, e):
        """Twice (edges of a box beside line e, its bit)."""
        beside = [(self.box(b), 1 << b) for b in range(self.rows * self.columns) if self.box(b) >> e & 1]
        beside += [(2**64 - 1, 0)] * (2 - len(beside))
        return [bits for pair in beside for bits in pair]

    # -- as text ---------------------------------------------------------------------------------------------------

    def _lines(self):
        """What stands in each line of a position: ("edge", number) and ("box", number), from the top left."""
        for r in range(self.rows + 1):
            yield [("edge", self.number[r, c, True]) for c in range(self.columns)]
            if r < self.rows:
                inside = [("edge", self.number[r, 0, False])]
                for c in range(self.columns):
                    inside += [("box", r * self.columns + c), ("edge", self.number[r, c + 1, False])]
                yield inside

    def _sign(self, kind, i, edges, taken):
        if kind == "box":
            return owner(i, taken)
        return "." if not int(edges) >> i & 1 else "-" if self.edges[i][2] else "|"

    def format(self, edges, taken):
        return " ".join("".join(self._sign(kind, i, edges, taken) for kind, i in line) for line in self._lines())

    def parse(self, lines):
        """(edges, boxes of player 0, boxes of player 1)."""
        wanted = list(self._lines())
        if len(lines) != len(wanted):
            raise GameError(
                f"{self.rows} rows of boxes take {len(wanted)} lines and whose turn it is, not {len(lines)}"
            )
        edges, taken = 0, [0, 0]
        for n, (line, places) in enumerate(zip(lines, wanted, strict=True)):
            if len(line) != len(places):
                raise GameError(f"line {n + 1}, '{line}', must have {len(places)} signs")
            for sign, (kind, i) in zip(line, places, strict=True):
                known = "01." if kind == "box" else "-." if self.edges[i][2] else "|."
                if sign not in known:
                    raise GameError(f"line {n + 1}, '{line}': '{sign}' should be one of {' '.join(known)}")
                if kind == "box" and sign != ".":
                    taken[int(sign)] |= 1 << i
                elif kind == "edge" and sign != ".":
                    edges |= 1 << i
        return edges, *taken

    def validate(self, edges, first, second):
        if edges >> len(self.edges) or (first | second) >> (self.rows * self.columns) or first & second:
            return "there is a line or a box that is not on the grid, or a box with two owners"
        for b in range(self.rows * self.columns):
            closed = edges & self.box(b) == self.box(b)
            if closed != bool((first | second) >> b & 1):
                return f"box {b + 1} {'is closed and nobody owns it' if closed else 'has an owner and is not closed'}"
        return None

    def text(self, edges, taken):
        """For a terminal: three columns and one row a box."""
        shown = []
        for n, line in enumerate(self._lines()):
            signs = [self._sign(kind, i, edges, taken) for kind, i in line]
            if n % 2 == 0:
                shown.append("•" + "•".join("───" if sign == "-" else "   " for sign in signs) + "•")
            else:
                plain = ["│" if sign == "|" else " " if sign == "." else f" {sign} " for sign in signs]
                shown.append(
                    "".join(
                        "   " if kind == "box" and p == " " else p for p, (kind, _) in zip(plain, line, strict=True)
                    )
                )
        return "\n".join(line.rstrip() for line in shown)

    # -- as a picture ----------------------------------------------------------------------------------------------

    def draw(self, edges, taken, marks):
        """(width, height, parts): boxes, then lines, then dots above their ends."""
        parts = [self._draw_box(b, owner(b, taken), marks.flip) for b in range(self.rows * self.columns)]
        for e in range(len(self.edges)):
            parts += self._draw_edge(e, edges >> e & 1, marks)
        for r in range(self.rows + 1):
            for c in range(self.columns + 1):
                parts.append(svg.circle(*self._place(r, c, marks.flip), 7, class_="dot", pointer_events="none"))
        parts += self._draw_labels(marks.flip)
        return self.columns * GAP + 2 * EDGE, self.rows * GAP + 2 * EDGE, parts

    def _place(self, r, c, flip):
        return (
            EDGE + GAP * (self.columns - c if flip else c),
            EDGE + GAP * (self.rows - r if flip else r),
        )

    def _draw_box(self, b, who, flip):
        r, c = divmod(b, self.columns)
        x, y = self._place(r + 0.5, c + 0.5, flip)
        if who == ".":
            return ""
        square = svg.rect(x - GAP / 2, y - GAP / 2, GAP, GAP, class_=f"box{who}", pointer_events="none")
        return square + svg.text(x, y + 11, who, class_=f"owner of{who}", pointer_events="none")

    def _draw_edge(self, e, drawn, marks):
        r, c, across = self.edges[e]
        ends = self._place(r, c, marks.flip), self._place(r + (not across), c + across, marks.flip)
        (x1, y1), (x2, y2) = min(ends), max(ends)
        mark = " last" if self.names[e] in marks.last else " target" if self.names[e] in marks.targets else ""
        yield svg.line(x1, y1, x2, y2, class_=("drawn" if drawn else "free") + mark, pointer_events="none")
        grow = (12, -14) if across else (-14, 12)  # what is clicked: wider than the line, and clear of the dots
        corner = x1 - grow[1], y1 - grow[0]
        yield svg.rect(*corner, x2 - x1 + 2 * grow[1], y2 - y1 + 2 * grow[0], fill_opacity=0, data_at=self.names[e])

    def _draw_labels(self, flip):
        for c in range(self.columns + 1):
            x, _ = self._place(0, c, flip)
            yield svg.text(x, self.rows * GAP + 2 * EDGE - 10, LETTERS[c], class_="label")
        for r in range(self.rows + 1):
            _, y = self._place(r, 0, flip)
            yield svg.text(14, y + 5, self.rows + 1 - r, class_="label")


def owner(b, taken):
    return "0" if int(taken[0]) >> b & 1 else "1" if int(taken[1]) >> b & 1 else "."
