"""Small games that go in circles, drawn from a seed, and their values by plain recursion along paths."""

import numpy as np

from zermelo.compile.random import scramble
from zermelo.compile.rules import rules
from zermelo.core.game import CHANCE, OVER
from zermelo.core.history import History

u64 = np.uint64


@rules(name="circles")
def circles(rule="draw", times=2, luck=False, positional=False, places=9):
    """Walk a random graph of few places in turns; some places end the game, and with `luck` nature moves at others.

    `positional`: whose turn it is makes no difference to repetition, so a step that leads nowhere is a pass.
    """

    class Circles:
        players, max_actions, max_chance_outcomes = 2, 3, 3 if luck else 0
        repetition, repetitions = rule, times
        state = {"seed": "u8", "place": "i1", "turn": "i1"}

        def start(s):
            pass

        def player(s):
            drawn = scramble(s.seed + u64(s.place * 2 + 100)) % u64(4)
            if s.place != 0 and drawn == u64(0):
                return OVER
            if luck and s.turn == 0 and drawn != u64(3):  # never twice in a row: nature could go round for ever
                return CHANCE
            return s.turn

        def actions(s, out):
            for i in range(3):
                out[i] = i
            return 3

        def apply(s, action):
            s.place = np.int64(scramble(s.seed + u64(s.place * 8 + action)) % u64(places))
            s.turn = 1 - s.turn

        def utility(s, out):
            out[0] = float(np.int64(scramble(s.seed + u64(s.place + 500)) % u64(7))) / 3.0 - 1.0
            out[1] = -out[0]

        def evaluate(s):
            return float(np.int64(scramble(s.seed + u64(s.place * 2 + s.turn + 900)) % u64(101))) / 51.0 - 0.99

        if luck:

            def chances(s, out, probability):
                for i in range(3):
                    out[i] = i
                    probability[i] = (0.5, 0.25, 0.25)[i]
                return 3

        if positional:

            def repetition_key(s):
                return s.seed * u64(256) + u64(s.place)

    return Circles


def value_along_paths(game, depth, history=None):
    """Expectiminimax over histories, chance costing no depth: the definition.

    A player whose moves are all forbidden is at an end that the rules know nothing of: it counts as estimated.
    """
    history = history or History(game)
    stuck = not history.is_repeated and not game.is_end(history.state) and not history.actions()
    if history.is_over and not stuck:
        return history.utility(0)
    if depth <= 0 or stuck:
        return game.evaluate(history.state)
    mover = history.player()
    values = []
    for a in history.actions():
        history.play(a)
        values.append(value_along_paths(game, depth if mover == CHANCE else depth - 1, history))
        history.undo()
    if mover == CHANCE:
        return sum(p * v for (_, p), v in zip(game.chances(history.state), values, strict=True))
    return max(values) if game.side(mover) == 0 else min(values)
