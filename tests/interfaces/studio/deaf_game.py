"""Rules whose every move takes for ever, compiled: a search of it hears nothing."""

from zermelo import OVER, rules


@rules(name="deaf", players=2, max_actions=2, max_plies=4)
class Deaf:
    """Counts to a trillion at every move."""

    state = {"plies": "i1", "sum": "i8"}

    def start(s):
        s.plies = 0

    def player(s):
        return OVER if s.plies == 4 else s.plies & 1

    def actions(s, out):
        out[0], out[1] = 1, 3
        return 2

    def apply(s, action):
        x = s.sum
        for k in range(1_000_000_000_000):
            x = (x * 5 + k * action) & 0xFFFF  # no closed form that a compiler would find
        s.sum = x
        s.plies += 1

    def utility(s, out):
        out[0], out[1] = 1, -1
