"""A game whose moves are never found: whoever asks for them hears nothing any more."""

import time

from zermelo import Game


class Deaf(Game):
    """One player, who thinks for ever about what can be done."""

    name = "deaf"

    def start(self):
        return 0

    def player(self, s):
        return 0

    def actions(self, s):
        while True:
            time.sleep(1)

    def succ(self, s, a):
        return s

    def utility(self, s, player=0):
        return 0.0
