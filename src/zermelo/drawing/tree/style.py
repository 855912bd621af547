"""How a tree looks: the shape of each kind of node, and the colours, in light and in dark.

    ▲ MAX   ▼ MIN   ● chance   ■ end   □ depth limit   ◆ ⬟ ⬢ further players of max^n

Every colour is said twice, plainly for light and inside `prefers-color-scheme: dark`, because converters of SVG know
neither custom properties nor media queries and then show the light one.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Literal

from zermelo.drawing.svg import Point, circle, polygon, rect

Theme = Literal["auto", "light", "dark"]

SCOPE = "zermelo-tree"

LAYOUT = """
text { fill: INK; font-size: 13px }
.paper { fill: PAPER }
.heading { font-size: 16px; font-weight: 600 }
.caption, .legend text { font-size: 12px; fill: MUTED }
.shape { stroke-width: 1.6px; stroke-linejoin: round }
.value { font-weight: 600 }
.who { font-size: 11px; font-weight: 600 }
.window, .note { font-size: 11px; fill: MUTED }
.edge line { stroke: EDGE; stroke-width: 1.4px; stroke-linecap: round }
.edge.play line { stroke: INK; stroke-width: 3.4px }
.edge.play.outcome line { stroke-width: 2.4px }
.play .shape { stroke-width: 2.8px }
.label text { font-size: 12px; fill: MUTED }
.label.play text { fill: INK; font-weight: 600 }
.edge.pruned line, .edge.skipped line, .edge.ahead line { stroke: FAINT }
.edge.stub line { stroke: FAINT; stroke-dasharray: 2 4 }
.edge.pruned .cut { stroke: CUT; stroke-width: 2px; stroke-dasharray: none }
.stub text { font-size: 11px; fill: MUTED; font-style: italic }
.ahead .shape, .pruned .shape, .skipped .shape { fill: PAPER; stroke: FAINT }
.pruned text, .skipped text, .label.pruned text, .label.skipped text, .label.ahead text { fill: DIM }
.halo { fill: HALO; stroke: HALO; stroke-width: 11px; stroke-linejoin: round }
"""

COLOURS = {  # name: (light, dark)
    "INK": ("#1d2330", "#e9ecf2"),
    "PAPER": ("#ffffff", "#15181e"),
    "MUTED": ("#5d6676", "#a3adbd"),
    "EDGE": ("#97a0b0", "#6d7787"),
    "FAINT": ("#cfd5df", "#3d4553"),
    "DIM": ("#a4adbb", "#667083"),
    "CUT": ("#c2410c", "#fb923c"),
    "HALO": ("#ffd257", "#a87b12"),
}

FILLS = {  # kind: (fill, stroke) in light, (fill, stroke) in dark
    "max": (("#fde3e1", "#c5352b"), ("#4b1f1d", "#ff8f85")),
    "min": (("#dde9fc", "#2257b0"), ("#1b2f52", "#86b4ff")),
    "chance": (("#fdf0cd", "#ad7a08"), ("#453511", "#f2c14e")),
    "end": (("#4a5365", "#4a5365"), ("#a3adbd", "#a3adbd")),
    "cutoff": (("#ffffff", "#4a5365"), ("#15181e", "#a3adbd")),
    "p2": (("#dcf3e3", "#1c8148"), ("#163a26", "#6fd69a")),
    "p3": (("#ece2fb", "#7138bb"), ("#33214f", "#c39bff")),
    "p4": (("#d7f1f2", "#0f7680"), ("#123a3e", "#67d3dc")),
    "p5": (("#f9e1f0", "#aa2a7a"), ("#472038", "#f58fca")),
}


def stylesheet(theme: Theme = "auto") -> str:
    if theme == "auto":
        return f"{_rules(0)}@media (prefers-color-scheme: dark) {{\n{_rules(1)}}}\n"
    return _rules(("light", "dark").index(theme), f"{SCOPE}.{theme}")


def _rules(shade: int, scope: str = SCOPE) -> str:
    """The rules with one set of colours; each selector begins with the drawing's class, to leave a page alone."""
    rules = [f".{kind} .shape {{ fill: {pair[shade][0]}; stroke: {pair[shade][1]} }}" for kind, pair in FILLS.items()]
    for rule in LAYOUT.strip().splitlines():
        for name, colours in COLOURS.items():
            rule = rule.replace(f"{name} ", f"{colours[shade]} ").replace(f"{name};", f"{colours[shade]};")
        rules.append(rule)
    return "".join(f"{_scoped(rule, scope)}\n" for rule in rules)


def _scoped(rule: str, scope: str) -> str:
    selectors, declarations = rule.split("{", 1)
    return ", ".join(f".{scope} {selector.strip()}" for selector in selectors.split(",")) + " {" + declarations


# -- shapes ------------------------------------------------------------------------------------------------------------


def kind_class(kind: str, player: int) -> str:
    """The class that colours a node: p0 looks like max and p1 like min."""
    return (("max", "min", "p2", "p3", "p4", "p5")[player % 6]) if kind == "player" else kind


def shape(kind: str, player: int, x: float, top: float, size: float, class_: str = "shape") -> str:
    """The shape of a node hanging from (x, top), `size` wide and at most as high."""
    half = size / 2
    name = kind_class(kind, player)
    if name in ("end", "cutoff"):
        return rect(x - half, top, size, size, rx=1.5, class_=class_)
    if name == "chance":
        return circle(x, top + half * 0.9, half * 0.9, class_=class_)
    return polygon(outline_of(name, x, top, size), class_=class_)


def outline_of(name: str, x: float, top: float, size: float) -> list[Point]:
    """The corners of a player's shape."""
    half, high = size / 2, size * 0.88
    if name == "max":
        return [(x, top), (x + half, top + high), (x - half, top + high)]
    if name == "min":
        return [(x - half, top), (x + half, top), (x, top + high)]
    sides = {"p2": 4, "p3": 5, "p4": 6, "p5": 8}[name]
    radius, middle = high / 2, top + high / 2
    turns = [2 * pi * i / sides - pi / 2 for i in range(sides)]
    return [(x + radius * 1.08 * cos(turn), middle + radius * sin(turn)) for turn in turns]
