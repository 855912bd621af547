"""Pursuit: one runner against many hunters, who move one after the other and win or lose together.

On a grid of rows × columns (here 3 × 4) everybody steps to a neighbouring cell, not diagonally, or stays:

    0 1 2  3      a3 b3 c3 d3      runner    the cell of player 0
    4 5 6  7      a2 b2 c2 d2      hunters   the cells of players 1, 2, …; they are one team and may share a cell
    8 9 10 11     a1 b1 c1 d1      turn      whose turn: the runner's, then each hunter's
                                   rounds    how many rounds are left; one ends when the last hunter has moved

An action is the cell to be in next. The runner is caught when a hunter stands on the same cell, whoever came; when no
round is left the runner has escaped. The runner gets +1 or −1 and the hunters share the opposite, so that the payoffs
sum to zero. Positions are written `a3 d1,d1 0 5`: the runner, the hunters, whose turn it is, the rounds left.

What a network sees, whoever's turn it is: a plane with the runner, one for each hunter in the order in which they move
next, and two that are the same everywhere: how many hunters move before the runner does, and the rounds left.

Two hunters always catch a runner on a grid in the end, one never does: Maamoun and Meyniel 1987.
"""

import re

from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.drawing import svg
from zermelo.drawing.board import Board, board_text

MOST_ROUNDS = 100
LETTERS = "abcdefghijk"


@rules(name="pursuit")
def pursuit(rows=3, cols=4, hunters=2):
    if not (1 <= rows <= 11 and 2 <= cols <= 11):
        raise GameError(f"pursuit: a grid has 1 to 11 rows and 2 to 11 columns, not {rows} and {cols}")
    if not 1 <= hunters <= 8:
        raise GameError(f"pursuit: there are 1 to 8 hunters, not {hunters}")
    CELLS, HUNTERS, STEPS = rows * cols, hunters, (-cols, -1, 0, 1, cols)
    NAMES = [f"{LETTERS[c]}{rows - r}" for r in range(rows) for c in range(cols)]
    LABELS = {"column_labels": LETTERS[:cols], "row_labels": [str(rows - r) for r in range(rows)]}

    @helper
    def distance(here, there):
        return abs(here // cols - there // cols) + abs(here % cols - there % cols)

    @helper
    def is_caught(s):
        caught = False
        for hunter in range(HUNTERS):
            caught = caught or s.hunters[hunter] == s.runner
        return caught

    class Pursuit:
        """A runner against a team of hunters on a grid, for a number of rounds."""

        players, teams = 1 + hunters, (0, *[1] * hunters)
        max_actions, max_plies = 5, MOST_ROUNDS * (1 + hunters)
        policy_size, plane_shape = CELLS, (hunters + 3, rows, cols)
        state = {"runner": "i1", "hunters": ("i1", (hunters,)), "turn": "i1", "rounds": "i1"}

        def start(s):
            for hunter in range(HUNTERS):
                s.hunters[hunter] = CELLS - 1  # the corner opposite to the runner's
            s.rounds = 5

        def player(s):
            if s.rounds == 0 or is_caught(s):
                return OVER
            return s.turn

        def actions(s, out):
            here = s.runner if s.turn == 0 else s.hunters[s.turn - 1]
            n = 0
            for step in STEPS:
                there = here + step
                if 0 <= there < CELLS and distance(here, there) <= 1:  # a step off the side lands a row away
                    out[n] = there
                    n += 1
            return n

        def apply(s, there):
            if s.turn == 0:
                s.runner = there
            else:
                s.hunters[s.turn - 1] = there
            s.turn = (s.turn + 1) % (1 + HUNTERS)
            if s.turn == 0:
                s.rounds -= 1

        def utility(s, out):
            out[0] = -1.0 if is_caught(s) else 1.0
            for hunter in range(HUNTERS):
                out[1 + hunter] = -out[0] / HUNTERS

        def evaluate(s):
            """How far the nearest hunter is, from −1 (here) to 1 (nobody can be that far)."""
            nearest = rows + cols
            for hunter in range(HUNTERS):
                nearest = min(nearest, distance(s.runner, s.hunters[hunter]))
            return 2.0 * nearest / (rows + cols) - 1.0

        def planes(s, out):
            first = max(s.turn - 1, 0)
            out[0, s.runner // cols, s.runner % cols] = 1
            for i in range(HUNTERS):
                here = s.hunters[(first + i) % HUNTERS]
                out[1 + i, here // cols, here % cols] = 1
            for here in range(CELLS):
                out[1 + HUNTERS, here // cols, here % cols] = 0 if s.turn == 0 else HUNTERS - first
                out[2 + HUNTERS, here // cols, here % cols] = s.rounds

        def format_action(s, a):
            return NAMES[a]

        def parse_action(s, text):
            return cell(text)

        def clicks(s, a):
            return (NAMES[a],)

        def format(s):
            return f"{NAMES[s.runner]} {','.join(NAMES[h] for h in s.hunters)} {s.turn} {s.rounds}"

        def parse(s, text):
            found = re.fullmatch(r"\s*(\w+)\s+([\w,]+)\s+(\d)\s+(\d{1,3})\s*", text)
            if not found:
                raise GameError(
                    f"'{' '.join(text.split())}' is not runner, hunters, turn and rounds left, as in 'a3 d1,d1 0 5'"
                )
            cells = found[2].split(",")
            if len(cells) != hunters:
                raise GameError(f"there are {hunters} hunters here, not the {len(cells)} of '{found[2]}'")
            if int(found[4]) > MOST_ROUNDS:
                raise GameError(f"at most {MOST_ROUNDS} rounds can be left, not {found[4]}")
            s.runner = cell(found[1])
            for hunter, name in enumerate(cells):
                s.hunters[hunter] = cell(name)
            s.turn, s.rounds = int(found[3]), int(found[4])

        def validate(s):
            if not all(0 <= here < CELLS for here in (s.runner, *s.hunters)):
                return f"somebody stands outside the cells 0 to {CELLS - 1}"
            if not 0 <= s.rounds <= MOST_ROUNDS:
                return f"0 to {MOST_ROUNDS} rounds can be left, not {s.rounds}"
            if s.rounds == 0 and s.turn != 0:
                return "a round that is not over has to be counted as left"
            return None if 0 <= s.turn <= hunters else f"there is no player {s.turn}"

        def text(s):
            return board_text([sign(s, here) for here in range(CELLS)], cols, **LABELS)

        def svg(s, marks):
            board = Board(NAMES, cols, marks, cells="plain", **LABELS)
            for here in range(CELLS):
                draw_cell(board, NAMES[here], s.runner == here, [i + 1 for i, h in enumerate(s.hunters) if h == here])
            return board.svg("pursuit")

    def cell(text):
        if text.strip().lower() not in NAMES:
            raise GameError(f"'{text.strip()}' is not a cell from {NAMES[-cols]} to {NAMES[cols - 1]}")
        return NAMES.index(text.strip().lower())

    return Pursuit


def sign(s, here):
    """R the runner, a hunter's number, + several hunters, × the runner caught, a dot for nobody."""
    there = [str(i + 1) for i, h in enumerate(s.hunters) if h == here]
    if s.runner == here:
        return "×" if there else "R"
    return "." if not there else there[0] if len(there) == 1 else "+"


def draw_cell(board, name, runner, hunters):
    """The runner as a red disc; hunters as numbered blue ones above it, side by side and in rows if there are many."""
    x, y = board.centre(name)
    if runner:
        board.disc(name, "first")
    across = 1
    while across**2 < len(hunters):
        across += 1
    step = 54 / max(2, across)
    radius, down = 0.62 * step if across == 1 else 0.48 * step, -(-len(hunters) // across)
    for i, hunter in enumerate(hunters):
        at = x + (i % across - (across - 1) / 2) * step, y + (i // across - (down - 1) / 2) * step
        board.add(svg.circle(*at, radius, fill="#1f6fd1", stroke="#123f7a", stroke_width=1.5, pointer_events="none"))
        label = svg.text(at[0], at[1] + radius / 3, hunter, fill="#fff", font_size=radius, pointer_events="none")
        board.add(label)
