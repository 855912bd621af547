"""How many nodes fixed searches of fixed positions take. The total is a signature: a change of behaviour changes it.

    python -m benchmarks signature

The nodes of one thread are the same in every run; they are kept in tests/data/golden and compared by a slow test. When
a change to the search is meant to be a mere rewriting, the total must not move; when it is meant to be better, fewer
nodes to the same depth say so. With the weights that come with the package there is a second total.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import zermelo
from benchmarks.report import Row
from zermelo.compile.evaluator import HANDCRAFTED
from zermelo.compile.record_game import RecordGame
from zermelo.evaluate.files import load_network
from zermelo.evaluate.shipped import shipped_file
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.limits import Limits
from zermelo.search.report import Report
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


def evaluators(game: RecordGame) -> dict[str, Any]:
    """The game's own evaluation, and the weights that come with the package where there are some."""
    file = shipped_file(game)
    return {"handcrafted": HANDCRAFTED} | ({"shipped": load_network(file, game)} if file else {})


def searched(game: RecordGame, depth: int, positions: tuple[str, ...], evaluator: Any) -> Iterator[Report]:
    """The search of every position, each with an empty table, everything compiled before the clock starts."""
    engine = AlphaBeta(game, table_mb=32, evaluator=evaluator)
    for position in positions:
        state = game.parse(position) if position else game.start()
        engine.clear()
        engine.make_ready(zermelo.History(game, state))
        yield answer(engine, state, Limits(depth=depth))


def run() -> Iterator[Row]:
    signature = dict.fromkeys(("handcrafted", "shipped"), 0)
    for name, depth, positions in SEARCHES:
        game = zermelo.load(name)
        for kind, evaluator in evaluators(game).items():
            reports = list(searched(game, depth, positions, evaluator))
            nodes, seconds = sum(r.nodes for r in reports), sum(r.seconds for r in reports)
            signature[kind] += nodes
            yield Row(f"alpha-beta, {name} to depth {depth}, {kind}: {nodes:,} nodes", "nodes/s", nodes / seconds)
    for kind, nodes in signature.items():
        yield Row(f"signature, {kind}: {nodes:,} nodes in all", "nodes", nodes)
