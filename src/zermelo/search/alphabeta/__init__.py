"""Alpha-beta with deepening, a table, move ordering, quiescence, chance nodes and proofs."""

from zermelo.search.alphabeta.searcher import AlphaBeta

__all__ = ["AlphaBeta"]
