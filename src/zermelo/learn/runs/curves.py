"""The curve of a training as a table (CSV) and as a picture (SVG; PNG where matplotlib is installed).

Two panels over the number of games, on a scale of doublings: strength with its margin above, TD error below.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from typing import Any

from zermelo.drawing.svg import document, line, path, polygon, text
from zermelo.learn.runs.progress import Row

WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP = 640, 440, 64, 32, 56, 44
STYLE = (
    ".curve { font-size: 12px } .curve text { fill: #444 } .curve .axis { stroke: #ccc; stroke-width: 1 } "
    ".curve .zero { stroke: #888; stroke-width: 1 } .curve .band { fill: #1f77b4; opacity: 0.18 } "
    ".curve .points { fill: none; stroke: #1f77b4; stroke-width: 2 } "
    ".curve .error { fill: none; stroke: #d62728; stroke-width: 2 }"
)
Scale = Callable[[float], float]


def curve_csv(rows: Sequence[Any], kind: type) -> str:
    """One line a row, under the names of the fields that rows of this `kind` have."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow([one.name for one in fields(kind)])
    for row in rows:
        table.writerow(asdict(row).values())
    return out.getvalue()


def curve_svg(rows: Sequence[Row], title: str, against: str) -> str:
    """The picture, or an empty frame before the first row."""
    if not rows:
        return document(WIDTH, HEIGHT, [text(WIDTH / 2, HEIGHT / 2, "nothing measured yet")], STYLE, title=title)
    split = TOP + (HEIGHT - TOP - 2 * GAP) * 0.62
    x = across([row.games for row in rows])
    body = [text(WIDTH / 2, 20, title, font_weight="bold")]
    lows, highs = [r.points - r.margin for r in rows], [r.points + r.margin for r in rows]
    y = upwards(min(0.0, *lows), max(0.0, *highs), TOP, split, body)
    body.append(line(LEFT, y(0), WIDTH - RIGHT, y(0), class_="zero"))
    band = [(x(r.games), y(high)) for r, high in zip(rows, highs, strict=True)]
    band += [(x(r.games), y(low)) for r, low in reversed(list(zip(rows, lows, strict=True)))]
    body += [polygon(band, class_="band"), curve([(x(r.games), y(r.points)) for r in rows], "points")]
    body.append(text(LEFT, TOP - 6, f"points a game against {against}", text_anchor="start"))
    y = upwards(0.0, max(r.error for r in rows), split + GAP, HEIGHT - GAP, body)
    body.append(curve([(x(r.games), y(r.error)) for r in rows], "error"))
    body.append(text(LEFT, split + GAP - 6, "TD error", text_anchor="start"))
    for games in doublings([row.games for row in rows]):
        body.append(text(x(games), HEIGHT - GAP + 18, f"{games:,}"))
    body.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "games"))
    return document(WIDTH, HEIGHT, body, STYLE, title=title, class_="curve")


def curve_png(rows: Sequence[Row], title: str, against: str) -> bytes | None:
    """The same by matplotlib; None where it is not installed, or there is nothing to show."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    if not rows:
        return None
    figure = Figure(figsize=(6.4, 4.8), layout="constrained")  # not pyplot: no global state, no display
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    games = [r.games for r in rows]
    above.axhline(0, color="0.6", linewidth=0.8)
    above.fill_between(games, [r.points - r.margin for r in rows], [r.points + r.margin for r in rows], alpha=0.2)
    above.plot(games, [r.points for r in rows], marker=".")
    above.set(title=title, ylabel=f"points a game against\n{against}", xscale="log")
    below.plot(games, [r.error for r in rows], color="tab:red", marker=".")
    below.set(ylabel="TD error", xlabel="games", ylim=(0, None))
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=150, metadata={"Software": None})
    return out.getvalue()


def across(numbers: Sequence[int]) -> Scale:
    """From games (or rounds), which ascend, to x, on a scale of doublings."""
    first, last = math.log(numbers[0]), math.log(max(numbers[-1], numbers[0] + 1))
    return lambda games: LEFT + (WIDTH - LEFT - RIGHT) * (math.log(games) - first) / (last - first)


def upwards(least: float, most: float, top: float, bottom: float, body: list[str]) -> Scale:
    """From values to y, with the lines and numbers of the axis added to `body`."""
    most = most if most > least else least + 1.0
    unit = 10.0 ** math.floor(math.log10(most - least))
    unit = next(u for u in (unit / 5, unit / 2, unit, unit * 2) if (most - least) / u <= 6)

    def scale(value: float) -> float:
        return bottom - (bottom - top) * (value - least) / (most - least)

    for n in range(math.ceil(least / unit - 1e-9), math.floor(most / unit + 1e-9) + 1):
        body.append(line(LEFT, scale(n * unit), WIDTH - RIGHT, scale(n * unit), class_="axis"))
        body.append(text(LEFT - 6, scale(n * unit) + 4, f"{n * unit:.6g}", text_anchor="end"))
    return scale


def curve(points: Sequence[tuple[float, float]], kind: str) -> str:
    return path("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points), class_=kind)


def doublings(numbers: Sequence[int]) -> list[int]:
    """Those that are written below: the last, and quarters of it as far as there is room."""
    marks = [numbers[-1]]
    while marks[-1] // 4 >= numbers[0]:
        marks.append(marks[-1] // 4)
    return marks
