"""Chess games as PGN, read and written by python-chess (`pip install chess`)."""

import io
import re
from typing import Any

from zermelo.core.game import GameError, need_text
from zermelo.core.history import History
from zermelo.core.registry import load
from zermelo.games.chess.notation import parse_move, uci

MOVE = r"([KQRBNP]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?\(?[QRBNqrbn]\)?)?|[O0]-[O0](-[O0])?|--|Z0)[+#]*[!?]*"
RESULT = r"1-0|0-1|1/2-1/2|\*"


def _library() -> Any:
    try:
        import chess.pgn
    except ImportError:
        raise GameError("PGN needs the package python-chess: pip install chess") from None
    return chess


def pgn(history: History[Any, int], **headers: str) -> str:
    """A game as PGN; `headers` are tags such as Event="…", White="…"."""
    chess = _library()
    first = chess.Board(history.game.format(history.states[0]))
    game = chess.pgn.Game()
    game.setup(first)
    game.headers.update(headers)
    node = game
    for s, a in zip(history.states, history.moves, strict=False):
        node = node.add_variation(chess.Move.from_uci(uci(s, a)))
    if history.is_over:
        game.headers["Result"] = {1: "1-0", -1: "0-1", 0: "1/2-1/2"}[int(history.utility())]
    return str(game)


def _check_words(text: str) -> None:
    """The library passes over what it does not know: one unknown word would make another game of it."""
    text = re.sub(r"^\s*\[.*\]\s*$|^%.*$|;.*$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\{[^}]*\}|\$\d+", " ", text)
    while text != (text := re.sub(r"\([^()]*\)", " ", text)):  # variations within variations
        pass
    for word in re.sub(r"\d+\.+", " ", text).split():
        if not re.fullmatch(rf"{MOVE}|{RESULT}|[!?]+|[=+−∓⩲⩱±/-]+|e\.p\.", word):
            raise GameError(f"'{word}' in this PGN is not a move")


def from_pgn(text: str, cut: bool = False) -> History[Any, int]:
    """The main line of the first game in `text`.

    Players need not claim a draw by repetition or by the fifty-move rule, but here the game ends with it: moves after
    that are an error, or left out with `cut`.
    """
    chess = _library()
    stream = io.StringIO(need_text("chess", "a PGN", text))

    class Quiet(chess.pgn.GameBuilder):  # type: ignore[misc, name-defined]
        def handle_error(self, error: Exception) -> None:
            """Told below, and not to a log."""
            self.game.errors.append(error)

    read = chess.pgn.read_game(stream, Visitor=Quiet)
    written = text[: stream.tell()]
    if read is None or not (read.next() or re.search(rf"^\s*\[|{RESULT}", written, re.MULTILINE)):
        raise GameError("there is no game in this PGN")
    if read.errors:
        raise GameError(f"this PGN cannot be read: {read.errors[0]}")
    _check_words(written)
    rules = load("chess")
    try:
        history = History(rules, rules.parse(read.board().fen()))
    except ValueError as problem:
        raise GameError(f"this PGN cannot be read: {problem}") from None
    for number, move in enumerate(read.mainline_moves()):
        if history.is_over:
            if cut:
                break
            raise GameError(f"the game is drawn after {number} half-moves, but the PGN goes on")
        history.play(parse_move(history.state, move.uci()))
    return history
