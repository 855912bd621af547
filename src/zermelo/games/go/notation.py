"""How Go is written: points, and positions in one line.

A position is its rows from the top, then whose turn it is, the point of a ko, passes in a row, and moves made:

    .X./XO./... O - 0 3        X black, O white; what follows the rows may be left out
"""

from zermelo.core.game import GameError
from zermelo.games._shared.cell_sets import bit, cells_of, neighbours

LETTERS = "ABCDEFGHJKLMNOPQRST"  # no I, which looks like J
SIGNS = "XO"


def point_names(width, height):
    """The points row by row from the top: A9, B9, …"""
    return [f"{LETTERS[x]}{height - y}" for y in range(height) for x in range(width)]


def parse_point(text, names):
    name = text.strip().upper()
    if name not in names:
        raise GameError(f"'{' '.join(text.split())}' is not a point such as {names[-1]} or {names[0]}, nor 'pass'")
    return names.index(name)


def signs(s, names):
    """What stands on every point: X, O or a dot."""
    board = ["."] * len(names)
    for colour, sign in enumerate(SIGNS):
        for point in cells_of(s.stones[colour]):
            board[point] = sign
    return board


# -- positions ---------------------------------------------------------------------------------------------------------


def format_position(s, names, width):
    board = "".join(signs(s, names))
    rows = "/".join(board[i : i + width] for i in range(0, len(board), width))
    ko = names[s.ko] if s.ko >= 0 else "-"
    return f"{rows} {SIGNS[s.turn]} {ko} {s.passes} {s.plies}"


def parse_position(s, text, names, width):
    """Fill the record; the chains in atari are counted from the stones."""
    words = text.split()
    rows = words[0].upper().split("/") if words else []
    height = len(names) // width
    if len(rows) != height or len(words) > 5:
        raise GameError(f"a go position has {height} rows of {width}, such as '.X./XO./... X', not '{' '.join(words)}'")
    for y, row in enumerate(rows):
        if len(row) != width or set(row) - set("XO."):
            raise GameError(f"row {y + 1} of the go position must be {width} of X, O and dot, not '{row}'")
    board = "".join(rows)
    for point, sign in enumerate(board):
        if sign != ".":
            s.stones[SIGNS.index(sign), point >> 6] |= bit(point)
    for chain, liberties in chains(board, width):
        for point in chain if len(liberties) == 1 else ():
            s.atari[SIGNS.index(board[point]), point >> 6] |= bit(point)
    usual = ["X", "-", "0", str(len(board) - board.count("."))]
    turn, ko, passes, plies = words[1:] + usual[len(words) - 1 :]
    if turn.upper() not in ("X", "O", "B", "W"):
        raise GameError(f"after the rows comes whose turn it is, X or O, not '{turn}'")
    s.turn = turn.upper() in "OW"
    s.ko = -1 if ko == "-" else parse_point(ko, names)
    for field, value in (("passes", passes), ("plies", plies)):
        if not value.isdecimal() or len(value) > 4:
            raise GameError(f"the number of {field} cannot be '{value}'")
        setattr(s, field, min(int(value), 99) if field == "passes" else int(value))


def validate(s, names, width, limit):
    """A sentence, if this is not a position of the game."""
    if (s.stones[0] & s.stones[1]).any():
        return "two stones stand on one point"
    if max(cells_of(s.stones[0] | s.stones[1]), default=0) >= len(names):
        return "a stone stands off the board"
    board = signs(s, names)
    for chain, liberties in chains(board, width):
        if not liberties:
            return f"the chain at {names[chain[0]]} has no liberty"
        colour = SIGNS.index(board[chain[0]])
        if (len(liberties) == 1) != (chain[0] in cells_of(s.atari[colour])):
            return f"whether the chain at {names[chain[0]]} is in atari is noted wrongly"
    if s.ko >= 0 and not is_ko(s, board, width):
        return f"no stone can have been taken in a ko at {names[s.ko]}"
    if not (s.turn in (0, 1) and 0 <= s.passes <= 2 and s.passes <= s.plies <= limit):
        return f"turn {s.turn}, passes {s.passes}, plies {s.plies} do not go together"
    return None


def is_ko(s, board, width):
    """Is s.ko an empty point where the side to move would take just one stone of the other's?"""
    if not s.ko < len(board) or board[s.ko] != "." or s.passes:
        return False
    theirs = SIGNS[1 - s.turn]
    in_atari = [chain for chain, liberties in chains(board, width) if liberties == {s.ko} and board[chain[0]] == theirs]
    near = neighbours(width, len(board) // width)[s.ko]
    return all(board[p] == theirs for p in near) and [len(chain) for chain in in_atari] == [1]


def chains(board, width):
    """Every chain of stones, as its points in order found and the set of its liberties."""
    near = neighbours(width, len(board) // width)
    seen = set()
    for point, sign in enumerate(board):
        if sign == "." or point in seen:
            continue
        chain, liberties = [point], set()
        seen.add(point)
        for stone in chain:
            liberties.update(p for p in near[stone] if board[p] == ".")
            more = [p for p in near[stone] if board[p] == sign and p not in seen]
            seen.update(more)
            chain += more
        yield chain, liberties
