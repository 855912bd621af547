"""Positions drawn from tables: by their number in a class, or at random."""

from __future__ import annotations

import bisect
import random
from collections.abc import Iterator
from itertools import accumulate

from zermelo.compile.dispatch import unrank
from zermelo.compile.kernel import kernel
from zermelo.compile.record import roomy
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import OVER, GameError
from zermelo.tables.files import Header
from zermelo.tables.tables import WDL, Found, Tables

ATTEMPTS = 100_000  # to find one more position that is wanted


@kernel
def set_up_number(states, number, r):  # type: ignore[no-untyped-def]
    """The position of number `r` in a class; False if that is no position's."""
    return unrank(states[0], number, r)


def position(game: RecordGame, number: int, r: int) -> State | None:
    """The position of number `r` in class `number`; None if there is none."""
    records = roomy(1, game.variant.dtype)
    return State(game, records) if game.run(set_up_number, records, number, r) else None


def sample(
    tables: Tables, limit: int, values: tuple[int, ...] = (1, 0, -1), seed: int = 0
) -> Iterator[tuple[Header, State, Found]]:
    """Positions of the classes of `limit` in which somebody moves and which are worth one of `values` to them: each as
    likely as any other, no end of them, the same for a seed."""
    if tables.game.variant.max_chance_outcomes:
        raise GameError(
            f"{tables.game.name} has chance: its endings are worth an average, and none is won, drawn or lost"
        )
    headers = [header for header in tables.headers(WDL) if header.limit == limit]
    if not headers:
        raise GameError(
            f"there are no tables of {tables.game.name} up to exactly {limit}; "
            f"`zermelo tables build {tables.game.origin or tables.game.name} --limit {limit}` makes them"
        )
    ends = list(accumulate(header.size for header in headers))
    draw, misses = random.Random(seed), 0
    while misses < ATTEMPTS:
        misses += 1
        n = draw.randrange(ends[-1])
        at = bisect.bisect_right(ends, n)
        s = position(tables.game, headers[at].number, ends[at] - 1 - n)
        if s is None or tables.game.player(s) == OVER:
            continue
        found = tables.probe(s)
        if found is not None and found.value in values:
            misses = 0
            yield headers[at], s, found
    raise GameError(f"no position of {tables.game.name}'s endings up to {limit} is worth that, as far as was looked")
