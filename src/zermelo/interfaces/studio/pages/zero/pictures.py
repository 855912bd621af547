"""What the page of Zero draws: the curve, the boards of an example, the paper's figures beside ours."""

from __future__ import annotations

from html import escape
from typing import Any

from zermelo.core.game import Game, Marks
from zermelo.drawing.svg import circle, document, line, path, text

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BELOW = 640, 250, 48, 20, 34, 30
LINES = (("search_right", "after the search", "#1f6fd1"), ("policy_right", "policy alone", "#c8402c"))
STYLE = """.zz-curve text { fill: #6d6459; font-size: 13px } .zz-curve .axis { stroke: #8886; stroke-width: 1 }
.zz-curve path { fill: none; stroke-width: 2.4 }"""
Json = dict[str, Any]


def curve_svg(stages: list[Json], at: int) -> str:
    """How often the move chosen keeps the value, over rounds; `at` is the stage that is looked at."""
    most = max(1, stages[-1]["of"] if stages else 1)
    bottom = HEIGHT - BELOW

    def place(rounds: int, share: float) -> tuple[float, float]:
        return LEFT + (WIDTH - LEFT - RIGHT) * rounds / most, bottom - (bottom - TOP) * share

    body = []
    for share in (0.0, 0.5, 1.0):
        y = place(0, share)[1]
        body += [
            line(LEFT, y, WIDTH - RIGHT, y, class_="axis"),
            text(LEFT - 6, y + 4, f"{share:.0%}", text_anchor="end"),
        ]
    if stages:
        x = place(stages[at]["rounds"], 0)[0]
        body.append(line(x, TOP, x, bottom, class_="axis"))
    for number, (key, words, colour) in enumerate(LINES):
        points = [place(stage["rounds"], stage[key]) for stage in stages]
        if len(points) > 1:
            body.append(path("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points), stroke=colour))
        body += [circle(x, y, 3.5, fill=colour) for x, y in points]
        body += [circle(LEFT + 12 + 190 * number, 14, 5, fill=colour)]
        body += [text(LEFT + 22 + 190 * number, 18, words, text_anchor="start")]
    body += [text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, f"rounds of {most}" if stages else "rounds")]
    return document(WIDTH, HEIGHT, body, STYLE, title="moves that keep the value", class_="zz-curve")


def board_html(game: Game[Any, Any], example: Json, key: str) -> str:
    """The position of an example with a share for every move: "policy" or "visits"."""
    s = game.parse(example["position"])
    heat: dict[str, float] = {}
    for one in example["moves"]:
        for cell in game.clicks(s, game.parse_action(s, one["move"]))[:1]:
            heat[cell] = heat.get(cell, 0.0) + one[key]
    drawn = game.svg(s, Marks(heat=tuple(heat.items())))
    return f"<pre>{escape(game.text(s))}</pre>" if drawn is None else drawn


def worth(value: float) -> str:
    """A value for whoever moves, in words."""
    return f"{value:+.2f}".replace("-", "\u2212")


def example_words(example: Json) -> tuple[str, str, str]:
    """(what is true, what the network says, what the search says)."""
    right = [one["move"] for one in example["moves"] if one["keeps"]]
    truth = {1.0: "won", 0.0: "drawn", -1.0: "lost"}.get(example["truth"], worth(example["truth"]))
    only = "the only right move is" if len(right) == 1 else "right are"
    return (
        f"In truth {truth} for whoever moves; {only} {', '.join(right)}.",
        f"value {worth(example['judged'])}",
        f"value {worth(example['searched'])}",
    )


def figures_html(figures: list[list[str]]) -> str:
    """The paper's figures beside ours."""
    rows = "".join(
        f"<tr><td>{escape(what)}</td><td class='z-num'>{escape(theirs)}</td><td class='z-num'>{escape(ours)}</td></tr>"
        for what, theirs, ours in figures
    )
    head = "<tr><th></th><th class='z-num'>AlphaGo Zero</th><th class='z-num'>here</th></tr>"
    return f"<table class='z-table'>{head}{rows}</table>"
