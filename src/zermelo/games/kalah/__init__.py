"""Kalah: sow the seeds of a pit around the board; whoever has more than half of them in store at the end wins."""

from zermelo.games.kalah.rules import kalah

__all__ = ["kalah"]
