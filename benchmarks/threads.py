"""Alpha-beta with two threads beside one: the time to the same depth in chess, over several positions."""

from __future__ import annotations

from collections.abc import Iterator

import zermelo
from benchmarks.report import Row
from benchmarks.signature import SEARCHES
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.limits import Limits
from zermelo.search.searcher import answer

DEPTH = 11


def run() -> Iterator[Row]:
    name, _, positions = SEARCHES[0]
    game = zermelo.load(name)
    seconds = {1: 0.0, 2: 0.0}
    for _ in range(2):
        for position in positions:
            for threads in seconds:
                engine = AlphaBeta(game, threads=threads, table_mb=128)
                state = game.parse(position)
                engine.make_ready(zermelo.History(game, state))
                seconds[threads] += answer(engine, state, Limits(depth=DEPTH)).seconds
    speeds = {threads: 2 * len(positions) / took for threads, took in seconds.items()}
    yield Row(f"{name} to depth {DEPTH}, two threads", "searches/s", speeds[2], speeds[1], "one thread", "≥ 1.5×")
