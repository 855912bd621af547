"""Go: surround more of the board than the other side. Any board up to 19 × 19; area scoring, positional superko."""

from zermelo.games.go.rules import from_sgf, go, sgf

__all__ = ["from_sgf", "go", "sgf"]
