"""How the page that looks inside looks: rows, tables, and the drawing in the dark."""

from zermelo.drawing.tree.style import SCOPE, stylesheet

STYLE = """
.zi-grid { display: grid; grid-template-columns: minmax(290px, 380px) minmax(0, 1fr); gap: 14px; width: 100% }
.zi-left, .zi-right { display: flex; flex-direction: column; gap: 14px; min-width: 0 }
@media (max-width: 860px) {
  .zi-grid { grid-template-columns: minmax(0, 1fr) }
  .zi-drawing { display: none !important }
  .zi-inline { display: block !important }
}
.zi-tree { font-size: 14px; line-height: 1.3 }
.zi-row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; padding: 4px 6px; border-radius: 6px;
  padding-left: calc(6px + var(--ply) * 20px); cursor: pointer; outline-offset: -2px }
@media (max-width: 500px) { .zi-row { padding-left: calc(4px + var(--ply) * 11px); gap: 2px 7px } }
@media (max-width: 500px) { .zi-table .share { display: none } }
.zi-row:hover, .zi-table tr[data-move]:hover { background: color-mix(in srgb, var(--accent) 9%, transparent) }
.zi-row.on, .zi-table tr.on { background: color-mix(in srgb, var(--accent) 17%, transparent) }
.zi-twist { width: 12px; color: var(--muted); flex: none }
.zi-move { min-width: 34px; overflow-wrap: anywhere } .zi-line .zi-move, .zi-line .zi-value { font-weight: 700 }
.zi-kind { flex: none }
.zi-kind.max { color: #c5352b } .zi-kind.min { color: #2257b0 } .zi-kind.chance { color: #ad7a08 }
body.body--dark .zi-kind.max { color: #ff8f85 } body.body--dark .zi-kind.min { color: #86b4ff }
body.body--dark .zi-kind.chance { color: #f2c14e }
.zi-value { font-variant-numeric: tabular-nums; white-space: nowrap }
.zi-extra { color: var(--muted); font-size: 12.5px; white-space: nowrap; font-variant-numeric: tabular-nums }
.zi-cut .zi-move { text-decoration: line-through; color: var(--muted) }
.zi-why { color: var(--muted); font-size: 12.5px; flex-basis: 100%; padding-left: 22px }
.zi-row .zi-why { flex-basis: auto; padding-left: 0 }
.zi-link { color: var(--accent); font-size: 13px } .zi-note { cursor: default; color: var(--muted); font-size: 12.5px }
.zi-bar { display: inline-block; height: 7px; border-radius: 3px; background: var(--accent);
  opacity: .6; max-width: 90px }
.zi-table { border-collapse: collapse; width: 100%; font-size: 14px }
.zi-table th { text-align: left; font-weight: 600; color: var(--muted); font-size: 12.5px; white-space: nowrap }
.zi-table th, .zi-table td { padding: 4px 8px; border-bottom: 1px solid var(--line); vertical-align: baseline }
.zi-table tr[data-move] { cursor: pointer }
.zi-table .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.zi-table td.line { width: 100%; color: var(--muted); font-size: 13px; overflow-wrap: anywhere }
.zi-table tr.best td:not(.line) { font-weight: 700 }
.zi-table td.name { min-width: 4.5em }
.zi-star { color: var(--accent); font-size: 11px }
.zi-tall { max-height: 340px; overflow: auto }
.zi-board svg { max-height: 300px } .zi-status { min-height: 2.6em; overflow-wrap: anywhere }
.zi-drawing svg { width: 100%; max-width: var(--width); min-width: calc(var(--width) * .62); height: auto }
.zi-inline { display: none; max-width: 230px; padding: 4px; margin-left: 24px }
.zi-inline svg { max-height: 210px }
body .zi-drawing.z-card .zermelo-tree .paper { fill: var(--card) }
.zi-right { scroll-margin-top: 76px }
.zi-table td.after { white-space: nowrap } .zi-folded .z-scroll { width: 100% }
.zi-folded { padding: 4px }
.zi-big { font-size: 18px; font-weight: 700 }
"""

# The drawing follows the switch of the page, not that of the system.
DARK = stylesheet("dark").replace(f".{SCOPE}.dark", f"body.body--dark .{SCOPE}")
