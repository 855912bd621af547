"""A tree given as an array of leaves, as a plain `Game`: how the textbook is asked about an experiment's trees."""

from zermelo.core.game import CHANCE, OVER, Game

PLAYER = {"max": 0, "min": 1, "chance": CHANCE}


class LeafTree(Game):
    """A state is the path to it; an action is the number of a child."""

    name = "leaf-tree"

    def __init__(self, leaves, levels):
        self.leaves, self.levels = leaves, levels

    def start(self):
        return ()

    def player(self, s):
        return OVER if len(s) == len(self.levels) else PLAYER[self.levels[len(s)]]

    def actions(self, s):
        return range(len(self.leaves)) if len(s) < len(self.levels) else ()

    def chances(self, s):
        return [(a, 1 / len(self.leaves)) for a in self.actions(s)]

    def succ(self, s, a):
        return (*s, a)

    def utility(self, s, player=0):
        return float(self.leaves[s]) if player == 0 else -float(self.leaves[s])
