"""How the page of analysis looks: rows, tables, and the drawing in the dark."""

from zermelo.drawing.tree.style import SCOPE, stylesheet

STYLE = """
.za-grid { display: grid; grid-template-columns: minmax(290px, 380px) minmax(0, 1fr); gap: 14px; width: 100% }
.za-left, .za-right { display: flex; flex-direction: column; gap: 14px; min-width: 0 }
@media (max-width: 860px) {
  .za-grid { grid-template-columns: minmax(0, 1fr) }
  .za-drawing { display: none !important }
  .za-inline { display: block !important }
}
.za-tree { font-size: 14px; line-height: 1.3 }
.za-row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; padding: 4px 6px; border-radius: 6px;
  padding-left: calc(6px + var(--ply) * 20px); cursor: pointer; outline-offset: -2px }
@media (max-width: 500px) { .za-row { padding-left: calc(4px + var(--ply) * 11px); gap: 2px 7px } }
@media (max-width: 500px) { .za-table .share { display: none } }
.za-row:hover, .za-table tr[data-move]:hover { background: color-mix(in srgb, var(--accent) 9%, transparent) }
.za-row.on, .za-table tr.on { background: color-mix(in srgb, var(--accent) 17%, transparent) }
.za-twist { width: 12px; color: var(--muted); flex: none }
.za-move { min-width: 34px; overflow-wrap: anywhere } .za-line .za-move, .za-line .za-value { font-weight: 700 }
.za-kind { flex: none }
.za-kind.max { color: #c5352b } .za-kind.min { color: #2257b0 } .za-kind.chance { color: #ad7a08 }
body.body--dark .za-kind.max { color: #ff8f85 } body.body--dark .za-kind.min { color: #86b4ff }
body.body--dark .za-kind.chance { color: #f2c14e }
.za-value { font-variant-numeric: tabular-nums; white-space: nowrap }
.za-extra { color: var(--muted); font-size: 12.5px; white-space: nowrap; font-variant-numeric: tabular-nums }
.za-cut .za-move { text-decoration: line-through; color: var(--muted) }
.za-why { color: var(--muted); font-size: 12.5px; flex-basis: 100%; padding-left: 22px }
.za-row .za-why { flex-basis: auto; padding-left: 0 }
.za-link { color: var(--accent); font-size: 13px } .za-note { cursor: default; color: var(--muted); font-size: 12.5px }
.za-planes { display: flex; flex-wrap: wrap; gap: 10px } .za-planes figure { margin: 0; text-align: center }
.za-planes figcaption { color: var(--muted); font-size: 12px } .za-planes .none { fill: var(--line) }
.za-planes .some { fill: var(--accent) } .za-planes .less { fill: #c5352b }
.za-bar { display: inline-block; height: 7px; border-radius: 3px; background: var(--accent);
  opacity: .6; max-width: 90px }
.za-table { border-collapse: collapse; width: 100%; font-size: 14px }
.za-table th { text-align: left; font-weight: 600; color: var(--muted); font-size: 12.5px; white-space: nowrap }
.za-table th, .za-table td { padding: 4px 8px; border-bottom: 1px solid var(--line); vertical-align: baseline }
.za-table tr[data-move] { cursor: pointer }
.za-table .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.za-table td.line { width: 100%; color: var(--muted); font-size: 13px; overflow-wrap: anywhere }
.za-table tr.best td:not(.line) { font-weight: 700 }
.za-table td.name { min-width: 4.5em }
.za-star { color: var(--accent); font-size: 11px }
.za-tall { max-height: 340px; overflow: auto }
.za-board svg { max-height: 300px } .za-status { min-height: 2.6em; overflow-wrap: anywhere }
.za-drawing svg { width: 100%; max-width: var(--width); min-width: calc(var(--width) * .62); height: auto }
.za-inline { display: none; max-width: 230px; padding: 4px; margin-left: 24px }
.za-inline svg { max-height: 210px }
body .za-drawing.z-card .zermelo-tree .paper { fill: var(--card) }
.za-right { scroll-margin-top: 76px }
.za-table td.after { white-space: nowrap } .za-folded .z-scroll { width: 100% }
.za-folded { padding: 4px }
.za-big { font-size: 18px; font-weight: 700 }
"""

# The drawing follows the switch of the page, not that of the system.
DARK = stylesheet("dark").replace(f".{SCOPE}.dark", f"body.body--dark .{SCOPE}")
