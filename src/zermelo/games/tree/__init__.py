"""A game typed in as a tree: JSON in, a plain `Game` out. The textbook's examples are such games."""

from zermelo.games.tree.rules import GAME_1, TreeGame, tree_game

__all__ = ["GAME_1", "TreeGame", "tree_game"]
