"""The mazes of pac-man: layouts as text, and the tables that the rules make of one.

    %  wall      .  food (a dot)      o  capsule      P  pac-man      G  a ghost (1, 2, 3 and 4 are ghosts, too)

Only the open cells are numbered, row by row from the top, so that a table over cells has no entries for walls:

    %%%%%%%      a cell is named by its column, from a, and its row, from 1 at the bottom: the 0 here is b4
    %0 1 2%
    %3%%%4%      next[cell, direction]   the neighbour to the north, south, east, west, or -1
    %5678 %      distance[cell, cell]    steps along the corridors; 255 for more, and for never
    %%%%%%%
"""

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from zermelo.core.game import GameError

MOST_SIDE, MOST_GHOSTS, MOST_CAPSULES, FAR = 32, 4, 64, 255
STEPS = ((0, -1), (0, 1), (1, 0), (-1, 0))  # north, south, east, west; x grows to the right, y downwards

LAYOUTS = {
    "tiny": """
%%%%%%%
%P  . %
% %%% %
%. o G%
%%%%%%%
""",
    "small": """
%%%%%%%%%%%%%
%o..%...%..G%
%.%.%.%.%.%.%
%.%...%...%.%
%.%%%.%.%%%.%
%......P...o%
%.%%.%%%.%%.%
%G..........%
%%%%%%%%%%%%%
""",
    "medium": """
%%%%%%%%%%%%%%%%%%%%%
%o........%........o%
%.%%%.%%%.%.%%%.%%%.%
%...................%
%.%%%.%.%%%%%.%.%%%.%
%.....%...%...%.....%
%%%%%.%%% % %%%.%%%%%
%.....%  GGG  %.....%
%.%%%.% %%%%% %.%%%.%
%...%.....P.....%...%
%%%.%.%.%%%%%.%.%.%%%
%.....%...%...%.....%
%.%%%%%%%.%.%%%%%%%.%
%o.................o%
%%%%%%%%%%%%%%%%%%%%%
""",
    "open": """
%%%%%%%%%%%%%%
%P.          %
%            %
%   .   .    %
%      o     %
%   .   .    %
%            %
%          .G%
%%%%%%%%%%%%%%
""",
    "trapped": """
%%%%%%%%%%%
%....%%%%%%
%.%%.%%%%%%
%...G  P G%
%%%%%%%%%%%
""",
    "starving": """
%%%%%%%%%%%%%
%.        .P%
%%%%%%%%%%% %
%%%%%%%%%%%%%
""",
}


@dataclass(frozen=True, eq=False)
class Maze:
    """A layout, numbered."""

    width: int
    height: int
    cells: tuple[tuple[int, int], ...]  # (x, y) of every open cell
    names: tuple[str, ...]  # of every cell, walls included, row by row from the top
    next: np.ndarray  # (cells, 4) int16
    food: tuple[int, ...]  # the cells that have food at the start
    capsules: tuple[int, ...]
    pacman: int
    ghosts: tuple[int, ...]

    @property
    def size(self):
        return len(self.cells)

    @cached_property
    def places(self):
        """(x, y) → cell."""
        return {at: cell for cell, at in enumerate(self.cells)}

    @cached_property
    def named(self):
        """name → cell, in the order of the cells."""
        return {self.names[y * self.width + x]: cell for cell, (x, y) in enumerate(self.cells)}

    @cached_property
    def _names(self):
        return tuple(self.named)

    def name(self, cell):
        return self._names[cell]

    def steps(self):
        """(cells, cells) uint8: how far it is from cell to cell."""
        neighbours = [[int(there) for there in row if there >= 0] for row in self.next]
        return np.array([_flood(neighbours, source) for source in range(self.size)], np.uint8)

    def numbers(self, things):
        """(cells,) int16: which of `things` (the food, the capsules) lies on a cell; -1 for none."""
        return np.array([things.index(cell) if cell in things else -1 for cell in range(self.size)], np.int16)

    def where(self, bits):
        """Which of the layout's places `bits` (an array of 64-bit words) still have something."""
        words = [int(word) for word in bits]
        return [64 * w + i for w, word in enumerate(words) for i in range(word.bit_length()) if word >> i & 1]


def _flood(neighbours, source):
    """Breadth first: the distance of every cell from `source`."""
    distance = [FAR] * len(neighbours)
    distance[source] = 0
    queue = deque([source])
    while queue:
        here = queue.popleft()
        for there in neighbours[here]:
            if distance[there] == FAR and distance[here] < FAR - 1:
                distance[there] = distance[here] + 1
                queue.append(there)
    return distance


def read_layout(path):
    """The text of a layout file, to be given to the game: load("pac-man", layout=read_layout("my.lay"))."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise GameError(
            f"the layout '{path}' cannot be read: {getattr(problem, 'strerror', None) or problem}"
        ) from None
    make_maze(text)
    return text.strip("\n") + "\n"  # a single line is a layout, too, and must not be taken for a name


def find_maze(layout):
    """The maze called `layout`, or the one that the lines of `layout` draw."""
    if "\n" in layout.strip(" "):
        return make_maze(layout)
    if layout not in LAYOUTS:
        raise GameError(
            f"pac-man: no layout is called '{layout}'; there are: {', '.join(LAYOUTS)}, or a layout's own text"
        )
    return make_maze(LAYOUTS[layout])


def make_maze(text):
    """Read the lines of a layout; a GameError says what is wrong with them, and where."""
    rows = [line.rstrip() for line in text.strip("\n").splitlines()]
    width, height = max(map(len, rows), default=0), len(rows)
    if not (1 <= width <= MOST_SIDE and 1 <= height <= MOST_SIDE):
        raise GameError(f"pac-man: a layout has up to {MOST_SIDE} rows and columns, not {width} × {height}")
    signs = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row.ljust(width))}
    for (x, y), sign in signs.items():
        if sign not in "% .oPG1234":
            raise GameError(
                f"pac-man: '{sign}' in row {y + 1}, column {x + 1} of the layout is none of % . o P G and space"
            )
    cells = tuple(at for at, sign in signs.items() if sign != "%")
    at = {place: cell for cell, place in enumerate(cells)}
    found = {kind: tuple(at[place] for place in cells if signs[place] in kind) for kind in (".", "o", "P", "G1234")}
    _check(found)
    exits = [[at.get((x + dx, y + dy), -1) for dx, dy in STEPS] for x, y in cells]
    names = tuple(f"{_column(x)}{height - y}" for y in range(height) for x in range(width))
    return Maze(
        width,
        height,
        cells,
        names,
        np.array(exits, np.int16),
        found["."],
        found["o"],
        found["P"][0],
        found["G1234"],
    )


def _check(found):
    if len(found["P"]) != 1:
        raise GameError(f"pac-man: a layout has one P for pac-man, not {len(found['P'])}")
    if len(found["G1234"]) > MOST_GHOSTS:
        raise GameError(f"pac-man: a layout has up to {MOST_GHOSTS} ghosts, not {len(found['G1234'])}")
    if len(found["o"]) > MOST_CAPSULES:
        raise GameError(f"pac-man: a layout has up to {MOST_CAPSULES} capsules, not {len(found['o'])}")
    if not found["."]:
        raise GameError("pac-man: a layout has at least one dot of food")


def _column(x):
    """a … z, aa … af."""
    return "abcdefghijklmnopqrstuvwxyz"[x] if x < 26 else "a" + "abcdef"[x - 26]
