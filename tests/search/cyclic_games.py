"""Small games that go in circles, drawn from a seed, and their values by plain recursion along paths."""

import numpy as np

from zermelo.compile.random import scramble
from zermelo.compile.rules import rules
from zermelo.core.game import CHANCE, OVER
from zermelo.core.history import History

u64 = np.uint64
PLACES = 9


def cyclic(meaning, times):
    @rules(name=f"cycles-{meaning}", repetition=meaning, repetitions=times)
    class Cycles:
        """Walk a random graph of few places in turns; some places end the game."""

        players, max_actions = 2, 3
        state = {"seed": "u8", "place": "i1", "turn": "i1"}

        def start(s):
            pass

        def player(s):
            if s.place != 0 and scramble(s.seed + u64(s.place * 2 + 100)) % u64(4) == u64(0):
                return OVER
            return s.turn

        def actions(s, out):
            for i in range(3):
                out[i] = i
            return 3

        def apply(s, action):
            s.place = np.int64(scramble(s.seed + u64(s.place * 8 + action)) % u64(PLACES))
            s.turn = 1 - s.turn

        def utility(s, out):
            out[0] = float(np.int64(scramble(s.seed + u64(s.place + 500)) % u64(7))) / 3.0 - 1.0
            out[1] = -out[0]

        def evaluate(s):
            return float(np.int64(scramble(s.seed + u64(s.place * 2 + s.turn + 900)) % u64(101))) / 51.0 - 0.99

    return Cycles


CYCLIC = {"draw": cyclic("draw", 2), "loss": cyclic("loss", 2), "forbidden": cyclic("forbidden", 2)}


def value_along_paths(game, depth, history=None):
    """Minimax over histories: the definition."""
    history = history or History(game)
    if history.is_over:
        return history.utility(0)
    if depth == 0:
        return game.evaluate(history.state)
    assert history.player() != CHANCE
    values = []
    for a in history.actions():
        history.play(a)
        values.append(value_along_paths(game, depth - 1, history))
        history.undo()
    return max(values) if game.side(history.player()) == 0 else min(values)
