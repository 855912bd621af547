"""The random walk of Sutton and Barto (Reinforcement Learning, example 6.2), as rules, to learn its values.

    0   1   2   3   4   5   6        from 3, one step left or right until an end; 1 is paid at 6, nothing at 0
    ◁ ─ A ─ B ─ C ─ D ─ E ─ ▷        with steps at random, place i is worth i / 6

Only player 0 moves; who plays at random plays with ε = 1. A feature is a place.
"""

from zermelo import OVER, rules

PLACES = 5


@rules(
    name="walk",
    players=2,
    max_actions=2,
    utility_range=(0, 1),
    utility_values=(0, 1),
    num_features=PLACES,
    max_active_features=1,
    policy_size=2,
    max_plies=1000,
)
class Walk:
    state = {"place": "i1"}

    def start(s):
        s.place = (PLACES + 1) // 2

    def player(s):
        return OVER if s.place in (0, PLACES + 1) else 0

    def actions(s, out):
        out[0], out[1] = 0, 1
        return 2

    def apply(s, right):
        s.place += 2 * right - 1

    def utility(s, out):
        out[0] = 1 if s.place == PLACES + 1 else 0
        out[1] = -out[0]

    def features(s, index, value):
        index[0], value[0] = s.place - 1, 1
        return 1


game = Walk()
places = [game.parse(f"place={place}") for place in range(1, PLACES + 1)]
