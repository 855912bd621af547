"""A small game with endings that are numbered: take one or two from a heap; whoever is to move at nothing has lost.

Heaps that are divisible by three are lost for whoever moves. A feature is a size of the heap: nothing is generalised.
"""

from zermelo import OVER, rules
from zermelo.compile.endings import Ending

MOST = 10


DECLARED = {
    "players": 2,
    "max_actions": 2,
    "max_plies": MOST,
    "utility_range": (-1, 1),
    "utility_values": (-1, 1),
    "num_features": MOST + 1,
    "max_active_features": 1,
    "policy_size": 2,
    "plane_shape": (1, 1, MOST + 1),
}


@rules(name="heap", **DECLARED)
class Heap:
    state = {"left": "i1", "turn": "i1"}

    def start(s):
        s.left = MOST

    def player(s):
        return OVER if s.left == 0 else s.turn

    def side_to_move(s):
        return s.turn

    def actions(s, out):
        out[0], out[1] = 1, 2
        return min(s.left, 2)

    def apply(s, taken):
        s.left -= taken
        s.turn = 1 - s.turn

    def utility(s, out):
        out[s.turn], out[1 - s.turn] = -1, 1

    def features(s, index, value):
        index[0], value[0] = s.left, 1
        return 1

    def planes(s, out):
        out[0, 0, s.left] = 1

    def policy_index(s, taken):
        return taken - 1

    def perspective(s):
        return s.turn

    def ending(s):
        return s.left

    def rank(s):
        return 0

    def unrank(s, ending, rank):
        s.left = ending
        return True

    def endings(limit):
        return [[Ending(left, f"{left} left", 1, left)] for left in range(min(limit, MOST) + 1)]


def make_heap(name="other-heap", declared=None, **functions):
    """The same with other functions or declarations, interpreted."""
    body = {word: one for word, one in vars(Heap.source).items() if not word.startswith("__")}
    return rules(name=name, **{**DECLARED, **(declared or {})})(type("Heap", (), {**body, **functions}))(compiled=False)
