"""Nim with one heap: take one or two fruits; whoever takes the last one wins.

    fruits   how many are left        ● ● ● ● ● ● ●   seven, at the start
    turn     whose turn: 0 or 1       an action is how many are taken, 1 or 2

The player to move loses exactly when `fruits` is a multiple of three: what is left after one or two can always be made
three less. Positions are written `7`, or `7 : 1` when player 1 is to move. Reference: Bouton 1901, for any heaps.

What is learned of it is a table: every number of fruits is a feature of its own, seen by the player to move.
"""

from zermelo.compile.rules import rules
from zermelo.core.game import OVER, GameError
from zermelo.drawing import svg
from zermelo.games._shared.nim import STYLE, draw_fruit, format_turn, kind_of, parse_turn

MOST = 32767  # fruits that a record has room for
SHOWN, COLUMNS = 60, 12  # a drawing shows the last sixty fruits, in rows of twelve


@rules(
    name="nim",
    players=2,
    max_actions=2,
    utility_range=(-1, 1),
    utility_values=(-1, 1),
    num_features=MOST + 1,
    max_active_features=1,
    policy_size=2,
    training={"games": 2_000, "learning_rate": 1.0, "final_learning_rate": 0.1, "lam": 0.0, "epsilon": 0.3},
)
class Nim:
    """Take one or two; whoever takes the last one wins."""

    state = {"fruits": "i2", "turn": "i1"}

    def start(s):
        s.fruits = 7

    def player(s):
        return OVER if s.fruits == 0 else s.turn

    def actions(s, out):
        n = min(2, s.fruits)
        for i in range(n):
            out[i] = i + 1
        return n

    def apply(s, taken):
        s.fruits -= taken
        s.turn = 1 - s.turn

    def utility(s, out):
        out[s.turn] = -1  # the other one has just taken the last fruit
        out[1 - s.turn] = 1

    def perspective(s):
        return s.turn

    def features(s, index, value):
        index[0] = s.fruits
        value[0] = 1
        return 1

    def policy_index(s, taken):
        return taken - 1

    def clicks(s, a):
        return (str(s.fruits - a + 1),)  # this fruit and those after it

    def format(s):
        return f"{s.fruits}" + format_turn(s.turn)

    def parse(s, text):
        number, s.turn = parse_turn(text)
        if not number.isdecimal() or int(number) > MOST:
            raise GameError(f"'{number}' is not a number of fruits from 0 to {MOST}, as in '7' or '7 : 1'")
        s.fruits = int(number)

    def validate(s):
        if s.fruits < 0:
            return f"there cannot be {s.fruits} fruits"
        return None if s.turn in (0, 1) else f"player {s.turn} does not play here, only 0 and 1 do"

    def text(s):
        more = f"{s.fruits - SHOWN} and " if s.fruits > SHOWN else ""
        return f"{more}{'● ' * min(s.fruits, SHOWN)}".strip() or "no fruits left"

    def svg(s, marks):
        first = max(0, s.fruits - SHOWN)
        rows = max(1, -(-(s.fruits - first) // COLUMNS))
        said = f"… {first} more" if first else "" if s.fruits else "no fruits left"
        parts = [svg.text(24, 26, said, class_="label", text_anchor="start")]
        for i in range(first, s.fruits):
            place = 36 + 44 * ((i - first) % COLUMNS), 58 + 48 * ((i - first) // COLUMNS)
            parts.append(draw_fruit(*place, str(i + 1), kind_of(str(i + 1), marks)))
        width = 28 + 44 * min(COLUMNS, max(4, s.fruits))
        return svg.document(width, 40 + 48 * rows, parts, STYLE, title=f"{s.fruits} fruits", class_="zb")
