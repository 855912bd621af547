"""How much memory it takes to work out some classes, told before it is begun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import apply, assign, ending, expand, row, unrank
from zermelo.compile.endings import Ending
from zermelo.compile.kernel import kernel
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.solve.tables.expected import TURNS
from zermelo.solve.tables.group import A_POSITION, AN_EDGE
from zermelo.tables.tables import lay_out

SAMPLE = 400  # positions of a class
MARGIN = 1.1  # what a sample may be wrong by
OURS = 100 << 20  # bytes: Python, the compiler, a thread's arrays


class Need(NamedTuple):
    """Bytes, and what they are for."""

    total: int
    values: int  # of all classes, kept until the end
    group: int  # of the largest group, as long as it is worked out
    largest: str  # its name
    positions: int  # to be worked out


@kernel
def count_staying(states, number, ranks, is_member, moves, chance):  # type: ignore[no-untyped-def]
    """How many actions of these positions stay in the group. states[2] is a record of zeros."""
    s, t = states[0], states[1]
    staying = 0
    for r in ranks:
        assign(s, states[2])
        if unrank(s, number, r):
            _, n = expand(s, row(moves, 0), row(chance, 0))
            for k in range(n):
                assign(t, s)
                apply(t, row(moves, 0)[k])
                after = ending(t)
                if 0 <= after < len(is_member) and is_member[after]:
                    staying += 1
    return staying


def estimate(
    game: RecordGame, groups: Sequence[Sequence[Ending]], missing: Sequence[Sequence[Ending]], with_plies: bool
) -> Need:
    """What it takes to work out the `missing` ones of `groups`."""
    classes, positions = lay_out([one for group in groups for one in group])
    values = positions // 4 + 2 * positions * with_plies
    random = np.random.default_rng(1)
    largest = max(missing, key=lambda group: _bytes(game, group, len(classes), with_plies, random))
    group = _bytes(game, largest, len(classes), with_plies, random)
    total = sum(one.size for group in missing for one in group)
    return Need(OURS + values + group, values, group, largest[0].name, total)


def estimate_expected(
    game: RecordGame, groups: Sequence[Sequence[Ending]], missing: Sequence[Sequence[Ending]], with_plies: bool
) -> Need:
    """The same for a game with chance: all values are in memory, and the distributions of a one-sided class."""
    values = 4 * sum(one.size for group in groups for one in group if not one.one_sided)
    largest = max(missing, key=lambda group: sum(one.size for one in group))
    alone = max((9 * TURNS * one.size for group in missing for one in group if one.one_sided), default=0)
    total = sum(one.size for group in missing for one in group)
    return Need(OURS + values + alone, values, alone, largest[0].name, total)


def _bytes(game: RecordGame, group: Sequence[Ending], classes: int, with_plies: bool, random: Any) -> int:
    rules = game.variant
    is_member = np.zeros(classes, np.bool_)
    is_member[[one.number for one in group]] = True
    edges = 0.0
    moves, chance = rows(1, rules.width), rows(1, rules.width if rules.max_chance_outcomes else 1, "f8")
    for one in group:
        ranks = random.integers(0, one.size, SAMPLE)
        stay = game.run(count_staying, roomy(3, rules.dtype), one.number, ranks, is_member, moves, chance)
        edges += stay / SAMPLE * one.size
    n = sum(one.size for one in group)
    return int(MARGIN * edges) * AN_EDGE + n * (A_POSITION + 1 + 4 * with_plies)
