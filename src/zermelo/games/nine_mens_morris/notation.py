"""Nine men's morris in words: the names of points, moves such as d2-d3xf4, positions as rows of signs."""

import re

from zermelo.core.game import GameError

RINGS = (  # clockwise from the upper left corner
    ("a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4"),
    ("b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4"),
    ("c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"),
)
NAMES = tuple(name for ring in RINGS for name in ring)  # by bit
NOBODY = 24
ROWS = tuple(tuple(sorted(name for name in NAMES if name[1] == row)) for row in "7654321")
COLOURS = ("white", "black")
EXAMPLE = "'w../.b./.../....../.../.../... w 16'"


def bits(board):
    return [bit for bit in range(24) if board >> bit & 1]


def signs(s, white, black, empty):
    """What stands on every point, by name."""
    return {
        name: white if s.white >> bit & 1 else black if s.black >> bit & 1 else empty for bit, name in enumerate(NAMES)
    }


def hands(s):
    """Men not yet placed: (white's, black's). They place in turn, white first."""
    return (s.left + 1 - s.turn) // 2, (s.left + s.turn) // 2


# -- moves -------------------------------------------------------------------------------------------------------------


def points(a):
    """(from or None, to, taken off or None), by name."""
    to, origin, victim = a & 31, a >> 5 & 31, a >> 10
    return (None if origin == NOBODY else NAMES[origin]), NAMES[to], (None if victim == NOBODY else NAMES[victim])


def format_action(s, a):
    origin, to, victim = points(a)
    return (f"{origin}-" if origin else "") + to + (f"x{victim}" if victim else "")


def clicks(s, a):
    return tuple(name for name in points(a) if name)


def parse_action(s, text):
    wanted = re.sub(r"\s", "", text.lower()).replace("×", "x").replace(":", "x")
    found = re.fullmatch(r"(?:([a-g][1-7])-?)?([a-g][1-7])(?:[x-]([a-g][1-7]))?", wanted)
    if not found:
        raise GameError(f"'{text.strip()}' is not a morris move; they look like d2, d2-d3 or, with a mill, d2-d3xf4")
    legal = {points(a): a for a in s.game.actions(s)}
    if found.groups() in legal:
        return legal[found.groups()]
    for name in filter(None, found.groups()):
        if name not in NAMES:
            raise GameError(f"there is no point {name}; the points are {', '.join(sorted(NAMES))}")
    raise GameError(_refusal(s, text.strip(), found.groups(), legal))


def _refusal(s, wanted, groups, legal):
    if not legal:
        return "the game is over"
    origin, to, victim = groups
    victims = sorted(v for o, t, v in legal if (o, t) == (origin, to) and v)
    if victims:
        can = (
            f"say which man to take off: {', '.join(victims)}"
            if victim is None
            else f"only {', '.join(victims)} can be"
        )
        return f"'{wanted}' closes a mill; {can}"
    if victim and (origin, to, None) in legal:
        return f"'{wanted}' closes no mill, so no man can be taken off"
    shown = ", ".join(format_action(s, a) for a in list(legal.values())[:12]) + (", …" if len(legal) > 12 else "")
    return f"'{wanted}' is not a legal move here; legal are: {shown}"


# -- positions ---------------------------------------------------------------------------------------------------------


def format_position(s):
    stands = signs(s, "w", "b", ".")
    board = "/".join("".join(stands[name] for name in row) for row in ROWS)
    return f"{board} {'wb'[s.turn]} {s.left}" + (f" {s.quiet}" if s.quiet else "")


def parse_position(s, text):
    words = text.lower().split()
    if not 3 <= len(words) <= 4:
        raise GameError(f"a morris position is rows, side to move and men left to place, such as {EXAMPLE}")
    rows = words[0].split("/")
    if [len(row) for row in rows] != [3, 3, 3, 6, 3, 3, 3]:
        raise GameError(f"a morris board has rows of 3, 3, 3, 6, 3, 3 and 3 points, as in {EXAMPLE}, not '{words[0]}'")
    for row, names in zip(rows, ROWS, strict=True):
        for sign, name in zip(row, names, strict=True):
            if sign not in "wb.":
                raise GameError(f"'{sign}' on {name} is none of w, b and dot")
            if sign == "w":
                s.white |= 1 << NAMES.index(name)
            elif sign == "b":
                s.black |= 1 << NAMES.index(name)
    if words[1] not in ("w", "b"):
        raise GameError(f"the side to move is w or b, not '{words[1]}'")
    s.turn = "wb".index(words[1])
    for field, word in zip(("left", "quiet"), words[2:], strict=False):
        if not re.fullmatch(r"\d{1,2}|100", word):
            raise GameError(f"'{word}' is not a number of {'men' if field == 'left' else 'plies'}")
        setattr(s, field, int(word))


def validate(s):
    """Why this cannot be a position, or None."""
    if not (0 <= s.white < 1 << 24 and 0 <= s.black < 1 << 24 and s.turn in (0, 1)):
        return "a field is out of its range"
    if s.white & s.black:
        return f"two men stand on {NAMES[bits(s.white & s.black)[0]]}"
    if not 0 <= s.left <= 18:
        return f"there are at most 18 men left to place, not {s.left}"
    if s.left and s.left % 2 != s.turn:
        return f"white places first, so with {s.left} men left it is {COLOURS[1 - s.turn]}'s turn"
    if not 0 <= s.quiet <= 100 or (s.left and s.quiet):
        return f"{s.quiet} quiet plies cannot be" + (" while men are placed" if s.left else "; 100 end the game")
    for name, board, hand in zip(COLOURS, (s.white, s.black), hands(s), strict=True):
        if board.bit_count() + hand > 9:
            return f"{name} has {board.bit_count() + hand} men, more than nine"
    other, hand = ((s.black, s.white)[s.turn]).bit_count(), hands(s)[1 - s.turn]
    return "the game was over before the last move" if other + hand < 3 else None
