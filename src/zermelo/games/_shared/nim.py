"""What the games of taking fruits away share: whose turn it is, in writing, and how a fruit is drawn."""

from zermelo.core.game import GameError
from zermelo.drawing import board, svg

STYLE = f"""{board.STYLE}
.zb .fruit {{ fill: #c8402c; stroke: #7d2113; stroke-width: 1.5 }} .zb .leaf {{ fill: #1d7f4e }}
.zb .fruit.target {{ fill: #e8907f; fill-opacity: 1; stroke: #1d7f4e; stroke-width: 3.5 }}
.zb .stalk {{ stroke: #5b4630; stroke-width: 2.5; fill: none }} .zb .heap {{ font-size: 18px; font-weight: bold }}
"""


def format_turn(turn):
    return f" : {turn}" if turn else ""


def parse_turn(text):
    """What stands before the colon, and whose turn it is: player 0's without a colon."""
    before, colon, turn = (" ".join(part.split()) for part in text.partition(":"))
    if colon and turn not in ("0", "1"):
        raise GameError(f"after the colon stands the player to move, 0 or 1, not '{turn}'")
    return before, int(turn or 0)


def kind_of(name, marks):
    return "fruit target" if name in marks.targets else "fruit"


def draw_fruit(x, y, name, kind):
    """A cherry; the square around it, which cannot be seen, is what is clicked."""
    return svg.group(
        [
            svg.path(f"M{x} {y - 10} q 1 -10 9 -13", class_="stalk", pointer_events="none"),
            svg.path(f"M{x + 2} {y - 15} q -12 -8 -15 1 q 8 6 15 -1", class_="leaf", pointer_events="none"),
            svg.circle(x, y, 13, class_=kind, pointer_events="none"),
            svg.rect(x - 20, y - 26, 40, 44, fill_opacity=0, data_at=name),
        ]
    )
