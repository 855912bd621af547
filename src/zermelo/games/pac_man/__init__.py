"""Pac-man: eat every dot of a maze before the ghosts catch you."""

from zermelo.games.pac_man.rules import lessons, pac_man, read_layout

__all__ = ["lessons", "pac_man", "read_layout"]
