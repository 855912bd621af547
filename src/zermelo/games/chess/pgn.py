"""Chess games as PGN, read and written by python-chess (`pip install chess`)."""

import io
from typing import Any

from zermelo.core.game import GameError
from zermelo.core.history import History
from zermelo.core.registry import load
from zermelo.games.chess.notation import parse_move, uci


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


def from_pgn(text: str, cut: bool = False) -> History[Any, int]:
    """The main line of the first game in `text`.

    Players need not claim a draw by repetition or by the fifty-move rule, but here the game ends with it: moves after
    that are an error, or left out with `cut`.
    """
    chess = _library()
    read = chess.pgn.read_game(io.StringIO(text))
    if read is None:
        raise GameError("there is no game in this PGN")
    if read.errors:
        raise GameError(f"this PGN cannot be read: {read.errors[0]}")
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
