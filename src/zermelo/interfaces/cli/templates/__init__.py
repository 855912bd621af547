"""The game files that `zermelo new` writes; `__NAME__` and `__CLASS__` stand for the game's name."""
