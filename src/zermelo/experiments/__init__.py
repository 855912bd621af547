"""Experiments with the algorithms of the textbook: what is claimed in a lecture, counted on random trees.

    ordering   what the order of the moves saves alpha-beta
    monotone   which searches care about more than the order of the utilities

Each `run_…` returns data: `rows`, a `table()` for a terminal and a `figure(path)` where matplotlib is installed. The
same arguments give the same numbers.
"""

from zermelo.experiments.monotone import Monotone, run_monotone
from zermelo.experiments.ordering import Ordering, run_ordering

__all__ = ["Monotone", "Ordering", "run_monotone", "run_ordering"]
