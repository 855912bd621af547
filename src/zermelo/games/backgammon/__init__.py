"""Backgammon, without the cube: fifteen checkers a side, two dice; a gammon counts double, a backgammon three times."""

from zermelo.games.backgammon.rules import Backgammon, fibs, mat

__all__ = ["Backgammon", "fibs", "mat"]
