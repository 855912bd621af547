"""A hash of what rules say of some positions of a class: a table fits the rules that agree with it.

It does not change when rules are only written differently, and it does when a number means another position, or an
action leads elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, assign, ending, expand, rank, row, unrank, utility
from zermelo.compile.endings import Ending
from zermelo.compile.kernel import kernel
from zermelo.compile.random import scramble
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import OVER
from zermelo.tables.known import mover_of

POSITIONS = 16


@kernel
def hash_positions(states, number, ranks, moves, chance, payoff):  # type: ignore[no-untyped-def]
    """states[2] is a record of zeros."""
    s, t = states[0], states[1]
    listed, probability = row(moves, 0), row(chance, 0)
    digest = np.uint64(number)
    for r in ranks:
        assign(s, states[2])
        sum_of = np.uint64(r)
        if unrank(s, number, r):
            p, n = expand(s, listed, probability)
            sum_of += scramble(np.uint64(p + 3))
            if p == OVER:
                utility(s, row(payoff, 0))
                sum_of += scramble(np.uint64(np.int64(1000 * row(payoff, 0)[mover_of(s)]) + (1 << 40)))
            for k in range(n):
                assign(t, s)
                apply(t, listed[k])
                after = ending(t)
                # the order of actions makes no difference
                sum_of += scramble(np.uint64(after + 2) * np.uint64(1 << 40) + np.uint64(rank(t) if after >= 0 else 0))
        digest = scramble(digest + sum_of)
    return digest


def numbering_hash(game: RecordGame, one: Ending) -> str:
    """Sixteen hexadecimal digits for a class as these rules see it."""
    rules = game.variant
    ranks = np.linspace(0, one.size - 1, min(POSITIONS, one.size)).astype(np.int64)
    chance: Any = rows(1, rules.width if rules.max_chance_outcomes else 1, "f8")
    digest = game.run(
        hash_positions,
        roomy(3, rules.dtype),
        one.number,
        ranks,
        rows(1, rules.width),
        chance,
        rows(1, rules.players, "f8"),
    )
    return f"{int(digest):016x}"
