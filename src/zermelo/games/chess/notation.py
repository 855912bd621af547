"""Chess as people write it: FEN for positions, SAN and UCI for moves, figures for a terminal. Never compiled."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.core.game import GameError
from zermelo.drawing.board import board_text
from zermelo.games.chess.attacks import in_check
from zermelo.games.chess.moves import LAST_RANKS
from zermelo.games.chess.play import CASTLING, EN_PASSANT, en_passant_takers

FILES = "abcdefgh"
NAMES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)  # by number of the square
RIGHTS = "KQkq"
BOARDS = {  # a piece's letter, and the boards it has a bit in
    "P": ("pawns",),
    "N": ("knights",),
    "B": ("diagonals",),
    "R": ("straights",),
    "Q": ("diagonals", "straights"),
    "K": ("kings",),
}
FIGURES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
HOMES = {"K": (4, 7), "Q": (4, 0), "k": (60, 63), "q": (60, 56)}  # where king and rook stand while they may castle


def signs_of(s: Any) -> list[str]:
    """The letter of FEN for the man on every square, '.' for none."""
    white, bishops, rooks = int(s.white), int(s.diagonals), int(s.straights)
    boards = int(s.pawns), int(s.knights), bishops & ~rooks, rooks & ~bishops, bishops & rooks, int(s.kings)
    signs = ["."] * 64
    for letter, board in zip(BOARDS, boards, strict=True):
        while board:
            here = board & -board
            signs[here.bit_length() - 1] = letter if white & here else letter.lower()
            board ^= here
    return signs


def gives_check(s: Any) -> bool:
    """Is the king of the side to move attacked?"""
    with np.errstate(over="ignore"):  # boards wrap around on purpose
        return bool(in_check(s, s.turn))


def refusal(s: Any, square: str) -> str:
    """Why a click on a square makes no move, where that is not plain to see."""
    sign = signs_of(s)[NAMES.index(square)] if square in NAMES else "."
    if sign == "." or sign.isupper() != (s.turn == 0):
        return "the king is in check" if gives_check(s) else ""
    return f"the king is in check, and {square} cannot help" if gives_check(s) else f"{square} has no legal move"


# -- positions ---------------------------------------------------------------------------------------------------------


def format_fen(s: Any) -> str:
    """The en passant square is given only where taking en passant is legal."""
    signs = "".join(signs_of(s))
    ranks = [signs[8 * y : 8 * y + 8] for y in range(7, -1, -1)]
    men_ = re.sub(r"\.+", lambda dots: str(len(dots[0])), "/".join(ranks))
    rights = "".join(right for i, right in enumerate(RIGHTS) if s.castling >> i & 1) or "-"
    return f"{men_} {'wb'[s.turn]} {rights} {NAMES[s.en_passant] if s.en_passant else '-'} {s.clock} {s.fullmove}"


def parse_fen(s: Any, text: str) -> None:
    """Fill an empty record. The two counters may be left out, and so may, after the men, everything that is usual."""
    words = text.split()
    if not 1 <= len(words) <= 6:
        raise GameError(f"a FEN has six fields, not {len(words)}: men, w or b, castling, en passant, and two counters")
    men_, turn, rights, passed, clock, fullmove = words + ["w", "-", "-", "0", "1"][len(words) - 1 :]
    if turn not in ("w", "b"):
        raise GameError(f"the second field of a FEN says who is to move, w or b, not '{turn}'")
    _parse_men(s, men_)
    s.turn = "wb".index(turn)
    s.castling = _parse_rights(rights)
    s.clock = _number(clock, "the half-move clock", 0, 255)
    s.fullmove = max(1, _number(fullmove, "the move number", 0, 9999))  # some programs count from 0
    if passed != "-":
        _parse_passed(s, passed)


def _parse_men(s: Any, text: str) -> None:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise GameError(f"the men of a FEN are eight ranks between slashes, not {len(ranks)}: '{text}'")
    for y, rank in zip(range(7, -1, -1), ranks, strict=True):
        strange = [sign for sign in rank if sign not in "12345678" and sign not in FIGURES]
        if strange:
            raise GameError(f"'{strange[0]}' in rank {y + 1} of the FEN is neither a man (KQRBNP, kqrbnp) nor 1 to 8")
        row = re.sub("[1-8]", lambda digit: "." * int(digit[0]), rank)
        if len(row) != 8:
            raise GameError(f"rank {y + 1} of the FEN, '{rank}', has {len(row)} squares instead of eight")
        for x, sign in enumerate(row):
            for board in () if sign == "." else (*BOARDS[sign.upper()], "white" if sign.isupper() else "black"):
                setattr(s, board, int(getattr(s, board)) | 1 << (8 * y + x))


def _parse_rights(text: str) -> int:
    if text == "-":
        return 0
    if not text or set(text) - set(RIGHTS) or len(set(text)) != len(text):
        raise GameError(f"the castling field of a FEN is '-' or some of KQkq, not '{text}'")
    return sum(1 << RIGHTS.index(right) for right in text)


def _number(text: str, what: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise GameError(f"{what} of a FEN is a number from {least} to {most}, not '{text}'")
    return int(text)


def _parse_passed(s: Any, text: str) -> None:
    """Note the en passant square if it can be taken there; it is an error if no pawn can have passed it."""
    if text not in NAMES:
        raise GameError(f"the en passant field of a FEN is '-' or a square, not '{text}'")
    square = NAMES.index(text)
    if not _can_have_passed(s, square):
        raise GameError(f"no pawn can just have passed {text}")
    if int(s.kings & s.white).bit_count() == int(s.kings & s.black).bit_count() == 1:
        s.en_passant = square
        s.en_passant = square if _can_be_taken(s) else 0


def _can_have_passed(s: Any, square: int) -> bool:
    if square // 8 != (5, 2)[s.turn]:
        return False
    step, pawn = (8, "p") if s.turn == 0 else (-8, "P")
    signs = signs_of(s)
    return [signs[square + step * i] for i in (1, 0, -1)] == [".", ".", pawn]


def _can_be_taken(s: Any) -> bool:
    with np.errstate(over="ignore"):
        return bool(en_passant_takers(s, s.turn))


def validate(s: Any) -> str | None:
    """Why this is no position of chess, as far as the men show it."""
    return _bad_boards(s) or _bad_men(s) or _bad_rights(s) or _bad_turn(s)


def _bad_boards(s: Any) -> str | None:
    kinds = [int(board) for board in (s.pawns, s.knights, s.diagonals | s.straights, s.kings)]
    all_kinds = kinds[0] | kinds[1] | kinds[2] | kinds[3]
    if all_kinds != int(s.white | s.black):
        return "every man must be of one kind and of one side"
    return "two men stand on one square" if sum(kinds) != all_kinds or s.white & s.black else None


def _bad_men(s: Any) -> str | None:
    for side, name in enumerate(("white", "black")):
        signs = [sign.upper() for sign in signs_of(s) if sign != "." and sign.isupper() == (side == 0)]
        kings, pawns = signs.count("K"), signs.count("P")
        if kings != 1:
            return f"{name} has {kings or 'no'} king{'s' * (kings > 1)}"
        if pawns > 8:
            return f"{name} has {pawns} pawns"
        promoted = sum(max(0, signs.count(sign) - had) for sign, had in (("Q", 1), ("R", 2), ("B", 2), ("N", 2)))
        if promoted > 8 - pawns:
            return f"{name} has more pieces than {8 - pawns} missing pawns can have become"
    if s.pawns & LAST_RANKS:
        return "a pawn stands on the first or the last rank"
    return None


def _bad_rights(s: Any) -> str | None:
    signs = signs_of(s)
    for i, right in enumerate(RIGHTS):
        king, rook = HOMES[right]
        letters = ("K", "R") if right.isupper() else ("k", "r")
        if s.castling >> i & 1 and (signs[king], signs[rook]) != letters:
            return f"'{right}' allows castling, but king and rook do not stand on {NAMES[king]} and {NAMES[rook]}"
    return None


def _bad_turn(s: Any) -> str | None:
    if s.turn not in (0, 1):
        return "turn must be 0 or 1"
    with np.errstate(over="ignore"):
        if in_check(s, 1 - s.turn):
            return f"{('white', 'black')[s.turn]} is to move and could take the king"
    if s.en_passant and not (_can_have_passed(s, s.en_passant) and _can_be_taken(s)):
        return f"nothing can be taken en passant on {NAMES[s.en_passant]}"
    return None


def draw_text(s: Any) -> str:
    signs = signs_of(s)
    shown = [FIGURES.get(signs[8 * y + x], "·") for y in range(7, -1, -1) for x in range(8)]
    return board_text(shown, 8, FILES, "87654321")


# -- moves -------------------------------------------------------------------------------------------------------------


def uci(s: Any, a: int) -> str:
    """The move as UCI engines write it: e2e4, e1g1 for castling, e7e8q."""
    return NAMES[a & 63] + NAMES[a >> 6 & 63] + " nbrq"[a >> 12 & 7].strip()


def format_san(s: Any, a: int) -> str:
    after = s.game.succ(s, a)
    mate = s.game.is_end(after) and s.game.utility(after) != 0
    return _san_without_check(s, a) + ("#" if mate else "+" if gives_check(after) else "")


def _san_without_check(s: Any, a: int) -> str:
    origin, target = a & 63, a >> 6 & 63
    if a & CASTLING == CASTLING:
        return "O-O" if target > origin else "O-O-O"
    signs = signs_of(s)
    sign = signs[origin].upper()
    takes = "x" if signs[target] != "." or a & CASTLING == EN_PASSANT else ""
    if sign == "P":
        becomes = " NBRQ"[a >> 12 & 7].strip()
        return (FILES[origin % 8] + takes if takes else "") + NAMES[target] + ("=" + becomes if becomes else "")
    rivals = [b & 63 for b in s.game.actions(s) if b >> 6 & 63 == target and signs[b & 63] == signs[origin]]
    return sign + _which(origin, [rival for rival in rivals if rival != origin]) + takes + NAMES[target]


def _which(origin: int, others: list[int]) -> str:
    """What tells a piece from others of its kind that can go to the same square: its file, its rank or both."""
    if not others:
        return ""
    if all(other % 8 != origin % 8 for other in others):
        return FILES[origin % 8]
    return NAMES[origin][1] if all(other // 8 != origin // 8 for other in others) else NAMES[origin]


MOVE = re.compile(r"([KQRBNPkqrn]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:[=/]?\(?([QRBNqrbn])\)?)?")
LETTERS = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP")


def parse_move(s: Any, text: str) -> int:
    """SAN as people and programs write it (Nf3, N1xd2, exd6 e.p., e8Q, 0-0), long (e2-e4, Ng1-f3), or UCI (e7e8q)."""
    word = text.strip().translate(LETTERS)
    bare = re.sub(r"(\s*e\.?p\.?)?[+#!?]*$", "", word)
    castled = re.fullmatch(r"[oO0]-?[oO0](-?[oO0])?", bare)
    legal: Sequence[int] = s.game.actions(s)
    if not legal:
        raise GameError("the game is over")
    if castled:
        found = [a for a in legal if a & CASTLING == CASTLING and (a >> 6 & 7 == 2) == bool(castled[1])]
    else:
        found = _matching(s, legal, bare, word)
    if len(found) > 1:
        raise GameError(f"'{word}' may be {' or '.join(format_san(s, a) for a in found)}: say which")
    if not found:
        raise GameError(f"'{word}' is not a legal move here")
    return found[0]


def _matching(s: Any, legal: Sequence[int], bare: str, word: str) -> list[int]:
    read = MOVE.fullmatch(bare)
    if not read:
        raise GameError(f"'{word}' is not a move; moves are written Nf3, exd5, O-O, e8=Q, or e2e4, e7e8q")
    sign, file, rank, target, promotion = read.groups("")
    sign = sign.upper() or ("" if file and rank else "P")  # two squares are enough: e2e4, g1f3
    signs = signs_of(s)

    def fits(a: int) -> bool:
        name = NAMES[a & 63]
        is_one = sign in ("", signs[a & 63].upper()) and NAMES[a >> 6 & 63] == target
        return is_one and file in ("", name[0]) and rank in ("", name[1])

    found = [a for a in legal if fits(a)]
    if found and all(a >> 12 & 7 for a in found):
        if not promotion:
            raise GameError(f"'{word}' must say what the pawn becomes, as in {format_san(s, found[0])}")
        return [a for a in found if " NBRQ"[a >> 12 & 7] == promotion.upper()]
    return [] if promotion else found
