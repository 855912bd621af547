"""Tiny games for the searches."""

from zermelo.compile.rules import rules
from zermelo.core.game import OVER


@rules(name="pacing")
def pacing(rule="draw"):
    class Pacing:
        """One man on five places, −2 to 2; each side steps him left or right. At 2 the first has won, at −2 the second.

        Stepping back repeats a position, and `rule` says what that means.
        """

        max_actions, repetition, repetitions, utility_range = 2, rule, 2, (-1, 1)
        state = {"place": "i1", "turn": "i1"}

        def start(s):
            pass

        def player(s):
            return OVER if abs(s.place) == 2 else s.turn

        def actions(s, out):
            out[0] = -1
            out[1] = 1
            return 2

        def apply(s, step):
            s.place += step
            s.turn = 1 - s.turn

        def utility(s, out):
            out[0] = 1.0 if s.place > 0 else -1.0
            out[1] = -out[0]

    return Pacing
