"""Dots and boxes: draw a line between two neighbouring dots; whoever closes a box owns it and moves again."""

from zermelo.games.dots_and_boxes.rules import dots_and_boxes

__all__ = ["dots_and_boxes"]
