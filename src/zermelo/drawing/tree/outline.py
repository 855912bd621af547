"""A tree for a terminal: one line a node, the moves down the left, optimal play in heavy lines and starred.

    ▲ 1  [-∞, ∞]  ★
    ├─ A ▼ -50  [-∞, ∞]
    │  ├─ a ■ -50
    │  └─ b ■ 50
    ┝━ B ▼ 1  [-50, ∞]  ★
    │  ┝━ a ■ 1  ★
    │  └─ b ■ 3
    └─ C ▼ ≤-5  [1, ∞]
       ├─ a ■ -5
       └─ b ✂ α-cut: -5 ≤ α = 1

Hollow signs (△ ▽ ○ □) are nodes nobody visited; a ◂ marks the node of the last step.
"""

from __future__ import annotations

from zermelo.core.words import count
from zermelo.drawing.numbers import format_probability, format_value, format_window
from zermelo.drawing.tree.view import View

SIGNS = {"max": "▲△", "min": "▼▽", "chance": "●○", "end": "■□", "cutoff": "□□"}  # visited, not visited
PLAYER_SIGNS = ("▲△", "▼▽", "◆◇", "⬟⬠", "⬢⬡")
LEGEND = {"max": "▲ MAX", "min": "▼ MIN", "chance": "● chance", "cutoff": "□ depth limit"}
CUT, PLAY = "✂ pruned", "★ optimal play"


def outline(view: View, *, legend: bool = True) -> str:
    """The view and everything below it, line by line; then what the signs in it mean."""
    lines = [_line(view)]
    seen = _below(view, "", lines) | _signs_of(view)
    if legend and seen:
        play = PLAY if view.phase == "done" else "★ best so far"
        lines += ["", "   ".join(sign for sign in (*LEGEND.values(), CUT, PLAY) if sign in seen).replace(PLAY, play)]
    return "\n".join(lines)


def _below(view: View, indent: str, lines: list[str]) -> set[str]:
    """Write the lines below `view`; what a legend has to explain."""
    seen: set[str] = set()
    for i, child in enumerate(view.children):
        last = i == len(view.children) - 1
        stroke = ("┕━" if last else "┝━") if child.in_play else ("└─" if last else "├─")
        lines.append(f"{indent}{stroke} {_line(child)}")
        seen |= _signs_of(child) | _below(child, indent + ("   " if last else "│  "), lines)
    return seen


def _signs_of(view: View) -> set[str]:
    if view.phase == "pruned":
        return {CUT}
    signs = set() if view.folded else {LEGEND.get(view.node.kind, "")} - {""}
    return signs | ({PLAY} if view.in_play else set())


def _line(view: View) -> str:
    node = view.node
    if view.folded:
        cut = view.phase == "pruned"
        return f"✂ {count(view.folded, 'move')}  {_one_line(node.pruned)}" if cut else f"… {view.folded:,} more"
    chance = "" if node.probability is None else f"({format_probability(node.probability)})"
    value = "" if view.value is None else format_value(view.value, view.bound)
    parts = [_one_line(node.action), chance, _sign(view), "≈" + value if value and node.kind == "cutoff" else value]
    notes = [
        format_window(*view.window) if view.window and not node.is_leaf else "",
        _one_line(node.pruned) if view.phase == "pruned" else "",
        "★" if view.in_play else "",
        "◂" if view.current else "",
    ]
    return "  ".join([" ".join(filter(None, parts)), *filter(None, notes)])


def _sign(view: View) -> str:
    node = view.node
    if view.phase == "pruned" and view.value is None and not view.children:
        return "✂"  # cut unseen: nobody knows what kind of node it would have been
    if node.kind == "player":
        sign = f"{PLAYER_SIGNS[node.player % len(PLAYER_SIGNS)][view.unseen]} p{node.player}"
    else:
        sign = SIGNS[node.kind][view.unseen]
    return f"✂ {sign}" if view.phase == "pruned" else sign


def _one_line(text: str) -> str:
    return " ".join(text.split())
