"""Games on random graphs, with cycles, several moves in a row and draws by going on for ever; and what they are worth,
found out another way."""

import numpy as np

from zermelo import OVER, rules
from zermelo.compile.endings import Ending

OUT = 4  # moves from a node at most


def make_graph(seed, nodes):
    """(after, again, pays): where moves lead (-1: none), which keep the turn, and what an end pays whoever is to move.

    The nodes are four classes: the first, the second and third together, the last; moves lead to classes before, and
    the numbers of nodes that are 7 modulo 11 are nobody's."""
    rng = np.random.default_rng(seed)
    quarter = nodes // 4
    after = np.full((nodes, OUT), -1, np.int64)
    again = rng.random((nodes, OUT)) < 0.2
    pays = rng.integers(-1, 2, nodes)
    used = np.array([n for n in range(nodes) if n % 11 != 7])
    for n in used:
        reach = (n // quarter + 1) * quarter if n // quarter != 1 else 3 * quarter
        if rng.random() < 0.9:
            k = rng.integers(1, OUT + 1)
            after[n, :k] = rng.choice(used[used < reach], k)
    return after, again, pays


def graph_game(seed, nodes=48, compiled=False):
    after, again, pays = make_graph(seed, nodes)
    quarter = nodes // 4

    class Graph:
        state = {"node": "i2", "turn": "i1"}

        def start(s):
            s.node = nodes - 1 if (nodes - 1) % 11 != 7 else nodes - 2

        def player(s):
            return OVER if after[s.node, 0] < 0 else s.turn

        def side_to_move(s):
            return s.turn

        def actions(s, out):
            n = 0
            for k in range(OUT):
                if after[s.node, k] >= 0:
                    out[n] = k
                    n += 1
            return n

        def apply(s, action):
            keeps = again[s.node, action]
            s.node = after[s.node, action]
            s.turn = s.turn if keeps else 1 - s.turn

        def utility(s, out):
            out[s.turn] = pays[s.node]
            out[1 - s.turn] = -pays[s.node]

        def ending(s):
            return 2 * (s.node // quarter)

        def rank(s):
            return s.node % quarter

        def unrank(s, ending, rank):
            s.node = ending // 2 * quarter + rank
            return s.node % 11 != 7

        def endings(limit):
            one = [Ending(2 * k, f"quarter {k}", quarter, (1, 2, 2, 3)[k]) for k in range(4)]
            return [[one[0]], one[1:3], [one[3]]] if limit >= 3 else [[one[0]], one[1:3]][: max(0, limit)]

    return rules(name="graph", max_actions=OUT, utility_range=(-1, 1), utility_values=(-1, 0, 1))(Graph)(
        compiled=compiled
    )


def solve_graph(seed, nodes=48):
    """{node: (value to whoever moves, plies)}: level by level, looking at all nodes again and again."""
    after, again, pays = make_graph(seed, nodes)
    found = {}
    for n in range(nodes):
        if n % 11 != 7 and after[n, 0] < 0:
            found[n] = (int(pays[n]), 0)
    decided = {n: v for n, v in found.items() if v[0]}
    for level in range(1, 10 * nodes):
        new = {}
        for n in range(nodes):
            moves = [(int(t), bool(k)) for t, k in zip(after[n], again[n], strict=True) if t >= 0]
            if n % 11 == 7 or n in decided or not moves:
                continue
            seen = [decided[t][0] * (1 if k else -1) if t in decided else 0 for t, k in moves]
            if 1 in seen or all(v == -1 for v in seen):
                new[n] = (max(seen), level)
        decided |= new
    return {n: decided.get(n, (0, None)) for n in range(nodes) if n % 11 != 7}
