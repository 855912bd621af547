"""Small right games, as text with numbers to be filled in: what is mutated."""

TAKE = """
from zermelo import OVER, rules

@rules(name="fuzzed", players=2, max_actions={most}, utility_range=(-1, 1), utility_values=(-1, 1),
       num_features={stones} + 2, max_active_features=2, policy_size={most}, max_plies={stones} + 1)
class Fuzzed:
    state = {{"stones": "i1", "turn": "i1", "taken": ("i2", (2,))}}

    def start(s):
        s.stones = {stones}

    def player(s):
        if s.stones <= 0:
            return OVER
        return s.turn

    def actions(s, out):
        n = min({most}, s.stones)
        for i in range(n):
            out[i] = i + 1
        return n

    def apply(s, action):
        s.stones -= action
        s.taken[s.turn] += action
        s.turn = 1 - s.turn

    def utility(s, out):
        out[s.turn] = -1.0
        out[1 - s.turn] = 1.0

    def evaluate(s):
        return (s.taken[0] - s.taken[1]) / 100.0

    def perspective(s):
        return s.turn

    def features(s, index, value):
        index[0] = s.stones
        value[0] = 1.0
        index[1] = {stones} + 1
        value[1] = s.taken[s.turn] / {stones}
        return 2

    def policy_index(s, action):
        return action - 1
"""

PLACE = """
import numpy as np
from zermelo import OVER, helper, rules

@helper
def line(cells, stone):
    best = 0
    run = 0
    for i in range({size}):
        run = run + 1 if cells[i] == stone else 0
        best = max(best, run)
    return best

@rules(name="fuzzed", players=2, max_actions={size}, utility_range=(-1, 1), num_features=3 * {size},
       max_active_features={size}, policy_size={size}, max_plies={size})
class Fuzzed:
    state = {{"cells": ("i1", ({size},)), "count": "i1"}}

    def start(s):
        pass

    def player(s):
        if line(s.cells, 1) >= {row} or line(s.cells, 2) >= {row} or s.count == {size}:
            return OVER
        return s.count % 2

    def actions(s, out):
        n = 0
        for cell in range({size}):
            if s.cells[cell] == 0:
                out[n] = cell
                n += 1
        return n

    def noisy(s, out):
        n = 0
        for cell in range({size}):
            if s.cells[cell] == 0 and cell % 3 == 0:
                out[n] = cell
                n += 1
        return n

    def apply(s, cell):
        s.cells[cell] = 1 + s.count % 2
        s.count += 1

    def utility(s, out):
        won = (line(s.cells, 1) >= {row}) - 1 * (line(s.cells, 2) >= {row})
        out[0] = won
        out[1] = -won

    def evaluate(s):
        return (line(s.cells, 1) - line(s.cells, 2)) / {size}

    def key(s):
        k = np.uint64(0)
        for cell in range({size}):
            k = k * np.uint64(3) + np.uint64(s.cells[cell])
        return k

    def move_score(s, cell):
        return 1.0 * min(cell, {size} - cell)

    def features(s, index, value):
        for cell in range({size}):
            index[cell] = 3 * cell + s.cells[cell]
            value[cell] = 1.0
        return {size}
"""

DICE = """
from zermelo import CHANCE, OVER, helper, rules

@helper
def leader(at):
    return 0 if at[0] >= at[1] else 1

@rules(name="fuzzed", players=2, max_actions=2, max_chance_outcomes={sides}, utility_range=(-1, 1),
       num_features={goal} + {sides} + 4, max_active_features=3, max_plies=400)
class Fuzzed:
    state = {{"at": ("i1", (2,)), "die": "i1", "turn": "i1", "plies": "i2"}}

    def start(s):
        s.turn = 0

    def player(s):
        if s.at[0] >= {goal} or s.at[1] >= {goal} or s.plies >= 300:
            return OVER
        if s.die == 0:
            return CHANCE
        return s.turn

    def chances(s, out, probability):
        for i in range({sides}):
            out[i] = i + 1
            probability[i] = 1.0 / {sides}
        return {sides}

    def actions(s, out):
        out[0] = 0
        out[1] = 1
        return 2 if s.die > 1 else 1

    def apply(s, action):
        s.plies += 1
        if s.die == 0:
            s.die = action
            return
        if action == 0:
            s.at[s.turn] += s.die
        else:
            s.at[1 - s.turn] = max(0, s.at[1 - s.turn] - 1)
        s.die = 0
        s.turn = 1 - s.turn

    def utility(s, out):
        winner = leader(s.at)
        out[winner] = 1.0
        out[1 - winner] = -1.0

    def evaluate(s):
        return (s.at[0] - s.at[1]) / (2.0 * {goal} + {sides})

    def perspective(s):
        return s.turn

    def features(s, index, value):
        index[0] = min({goal}, max(0, s.at[0] - s.at[1]))
        value[0] = 1.0
        index[1] = {goal} + 1 + s.die
        value[1] = 1.0
        index[2] = {goal} + {sides} + 2
        value[2] = 0.5
        return 3
"""

WALK = """
from zermelo import OVER, rules

@rules(name="fuzzed", players={players}, max_actions=3, repetition="draw", repetitions=3, zero_sum=True)
class Fuzzed:
    state = {{"at": ("i2", ({players},)), "turn": "i1", "winner": "i1"}}

    def start(s):
        s.winner = -1
        for p in range({players}):
            s.at[p] = p

    def player(s):
        return OVER if s.winner >= 0 else s.turn

    def actions(s, out):
        n = 0
        for step in range(-1, 2):
            if 0 <= s.at[s.turn] + step < {size}:
                out[n] = step
                n += 1
        return n

    def apply(s, step):
        s.at[s.turn] += step
        if s.at[s.turn] == {size} - 1:
            s.winner = s.turn
        s.turn = (s.turn + 1) % {players}

    def utility(s, out):
        for p in range({players}):
            out[p] = 1.0 if p == s.winner else -1.0 / ({players} - 1)

    def evaluate(s):
        others = 0
        for p in range(1, {players}):
            others = max(others, s.at[p])
        return (s.at[0] - others) / {size}

    def evaluate_players(s, out):
        total = 0.0
        for p in range({players}):
            total += s.at[p]
        for p in range({players}):
            out[p] = (s.at[p] - total / {players}) / {size}
"""

BASES = {
    "take": (TAKE, {"most": (1, 5), "stones": (3, 30)}),
    "place": (PLACE, {"size": (3, 12), "row": (2, 4)}),
    "dice": (DICE, {"sides": (2, 6), "goal": (3, 20)}),
    "walk": (WALK, {"players": (2, 4), "size": (4, 8)}),
}
