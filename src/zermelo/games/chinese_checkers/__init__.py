"""Chinese checkers (Stern-Halma): on a six-pointed star, be the first to fill the corner opposite to one's own."""

from zermelo.games.chinese_checkers.rules import chinese_checkers

__all__ = ["chinese_checkers"]
