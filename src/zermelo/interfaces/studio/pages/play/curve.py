"""The value over a game as a curve, and as a bar: how good the position is for player 0, from nothing to everything.

 1 ┤        ╭──●         a point is a ply; it carries data-at="ply", so that clicking it goes there
 0 ┼───╮╭───╯            a gap is a position nobody has judged
-1 ┤   ╰╯
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import Game
from zermelo.drawing import svg

WIDTH, HEIGHT, EDGE = 360.0, 90.0, 8.0
STYLE = """
.zc .back { fill: none; stroke: #8d97a6; stroke-opacity: .35 } .zc .zero { stroke: #8d97a6; stroke-dasharray: 3 4 }
.zc .line { fill: none; stroke: #2d7fd1; stroke-width: 2; stroke-linejoin: round }
.zc .dot { fill: #2d7fd1 } .zc .dot.here { fill: #e0862b } .zc .area { fill: #000; fill-opacity: 0; cursor: pointer }
.zc .cursor { stroke: #e0862b; stroke-opacity: .6 }
"""


def share(game: Game[Any, Any], value: float) -> float:
    """A value for player 0 as a part of what can be had: 0 all is lost, 1 all is won, ½ even."""
    if not math.isfinite(value):
        return 0.5 if math.isnan(value) else float(value > 0)
    if isinstance(game, RecordGame) and game.variant.utility_range is not None:
        least, most = game.variant.utility_range
        if not game.zero_sum or game.players == 1:
            return min(1.0, max(0.0, (value - least) / (most - least)))
        reach = max(abs(least), abs(most))
        return min(1.0, max(0.0, 0.5 + 0.5 * value / reach))
    return 0.5 + 0.5 * value / (1 + abs(value))


def draw_curve(game: Game[Any, Any], values: Sequence[float | None], here: int) -> str:
    """The curve; `values[ply]` may be unknown, `here` is the ply that is shown."""
    plies = max(len(values) - 1, 1)

    def x(ply: float) -> float:
        return EDGE + (WIDTH - 2 * EDGE) * ply / plies

    def y(value: float) -> float:
        return EDGE + (HEIGHT - 2 * EDGE) * (1 - share(game, value))

    known = [(ply, value) for ply, value in enumerate(values) if value is not None]
    parts = [
        svg.rect(EDGE, EDGE, WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE, class_="back"),
        svg.line(EDGE, HEIGHT / 2, WIDTH - EDGE, HEIGHT / 2, class_="zero"),
        svg.line(x(here), EDGE, x(here), HEIGHT - EDGE, class_="cursor"),
    ]
    if len(known) > 1:
        points = " ".join(f"{svg.coordinate(x(p))},{svg.coordinate(y(v))}" for p, v in known)
        parts.append(svg.element("polyline", None, points=points, class_="line"))
    radius = 3.2 if plies < 60 else 2.0
    parts += [svg.circle(x(p), y(v), radius, class_="dot here" if p == here else "dot") for p, v in known]
    wide = (WIDTH - 2 * EDGE) / plies
    parts += [
        svg.rect(x(ply) - wide / 2, 0, wide, HEIGHT, class_="area", data_at=str(ply)) for ply in range(len(values))
    ]
    return svg.document(WIDTH, HEIGHT, parts, STYLE, title="the value over the game", class_="zc")
