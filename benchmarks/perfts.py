"""Perft: lines of play a second without bulk counting; chess beside python-chess in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import zermelo
from benchmarks.report import Row, best_rate, in_turn
from zermelo.search.perft import perft_nodes

GAMES = [
    ("chess", 4, "≥ 15 M, ≥ 40×"),
    ("othello", 9, "≥ 20 M"),
    ("checkers", 9, ""),
    ("connect-four", 8, ""),
]


def run() -> Iterator[Row]:
    for name, depth, bar in GAMES:
        game = zermelo.load(name)
        perft_nodes(game, 1)  # compiles

        def ours(game=game, depth=depth) -> float:  # type: ignore[no-untyped-def]
            return best_rate(lambda: perft_nodes(game, depth)[1], 5)

        what = f"perft {depth}, {name}"
        if name == "chess" and (board := python_chess()) is not None:

            def theirs(board=board) -> float:  # type: ignore[no-untyped-def]
                return best_rate(lambda: count(board, 3), 2)

            yield Row(what, "nodes/s", *in_turn(ours, theirs), "python-chess", bar)
        else:
            yield Row(what, "nodes/s", ours(), bar=bar)


def python_chess() -> Any:
    try:
        import chess
    except ImportError:
        return None
    return chess.Board()


def count(board: Any, depth: int) -> int:
    """All nodes of python-chess's tree, made and taken back."""
    if depth == 0:
        return 1
    nodes = 1
    for move in board.legal_moves:
        board.push(move)
        nodes += count(board, depth - 1)
        board.pop()
    return nodes
