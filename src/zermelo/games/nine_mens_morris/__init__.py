"""Nine men's morris: 24 points on three nested squares, nine men each; three in a line take an enemy off."""

from zermelo.games.nine_mens_morris.rules import nine_mens_morris

__all__ = ["nine_mens_morris"]
