"""A hash of what rules say of some positions of a class: a table fits the rules that agree with it.

It does not change when rules are only written differently, and it does when a number means another position, or an
action leads elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.dispatch import apply, assign, ending, expand, has_chance, race_rank, rank, row, unrank, utility
from zermelo.compile.endings import Ending
from zermelo.compile.kernel import kernel
from zermelo.compile.random import scramble
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.tables.known import mover_of

POSITIONS = 64  # of a class that are looked at, …
HOLES = 4096  # … each the first from its number on that is one, if it is one of so many


@helper
def hash_answers(t: Any, u: Any, listed: Any, probability: Any) -> Any:
    """Where one comes to from a position after chance: classes, numbers, what player 0 alone has still to do."""
    sum_of = np.uint64(0)
    _, n = expand(t, listed, probability)
    for k in range(n):
        assign(u, t)
        apply(u, listed[k])
        after = ending(u)
        number = np.uint64(rank(u) if after >= 0 else 0) + np.uint64(race_rank(u, 0) + 2) * np.uint64(1 << 20)
        sum_of += scramble(np.uint64(after + 2) * np.uint64(1 << 40) + number)
    return sum_of


@kernel
def hash_positions(states, number, size, ranks, moves, chance, payoff):  # type: ignore[no-untyped-def]
    """states[2] is a record of zeros, states[3] room for what is done about chance."""
    s, t = states[0], states[1]
    listed, probability = row(moves, 0), row(chance, 0)
    digest = np.uint64(number)
    for first in ranks:
        r, found = first, False
        for _ in range(min(HOLES, size)):
            assign(s, states[2])
            if unrank(s, number, r):
                found = True
                break
            r = r + 1 if r + 1 < size else 0
        sum_of = np.uint64(r)
        if found:
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
                if has_chance(s) and p == CHANCE:
                    sum_of += scramble(np.uint64(k) + hash_answers(t, states[3], row(moves, 1), row(chance, 1)))
        digest = scramble(digest + sum_of)
    return digest


def numbering_hash(game: RecordGame, one: Ending) -> str:
    """Sixteen hexadecimal digits for a class as these rules see it."""
    rules = game.variant
    ranks = np.linspace(0, one.size - 1, min(POSITIONS, one.size)).astype(np.int64)
    chance: Any = rows(2, rules.width if rules.max_chance_outcomes else 1, "f8")
    digest = game.run(
        hash_positions,
        roomy(4, rules.dtype),
        one.number,
        one.size,
        ranks,
        rows(2, rules.width),
        chance,
        rows(1, rules.players, "f8"),
    )
    return f"{int(digest):016x}"
