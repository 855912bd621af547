"""Searches for any number of players: max^n, paranoid, best reply."""

from zermelo.search.multiplayer.searcher import Multiplayer

__all__ = ["Multiplayer"]
