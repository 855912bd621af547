"""How the lecture page looks: its style, the pseudo-code as HTML, and the small scripts that run in the browser."""

from __future__ import annotations

import json
import re

from zermelo.core.words import count
from zermelo.drawing.svg import escape
from zermelo.drawing.tree.style import SCOPE, stylesheet
from zermelo.interfaces.studio.pages.lecture.code import Line
from zermelo.interfaces.studio.pages.lecture.lesson import Counts
from zermelo.interfaces.studio.pages.lecture.trees import ORDERS, Path

STYLE = """
.lecture-tree { min-height: 220px; padding-bottom: 4px; width: 100% }
.lecture-tree svg { display: block; margin: 0 auto; height: auto;
  width: clamp(calc(var(--w) * 0.78), 100%, calc(var(--w) * 1.45)); max-width: none }
.lecture-tree.fit svg { width: 100% }
.lecture-tree .paper { fill: var(--card) !important }
.lecture-tree g.node, .lecture-tree g.edge, .lecture-tree g.label { cursor: pointer }
.lecture-tree g.edge line:first-child { pointer-events: stroke }
.lecture-code { font-size: 12.5px; line-height: 1.55; overflow-x: auto; white-space: pre; margin: 0 }
.lecture-code div { padding: 0 8px; border-left: 3px solid transparent; min-width: max-content }
.lecture-code div.lit { background: color-mix(in srgb, #ffb400 30%, transparent); border-left-color: #e09600 }
.lecture-says { min-height: 3.1em; line-height: 1.5 }
.lecture-count { font-variant-numeric: tabular-nums }
.lecture-orders { border-collapse: collapse; width: 100%; font-size: 14px }
.lecture-orders td { padding: 2px 6px 2px 0; font-variant-numeric: tabular-nums }
.lecture-orders tr.on { font-weight: 600 }
.lecture-orders .bar { display: inline-block; height: 9px; border-radius: 2px; background: var(--accent) }
.lecture-question { background: color-mix(in srgb, var(--accent) 10%, transparent); border-radius: 8px; padding: 10px }
"""

CLICKED = """(event) => {
  const part = event.target.closest('g.node, g.edge, g.label');
  if (part) emit(part.id || part.dataset.to || '');
}"""

IS_DARK = "document.body.classList.contains('body--dark')"

# A wide tree scrolls: keep what the step is about in sight.
FOLLOW = """
requestAnimationFrame(() => {
  const halo = document.querySelector('.lecture-tree .halo'), box = document.querySelector('.lecture-tree');
  if (!halo || !box || box.scrollWidth <= box.clientWidth) return;
  const at = halo.getBoundingClientRect(), seen = box.getBoundingClientRect();
  if (at.left < seen.left + 30 || at.right > seen.right - 60)
    box.scrollTo({left: box.scrollLeft + at.left - seen.left - seen.width / 2, behavior: 'smooth'});
});
"""

PNG = """
(() => {
  const svg = %(svg)s, scale = 2;
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(image.width * scale); canvas.height = Math.ceil(image.height * scale);
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob); link.download = %(name)s;
      window.lecturePng = {size: blob.size, width: canvas.width, height: canvas.height};
      link.click(); setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }, 'image/png');
  };
  image.src = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
})();
"""


def dark_style() -> str:
    """The drawing's dark colours, for the page's own switch: drawings are made light and turned by the page."""
    return stylesheet("dark").replace(f".{SCOPE}.dark", f"body.body--dark .{SCOPE}.light")


def png_script(svg: str, name: str) -> str:
    """Draws an SVG on a canvas, twice as large, and downloads it."""
    return PNG % {"svg": json.dumps(svg), "name": json.dumps(name)}


def code_html(lines: list[Line], lit: list[int]) -> str:
    rows = (
        f"<div{' class=lit data-testid=lecture-lit' if i in lit else ''}>{escape(text)}</div>"
        for i, (_, text) in enumerate(lines)
    )
    return f'<pre class="lecture-code z-mono">{"".join(rows)}</pre>'


def width_of(svg: str) -> int:
    """How wide a drawing is by itself, in pixels."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ', svg)
    return round(float(found[1])) if found else 600


def selected_style(path: Path | None) -> str:
    """What marks the node somebody clicked."""
    if path is None:
        return ""
    name = "-".join(["n", *map(str, path)])
    return f"<style>#{name} .shape {{ stroke: var(--accent) !important; stroke-width: 4px !important }}</style>"


def counts_text(counts: Counts, leaves: int) -> str:
    if counts.rounds is not None:
        tree = f"{count(counts.nodes, 'node')} in its tree"
        return f"round {counts.rounds} · {tree} · {counts.leaves} of {leaves} leaves seen"
    said = f"{count(counts.nodes, 'node')} entered · {counts.leaves} of {leaves} leaves looked at"
    return said + (f" · {count(counts.cut, 'leaf', 'leaves')} cut" if counts.cut else "")


def orders_html(counted: dict[str, int], leaves: int, chosen: str) -> str:
    rows = "".join(
        f"<tr{' class=on' if order == chosen else ''}><td>{escape(ORDERS[order])}</td>"
        f'<td data-testid="lecture-order-{order}">{n}</td>'
        f'<td style="width: 45%"><span class="bar" style="width: {100 * n / leaves:.0f}%"></span></td></tr>'
        for order, n in counted.items()
    )
    return f'<table class="lecture-orders">{rows}</table>'
