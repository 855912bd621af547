"""How many nodes fixed searches of fixed positions take. The total is a signature: a change of behaviour changes it.

    python -m benchmarks signature

The nodes of one thread are the same in every run. When a change to the search is meant to be a mere rewriting, the
total must not move; when it is meant to be better, fewer nodes to the same depth say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import zermelo
from benchmarks.report import Row
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.limits import Limits
from zermelo.search.searcher import answer

# (game, depth, positions)
SEARCHES = (
    (
        "chess",
        9,
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "2r3k1/pp3ppp/4p3/3pP3/3P4/P3R3/1P3PPP/6K1 w - - 0 1",
        ),
    ),
    ("connect-four", 14, ("", "4444", "445326")),
    ("othello", 9, ("", "f5d6c3d3c4")),
    ("checkers", 13, ("",)),
    ("backgammon", 1, ("",)),
)


def nodes_of(name: str, depth: int, positions: tuple[str, ...]) -> tuple[int, float]:
    """All nodes of these searches, each with an empty table, and the seconds they took."""
    game = zermelo.load(name)
    engine = AlphaBeta(game, table_mb=32)
    total, seconds = 0, 0.0
    for position in positions:
        state = game.parse(position) if position else game.start()
        engine.clear()
        engine.make_ready(zermelo.History(game, state))
        began = perf_counter()
        total += answer(engine, state, Limits(depth=depth)).nodes
        seconds += perf_counter() - began
    return total, seconds


def run() -> Iterator[Row]:
    signature = 0
    for name, depth, positions in SEARCHES:
        nodes, seconds = nodes_of(name, depth, positions)
        signature += nodes
        yield Row(f"alpha-beta, {name} to depth {depth}: {nodes:,} nodes", "nodes/s", nodes / seconds)
    yield Row(f"signature: {signature:,} nodes in all", "nodes", signature)
