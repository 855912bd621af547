"""Two games: rules over a record, and plain Python; neither has a drawing."""

from zermelo import OVER, Game, rules


@rules(name="take-two", players=2, max_actions=2, max_plies=9)
class TakeTwo:
    """Take one or two; whoever takes the last one wins."""

    state = {"left": "i4", "turn": "i1"}

    def start(s):
        s.left = 7

    def player(s):
        return OVER if s.left == 0 else s.turn

    def actions(s, out):
        n = min(2, s.left)
        for i in range(n):
            out[i] = i + 1
        return n

    def apply(s, taken):
        s.left -= taken
        s.turn = 1 - s.turn

    def utility(s, out):
        out[s.turn] = -1
        out[1 - s.turn] = 1


class Countdown(Game):
    """Count down from five by one or two; whoever says 0 wins."""

    name = "countdown"

    def start(self):
        return (5, 0)

    def player(self, s):
        return OVER if s[0] == 0 else s[1]

    def actions(self, s):
        return [1, 2] if s[0] > 1 else [1]

    def succ(self, s, a):
        return (s[0] - a, 1 - s[1])

    def utility(self, s, player=0):
        return -1.0 if s[1] == player else 1.0
