"""Games of Go in SGF (File Format 4, https://www.red-bean.com/sgf/): one line of play, and setup stones before it.

    (;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7];B[ee];W[cd];B[];W[])

A point is its column and row from the top left, as two letters; nothing is a pass.
"""

import re

from zermelo.core.game import GameError, need_text
from zermelo.games._shared.cell_sets import cells_of

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)((?:\s*\[(?:\\.|[^\]\\])*\])+))", re.DOTALL)
_VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)


def write(history, width, height, lead=None, names=()):
    """The players' names, the setup, the moves and, where `lead` is what black leads by at the end, the result."""
    first, points = history.states[0], width * height
    size = width if width == height else f"{width}:{height}"
    root = f"GM[1]FF[4]CA[UTF-8]SZ[{size}]KM[{history.game.options['komi']:g}]"
    for name, stones in (("AB", first.stones[0]), ("AW", first.stones[1])):
        root += name * bool(stones.any()) + "".join(f"[{_point(p, width, points)}]" for p in cells_of(stones))
    if first.turn or first.stones.any():
        root += f"PL[{'BW'[first.turn]}]"
    for name, player in zip(("PB", "PW"), names, strict=False):
        root += f"{name}[{_escaped(player)}]"
    if lead is not None:
        root += f"RE[{'B' if lead > 0 else 'W'}+{abs(lead):g}]" if lead else "RE[0]"
    moves = zip(history.states, history.moves, strict=False)
    return f"(;{root}" + "".join(f";{'BW'[s.turn]}[{_point(a, width, points)}]" for s, a in moves) + ")"


def read(text):
    """The main line: parameters of the rules, the position it starts from, and the moves as (colour, point)."""
    nodes = _main_line(text)
    options = _options(nodes[0])
    return options, *_setup_and_moves(nodes, options["size"], options["height"] or options["size"])


def _escaped(text):
    return re.sub(r"([]:\\])", r"\\\1", text)


def _point(point, width, points):
    """A point, or the pass, as SGF writes it."""
    return "" if point == points else chr(97 + point % width) + chr(97 + point // width)


def _points(values, width, height):
    """The points of a property: "aa", rectangles "aa:cc"; "" and "tt" are passes."""
    found = []
    for value in values:
        corners = value.strip().split(":")
        if value.strip() in ("", "tt"):
            found.append(width * height)
            continue
        places = [(ord(c[0]) - 97, ord(c[1]) - 97) for c in corners if re.fullmatch("[a-z][a-z]", c)]
        if len(places) != len(corners) or not all(x < width and y < height for x, y in places):
            raise GameError(f"'{value}' is not a point of a {width} × {height} board in SGF")
        (left, top), (right, bottom) = places[0], places[-1]
        found += [y * width + x for y in range(top, bottom + 1) for x in range(left, right + 1)]
    return found


def _main_line(text):
    """The nodes of the main line, each a dict of property → values."""
    nodes, at, closed = [], need_text("go", "an SGF", text).find("("), False
    if at < 0 or ";" not in text:
        raise GameError("this is not SGF: it has no '(;'")
    while not closed:
        token = _TOKEN.match(text, at)
        if token is None:
            rest = text[at:].strip()
            raise GameError(f"the SGF cannot be read at '{rest[:20]}'" if rest else "the SGF breaks off")
        at = token.end()
        mark, name, values = token.groups()
        closed = mark == ")"  # the first line to end is the main line
        if mark == ";":
            nodes.append({})
        elif name and nodes:
            key = re.sub("[a-z]", "", name)  # FF[3] and before wrote Black for B
            nodes[-1].setdefault(key, []).extend(_VALUE.findall(values))
    if not nodes:
        raise GameError("the SGF holds no game")
    return nodes


def _options(root):
    """What the root of an SGF says of the game, as parameters of the rules."""
    if root.get("GM", ["1"])[0].strip() != "1":
        raise GameError(f"this SGF is of another game (GM[{root['GM'][0]}]); go is GM[1]")
    size = re.fullmatch(r"([1-9]\d?)(?::([1-9]\d?))?", root.get("SZ", ["19"])[0].strip())
    if size is None:
        raise GameError(f"the size of the board cannot be '{root['SZ'][0]}' in SGF")
    try:
        komi = float(root.get("KM", ["0"])[0] or 0)
    except ValueError:
        raise GameError(f"komi cannot be '{root['KM'][0]}' in SGF") from None
    return {"size": int(size[1]), "height": int(size[2] or 0), "komi": komi}


def _setup_and_moves(nodes, width, height):
    """The position before the first move, in our notation, and the moves as (colour, point)."""
    board, moves, turn = ["."] * (width * height), [], None
    for node in nodes:
        for name, sign in (("AB", "X"), ("AW", "O"), ("AE", ".")):
            if name in node and moves:
                raise GameError(f"the SGF sets up stones ({name}) after move {len(moves)}, not before the first")
            for point in _points(node.get(name, []), width, height):
                if point == len(board):
                    raise GameError(f"the SGF sets up a stone ({name}) on no point")
                board[point] = sign
        turn = node["PL"][0].strip().upper()[:1] if "PL" in node and not moves else turn
        moves += [(c, p) for c, name in enumerate("BW") for p in _points(node.get(name, []), width, height)]
    rows = "/".join("".join(board[i : i + width]) for i in range(0, len(board), width))
    return f"{rows} {turn or 'BW'[moves[0][0] if moves else 0]} - 0 0", moves
