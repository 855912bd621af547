"""Checkers, which is English draughts: men and short kings on the 32 dark squares of an 8 × 8 board."""

from zermelo.games.checkers.rules import Checkers, from_pdn, pdn

__all__ = ["Checkers", "from_pdn", "pdn"]
