"""The curve of a network's training as a picture (SVG): strength above, losses below."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.drawing.svg import document, text
from zermelo.learn.runs.curves import GAP, HEIGHT, LEFT, RIGHT, STYLE, TOP, WIDTH, across, curve, doublings, upwards
from zermelo.learn.zero.log import Row

MORE = " .curve .value { fill: none; stroke: #2ca02c; stroke-width: 2 }"


def curve_svg(rows: Sequence[Row], title: str) -> str:
    """The picture, or an empty frame before the first row."""
    if not rows:
        return document(WIDTH, HEIGHT, [text(WIDTH / 2, HEIGHT / 2, "nothing measured yet")], STYLE, title=title)
    split, numbers = TOP + (HEIGHT - TOP - 2 * GAP) * 0.55, [row.rounds for row in rows]
    x, body = across(numbers), [text(WIDTH / 2, 20, title, font_weight="bold")]
    elos = [row.elo for row in rows]
    y = upwards(min(0.0, *elos, 0.0), max(1.0, *elos), TOP, split, body)
    body.append(curve([(x(row.rounds), y(row.elo)) for row in rows], "points"))
    body.append(text(LEFT, TOP - 6, "Elo of the policy alone, summed from row to row", text_anchor="start"))
    y = upwards(
        0.0, max(1e-6, *(max(row.policy_loss, row.value_loss) for row in rows)), split + GAP, HEIGHT - GAP, body
    )
    body.append(curve([(x(row.rounds), y(row.policy_loss)) for row in rows], "error"))
    body.append(curve([(x(row.rounds), y(row.value_loss)) for row in rows], "value"))
    body.append(text(LEFT, split + GAP - 6, "loss of the policy (red) and of the value (green)", text_anchor="start"))
    body += [text(x(n), HEIGHT - GAP + 18, f"{n:,}") for n in doublings(numbers)]
    body.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "rounds"))
    return document(WIDTH, HEIGHT, body, STYLE + MORE, title=title, class_="curve")
