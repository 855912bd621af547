"""Pac-man drawn, for a terminal and as SVG."""

from math import cos, pi, sin

from zermelo.drawing import svg
from zermelo.drawing.board import CELL, Board
from zermelo.games.pac_man.notation import CAUGHT, EAST, NORTH, SOUTH, STOP, TIRED, WEST, WON

MOUTHS = {NORTH: "◒", SOUTH: "◓", EAST: "◐", WEST: "◑", STOP: "◑"}  # the empty half is the mouth
COLOURS = ("#e8352e", "#38c7d8", "#f2a2c8", "#f0983a")  # of the ghosts, in order
ANGLES = {EAST: 0.0, SOUTH: 0.5 * pi, WEST: pi, NORTH: 1.5 * pi, STOP: pi}  # y grows downwards
STYLE = """
.zb .pm-maze { fill: #12121f; stroke: #12121f } .zb .pm-maze ~ .target { fill: #5fe08a; fill-opacity: .8 }
.zb .pm-wall { stroke-linecap: round; stroke-linejoin: round }
.zb .pm-rim { fill: #4763e0; stroke: #4763e0; stroke-width: 34 }
.zb .pm-core { fill: #1b2350; stroke: #1b2350; stroke-width: 26 }
.zb .pm-food { fill: #f6d9b8 } .zb .pm-pacman { fill: #ffd927 } .zb .pm-afraid { fill: #2a3ff0 }
.zb .pm-ghost { stroke: #12121f; stroke-width: 2 }
.zb .pm-face { stroke: #f6d9b8; stroke-width: 2.5; fill: none; stroke-linecap: round }
"""


def draw_text(maze, s):
    """Two characters a cell, and a line that says how it stands."""
    signs = dict.fromkeys(maze.cells, " ")
    signs |= {maze.cells[maze.food[i]]: "·" for i in maze.where(s.food)}
    signs |= {maze.cells[maze.capsules[i]]: "●" for i in maze.where([s.capsules])}
    for g in range(len(maze.ghosts)):
        signs[maze.cells[s.ghosts[g]]] = "n" if s.scared[g] else "∩"
    if s.status != CAUGHT:
        signs[maze.cells[s.pacman]] = MOUTHS[s.heading]
    rows = [
        "".join(f"{signs[x, y]} " if (x, y) in signs else "██" for x in range(maze.width)) for y in range(maze.height)
    ]
    return "\n".join([*(row.rstrip() for row in rows), _says(maze, s)])


def _says(maze, s):
    """score 12, 5 dots, 287 moves left; ghost 2 to move; ghost 1 is scared for 12 turns"""
    dots = len(maze.where(s.food))
    parts = [f"score {s.score}, {dots} dot{'s' * (dots != 1)}, {s.left} move{'s' * (s.left != 1)} left"]
    ends = {WON: "pac-man has won", CAUGHT: "pac-man is caught", TIRED: "time is up"}
    parts.append(ends.get(s.status) or f"{f'ghost {s.turn}' if s.turn else 'pac-man'} to move")
    parts += [f"ghost {g + 1} is scared for {s.scared[g]} turns" for g in range(len(maze.ghosts)) if s.scared[g]]
    return "; ".join(parts)


def draw_svg(maze, s, marks):
    board = Board(maze.names, maze.width, marks, cells="pm-maze")
    _draw_walls(board, maze)
    for cells, bits, radius in ((maze.food, s.food, 5.5), (maze.capsules, [s.capsules], 13)):
        for i in maze.where(bits):
            board.add(svg.circle(*board.centre(maze.name(cells[i])), radius, class_="pm-food", pointer_events="none"))
    turned = pi if marks.flip else 0.0
    pacman = (*board.centre(maze.name(s.pacman)), ANGLES[s.heading] + turned)
    if s.status != CAUGHT:
        _draw_pacman(board, *pacman)
    ghosts = [s.ghosts[g] for g in range(len(maze.ghosts))]
    for g, cell in enumerate(ghosts):
        x, y = board.centre(maze.name(cell))
        together = [other for other, there in enumerate(ghosts) if there == cell]
        x += 14 * (together.index(g) - (len(together) - 1) / 2)  # side by side, so that none is hidden
        look = None if s.headings[g] == STOP else ANGLES[s.headings[g]] + turned
        _draw_ghost(board, x, y, look, COLOURS[g], s.scared[g])
    if s.status == CAUGHT:
        _draw_pacman(board, *pacman, caught=True)
    board.add(svg.text(board.width / 2, board.height - 7, _says(maze, s), class_="label"))
    return board.svg(f"pac-man: {_says(maze, s)}", STYLE)


def _draw_walls(board, maze):
    """Lines from wall to neighbouring wall, thick and then a little less thick: tubes with round ends."""
    open_cells = set(maze.cells)
    wall = {(x, y) for x in range(maze.width) for y in range(maze.height)} - open_cells
    lines = []
    for x, y in sorted(wall):
        here = _point(board, maze, x, y)
        lines.append(f"M{here}h0")
        lines += [f"M{here}L{_point(board, maze, *there)}" for there in ((x + 1, y), (x, y + 1)) if there in wall]
        if {(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= wall:
            corners = ((x + 1, y), (x + 1, y + 1), (x, y + 1))
            lines.append(f"M{here}" + "".join(f"L{_point(board, maze, *there)}" for there in corners) + "z")
    for kind in ("rim", "core"):
        board.add(svg.path("".join(lines), class_=f"pm-wall pm-{kind}", pointer_events="none"))


def _point(board, maze, x, y):
    return _pair(*board.centre(maze.names[y * maze.width + x]))


def _pair(x, y):
    return f"{svg.coordinate(x)} {svg.coordinate(y)}"


def _draw_pacman(board, x, y, angle, caught=False):
    """A disc without the wedge of its mouth; caught, he is small and faints in front of the ghost."""
    mouth, r = (1.0, 0.2 * CELL) if caught else (0.62, 0.42 * CELL)
    angle, y = (1.5 * pi, y + 0.3 * CELL) if caught else (angle, y)
    lips = [_pair(x + r * cos(angle + side * mouth), y + r * sin(angle + side * mouth)) for side in (1, -1)]
    throat = _pair(x - 0.25 * r * cos(angle), y - 0.25 * r * sin(angle))
    arc = f"A{_pair(r, r)} 0 1 1 {lips[1]}"
    board.add(svg.path(f"M{throat}L{lips[0]}{arc}z", class_="pm-pacman", pointer_events="none"))


def _draw_ghost(board, x, y, look, colour, scared):
    """A dome over a skirt of three waves. The eyes look where it goes; a scared one is blue and pulls a face."""
    r = 0.38 * CELL
    wave, low = 2 * r / 3, y + 0.95 * r
    skirt = "".join(f"q{_pair(-wave / 2, -9.0)} {_pair(-wave, 0.0)}" for _ in range(3))
    dome = f"V{svg.coordinate(y)}A{_pair(r, r)} 0 0 1 {_pair(x + r, y)}V{svg.coordinate(low)}"
    paint = {"class_": "pm-ghost pm-afraid"} if scared else {"class_": "pm-ghost", "fill": colour}
    board.add(svg.path(f"M{_pair(x - r, low)}{dome}{skirt}z", **paint, pointer_events="none"))
    dx, dy = (0.0, 0.0) if look is None else (3 * cos(look), 3 * sin(look))
    for side in (-1, 1):
        eye = x + side * 0.4 * r
        if scared:
            board.add(svg.circle(eye, y - 4, 3.2, class_="pm-food", pointer_events="none"))
        else:
            board.add(svg.circle(eye + 0.5 * dx, y - 4 + 0.5 * dy, 6.4, fill="#fff", pointer_events="none"))
            board.add(svg.circle(eye + dx, y - 4 + dy, 3.4, fill="#1c2c88", pointer_events="none"))
    if scared:
        board.add(svg.path(f"M{_pair(x - 12, y + 12)}l6 -5l6 5l6 -5l6 5", class_="pm-face", pointer_events="none"))
