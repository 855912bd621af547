"""A tree as SVG, in the graphics of a lecture: top-down, ▲ MAX, ▼ MIN, ● chance, utilities under the leaves.

    edges     the move's label, at chance nodes the probability; struck through twice where a branch was pruned
    nodes     the value (≥ or ≤ where it is a bound), beside it the window [α, β] the node was entered with
    bold      optimal play

For a page that wants to step through it, every node is a group <g class="node …" id="n-0-1" data-order="4"> and every
edge a <g class="edge …" data-to="n-0-1">: 0-1 is the path from the root, data-order its place in the order of visits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import hypot

from zermelo.core.trace import Bound, Value
from zermelo.core.words import count
from zermelo.drawing import svg
from zermelo.drawing.numbers import format_probability, format_value, format_window
from zermelo.drawing.tree.layout import LABEL_AT, Box, place
from zermelo.drawing.tree.style import SCOPE, Theme, kind_class, shape, stylesheet
from zermelo.drawing.tree.view import View

MARGIN = 24.0
ROW = 48.0  # the height of a row of nodes; between the rows are the edges
GAP, STEEPNESS, LONGEST = 50.0, 0.14, 220.0  # edges are at least GAP high, and higher where they run far sideways
LARGE, SMALL, PLAYER, LEAF = 54.0, 28.0, 38.0, 10.0  # a node with its value inside, or beside it; of max^n; a leaf
SLOT = 36.0  # the least room for a leaf
CUT_AT = 0.36  # a pruned edge is struck this far down
NAMES = {"max": "MAX", "min": "MIN", "chance": "chance", "end": "end of the game", "cutoff": "depth limit"}


def picture(
    view: View, *, title: str = "", caption: str = "", widest: str = "", theme: Theme = "auto", ids: str = "n"
) -> str:
    """The whole drawing; `widest` is the longest of its captions, `ids` begins the id of every node."""
    return _Picture(view, ids).document(title, caption, widest, theme)


class _Picture:
    def __init__(self, root: View, ids: str) -> None:
        self.root, self.ids = root, ids
        inner = [view for view in _walk(root) if not view.node.is_leaf]
        self.inside = any(any(_values(view)) for view in inner) and all(map(_fits, inner))  # where values are written
        self.boxes: dict[View, Box] = {}
        self.width = max(place(self._box(root)), 1.0) + 2 * MARGIN
        self.tops = self._rows()

    # 1. where everything stands

    def _size(self, view: View) -> float:
        if view.node.kind == "player":
            return PLAYER
        return LEAF if view.node.is_leaf else LARGE if self.inside else SMALL

    def _box(self, view: View) -> Box:
        half = self._size(view) / 2
        if view.folded:
            half = svg.text_width(_stub(view), 11) / 2
        elif view.node.is_leaf:
            half = max(SLOT, *(svg.text_width(line, 13) for line in (*_values(view), view.note, *view.notes))) / 2
        beside = max((svg.text_width(line, 12) + 8 for line in self._ever_beside(view)), default=0.0)
        label = max((svg.text_width(line, 12) for line in _label(view)), default=0.0)
        box = Box(half, half + beside, label, [self._box(child) for child in view.children])
        self.boxes[view] = box
        return box

    def _beside(self, view: View) -> list[str]:
        """The lines of text to the right of a node."""
        if view.node.is_leaf:
            return []
        value = [] if self.inside else [_value(view)]
        return [line for line in (*value, _window(view), view.note) if line]

    def _ever_beside(self, view: View) -> list[str]:
        """All lines that stand there at some step: the drawing must not jump from step to step."""
        windows = [_minus(format_window(*window)) for window in view.windows]
        return self._beside(view) + (
            [] if view.node.is_leaf else windows + view.notes + ([] if self.inside else _values(view))
        )

    def _rows(self) -> list[float]:
        """The top of every row: the further an edge runs sideways, the deeper the next row."""
        tops, row = [0.0], self.root.children
        while row:
            reach = max(abs(self.boxes[view].offset) for view in row)
            tops.append(tops[-1] + ROW + min(GAP + STEEPNESS * reach, LONGEST))
            row = [child for view in row for child in view.children]
        return tops

    def _lowest(self) -> float:
        """How far the last row reaches down."""
        last = [view for view in _walk(self.root) if len(view.path) == len(self.tops) - 1]
        notes = 14 if any(view.note or view.notes for view in last) else 0
        return max(LEAF + 20 + notes if view.node.is_leaf else self._size(view) for view in last)

    def _x(self, view: View) -> float:
        return MARGIN + self.boxes[view].x

    # 2. the drawing, layer by layer: edges, what is written on them, nodes

    def document(self, title: str, caption: str, widest: str, theme: Theme) -> str:
        legend = _legend(self.root)
        captions = max(svg.text_width(line, 12) for line in (caption, widest))
        width = max(self.width, 2 * MARGIN + max(svg.text_width(title, 17), captions, _legend_width(legend)))
        header = MARGIN + (26 if title else 0) + (18 if caption else 0)
        bottom = header + self.tops[-1] + self._lowest() + MARGIN
        height = bottom + (22 if legend else 0)
        edges = [(above, view) for above in _walk(self.root) for view in above.children]
        layers = [
            svg.group((self._edge(above, view) for above, view in edges), class_="edges"),
            svg.group((self._edge_label(above, view) for above, view in edges), class_="labels"),
            svg.group((self._node(view) for view in _walk(self.root)), class_="nodes"),
        ]
        shift = (width - self.width) / 2
        body = [svg.rect(0, 0, width, height, rx=10, class_="paper")]
        if title:
            body.append(svg.text(MARGIN, MARGIN + 8, title, class_="heading", text_anchor="start"))
        if caption:
            y = header - 16 if title else MARGIN + 4
            body.append(svg.text(MARGIN, y, _minus(caption), class_="caption", text_anchor="start"))
        move = f"translate({svg.coordinate(shift)} {svg.coordinate(header)})"
        body += [svg.group(layers, transform=move), _draw_legend(legend, bottom, self.root.phase == "done")]
        classes, name = SCOPE if theme == "auto" else f"{SCOPE} {theme}", title or "game tree"
        return svg.document(width, height, filter(None, body), stylesheet(theme), title=name, class_=classes)

    def _ends(self, above: View, view: View) -> tuple[float, float, float, float]:
        """Where an edge begins, below its parent, and ends, on top of the child."""
        top = self.tops[len(above.path)]
        size = self._size(above) * (0.9 if above.node.kind == "chance" else 0.88)
        return self._x(above), top + size, self._x(view), self.tops[len(view.path)]

    def _edge(self, above: View, view: View) -> str:
        x1, y1, x2, y2 = self._ends(above, view)
        parts = [svg.line(x1, y1, x2, y2)]
        if view.phase == "pruned":
            parts += _slashes(x1, y1, x2, y2)
        classes = ["edge", "play" if view.in_play else view.phase]
        classes += ["stub"] * bool(view.folded) + ["outcome"] * (above.node.kind == "chance")
        return svg.group(parts, class_=" ".join(classes), data_to=self._id(view))

    def _edge_label(self, above: View, view: View) -> str:
        """The move, below it the probability, on a patch of paper."""
        if not (lines := _label(view)):
            return ""
        x1, y1, x2, y2 = self._ends(above, view)
        x, y = x1 + LABEL_AT * (x2 - x1), y1 + LABEL_AT * (y2 - y1)
        half, high = self.boxes[view].label * 0.45 + 2, 14.0 * len(lines)
        parts = [svg.rect(x - half, y - high / 2, 2 * half, high, rx=4, class_="paper")]
        parts += [svg.text(x, y - high / 2 + 11 + 14 * i, line) for i, line in enumerate(lines)]
        return svg.group(parts, class_=f"label {'play' if view.in_play else view.phase}", data_to=self._id(view))

    def _node(self, view: View) -> str:
        node, x, top, size = view.node, self._x(view), self.tops[len(view.path)], self._size(view)
        if view.folded:
            stub = [svg.text(x, top + 12, _stub(view))]
            return svg.group(stub, _tooltip(view), class_=f"node stub {view.phase}", id=self._id(view))
        parts = [shape(node.kind, node.player, x, top, size)]
        if view.current:
            parts.insert(0, shape(node.kind, node.player, x, top, size, class_="halo"))
        if node.is_leaf:
            parts.append(svg.text(x, top + LEAF + 16, _value(view), class_="value") if _value(view) else "")
            parts.append(svg.text(x, top + LEAF + 30, view.note, class_="note") if view.note else "")
        else:
            parts += self._writing(view, x, top, size)
        classes = ["node", kind_class(node.kind, node.player), view.phase, *(["play"] if view.in_play else [])]
        at = node.action if len(view.path) == 1 else None  # a move from the root: what somebody clicks to play it
        attributes = {"id": self._id(view), "data_order": node.order, "data_at": at}
        return svg.group(parts, _tooltip(view), class_=" ".join(classes), **attributes)

    def _writing(self, view: View, x: float, top: float, size: float) -> Iterator[str]:
        """The text in and beside a node that is no leaf."""
        middle = top + size * {"max": 0.63, "min": 0.29}.get(kind_class(view.node.kind, view.node.player), 0.45)
        if self.inside and _value(view):
            yield svg.text(x, middle + 4.5, _value(view), class_="value")
        elif view.node.kind == "player":
            yield svg.text(x, middle + 4, f"p{view.node.player}", class_="who")
        lines = self._beside(view)
        for i, line in enumerate(lines):
            y = top + size * 0.45 + 4.5 + 14 * (i - (len(lines) - 1) / 2)
            class_ = {_window(view): "window", view.note: "note"}.get(line, "value")
            yield svg.text(x + size / 2 + 5, y, line, text_anchor="start", class_=class_)

    def _id(self, view: View) -> str:
        return "-".join([self.ids, *map(str, view.path)])


# -- what is written ---------------------------------------------------------------------------------------------------


def _walk(view: View) -> Iterator[View]:
    yield view
    for child in view.children:
        yield from _walk(child)


def _fits(view: View) -> bool:
    """Whether the value can always be written inside the node's shape."""
    widest = max(svg.text_width(value, 13) for value in _values(view))
    return view.node.kind != "player" and widest <= LARGE * 0.48


def _minus(text: str) -> str:
    """Numbers with a proper minus sign; hyphens stay."""
    return re.sub(r"(?<!\w)-(?=[\d∞])", "\u2212", text)


def _value(view: View) -> str:
    return "" if view.value is None else _written(view, view.value, view.bound)


def _values(view: View) -> list[str]:
    """What is written at this step, and at any other."""
    return [_value(view), *(_written(view, value, bound) for value, bound in view.ever)]


def _written(view: View, value: Value, bound: Bound) -> str:
    return _minus(("≈" if view.node.kind == "cutoff" else "") + format_value(value, bound))


def _window(view: View) -> str:
    return _minus(format_window(*view.window)) if view.window else ""


def _label(view: View) -> list[str]:
    """The lines on the edge to a node."""
    label = " ".join(view.node.action.split())
    probability = "" if view.node.probability is None else format_probability(view.node.probability)
    return [line for line in (label if len(label) <= 24 else label[:23] + "…", probability) if line]


def _stub(view: View) -> str:
    if view.node.pruned:
        return count(view.folded, "move")
    return f"… {view.folded:,} more"


def _tooltip(view: View) -> str:
    node = view.node
    if view.folded:
        return (
            f"{count(view.folded, 'move')} pruned: {node.pruned}"
            if node.pruned
            else f"{count(view.folded, 'node')} more"
        )
    lines = [f"player {node.player}" if node.kind == "player" else NAMES[node.kind]]
    if view.value is not None:
        lines.append(f"value {_value(view)}")
    if view.window and not node.is_leaf:
        lines.append(f"entered with {_window(view)}")
    if node.pruned:
        lines.append(f"pruned: {_minus(node.pruned)}")
    elif node.order is not None:
        lines.append(f"visited as number {node.order + 1}")
    return "\n".join(lines)


def _slashes(x1: float, y1: float, x2: float, y2: float) -> Iterator[str]:
    """Two short strokes across an edge."""
    length = hypot(x2 - x1, y2 - y1)
    along, down = (x2 - x1) / length, (y2 - y1) / length
    for at in (-2.5, 2.5):
        x, y = x1 + CUT_AT * (x2 - x1) + at * along, y1 + CUT_AT * (y2 - y1) + at * down
        dx, dy = 6.5 * (down * 0.9 + along * 0.4), 6.5 * (along * 0.9 - down * 0.4)
        yield svg.line(x - dx, y + dy, x + dx, y - dy, class_="cut")


# -- the legend --------------------------------------------------------------------------------------------------------


def _legend(root: View) -> list[tuple[str, int, str]]:
    """(kind, player, name) of everything that is drawn and has a name."""
    named = [view for view in _walk(root) if not (view.node.pruned or view.folded or view.phase == "skipped")]
    seen = {(view.node.kind, view.node.player) for view in named}
    entries = [(kind, 0, NAMES[kind]) for kind in ("max", "min", "chance", "cutoff") if any(k == kind for k, _ in seen)]
    entries += [("player", p, f"player {p}") for p in sorted({p for k, p in seen if k == "player"})]
    if any(view.node.pruned for view in _walk(root)):
        entries.append(("cut", 0, "pruned"))
    if root.in_play or root.ever:
        entries.append(("play", 0, "most visited" if root.notes else "optimal play"))
    return entries


def _legend_width(entries: list[tuple[str, int, str]]) -> float:
    return sum(svg.text_width(name, 12) + 38 for *_, name in entries)


def _draw_legend(entries: list[tuple[str, int, str]], y: float, finished: bool) -> str:
    parts, x = [], MARGIN + 7
    for kind, player, name in entries:
        if kind == "cut":
            mark = svg.group([svg.line(x - 8, y, x + 8, y), *_slashes(x - 8, y, x + 15, y)], class_="edge pruned")
        elif kind == "play":
            mark = svg.group([svg.line(x - 8, y, x + 8, y)], class_="edge play")
        else:
            size = 10.0 if kind == "cutoff" else 15.0
            mark = svg.group([shape(kind, player, x, y - size * 0.45, size)], class_=kind_class(kind, player))
        shown = "best so far" if kind == "play" and not finished else name
        parts += [mark, svg.text(x + 14, y + 4, shown, text_anchor="start")]
        x += svg.text_width(name, 12) + 38
    return svg.group(parts, class_="legend") if parts else ""
