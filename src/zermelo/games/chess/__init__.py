"""Chess, by the laws of FIDE."""

from zermelo.games.chess.rules import Chess, from_pgn, pgn, uci

__all__ = ["Chess", "from_pgn", "pgn", "uci"]
