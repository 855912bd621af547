"""Connect four: drop discs into columns; four in a row wins. Any width × height that fits 64 bits."""

from zermelo.games.connect_four.rules import connect_four

__all__ = ["connect_four"]
