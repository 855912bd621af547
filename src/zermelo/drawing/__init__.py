"""Drawings: game trees and searches as text and SVG, and the few SVG helpers that boards are drawn with."""

from zermelo.drawing.tree.drawing import TreeDrawing, draw, game_tree, tree_svg, tree_text

__all__ = ["TreeDrawing", "draw", "game_tree", "tree_svg", "tree_text"]
