"""Drawings of game trees and of searches, for a terminal and as SVG.

    tree = draw(trace)             a search: values, bounds, windows, what was pruned, optimal play
    tree = draw(game_tree(game))   a small game, before anybody searched it
    print(tree)                    the same as tree.text
    tree.save("tree.svg")          tree.svg; a notebook shows it by itself

`draw(trace, upto=k)` is the search after k of its steps, and `draw(trace, game=game)` shows in grey what lies below the
branches it pruned. The work is done in `tree_view` (what is seen), `tree_layout` (where), `tree_outline` (as text) and
`tree_picture` (as SVG).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from zermelo.core.files import write_atomically
from zermelo.core.game import Game, GameError
from zermelo.core.trace import Node, Step, Trace
from zermelo.drawing.numbers import format_value, format_window
from zermelo.drawing.tree.outline import outline
from zermelo.drawing.tree.picture import picture
from zermelo.drawing.tree.style import Theme
from zermelo.drawing.tree.view import View, game_tree, view_tree

__all__ = ["TreeDrawing", "draw", "game_tree", "step_text", "tree_svg", "tree_text"]


def draw(
    tree: Node | Trace,
    *,
    title: str = "",
    upto: int | None = None,
    game: Game[Any, Any] | None = None,
    max_nodes: int = 400,
    theme: Theme = "auto",
    ids: str = "n",
) -> TreeDrawing:
    """A drawing of a search or of a tree.

    upto       draw a trace as it stood after so many of its steps
    game       draw, in grey, what a search pruned without looking at it
    max_nodes  what does not fit is folded into "… n more"
    theme      "auto" follows the reader's system, "light" and "dark" do not
    ids        what the ids in the SVG begin with, where a page holds several
    """
    view = view_tree(tree, upto=upto, game=game, max_nodes=max_nodes)
    if upto is None or not isinstance(tree, Trace):
        return TreeDrawing(view, title, theme=theme, ids=ids)
    captions = [_caption(tree, k) for k in range(len(tree.steps) + 1)]
    return TreeDrawing(view, title, captions[upto], max(captions, key=len), theme, ids)


def tree_text(tree: Node | Trace, *, legend: bool = True, **options: Any) -> str:
    """The drawing for a terminal; the options are those of `draw`."""
    return outline(draw(tree, **options).view, legend=legend)


def tree_svg(tree: Node | Trace, title: str = "", **options: Any) -> str:
    """The drawing as SVG; the options are those of `draw`."""
    return draw(tree, title=title, **options).svg


@dataclass(frozen=True)
class TreeDrawing:
    """A tree ready to be shown: `text`, `svg`, `save(path)`; notebooks show the SVG, print() the text."""

    view: View
    title: str = ""
    caption: str = ""
    widest: str = ""  # of the captions of all steps, so that the drawing is as wide at each
    theme: Theme = "auto"
    ids: str = "n"

    @cached_property
    def text(self) -> str:
        return "\n".join(filter(None, (self.title, self.caption, outline(self.view))))

    @cached_property
    def svg(self) -> str:
        return picture(
            self.view, title=self.title, caption=self.caption, widest=self.widest, theme=self.theme, ids=self.ids
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the SVG; a file already there is replaced whole or not at all."""
        target = Path(path)
        if target.suffix.lower() != ".svg":
            raise GameError(f"a tree is saved as .svg, not as '{target.name}'")
        write_atomically(target, f"{self.svg}\n".encode())
        return target

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


# -- one step, in words ------------------------------------------------------------------------------------------------


def _caption(trace: Trace, k: int) -> str:
    return f"step {k} of {len(trace.steps)}" + (f": {step_text(trace, k)}" if k else "")


def step_text(trace: Trace, k: int) -> str:
    """What the k-th step (from 1) of a search was, in a few words."""
    step = trace.steps[k - 1]
    where = _where(step.node)
    if step.event == "enter":
        window = _step_window(step)
        return f"enter {where}" + (f" with {window}" if window else "")
    if step.event == "prune":
        return f"prune {step.child.action if step.child else ''} below {where}: {step.note}"
    if step.event == "leave":
        return f"leave {where} with {format_value(step.value, step.node.bound)}" if step.value is not None else where
    value = "" if step.value is None else f" now has {format_value(step.value)}"
    window = _step_window(step)
    return f"{where}{value}" + (f" and {window}" if window else "")


def _where(node: Node) -> str:
    return node.action or "the root"


def _step_window(step: Step) -> str:
    return "" if step.alpha is None or step.beta is None else format_window(step.alpha, step.beta)
