"""Hex: join your two sides of the board. Any size up to 19 × 19; nobody can be blocked without being beaten."""

from zermelo.games.hex.rules import hex_game

__all__ = ["hex_game"]
