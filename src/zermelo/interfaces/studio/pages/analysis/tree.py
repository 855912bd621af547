"""The tree on the page: what is known of it, what is open, and which rows are to be seen. No page in here.

    outline = Outline(answer["tree"])          only the root is open
    outline.toggle("r.0")                      open or close; a path is r for the root, then the numbers of children
    outline.graft("r.0.2", branch, "…")        what a further search found below a node
    outline.rows()                             what to show, at most ROWS rows
    outline.drawn()                            the same as a tree for zermelo.drawing.tree.drawing.draw

A node shows FEW of its children at first and more on request, so that no position is too wide to be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from zermelo.core.game import GameError
from zermelo.core.trace import Bound, Kind, Node, Value
from zermelo.drawing.tree.drawing import draw
from zermelo.interfaces.studio.pages.analysis.tree_json import Json

ROOT = "r"
FEW, STEP = 12, 24  # children shown at first, and so many more each time
ROWS = 200  # of the outline
DRAWN = 150  # nodes of the drawing
MOST_KEPT = 60_000  # nodes of one page
LONGEST_PATH = 120  # plies
KINDS = ("max", "min", "chance", "player", "end", "cutoff")


@dataclass(eq=False)
class Branch:
    """One node; the fields are those of tree_json.py."""

    move: str
    kind: Kind
    player: int
    value: Value | None = None
    bound: str = "exact"
    depth: int | None = None
    asked: Json | None = None
    proven: bool = False
    distance: int | None = None
    distance_exact: bool = False
    window: tuple[float | None, float | None] | None = None
    visits: int | None = None
    probability: float | None = None
    pruned: str = ""
    best: bool = False
    legal: int | None = None
    cut: int = 0
    children: list[Branch] = field(default_factory=list)
    is_open: bool = False
    shown: int = FEW
    note: str = ""  # where its children come from, if not from the first search

    @classmethod
    def of(cls, sent: Json) -> Branch:
        made = cls(**{key: value for key, value in sent.items() if key != "children"})
        if isinstance(made.value, list):
            made.value = tuple(made.value)
        if isinstance(made.window, list):
            made.window = (made.window[0], made.window[1])
        made.children = [cls.of(child) for child in sent["children"]]
        return made

    @property
    def is_end(self) -> bool:
        return self.kind == "end" or self.legal == 0

    @property
    def missing(self) -> int:
        """How many of its moves nothing was kept of."""
        return 0 if self.legal is None else max(self.legal - len(self.children) - self.cut, 0)

    def size(self) -> int:
        return 1 + sum(child.size() for child in self.children)


@dataclass(frozen=True)
class Row:
    """One line of the outline. What a click on it does: node: open or close; more: show more; again: search there."""

    what: Literal["node", "more", "cut", "again", "note"]
    path: str
    ply: int
    branch: Branch  # a node's own; else that of the node it stands below
    count: int = 0


class Outline:
    """One tree and what is open in it."""

    def __init__(self, sent: Json):
        self.root = Branch.of(sent)
        self.root.is_open = True
        self.kept = self.root.size()

    # -- finding -------------------------------------------------------------------------------------------------------

    def at(self, path: object) -> Branch:
        return self.way(path)[-1]

    def way(self, path: object) -> list[Branch]:
        """The nodes from the root to the one at `path`; a GameError where there is none."""
        way = [self.root]
        for number in _numbers(path):
            if number >= len(way[-1].children):
                raise GameError("there is no such node in this tree any more")
            way.append(way[-1].children[number])
        return way

    def moves_to(self, path: object) -> list[str]:
        return [branch.move for branch in self.way(path)[1:]]

    def plies_to(self, path: object) -> int:
        """How much depth the way there costs: nature's turns cost nothing."""
        return sum(branch.kind != "chance" for branch in self.way(path)[:-1])

    def rest_of_search(self, path: object, depth: int) -> dict[str, object] | None:
        """What was left to do at a node of a textbook's search `depth` plies deep: the depth and the window there.

        None where that search did not go on below the node.
        """
        branch, left = self.at(path), depth - self.plies_to(path)
        if left <= 0 or branch.kind == "cutoff" or branch.pruned or branch.window is None:
            return None
        return {"depth": left, "window": list(branch.window)}

    def path_of(self, move: object) -> str | None:
        """The root move of this name."""
        for number, child in enumerate(self.root.children):
            if child.move == move:
                return f"{ROOT}.{number}"
        return None

    # -- changing ------------------------------------------------------------------------------------------------------

    def toggle(self, path: object) -> bool:
        """Open or close a node; False where nothing is known below it, so that somebody would have to search."""
        branch = self.at(path)
        if branch.is_end:
            return True
        if not branch.children:
            return False
        branch.is_open = not branch.is_open
        return True

    def reveal(self, path: object) -> bool:
        """Open everything above a node, and the node itself; False as in `toggle`."""
        way, numbers = self.way(path), _numbers(path)
        for branch, number in zip(way, numbers, strict=False):
            branch.is_open, branch.shown = True, max(branch.shown, number + 1)
        way[-1].is_open = bool(way[-1].children)
        return way[-1].is_end or way[-1].is_open

    def more(self, path: object) -> None:
        self.at(path).shown += STEP

    def fold(self) -> None:
        """Close everything but the root."""
        for branch in _walk(self.root):
            branch.is_open, branch.shown = branch is self.root, FEW

    def graft(self, path: object, found: Branch, note: str) -> None:
        """Put what another search found below a node there; the node keeps the value that the first search gave it."""
        branch = self.at(path)
        kept = self.kept - branch.size() + found.size()
        if kept > MOST_KEPT:
            raise GameError("this tree is as large as a page can hold: begin a new search further down")
        self.kept = kept
        above = self.plies_to(path)
        for below in _walk(found):
            below.depth = None if below.depth is None else below.depth + above
        branch.children, branch.legal, branch.cut = found.children, found.legal, found.cut
        branch.is_open, branch.shown, branch.note = True, FEW, note
        if branch.kind == "cutoff":
            branch.kind = found.kind

    # -- showing -------------------------------------------------------------------------------------------------------

    def rows(self, most: int = ROWS) -> tuple[list[Row], bool]:
        """(the rows to show, whether these are all)."""
        rows: list[Row] = []
        for row in self._rows(self.root, ROOT, 0):
            if len(rows) == most:
                return rows, False
            rows.append(row)
        return rows, True

    def _rows(self, branch: Branch, path: str, ply: int) -> Iterator[Row]:
        yield Row("node", path, ply, branch)
        if not branch.is_open:
            return
        if branch.note:
            yield Row("note", path, ply + 1, branch)
        for number, child in enumerate(branch.children[: branch.shown]):
            yield from self._rows(child, f"{path}.{number}", ply + 1)
        if len(branch.children) > branch.shown:
            yield Row("more", path, ply + 1, branch, len(branch.children) - branch.shown)
        elif branch.cut:
            yield Row("cut", path, ply + 1, branch, branch.cut)
        if branch.missing and branch.children:
            yield Row("again", path, ply + 1, branch, branch.missing)

    def drawn(self) -> Node:
        """What is open, as a tree to be drawn; the number of a child in the drawing is its number here."""
        return _node(self.root, True)


def draw_outline(outline: Outline) -> str:
    """The open part as SVG, as wide as it wants to be."""
    svg = draw(outline.drawn(), max_nodes=DRAWN, theme="light").svg
    width = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ', svg)
    return f'<div style="--width: {width[1]}px">{svg}</div>' if width else svg


def _node(branch: Branch, in_play: bool) -> Node:
    bounds: dict[str, Bound] = {"lower": "lower", "upper": "upper"}
    action = branch.move if branch.visits is None else f"{branch.move} ×{branch.visits:,}".strip()
    node = Node(branch.kind, None, branch.player, action, branch.probability)
    node.value, node.bound, node.pruned = branch.value, bounds.get(branch.bound, "exact"), branch.pruned
    if branch.window is not None:
        low, high = branch.window
        node.alpha = float("-inf") if low is None else low
        node.beta = float("inf") if high is None else high
    if branch.is_open:
        for child in branch.children[: branch.shown]:
            below = _node(child, in_play and child.best)
            node.children.append(below)
            if child.best and in_play:
                node.best = below
    return node


def _walk(branch: Branch) -> Iterator[Branch]:
    yield branch
    for child in branch.children:
        yield from _walk(child)


def drawn_name(path: str) -> str:
    """What the node at `path` is called in the drawing."""
    return "n" + path[len(ROOT) :].replace(".", "-")


def drawn_path(name: object) -> str:
    """The path of a node that is called n, n-0, n-0-3 … in the drawing."""
    if not isinstance(name, str) or not name.startswith("n"):
        raise GameError("this is no node of the tree")
    return ROOT + name[1:].replace("-", ".")


def _numbers(path: object) -> list[int]:
    if not isinstance(path, str) or len(path) > 5 * LONGEST_PATH or not re.fullmatch(r"r(\.\d{1,4})*", path):
        raise GameError("this is no node of the tree")
    numbers = [int(word) for word in path.split(".")[1:]]
    if len(numbers) > LONGEST_PATH:
        raise GameError("this is too deep")
    return numbers
