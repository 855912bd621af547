"""Three bins of two numbers each: what the games about them share, which is the bins, how they are written and drawn.

  A         B        C        bins are 0, 1, 2 from the left
-50  50   1  3    -5  15      numbers are 0 and 1 within their bin
"""

from zermelo.core.game import GameError
from zermelo.drawing import svg
from zermelo.drawing.board import STYLE

BINS = ((-50, 50), (1, 3), (-5, 15))
NAMES = ("A", "B", "C")
UTILITIES = tuple(sorted(number for pair in BINS for number in pair))
TRAINING = {"games": 5_000, "learning_rate": 1.0, "final_learning_rate": 0.05, "lam": 0.0, "epsilon": 0.5}

_WIDTH, _HEIGHT, _STEP = 456.0, 168.0, 146.0
_STYLE = """
.zb .bin { fill: #f0e7d8; stroke: #8d7a62; stroke-width: 3; stroke-linejoin: round }
.zb .bin.chosen { fill: #f8e6a0; stroke: #96721a } .zb .bin.last { fill: #f8e6a0; fill-opacity: 1 }
.zb .bin.target { fill: #dcebdd; fill-opacity: 1; stroke: #1d7f4e }
.zb .ball { fill: #fbfaf6; stroke: #77726a; stroke-width: 2 }
.zb .ball.target { fill: #dcebdd; fill-opacity: 1; stroke: #1d7f4e }
.zb .ball.last { fill: #c8402c; fill-opacity: 1; stroke: #7d2113 }
.zb .number { font-size: 19px; fill: #23211f } .zb .number.target { fill: #23211f; fill-opacity: 1 }
.zb .number.last { fill: #fff; fill-opacity: 1 }
.zb .name { font-size: 22px; font-weight: bold; fill: #6d6459 } .zb .away { opacity: .35 }
@media (prefers-color-scheme: dark) { .zb .name { fill: #b9b0a4 } }
"""


def format_bins(bin, number):
    """`-` before anybody has chosen, then `C`, then `C 15`; what has not been chosen yet is None."""
    if bin is None:
        return "-"
    return NAMES[bin] if number is None else f"{NAMES[bin]} {BINS[bin][number]}"


def parse_bins(text):
    """(bin, number) as `format_bins` takes them."""
    words = text.replace("−", "-").upper().split()
    if words in ([], ["-"]):
        return None, None
    if words[0] not in NAMES:
        raise GameError(f"'{words[0]}' is not one of the bins A, B and C")
    bin = NAMES.index(words[0])
    if len(words) == 1:
        return bin, None
    numbers = [str(number) for number in BINS[bin]]
    if len(words) > 2 or words[1] not in numbers:
        raise GameError(f"after {words[0]} stands one of its numbers, {numbers[0]} or {numbers[1]}, not '{words[1]}'")
    return bin, numbers.index(words[1])


def parse_choice(s, text):
    """The action somebody means, in capitals or not, with either minus sign."""
    wanted = text.strip().replace("−", "-").lower()
    for a in s.game.actions(s):
        if s.game.format_action(s, a).lower() == wanted:
            return a
    legal = " or ".join(s.game.format_action(s, a) for a in s.game.actions(s))
    raise GameError(f"'{text.strip()}' cannot be chosen here, only {legal}" if legal else "the game is over")


def text_bins(bin, number):
    """Two lines: the names, with a mark at the bin chosen, and the numbers, with the one chosen in brackets."""
    names, numbers = [], []
    for i, pair in enumerate(BINS):
        shown = "  ".join(f"[{u}]" if (i, j) == (bin, number) else str(u) for j, u in enumerate(pair))
        numbers.append(shown.center(10))
        names.append((("▸" if i == bin else " ") + NAMES[i]).center(10))
    return "\n".join("".join(line).rstrip() for line in (names, numbers))


def draw_bins(title, bin, number, marks, beside=()):
    """The bins with their numbers as balls; `beside` is SVG of a game's own, drawn below y = 168.

    A ball can be clicked once its bin has been chosen, and before that stands for its bin.
    """
    parts = []
    for i, name in enumerate(NAMES):
        x = 82 + i * _STEP
        kind = _kind(name, marks) or ("chosen" if i == bin else "")
        outline = [(x - 64, 18), (x - 50, 122), (x + 50, 122), (x + 64, 18)]
        inside = [svg.polygon(outline, class_=f"bin {kind}".rstrip(), data_at=name)]
        inside.append(svg.text(x, 152, name, class_="name", pointer_events="none"))
        for j, value in enumerate(BINS[i]):
            ball = str(value)
            mark = "last" if (i, j) == (bin, number) else _kind(ball, marks)
            place = (x - 25 + 50 * j, 74)
            clicks = None if i == bin else "none"
            inside.append(svg.circle(*place, 23, class_=f"ball {mark}".rstrip(), data_at=ball, pointer_events=clicks))
            label = svg.text(place[0], 81, ball.replace("-", "−"), class_=f"number {mark}", pointer_events="none")
            inside.append(label)
        parts.append(svg.group(inside, class_="away" if bin not in (None, i) else None))
    height = _HEIGHT + (70 if beside else 0)
    return svg.document(_WIDTH, height, [*parts, *beside], STYLE + _STYLE, title=title, class_="zb")


def _kind(name, marks):
    return "last" if name in marks.last else "target" if name in marks.targets else ""
