"""Othello: outflank the other side's discs and they turn over to yours. Boards of 8 × 8, 6 × 6 or 4 × 4."""

from zermelo.games.othello.rules import othello

__all__ = ["othello"]
