"""Monte Carlo tree search: one tree in memory, simulations by one or several threads, values backed up and proven."""

from zermelo.search.mcts.searcher import MCTS

__all__ = ["MCTS"]
