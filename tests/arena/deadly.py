"""Games with which a player can be killed: whoever evaluates a position ends its process, or never comes back."""

import os
import time

from zermelo import OVER, Game


class Deadly(Game):
    """Take one or two from six; looking ahead is fatal. `minimax` looks ahead, `random` does not."""

    name = "deadly"

    def start(self):
        return (6, 0)

    def player(self, s):
        return OVER if s[0] == 0 else s[1]

    def actions(self, s):
        return [n for n in (1, 2) if n <= s[0]]

    def succ(self, s, a):
        return (s[0] - a, 1 - s[1])

    def utility(self, s, player=0):
        return 1.0 if player == 1 - s[1] else -1.0

    def evaluate(self, s):
        if s[0] <= self.deadly_from:
            os._exit(9)
        return 0.0

    deadly_from = 3


class Stillborn(Deadly):
    """… even before the first game."""

    name = "stillborn"
    deadly_from = 6


class Slow(Deadly):
    """A move takes a hundredth of a second, by whoever looks at it."""

    name = "slow"
    deadly_from = -1

    def evaluate(self, s):
        time.sleep(0.01)
        return 0.0
