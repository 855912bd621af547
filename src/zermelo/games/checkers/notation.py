"""Checkers as people write it: squares 1 to 32, moves such as 11-15 and 22x15x8, PDN's positions and games.

    position   B:W21,22,K30:B1,2,K3:H12      side to move : white's pieces : black's : quiet plies, where there are any
    step       11-15
    capture    22x15, 22x15x8                every square the piece comes to, or only those that tell routes apart

Portable Draughts Notation (A. Millett 1995) is chess's PGN with these positions and moves. Its results name white
first: 1-0 is a win for white, although black begins.
"""

import re
import textwrap

import numpy as np

from zermelo.core.game import GameError, need_text
from zermelo.core.history import History
from zermelo.core.registry import load

SIDES = ("B", "W")
RESULTS = {"0-1": 1.0, "1-0": -1.0, "1/2-1/2": 0.0}  # the payoff of black, player 0
OTHER_RESULTS = {"*", "0-2", "2-0", "1-1", "0-0"}  # unfinished, and the two points a win brings in some tournaments
DIRECTIONS = (4, 5, -5, -4)
TOKEN = re.compile(
    r"""\[\s*(?P<tag>\w+)\s+"(?P<value>[^"]*)"\s*\] | (?P<skipped>\{[^}]*\} | ;[^\n]* | \$\d+ | \d+\.+ )
      | (?P<parenthesis>[()]) | (?P<word>[^\s(){}\[\];]+)""",
    re.VERBOSE,
)


# -- squares -----------------------------------------------------------------------------------------------------------


def bit_of(square):
    """The number of the bit that stands for a square: every ninth is left out."""
    return square - 1 + (square - 1) // 8


def square_of(bit):
    return bit + 1 - bit // 9


def board_of(squares):
    return np.uint64(sum(1 << bit_of(square) for square in squares))


def squares_of(board):
    return [square for square in range(1, 33) if int(board) >> bit_of(square) & 1]


# -- moves -------------------------------------------------------------------------------------------------------------


def route(a):
    """The squares a piece stands on in the course of a move, the first and the last included."""
    at, jumps, directions = a & 63, a >> 6 & 15, a >> 10
    visited = [square_of(at)]
    for _ in range(max(jumps, 1)):
        at += DIRECTIONS[directions & 3] * (2 if jumps else 1)
        visited.append(square_of(at))
        directions >>= 2
    return visited


def is_capture(a):
    return a >> 6 & 15 > 0


def format_action(s, a):
    return ("x" if is_capture(a) else "-").join(map(str, route(a)))


def clicks(s, a):
    return tuple(map(str, route(a)))


def parse_action(s, text):
    """The move meant: its whole route, or its ends and as much between as tells it from others with another result."""
    wanted = text.strip()
    if not re.fullmatch(r"\d+(\s*[-xX×:*]\s*\d+)+", wanted):
        raise GameError(f"'{wanted}' is not a checkers move; steps look like 11-15, captures like 22x15 or 22x15x8")
    squares = [int(number) for number in re.findall(r"\d+", wanted)]
    routes = {a: route(a) for a in s.game.actions(s)}
    exact = [a for a, way in routes.items() if way == squares]
    meant = exact or [a for a, way in routes.items() if _abbreviates(squares, way)]
    if not meant:
        raise GameError(_refusal(s, wanted, list(routes)))
    if len({s.game.succ(s, a) for a in meant}) > 1:
        choice = " or ".join(format_action(s, a) for a in meant)
        raise GameError(f"'{wanted}' could be {choice}; name the squares on the way")
    return meant[0]


def _abbreviates(squares, way):
    """Are `squares` the two ends of `way` and some of the squares between, in order?"""
    if len(squares) > len(way) or squares[0] != way[0] or squares[-1] != way[-1]:
        return False
    between = iter(way[1:-1])
    return all(square in between for square in squares[1:-1])


def refusal(s, cell):
    """Why a click on a square makes no move: captures come first, and a blocked piece stays where it is."""
    legal = s.game.actions(s)
    mine = squares_of((s.black, s.white)[s.turn])
    if legal and is_capture(legal[0]):
        shown = " or ".join(format_action(s, a) for a in legal[:4])
        stays = f"{cell} may not move, " if cell.isdigit() and int(cell) in mine else ""
        return f"{stays}a capture must be made: {shown}"
    return f"{cell} has nowhere to go" if cell.isdigit() and int(cell) in mine else ""


def _refusal(s, wanted, legal):
    if not legal:
        return "the game is over"
    must = "a capture must be made" if is_capture(legal[0]) else "legal are"
    shown = ", ".join(format_action(s, a) for a in legal[:12]) + (", …" if len(legal) > 12 else "")
    return f"'{wanted}' is not a legal move here; {must}: {shown}"


# -- positions ---------------------------------------------------------------------------------------------------------


def format_position(s):
    kings = set(squares_of(s.kings))

    def pieces(board):
        return ",".join(f"{'K' if square in kings else ''}{square}" for square in squares_of(board))

    clock = f":H{s.quiet}" if s.quiet else ""
    return f"{SIDES[s.turn]}:W{pieces(s.white)}:B{pieces(s.black)}{clock}"


def parse_position(s, text):
    turn, *parts = text.strip().rstrip(".").upper().replace(" ", "").split(":")
    if turn not in SIDES:
        raise GameError(f"a checkers position begins with B: or W:, the side to move, not '{text.strip()[:12]}'")
    s.turn = SIDES.index(turn)
    boards, kings, seen = {}, [], set()
    for part in parts:
        if part[:1] in SIDES and part[0] not in boards:
            boards[part[0]] = _pieces(part[1:], kings, seen)
        elif re.fullmatch(r"H\d{1,2}", part):
            s.quiet = int(part[1:])
        elif not re.fullmatch(r"F\d+", part):  # the move's number tells nothing about the position
            raise GameError(f"'{part}' is no part of a checkers position such as 'B:W21,22,K30:B1,2,K3'")
    if len(boards) < 2:
        missing = "W" if "W" not in boards else "B"
        raise GameError(f"the position lacks the pieces after ':{missing}', as in 'B:W21,22,K30:B1,2,K3'")
    s.black, s.white, s.kings = board_of(boards["B"]), board_of(boards["W"]), board_of(kings)


def _pieces(text, kings, seen):
    """The squares of one side's list, such as 1,2,K3 or 1-12; its kings are added to `kings`, all to `seen`."""
    squares = []
    for word in text.split(",") if text else ():
        found = re.fullmatch(r"(K?)(\d+)(?:-(\d+))?", word)
        if not found:
            raise GameError(f"'{word}' is not a piece; a man on square 5 is 5, a king K5, men on 1 to 12 are 1-12")
        for square in range(int(found[2]), int(found[3] or found[2]) + 1):
            if not 1 <= square <= 32:
                raise GameError(f"there is no square {square}; they are numbered 1 to 32")
            if square in seen:
                raise GameError(f"two pieces stand on square {square}")
            seen.add(square)
            squares.append(square)
            if found[1]:
                kings.append(square)
    return squares


def validate(s):
    """Why this cannot be a position, or None."""
    black, white, kings = int(s.black), int(s.white), int(s.kings)
    if (black | white) & ~int(board_of(range(1, 33))):
        return "a piece stands on a bit that is no square"
    if black | white == 0:
        return "nobody has a piece"
    if black & white:
        return f"two pieces stand on square {squares_of(black & white)[0]}"
    if kings & ~(black | white):
        return "a king is crowned where no piece stands"
    for name, board, crown in (("black", black, range(29, 33)), ("white", white, range(1, 5))):
        if board.bit_count() > 12:
            return f"{name} has {board.bit_count()} pieces, more than 12"
        uncrowned = squares_of(board & ~kings & int(board_of(crown)))
        if uncrowned:
            return f"{name}'s man on square {uncrowned[0]} would have been crowned"
    if s.turn not in (0, 1):
        return f"turn is {s.turn}, not 0 or 1"
    return None if 0 <= s.quiet <= 80 else f"quiet is {s.quiet}, not 0 to 80 plies"


# -- games -------------------------------------------------------------------------------------------------------------


def pdn(history, **tags):
    """A game in PDN; `tags` such as Event="…", White="…" stand at its head."""
    game, first = history.game, history.states[0]
    result = tags.pop("Result", "*")
    if history.is_over:
        result = next(name for name, payoff in RESULTS.items() if payoff == history.utility(0))
    tags |= {"Result": result, "GameType": "21"}
    if first != game.start():
        tags |= {"SetUp": "1", "FEN": format_position(first)}
    words = []
    for i, (s, a) in enumerate(zip(history.states, history.moves, strict=False)):
        number = (i + first.turn) // 2 + 1
        if s.turn == 0 or i == 0:
            words.append(f"{number}{'...' if s.turn else '.'}")
        words.append(format_action(s, a))
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{head}\n{textwrap.fill(' '.join([*words, result]), 79, break_on_hyphens=False)}\n"


def from_pdn(text):
    """The first game of a PDN text, played through; comments and variations are passed over."""
    tags, moves, depth, is_ended = {}, [], 0, False
    for token in TOKEN.finditer(need_text("checkers", "a PDN", text)):
        if token["parenthesis"]:
            depth += 1 if token["parenthesis"] == "(" else -1
        elif depth or token["skipped"]:
            continue
        elif token["tag"]:
            if moves:
                break  # the next game
            tags[token["tag"]] = token["value"]
        elif token["word"] in RESULTS or token["word"] in OTHER_RESULTS:
            is_ended = True
            break
        else:
            moves.append(token["word"].rstrip("!?"))
    if not (tags or moves or is_ended):
        raise GameError("there is no game in this PDN")
    game = load("checkers")
    history = History(game, game.parse(tags["FEN"]) if "FEN" in tags else None)
    for i, move in enumerate(moves):
        try:
            history.play(game.parse_action(history.state, move))
        except GameError as refused:
            side = ("black", "white")[history.state.turn]
            raise GameError(f"move {(i + history.states[0].turn) // 2 + 1} of {side}: {refused}") from None
    return history
