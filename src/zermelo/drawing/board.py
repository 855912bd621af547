"""Boards of cells, for games that are played on one: as text for a terminal, as SVG for a page or a notebook.

A cell has a name as people write it ("e4"); in the SVG it is an element with `data-at="e4"`, so that a page knows what
was clicked. `names` lists the cells row by row from the top, as seen by player 0; `Marks` (see zermelo.core.game) says
what to point out: the last move, the targets of legal moves, arrows.

    board = Board(["a3", "b3", "c3", "a2", …], columns=3, marks=marks)
    board.disc("b2", "first")
    return board.svg("tic-tac-toe")
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from zermelo.core.game import NO_MARKS, Marks
from zermelo.drawing import svg

CELL = 60.0
EDGE = 26.0
TOLD = 0.015  # from here on a share is told in per cent
STYLE = """
.zb .even { fill: #f0e7d8 } .zb .odd { fill: #b9a184 } .zb .plain { fill: #f0e7d8; stroke: #8d7a62 }
.zb .felt { fill: #2f7d54; stroke: #22593d } .zb .wood { fill: #e3b86c; stroke: none }
.zb .blue { fill: #2d5fa8; stroke: none }
.zb .hole { fill: #e9eef6 } .zb .grid { stroke: #4c3d24; stroke-width: 1.4 }
.zb .first { fill: #c8402c; stroke: #7d2113; stroke-width: 1.5 }
.zb .second { fill: #e8b92e; stroke: #96721a; stroke-width: 1.5 }
.zb .black { fill: #23211f; stroke: #000 } .zb .white { fill: #fbfaf6; stroke: #77726a; stroke-width: 1.2 }
.zb .last { fill: #f6d33c; fill-opacity: .45 } .zb .target { fill: #1d7f4e; fill-opacity: .65 }
.zb .heat { fill: #7a3fb0 } .zb .heat-text { fill: #fff; font-size: 15px; font-weight: 600 }
.zb .arrow { stroke: #1f6fd1; stroke-width: 7; stroke-opacity: .75; stroke-linecap: round } .zb .head { fill: #1f6fd1 }
.zb .label { fill: #6d6459; font-size: 14px } .zb .glyph { font-size: 42px }
.zb .pen { stroke-width: 6; fill: none; stroke-linecap: round }
.zb .pen.first { stroke: #c8402c } .zb .pen.second { stroke: #1f6fd1 }
@media (prefers-color-scheme: dark) { .zb .label { fill: #b9b0a4 } }
"""


class Board:
    """A picture under construction: cells first, then what stands on them, then marks, in the order they are drawn."""

    def __init__(
        self,
        names: Sequence[str],
        columns: int,
        marks: Marks = NO_MARKS,
        *,
        cells: str = "checkered",  # or a CSS class for all of them: "plain", "felt", "wood", "blue"
        column_labels: Sequence[str] = (),
        row_labels: Sequence[str] = (),
    ):
        self.columns = columns
        self.rows = -(-len(names) // columns)
        self.marks = marks
        self.cells = cells
        self.names = list(names)
        order = list(range(len(names)))[::-1] if marks.flip else range(len(names))
        self._place = {names[i]: (n % columns, n // columns) for n, i in enumerate(order)}
        turn = -1 if marks.flip else 1
        self._column_labels, self._row_labels = list(column_labels)[::turn], list(row_labels)[::turn]
        self._pieces: list[str] = []

    @property
    def width(self) -> float:
        return self.columns * CELL + 2 * EDGE

    @property
    def height(self) -> float:
        return self.rows * CELL + 2 * EDGE

    def centre(self, name: str) -> tuple[float, float]:
        column, row = self._place[name]
        return EDGE + (column + 0.5) * CELL, EDGE + (row + 0.5) * CELL

    def add(self, *parts: str) -> None:
        """SVG of the game's own, drawn above the cells; a part that wants no clicks has pointer_events="none"."""
        self._pieces += parts

    def disc(self, name: str, kind: str, radius: float = 0.41) -> None:
        """A round piece; `kind` is a CSS class: first, second, black, white or one of the game's own."""
        x, y = self.centre(name)
        self.add(svg.circle(x, y, radius * CELL, class_=kind, pointer_events="none"))

    def glyph(self, name: str, character: str, kind: str = "black") -> None:
        """A character as a piece."""
        x, y = self.centre(name)
        self.add(svg.text(x, y + 15, character, class_=f"glyph {kind}", pointer_events="none"))

    def svg(self, title: str, style: str = "") -> str:
        head = svg.arrow_marker("zb-head", 3.2, class_="head") if self.marks.arrows else ""
        parts = [head, *self._draw_cells(), *self._pieces, *self._draw_marks(), *self._draw_labels()]
        return svg.document(self.width, self.height, parts, STYLE + style, title=title, class_="zb")

    def _corner(self, name: str) -> tuple[float, float]:
        x, y = self.centre(name)
        return x - CELL / 2, y - CELL / 2

    def _draw_cells(self) -> Iterable[str]:
        for name in self.names:
            column, row = self._place[name]
            kind = ("even" if (column + row) % 2 == 0 else "odd") if self.cells == "checkered" else self.cells
            yield svg.rect(*self._corner(name), CELL, CELL, class_=kind, data_at=name)
        for name in self.marks.last:
            if name in self._place:
                yield svg.rect(*self._corner(name), CELL, CELL, class_="last", pointer_events="none")

    def _draw_marks(self) -> Iterable[str]:
        for name in self.marks.targets:
            if name in self._place:
                yield svg.circle(*self.centre(name), 0.13 * CELL, class_="target", pointer_events="none")
        for here, there in self.marks.arrows:
            if here in self._place and there in self._place:
                ends = (*self.centre(here), *self.centre(there))
                yield svg.line(*ends, class_="arrow", marker_end="url(#zb-head)", pointer_events="none")
        yield from draw_heat(self.marks, {name: self.centre(name) for name in self._place})

    def _draw_labels(self) -> Iterable[str]:
        for i, label in enumerate(self._column_labels):
            yield svg.text(EDGE + (i + 0.5) * CELL, self.height - 8, label, class_="label")
        for i, label in enumerate(self._row_labels):
            yield svg.text(EDGE / 2, EDGE + (i + 0.5) * CELL + 5, label, class_="label")


def draw_heat(marks: Marks, places: Mapping[str, tuple[float, float]], radius: float = 0.36 * CELL) -> Iterable[str]:
    """Discs on cells, the darker the likelier, with their per cent where there is something to tell."""
    most = max((share for _, share in marks.heat), default=0.0)
    for name, share in marks.heat:
        if name in places and share >= max(0.005 * most, 1e-9):
            x, y = places[name]
            opacity = f"{0.12 + 0.78 * share / most:.2f}"
            yield svg.circle(x, y, radius, class_="heat", fill_opacity=opacity, pointer_events="none")
            if share >= TOLD:
                yield svg.text(x, y + 5, f"{100 * share:.0f}", class_="heat-text", pointer_events="none")


def board_text(
    cells: Sequence[str], columns: int, column_labels: Sequence[str] = (), row_labels: Sequence[str] = ()
) -> str:
    """A board for a terminal: one character (or equally wide text) a cell, row by row from the top."""
    lines = []
    margin = max((len(label) for label in row_labels), default=0)
    for row in range(-(-len(cells) // columns)):
        label = f"{row_labels[row]:>{margin}} " if row_labels else ""
        lines.append((label + " ".join(cells[row * columns : (row + 1) * columns])).rstrip())
    if column_labels:
        lines.append(" " * (margin + 1 if row_labels else 0) + " ".join(column_labels))
    return "\n".join(lines)
