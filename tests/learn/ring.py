"""Six places in a ring, which two players go round together by turns: to learn where positions may come again.

0 ─ 1 ─ 2        from 0, one step either way; whoever steps onto 3 has won
│       │
5 ─ 4 ─ 3        the tests take it with each of the rules about repetition
"""

from zermelo import OVER, rules

PLACES = 6


def ring(repetition):
    """The game in which a position that has stood before is a draw, a loss for who made it, or forbidden."""

    @rules(
        name=f"ring-{repetition}",
        players=2,
        max_actions=2,
        utility_range=(-1, 1),
        utility_values=(-1, 0, 1),
        num_features=PLACES,
        max_active_features=1,
        policy_size=2,
        repetition=repetition,
        repetitions=2,
    )
    class Ring:
        state = {"place": "i1", "turn": "i1"}

        def start(s):
            s.place = 0

        def player(s):
            return OVER if s.place == 3 else s.turn

        def actions(s, out):
            out[0], out[1] = 0, 1
            return 2

        def apply(s, right):
            s.place = (s.place + 2 * right - 1) % PLACES
            s.turn = 1 - s.turn

        def utility(s, out):
            out[1 - s.turn] = 1
            out[s.turn] = -1

        def features(s, index, value):
            index[0], value[0] = s.place, 1
            return 1

        def perspective(s):
            return s.turn

    return Ring(compiled=False)
