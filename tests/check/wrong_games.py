"""A small right game, and ways to make it wrong: what `check` must find."""

from zermelo import OVER, Game, rules


def start(s):
    s.stones = 5


def player(s):
    return OVER if s.stones <= 0 else s.turn


def actions(s, out):
    n = min(2, s.stones)
    for i in range(n):
        out[i] = i + 1
    return n


def apply(s, action):
    s.stones -= action
    s.turn = 1 - s.turn


def utility(s, out):
    out[s.turn] = -1.0
    out[1 - s.turn] = 1.0


RIGHT = {"start": start, "player": player, "actions": actions, "apply": apply, "utility": utility}


def stones(compiled=False, state=None, declared=None, **functions):
    """Five stones; take one or two; whoever takes the last one wins. `functions` replace those that are right."""
    body = {"state": {"stones": "i1", "turn": "i1", **(state or {})}, **RIGHT, **functions}
    says = {"players": 2, "max_actions": 2, **(declared or {})}
    return rules(name="stones", **says)(type("Stones", (), body))(compiled=compiled)


class PlainStones(Game):
    """The same game over (stones, turn), without rules."""

    name = "plain-stones"

    def start(self):
        return (5, 0)

    def player(self, s):
        return OVER if s[0] == 0 else s[1]

    def actions(self, s):
        return list(range(1, min(2, s[0]) + 1))

    def succ(self, s, a):
        return (s[0] - a, 1 - s[1])

    def utility(self, s, player=0):
        return -1.0 if player == s[1] else 1.0
