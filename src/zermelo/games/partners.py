"""Partners: four players in two teams take turns claiming numbers from either end of a row.

    row     the numbers still there, from the left; 0 behind them        3 1 4 1 5 9 2 6
    count   how many these are                                           ↑             ↑
    sums    what team 0 and team 1 have claimed                          left (0)      right (1)

Players 0 and 2 are team 0, players 1 and 3 are team 1; they move in the order 0, 1, 2, 3, 0 …, so whose turn it is
follows from `count`. When the row is empty the team with the larger sum wins: each of its players gets +1 and each of
the others −1; equal sums give 0. The last number can only be claimed from the left.

How many numbers there are is a variant, which ones a field: `load("partners", length=4, row=[2, 7, 9, 4])`.
Positions are written `4 1 5 9 | 3 8`: the row, then the sums. With an even length team 0 never loses: it can claim all
the numbers on even places or all those on odd ones, whatever team 1 does.
"""

from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.drawing import svg
from zermelo.drawing.board import STYLE

PI = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3)
MOST = 99
SIDES = ("left", "right")
TILES = """
.zb .tile { fill: #f0e7d8; stroke: #8d7a62; stroke-width: 2 } .zb .tile.end { fill: #f8e6a0; stroke: #96721a }
.zb .tile.target { fill: #dcebdd; fill-opacity: 1; stroke: #1d7f4e }
.zb .number { font-size: 24px; fill: #23211f; pointer-events: none } .zb .team { font-size: 17px; font-weight: bold }
.zb .team.first { fill: #c8402c; stroke: none } .zb .team.other { fill: #1f6fd1 }
"""


@rules(name="partners")
def partners(length=8):
    if not 1 <= length <= len(PI):
        raise GameError(f"partners: a row has 1 to {len(PI)} numbers, not {length}")

    @helper
    def lead(s):
        """Team 0's lead as a part of all that there is to claim."""
        total = s.sums[0] + s.sums[1]
        for i in range(s.count):
            total += s.row[i]
        return (s.sums[0] - s.sums[1]) / (total + 1.0)

    class Partners:
        """Two teams of two claim numbers from the ends of a row; the larger sum wins."""

        players, teams = 4, (0, 1, 0, 1)
        max_actions, max_plies = 2, length
        state = {"sums": ("i2", (2,)), "row": ("i1", (length,)), "count": "i1"}

        def start(s):
            for i in range(length):
                s.row[i] = PI[i]
            s.count = length

        def player(s):
            return OVER if s.count == 0 else (length - s.count) % 4

        def actions(s, out):
            out[0] = 0
            out[1] = 1
            return min(2, s.count)

        def apply(s, side):
            team = (length - s.count) % 2
            last = s.count - 1
            s.sums[team] += s.row[last * side]
            if side == 0:
                for i in range(last):
                    s.row[i] = s.row[i + 1]
            s.row[last] = 0
            s.count = last

        def utility(s, out):
            lead = s.sums[0] - s.sums[1]
            won = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
            for p in range(4):
                out[p] = won if p % 2 == 0 else -won

        def evaluate(s):
            return lead(s)

        def evaluate_players(s, out):
            """Like the payoffs: the same for partners, the opposite for the others."""
            ahead = lead(s)
            for p in range(4):
                out[p] = ahead if p % 2 == 0 else -ahead

        def format_action(s, a):
            return SIDES[a]

        def parse_action(s, text):
            wanted = text.strip().lower()
            if wanted not in ("l", "r", *SIDES):
                raise GameError(f"numbers are claimed from the left or the right, not from '{text.strip()}'")
            return int(wanted[0] == "r" and s.count > 1)

        def clicks(s, a):
            return (SIDES[a],)

        def format(s):
            return f"{' '.join(str(s.row[i]) for i in range(s.count))} | {s.sums[0]} {s.sums[1]}".strip()

        def parse(s, text):
            row, bar, sums = text.partition("|")
            numbers = [whole(word, MOST) for word in row.split()]
            if len(numbers) > length:
                raise GameError(f"the row has at most {length} numbers, not {len(numbers)}")
            claimed = [whole(word, MOST * length) for word in sums.split()]
            if bar and len(claimed) != 2:
                raise GameError("after the bar stand two sums, as in '4 1 5 9 | 3 8'")
            for i, number in enumerate(numbers):
                s.row[i] = number
            s.count = len(numbers)
            for team, claim in enumerate(claimed):
                s.sums[team] = claim

        def validate(s):
            if not 0 <= s.count <= length:
                return f"there cannot be {s.count} numbers in a row of {length}"
            if any(not 0 <= n <= MOST for n in s.row) or any(s.row[i] for i in range(s.count, length)):
                return f"numbers go from 0 to {MOST}, and only {s.count} are there"
            claims = length - s.count
            for team, most in enumerate(((claims + 1) // 2 * MOST, claims // 2 * MOST)):
                if not 0 <= s.sums[team] <= most:
                    return f"after {claims} claims team {team} cannot have {s.sums[team]}"
            return None

        def text(s):
            row = " ".join(str(s.row[i]) for i in range(s.count)) or "nothing left"
            return f"{row}\nplayers 0 and 2: {s.sums[0]}   players 1 and 3: {s.sums[1]}"

        def svg(s, marks):
            return draw_row([s.row[i] for i in range(s.count)], s.sums, length, marks)

    return Partners


def whole(word, most):
    if not word.isdecimal() or int(word) > most:
        raise GameError(f"'{word}' is not a number from 0 to {most}")
    return int(word)


def draw_row(numbers, sums, length, marks):
    """The row as tiles, of which the two at the ends can be clicked, and the sums below."""
    width = max(340.0, 32 + 58.0 * length)
    left = (width - 58 * len(numbers)) / 2
    parts = []
    for i, number in enumerate(numbers):
        name = "left" if i == 0 else "right" if i == len(numbers) - 1 else None
        kind = "tile" if name is None else "tile target" if name in marks.targets else "tile end"
        parts.append(svg.rect(left + 58 * i + 4, 20, 50, 60, rx=7, class_=kind, data_at=name))
        parts.append(svg.text(left + 58 * i + 29, 59, number, class_="number"))
    parts.append(svg.text(20, 112, f"players 0 and 2: {sums[0]}", class_="team first", text_anchor="start"))
    parts.append(svg.text(width - 20, 112, f"players 1 and 3: {sums[1]}", class_="team other", text_anchor="end"))
    return svg.document(width, 130, parts, STYLE + TILES, title="partners", class_="zb")
