"""SVG, written by hand: a dozen functions that return strings, for boards and trees alike.

    body = [rect(0, 0, 40, 40, class_="square"), circle(20, 20, 14, class_="disc"), text(20, 25, "K")]
    picture = document(40, 40, body, style=".square { fill: #eee }", title="a king")

Attributes are keyword arguments: `class_` is class, `stroke_width` is stroke-width, and None leaves one out. What is
text is escaped here and nowhere else. x grows to the right, y downwards; the viewBox makes every picture scalable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Attribute = str | float | int | None
Point = tuple[float, float]

FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot hold at all
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_NARROW, _WIDE = set(" .,:;'|!iljft()[]/"), set("mwMW@%∞…")


def escape(content: object) -> str:
    """Any text, safe inside an element or an attribute."""
    return _NOT_XML.sub("\ufffd", str(content)).translate(_ENTITIES)


def coordinate(x: float) -> str:
    """A length with at most two decimals: 12, 7.5, 0.33."""
    return f"{round(x, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def text_width(content: str, size: float = 13) -> float:
    """About how wide `content` is at font size `size`, rather too wide than too narrow."""
    ems = sum(0.36 if c in _NARROW else 0.95 if c in _WIDE or ord(c) > 0x2E7F else 0.64 for c in content)
    return ems * size


def element(tag: str, content: str | None = None, **attributes: Attribute) -> str:
    """One element around `content`, which is SVG already."""
    shown = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{coordinate(value) if isinstance(value, float) else escape(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{shown}/>" if content is None else f"<{tag}{shown}>{content}</{tag}>"


def rect(x: float, y: float, width: float, height: float, **attributes: Attribute) -> str:
    return element("rect", None, x=float(x), y=float(y), width=float(width), height=float(height), **attributes)


def circle(x: float, y: float, radius: float, **attributes: Attribute) -> str:
    return element("circle", None, cx=float(x), cy=float(y), r=float(radius), **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: Attribute) -> str:
    return element("line", None, x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), **attributes)


def polygon(points: Iterable[Point], **attributes: Attribute) -> str:
    corners = " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in points)
    return element("polygon", None, points=corners, **attributes)


def path(d: str, **attributes: Attribute) -> str:
    return element("path", None, d=d, **attributes)


def text(x: float, y: float, content: object, **attributes: Attribute) -> str:
    """Text whose baseline is at y, centred on x unless text_anchor says otherwise."""
    return element("text", escape(content), x=float(x), y=float(y), **{"text_anchor": "middle", **attributes})


def group(parts: Iterable[str], tooltip: str = "", **attributes: Attribute) -> str:
    """<g> around `parts`; `tooltip` is what a browser shows under the pointer."""
    title = element("title", escape(tooltip)) if tooltip else ""
    return element("g", title + "".join(parts), **attributes)


def arrow_marker(name: str, size: float = 6, **attributes: Attribute) -> str:
    """An arrow head for `marker_end="url(#name)"`; belongs anywhere in the body."""
    head = polygon([(0, 0), (10, 5), (0, 10)], **attributes)
    marker = element(
        "marker", head, id=name, viewBox="0 0 10 10", refX=9, refY=5, markerWidth=size, markerHeight=size, orient="auto"
    )
    return element("defs", marker)


def document(
    width: float,
    height: float,
    body: str | Iterable[str],
    style: str = "",
    *,
    title: str = "",
    class_: str | None = None,
    **attributes: Attribute,
) -> str:
    """The whole picture, ready to be a file or to stand inside a page.

    A <style> inside a page holds for the whole page: begin its selectors with `.{class_}`.
    """
    inner = body if isinstance(body, str) else "\n".join(body)
    css = style.replace("&", "&amp;").replace("<", "&lt;")
    head = (element("title", escape(title)) + "\n" if title else "") + (element("style", css) + "\n" if style else "")
    return element(
        "svg",
        f"\n{head}{inner}\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {coordinate(width)} {coordinate(height)}",
        width=float(width),
        height=float(height),
        class_=class_,
        role="img",
        font_family=FONT,
        aria_label=title or None,
        **attributes,
    )
