"""2048: slide numbered tiles on a 4 × 4 board; equal ones merge, and every move brings a new tile.

The record. A tile is kept as the exponent of its number, sixteen of them row by row:

    tiles    0  1  2  3     a4 b4 c4 d4     0 is empty, 1 is a 2, 2 is a 4, … 11 is a 2048
             4  5  6  7     a3 b3 c3 d3
             8  9 10 11     a2 b2 c2 d2
            12 13 14 15     a1 b1 c1 d1

    score    the sum of all tiles made by merging
    fresh    how many tiles chance has to place before the player moves: 2 at the start, 1 after a move

An action is a direction: 0 up, 1 right, 2 down, 3 left. Every tile slides as far as it can; two equal ones that meet
become one of twice the number, once a move, those nearest to where they are going first. A move that changes nothing is
not legal, and without a legal move the game is over: the payoff is the score. Chance puts a tile on an empty cell, a 2
nine times in ten, otherwise a 4: outcome 2 × cell or 2 × cell + 1, written `2@b3` and `4@b3`.

Positions are the numbers row by row, the score and the tiles to come: `2,.,.,4/.,.,.,./.,.,8,./.,.,.,. 12 0`.

What a network sees are 17 planes: where the tiles 2, 4, 8, … 131072 lie.

Reference: Gabriele Cirulli, https://github.com/gabrielecirulli/2048 (2014).
"""

import re

import numpy as np

from zermelo.compile.rules import helper, rules
from zermelo.core.game import CHANCE, GameError
from zermelo.drawing import svg
from zermelo.drawing.board import CELL, EDGE, Board
from zermelo.games._shared.symmetries import turned_and_mirrored

UP, RIGHT, DOWN, LEFT = range(4)
NAMES = ("up", "right", "down", "left")
ARROWS = "↑→↓←"
CELLS = tuple(f"{column}{row}" for row in "4321" for column in "abcd")
LARGEST = 17  # 131072 is the largest tile there can be: beyond it the board has no room
EMPTY_CELL = 0.1  # what an empty cell is worth to the evaluation, as a share of the sum of all tiles
DISORDER = 0.3  # … and a tile out of order costs, as a share of its number

STYLE = """
.zb .slot { fill: #cdc1b4; stroke: #bbada0; stroke-width: 3 } .zb .low { fill: #635b52 } .zb .high { fill: #fff }
.zb .number { font-weight: 700 } .zb .push { fill: #8d7a62 } .zb .faint { opacity: .3 }
"""
COLOURS = ("#eee4da", "#ede0c8", "#f2b179", "#f59563", "#f67c5f", "#f65e3b", "#edcf72", "#edcc61", "#e7c447", "#dfb935")


@helper
def slide_line(tiles, end, back):
    """Slide the line whose tiles go towards cell `end`; `back` is the way from there. The points made by merging."""
    points = 0
    place = end  # the next free cell
    waiting = 0  # the tile before it, if it may still merge
    for i in range(end, end + 4 * back, back):
        tile = tiles[i]
        if tile == 0:
            continue
        tiles[i] = 0
        if tile == waiting:
            tiles[place - back] = tile + 1
            points += 2 << tile
            waiting = 0
        else:
            tiles[place] = tile
            place += back
            waiting = tile
    return points


@helper
def slide(tiles, direction):
    points = 0
    for line in range(4):
        if direction == UP:
            points += slide_line(tiles, line, 4)
        elif direction == DOWN:
            points += slide_line(tiles, 12 + line, -4)
        elif direction == LEFT:
            points += slide_line(tiles, 4 * line, 1)
        else:
            points += slide_line(tiles, 4 * line + 3, -1)
    return points


@helper
def ways(a, b):
    """Of two neighbours: 1 if b can move towards a, 2 if a towards b, 3 if they are equal and merge either way.

    Without branches, which a processor could not foresee.
    """
    return (
        ((a != 0) & (a == b)) * 3 | ((a == 0) & (b != 0)) * 1 | ((b == 0) & (a != 0)) * 2
    )  # no branches: it is random


@helper
def disorder(a, b, c, d):
    """How far a line is from running only up or only down, in the numbers on its tiles."""
    x, y, z = (1 << b) - (1 << a), (1 << c) - (1 << b), (1 << d) - (1 << c)
    rise = max(x, 0) + max(y, 0) + max(z, 0)
    return min(rise, rise - (x + y + z))


@rules(
    name="game-2048",
    players=1,
    max_actions=4,
    max_chance_outcomes=32,
    zero_sum=False,
    stuck_ends=True,
    policy_size=4,
    plane_shape=(LARGEST, 4, 4),
)
class Game2048:
    """Slide and merge; the payoff is the score."""

    state = {"score": "i4", "tiles": ("i1", (16,)), "fresh": "i1"}

    def start(s):
        s.fresh = 2

    def player(s):
        return CHANCE if s.fresh else 0

    def chances(s, out, probability):
        n = 0
        for cell in range(16):
            out[n], out[n + 1] = 2 * cell, 2 * cell + 1  # written over by the next one where the cell is taken
            n += 2 * (s.tiles[cell] == 0)
        two, four = 1.8 / n, 0.2 / n
        for i in range(0, n, 2):
            probability[i], probability[i + 1] = two, four
        return n

    def actions(s, out):
        across, along = 0, 0  # bit 0: left, up; bit 1: right, down
        for i in range(12):
            along |= ways(s.tiles[i], s.tiles[i + 4])
        for i in range(15):
            across |= ways(s.tiles[i], s.tiles[i + 1]) * (i & 3 != 3)
        n = 0
        for direction in range(4):
            bits = across if direction & 1 else along
            if bits & (2 if direction in (RIGHT, DOWN) else 1):
                out[n] = direction
                n += 1
        return n

    def apply(s, action):
        if s.fresh:
            s.tiles[action >> 1] = 1 + (action & 1)
            s.fresh -= 1
        else:
            s.score += slide(s.tiles, action)
            s.fresh = 1

    def utility(s, out):
        out[0] = s.score

    def evaluate(s):
        """The score, with credit for empty cells, less what stands out of order in rows and columns."""
        total, empty, wrong = 0, 0, 0
        for i in range(16):
            if s.tiles[i] == 0:
                empty += 1
            else:
                total += 1 << s.tiles[i]
        for i in range(4):
            wrong += disorder(s.tiles[4 * i], s.tiles[4 * i + 1], s.tiles[4 * i + 2], s.tiles[4 * i + 3])
            wrong += disorder(s.tiles[i], s.tiles[i + 4], s.tiles[i + 8], s.tiles[i + 12])
        return s.score + EMPTY_CELL * empty * total - DISORDER * wrong

    def planes(s, out):
        for cell in range(16):
            if s.tiles[cell] > 0:
                out[s.tiles[cell] - 1, cell >> 2, cell & 3] = 1

    @staticmethod
    def symmetries():
        """The board turned and mirrored, and the directions with it: where the neighbours of a cell come to lie."""
        steps = {-4: UP, 1: RIGHT, 4: DOWN, -1: LEFT}
        images = turned_and_mirrored(4, 4)
        return [(cells, np.array([steps[cells[5 + step] - cells[5]] for step in steps])) for cells in images]

    def format(s):
        numbers = [str(1 << tile) if tile else "." for tile in s.tiles.tolist()]
        return "/".join(",".join(numbers[i : i + 4]) for i in range(0, 16, 4)) + f" {s.score} {s.fresh}"

    def parse(s, text):
        found = re.fullmatch(r"([\d.,/\s]+?)\s+(\d{1,7})\s+([012])", text.strip())
        numbers = re.split(r"[,/]", found[1]) if found else []
        known = {str(1 << n): n for n in range(1, LARGEST + 1)} | {".": 0}
        wrong = [n.strip() for n in numbers if n.strip() not in known]
        if len(numbers) != 16 or wrong:
            reason = f"'{wrong[0]}' is no tile" if len(numbers) == 16 else f"not '{text.strip()[:60]}'"
            raise GameError(f"a 2048 position is sixteen tiles, score and tiles to come, as 2,.,.,4/…/… 12 0; {reason}")
        s.tiles = [known[n.strip()] for n in numbers]
        s.score, s.fresh = int(found[2]), int(found[3])

    def validate(s):
        if min(s.tiles.tolist()) < 0 or max(s.tiles.tolist()) > LARGEST:
            return f"tiles are exponents from 0 to {LARGEST}"
        if s.score < 0 or not 0 <= s.fresh <= 2:
            return "the score is 0 or more, and 0, 1 or 2 tiles are to come"
        if s.tiles.tolist().count(0) < s.fresh:
            return "there is no room for the tiles to come"
        return None

    def format_action(s, a):
        return f"{2 << (a & 1)}@{CELLS[a >> 1]}" if s.fresh else NAMES[a]

    def parse_action(s, text):
        word = text.strip().lower()
        legal = {s.game.format_action(s, a): a for a in s.game.actions(s)}
        if not s.fresh:
            legal |= {sign: a for name, a in legal.items() for sign in (name[0], ARROWS[a])}
        if word not in legal:
            shown = ", ".join(list(legal)[:4]) or "nothing, the game is over"
            raise GameError(f"'{text.strip()[:60]}' is not a legal move here; legal is {shown}")
        return legal[word]

    def text(s):
        top, rule, bottom = (f"{a}──────{b}──────{b}──────{b}──────{c}" for a, b, c in ("┌┬┐", "├┼┤", "└┴┘"))
        numbers = [str(1 << tile) if tile else "" for tile in s.tiles.tolist()]
        rows = ["│" + "│".join(f"{n:^6}" for n in numbers[i : i + 4]) + "│" for i in range(0, 16, 4)]
        return "\n".join([top, f"\n{rule}\n".join(rows), bottom, f"score {s.score}"])

    def svg(s, marks):
        board = Board(CELLS, 4, marks, cells="slot")
        for name, tile in zip(CELLS, s.tiles.tolist(), strict=True):
            if tile:
                board.add(*_tile(*board.centre(name), tile))
        legal = [] if s.fresh else [NAMES[a] for a in s.game.actions(s)]
        for place, name in enumerate(NAMES[2:] + NAMES[:2] if marks.flip else NAMES):
            kind = "last" if name in marks.last else "target" if name in marks.targets else ""
            board.add(*_push(board.width, place, name, name in legal, kind))
        return board.svg(f"2048: score {s.score}", STYLE)

    def clicks(s, a):
        return (CELLS[a >> 1],) if s.fresh else (NAMES[a],)


def _tile(x, y, tile):
    number = str(1 << tile)
    size = {1: 28, 2: 26, 3: 21, 4: 17, 5: 14}.get(len(number), 12)
    colour = COLOURS[min(tile, len(COLOURS)) - 1]
    kind = "number " + ("low" if tile < 3 else "high")
    yield svg.rect(x - CELL / 2 + 4, y - CELL / 2 + 4, CELL - 8, CELL - 8, rx=4, fill=colour, pointer_events="none")
    yield svg.text(x, y + size * 0.36, number, class_=kind, font_size=size, pointer_events="none")


def _push(width, place, name, is_legal, kind):
    """The arrow at the edge that is clicked to slide, lit by `kind`; `place` is 0 at the top, then clockwise."""
    middle, reach = width / 2, EDGE - 8
    turn = f"rotate({90 * place} {middle:g} {middle:g})"
    points = [(middle - 22, reach), (middle + 22, reach), (middle, 4)]
    yield svg.polygon(points, class_="push" if is_legal else "push faint", transform=turn, data_at=name)
    if kind:
        yield svg.polygon(points, class_=kind, transform=turn, pointer_events="none")
