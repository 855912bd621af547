"""Dots and boxes: draw a line between two neighbouring dots; whoever closes a box owns it and moves again.

    a3 • 0 • 1 • c3       edges   bit e is set when line e has been drawn: lines across first, row by row from
       6   7   8                  the top, then lines down (drawn here for 2 × 2 boxes, 3 × 3 dots)
    a2 • 2 • 3 • c2       taken   bit b of taken[p] is set when player p owns box b, row by row from the top
       9   10  11         turn    whose turn: 0 or 1
    a1 • 4 • 5 • c1
                          an action is the number of a line, written by its dots: 0 is a3b3, 9 is a1a2

Boxes are worth one each; a player's payoff is how many more of them it owns than the other. Every other line of a
position is a row of lines across (`-` or `.`), and between them stand lines down and the owners of boxes; whose turn it
is comes last: `-. |0|.. -. ..... .. 0`.

What a network sees is the drawing above as a grid, of 5 × 5 cells for 2 × 2 boxes, in four planes: the lines drawn, the
lines not yet drawn, the boxes of the side to move, the other side's.

Reference: Berlekamp, "The Dots and Boxes Game", 2000.
"""

import numpy as np

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.drawing import svg
from zermelo.games._shared.symmetries import turned_and_mirrored
from zermelo.games.dots_and_boxes.drawing import STYLE, Grid

u64 = np.uint64


@rules(name="dots-and-boxes")
def dots_and_boxes(rows=2, cols=2):
    grid = Grid(rows, cols)
    EDGES, FULL = len(grid.edges), u64(2 ** len(grid.edges) - 1)
    # AROUND[e] is (edges of a box, its bit) for each of the two boxes beside line e, or (all 64 bits, 0) for none
    AROUND = np.array([grid.boxes_beside(e) for e in range(EDGES)], u64)

    HEIGHT, WIDTH = 2 * rows + 1, 2 * cols + 1
    PLACES = np.array([(2 * r + (not across), 2 * c + across) for r, c, across in grid.edges], np.int8)  # (EDGES, 2)

    @helper
    def closes(edges, e):
        """The boxes that line `e`, drawn in `edges`, makes complete."""
        closed = u64(0)
        if edges & AROUND[e, 0] == AROUND[e, 0]:
            closed |= AROUND[e, 1]
        if edges & AROUND[e, 2] == AROUND[e, 2]:
            closed |= AROUND[e, 3]
        return closed

    @helper
    def gives(edges, e):
        """How many boxes beside line `e`, drawn in `edges`, want one line only."""
        one, other = AROUND[e, 0] & ~edges, AROUND[e, 2] & ~edges  # for no box, more lines than one are wanting
        return (popcount(one) == 1) + (popcount(other) == 1)

    @helper
    def write_boxes(boxes, plane, out):
        while boxes != u64(0):
            box = lowest(boxes)
            boxes &= boxes - u64(1)
            out[plane, 2 * (box // cols) + 1, 2 * (box % cols) + 1] = 1

    class DotsAndBoxes:
        """Draw lines between dots; closing a box earns it and another move."""

        max_actions, max_plies = EDGES, EDGES
        utility_range = (-rows * cols, rows * cols)
        policy_size, plane_shape = EDGES, (4, HEIGHT, WIDTH)
        state = {"edges": "u8", "taken": ("u8", (2,)), "turn": "i1"}

        def start(s):
            pass

        def player(s):
            return OVER if s.edges == FULL else s.turn

        def actions(s, out):
            n = 0
            free = FULL ^ s.edges
            while free != u64(0):
                out[n] = lowest(free)
                free &= free - u64(1)  # without its lowest bit
                n += 1
            return n

        def apply(s, e):
            s.edges |= u64(1) << u64(e)
            closed = closes(s.edges, e)
            if closed == u64(0):
                s.turn = 1 - s.turn
            else:
                s.taken[s.turn] |= closed

        def utility(s, out):
            out[0] = popcount(s.taken[0]) - popcount(s.taken[1])
            out[1] = -out[0]

        def evaluate(s):
            """Player 0's lead so far, in boxes."""
            return float(popcount(s.taken[0]) - popcount(s.taken[1]))

        def key(s):
            """The lines, the lead and the turn: which boxes somebody owns does not matter, only how many."""
            lead = popcount(s.taken[0]) - popcount(s.taken[1])
            return scramble(s.edges ^ scramble(u64(2 * (lead + 64) + s.turn)))

        def noisy(s, out):
            """The lines that close a box."""
            n = 0
            for e in range(EDGES):
                bit = u64(1) << u64(e)
                if s.edges & bit == u64(0) and closes(s.edges | bit, e) != u64(0):
                    out[n] = e
                    n += 1
            return n

        def move_score(s, e):
            """Boxes closed first, lines that give a box away last."""
            edges = s.edges | u64(1) << u64(e)
            return 10.0 * popcount(closes(edges, e)) - gives(edges, e)

        def planes(s, out):
            for e in range(EDGES):
                drawn = s.edges >> u64(e) & u64(1) != u64(0)
                out[0 if drawn else 1, PLACES[e, 0], PLACES[e, 1]] = 1
            write_boxes(s.taken[s.turn], 2, out)
            write_boxes(s.taken[1 - s.turn], 3, out)

        def symmetries():
            """The drawing turned and mirrored, and the lines with it."""
            places = [WIDTH * row + column for row, column in PLACES.tolist()]
            images = turned_and_mirrored(HEIGHT, WIDTH)
            return [(cells, np.array([places.index(cell) for cell in cells[places]])) for cells in images]

        def format_action(s, a):
            return grid.names[a]

        def parse_action(s, text):
            return grid.find_edge(text)

        def clicks(s, a):
            return (grid.names[a],)

        def format(s):
            return f"{grid.format(s.edges, s.taken)} {s.turn}"

        def parse(s, text):
            *lines, turn = text.split() or [""]
            s.edges, s.taken[0], s.taken[1] = grid.parse(lines)
            if turn not in ("0", "1"):
                raise GameError(f"a position ends with whose turn it is, 0 or 1, not with '{turn}'")
            s.turn = int(turn)

        def validate(s):
            if s.turn not in (0, 1):
                return f"player {s.turn} does not play here, only 0 and 1 do"
            return grid.validate(int(s.edges), int(s.taken[0]), int(s.taken[1]))

        def text(s):
            return grid.text(s.edges, s.taken)

        def svg(s, marks):
            width, height, parts = grid.draw(int(s.edges), s.taken, marks)
            return svg.document(width, height, parts, STYLE, title="dots and boxes", class_="zb")

    return DotsAndBoxes
